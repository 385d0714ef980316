package product

import (
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
)

// Product reads the product that a page is about. known is what the page's data say
// of it, or nil. It is false when the page shows no product; the confidence says
// how sure it is that it does.
func Product(d *dom.Document, g *structured.Graph, known *curlew.Draft) (PageDraft, bool) {
	if d.IsJSON() {
		return PageDraft{}, false
	}
	l := lay(d, g, known)
	buttons := l.buttons()
	prices := l.pricing(buttons)
	trust := l.isProduct(buttons, prices)
	if trust == 0 {
		return PageDraft{}, false
	}
	r := PageDraft{Preferred: map[string]bool{}, Draft: curlew.Draft{
		Schema: curlew.SchemaProduct, Fields: curlew.Values{}, Provenance: map[string]curlew.Evidence{}, Confidence: trust,
	}}
	l.name(&r)
	prices.read(&r, l)
	l.codes(&r)
	l.availability(&r, buttons, prices)
	l.surroundings(&r)
	return r, true
}

// isProduct is how sure the page is about one product: 0 when it is not.
func (l *layout) isProduct(buttons []button, p pricing) float64 {
	if l.known != nil {
		return 0.9
	}
	if l.titleText == "" || p.best == nil || p.best.card || p.best.side {
		return 0
	}
	if len(buttons) == 0 && p.best.option { // prices in rows, and nothing to buy: a price list
		return 0
	}
	trust := 0.3
	if len(buttons) > 0 && l.away(buttons[0].node, p.best.node) < 800 {
		trust += 0.3
	}
	if l.namedPrice(p.best.node) {
		trust += 0.15
	}
	if p.best.worth > 0.5 {
		trust += 0.1
	}
	nearer := func(o *offer) bool { // a list of many is not about one of them
		return o.card && l.title != nil && l.away(o.node, l.title) < l.away(p.best.node, l.title)
	}
	if slices.ContainsFunc(p.all, nearer) {
		trust -= 0.3
	}
	return max(trust, 0)
}

func (l *layout) name(r *PageDraft) {
	name := l.knownText("name")
	if l.title != nil && (name == "" || overlap(wordsOf(l.titleText), wordsOf(name)) > 0) {
		r.say("name", l.titleText, l.evidence(l.title, "the heading of the page", l.titleText, 0.9))
	} else if name == "" && l.titleText != "" {
		r.say("name", l.titleText, l.evidence(nil, "the title of the page", l.titleText, 0.6))
	} else if name != "" {
		r.say("name", name, l.known.Provenance["name"])
	}
}

// surroundings reads what stands in the head of nearly every page.
func (l *layout) surroundings(r *PageDraft) {
	address := l.doc.Canonical()
	if address == "" || l.doc.URL().Host != "" && hostOf(l.doc, address) != l.doc.URL().Host {
		address = l.doc.URL().String()
	}
	r.URL = address
	r.say("url", address, l.evidence(nil, "the address of the page", address, 0.8))
	for _, name := range []string{"og:image", "twitter:image"} {
		if image := l.doc.Meta(name); image != "" && r.Fields["image_url"] == nil {
			r.say("image_url", l.doc.Resolve(image), l.evidence(nil, "the picture for sharing, "+name, image, 0.7))
		}
	}
	for _, name := range []string{"og:description", "description"} {
		if text := l.doc.Meta(name); text != "" && r.Fields["description"] == nil {
			r.say("description", text, l.evidence(nil, "the description in the head, "+name, text, 0.6))
		}
	}
}
