package product

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
)

// stock is whether a thing can be had.
type stock string

const (
	unknownStock stock = ""
	inStock      stock = "in_stock"
	outOfStock   stock = "out_of_stock"
	preorder     stock = "preorder"
	discontinued stock = "discontinued"
)

// stockOf reads a short text that is about stock.
func stockOf(text string) stock {
	text = strings.ToLower(text)
	// What says that there is none stands before what its words contain.
	for _, means := range []stock{discontinued, outOfStock, preorder, inStock} {
		for _, phrase := range words().Of(string(means)).Words {
			if standsIn(text, phrase) {
				return means
			}
		}
	}
	return unknownStock
}

// TellsStock says whether a short text says nothing but whether a thing can be had.
func TellsStock(text string) bool {
	return utf8.RuneCountInString(text) <= longestStock/2 && stockOf(text) != unknownStock
}

// PutStock gives a product of a list the stock that its card tells, in whatever place: a thing that
// is sold out after its page was learned says so where no rule looks.
func PutStock(d *curlew.Draft, card *html.Node) {
	if _, has := d.Fields["availability"]; has || card == nil {
		return
	}
	for _, b := range dom.Blocks(card) {
		if TellsStock(b.Text) {
			d.Fields["availability"] = b.Text
			d.Provenance["availability"] = curlew.Evidence{Tier: curlew.TierHTML, Rule: "a text of the card", Node: d.Node, Text: b.Text,
				Confidence: 0.8}
			return
		}
	}
}

func standsIn(text, phrase string) bool {
	at := strings.Index(text, phrase)
	if at < 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(phrase)
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	behind, _ := utf8.DecodeRuneInString(text[at+len(phrase):])
	return first >= 0x2E80 || (at == 0 || !isLetter(before)) && !(isLetter(behind) && len(phrase) < 5)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

// saidStock is what the page says about stock near its heading or its buttons.
type saidStock struct {
	means stock
	node  *html.Node
	text  string
}

// longestStock is the most characters of a line about stock: longer ones tell of
// conditions.
const longestStock = 60

// nearStock is how far from the heading, the price or the button such a line counts.
const nearStock = 450

func (l *layout) stockLines(anchors []*html.Node) []saidStock {
	var found []saidStock
	for _, b := range l.lines() {
		if len(b.Text) > 4*longestStock || utf8.RuneCountInString(b.Text) > longestStock || len(found) > 50 {
			continue
		}
		if !l.nearAny(b.Node, anchors) {
			continue
		}
		means := stockOf(b.Text)
		if means == unknownStock || l.ranges[b.Node].hidden || l.aside(b.Node) || l.isChoice(b.Node) {
			continue
		}
		found = append(found, saidStock{means, b.Node, b.Text})
	}
	return found
}

// isChoice tells the entries of lists of variants and of shops, each of which may
// be out of stock on its own.
func (l *layout) isChoice(n *html.Node) bool {
	for range 4 {
		if n == nil || n.Type != html.ElementNode {
			return false
		}
		switch n.Data {
		case "option", "select", "label", "li", "tr":
			return true
		}
		if l.hasIn(n, choiceNames()) {
			return true
		}
		n = n.Parent
	}
	return false
}

var choiceNames = wordlist.Named(words, "choice names")

func (l *layout) nearAny(n *html.Node, anchors []*html.Node) bool {
	return slices.ContainsFunc(anchors, func(a *html.Node) bool { return l.away(n, a) < nearStock })
}

// availability reads whether the subject can be bought: a button that can be
// pressed outweighs what is written about it, since variants sell out one by one.
func (l *layout) availability(r *PageDraft, buttons []button, p pricing) {
	anchors := l.anchors(buttons, p)
	lines := l.stockLines(anchors)
	near := l.buttonsNear(buttons, anchors[:min(len(anchors), 2)])
	gone := slices.IndexFunc(lines, saidStock.gone)
	barredGone := near.barred != nil && stockOf(near.barred.text) == outOfStock
	switch {
	case near.ready != nil:
		means := inStock
		if stockOf(near.ready.text) == preorder {
			means = preorder
		}
		r.say("availability", string(means), l.evidence(near.ready.node, "a button to buy it with", near.ready.text, 0.8))
		r.Preferred["availability"] = l.knownGone() && (gone < 0 || l.someOffer())
	case gone >= 0:
		line := lines[gone]
		l.keepStock(r, line.means, l.evidence(line.node, "words about stock near the heading, and no way to buy", line.text, 0.85))
	case near.notify != nil && (near.barred == nil || barredGone):
		l.keepStock(r, outOfStock, l.evidence(near.notify.node, "a button that tells when it is back", near.notify.text, 0.75))
	case barredGone:
		l.keepStock(r, outOfStock, l.evidence(near.barred.node, "the button to buy it says so", near.barred.text, 0.8))
	case l.knownGone() && l.someOffer():
		r.insist("availability", string(inStock), l.evidence(nil, "one of its variants is offered", l.knownText("availability"), 0.7))
	default:
		if at := slices.IndexFunc(lines, func(s saidStock) bool { return s.means == inStock }); at >= 0 {
			e := l.evidence(lines[at].node, "words about stock near the heading", lines[at].text, 0.7)
			r.say("availability", string(inStock), e)
		}
	}
}

// gone tells a line that says that the subject cannot be had.
func (s saidStock) gone() bool { return s.means == outOfStock || s.means == discontinued }

// nearButtons are the first buttons near the subject that can be pressed to buy it, that
// cannot, and that only tell when it is back; nil for none.
type nearButtons struct{ ready, barred, notify *button }

func (l *layout) buttonsNear(buttons []button, anchors []*html.Node) nearButtons {
	var near nearButtons
	for i := range buttons {
		b := &buttons[i]
		if !l.nearAny(b.node, anchors) {
			continue
		}
		switch {
		case b.notifies && near.notify == nil:
			near.notify = b
		case b.enabled && !b.notifies && near.ready == nil:
			near.ready = b
		case !b.enabled && near.barred == nil:
			near.barred = b
		}
	}
	return near
}

// keepStock keeps what the page shows; over what its data say only where these do
// not name another reason for its not being had.
func (l *layout) keepStock(r *PageDraft, means stock, e curlew.Evidence) {
	r.say("availability", string(means), e)
	if l.knownStock() == inStock {
		r.Preferred["availability"] = true
	}
}

// knownStock is what the data of the page say about stock.
func (l *layout) knownStock() stock {
	return stockOf(strings.ReplaceAll(camelWords(l.knownText("availability")), "_", " "))
}

// knownGone says whether the data of the page call its subject sold out.
func (l *layout) knownGone() bool {
	known := l.knownStock()
	return known == outOfStock || known == discontinued
}

// someOffer says whether the data of the page offer any variant of its subject.
func (l *layout) someOffer() bool {
	if l.graph == nil {
		return false
	}
	for _, item := range l.graph.Find("Product", "ProductGroup", "IndividualProduct", "ProductModel") {
		if text.Letters(item.Text("name")) != text.Letters(l.knownText("name")) {
			continue
		}
		for part := range item.All() {
			if part.Is("Offer", "AggregateOffer", "Demand") && stockOf(camelWords(part.Text("availability"))) == inStock {
				return true
			}
		}
	}
	return false
}

// camelWords writes "https://schema.org/InStock" as "in stock".
func camelWords(text string) string {
	text = text[strings.LastIndexByte(text, '/')+1:]
	var out strings.Builder
	for i, r := range text {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// anchors are the elements around which the page speaks of its subject.
func (l *layout) anchors(buttons []button, p pricing) []*html.Node {
	var all []*html.Node
	if l.title != nil {
		all = append(all, l.title)
	}
	if p.best != nil {
		all = append(all, p.best.node)
	}
	for _, b := range buttons[:min(len(buttons), 3)] {
		all = append(all, b.node)
	}
	return all
}
