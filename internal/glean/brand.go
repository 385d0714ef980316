package glean

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"curlew/internal/dom"
)

// brand reads who makes the subject: behind a label, in an element that goes by the
// word, or as the first word of the name where the page links to it.
func (l *layout) brand(r *Reading, all []labelled) {
	if known := l.knownText("brand"); known != "" {
		l.tidyBrand(r, known)
		return
	}
	for _, f := range all {
		if f.kind != brandLabel || !f.apart || len(f.value) > 60 {
			continue
		}
		name := brandName(f.value)
		if name == "" || l.nearness(f.node) < -5 {
			continue
		}
		r.say("brand", name, l.evidence(f.node, "value behind the label "+f.name, f.text, 0.8))
		return
	}
	if l.brandElement(r) {
		return
	}
	l.brandInTitle(r)
}

// tidyBrand takes the label off a known brand: elements that carry the data of a
// page are sometimes drawn too wide.
func (l *layout) tidyBrand(r *Reading, known string) {
	head, name, found := strings.Cut(known, ":")
	if name = brandName(name); !found || name == "" {
		return
	}
	words := wordsOf(head)
	if len(words) > 0 && labelOnly(words[len(words)-1]) {
		r.insist("brand", name, l.evidence(nil, "the known brand without its label", known, 0.85))
	}
}

// brandName cleans what stands behind a label; "" for what can be no name.
func brandName(text string) string {
	text, _, _ = strings.Cut(text, "|")
	text, _, _ = strings.Cut(text, "\t")
	text = strings.Trim(text, " :,.;®™\u00a0")
	if utf8.RuneCountInString(text) < 2 || len(wordsOf(text)) == 0 || len(wordsOf(text)) > 5 || strings.ContainsAny(text, ":?!") {
		return ""
	}
	if strings.Trim(text, "0123456789.,-/ ") == "" {
		return ""
	}
	return text
}

var brandWords = wordSet(`brand brands marque marka marke marca merk znacka značka designer manufacturer hersteller producer producent vendor brend`)

// brandElement takes a short text or a picture near the title whose names say that
// it is the brand.
func (l *layout) brandElement(r *Reading) bool {
	if l.title == nil {
		return false
	}
	for n := range l.doc.Tree().Descendants() {
		if n.Type != html.ElementNode || l.spots[n].hidden || n.DataAtom == atom.Body || n.DataAtom == atom.Html || l.measure(n) > 40 || !l.namesBrand(n) {
			continue
		}
		if l.away(n, l.title) > 400 || l.aside(n) {
			continue
		}
		text := dom.Line(n)
		if text == "" {
			text = dom.Alt(n)
		}
		name := brandName(text)
		if name == "" || fold(name) == fold(l.titleText) || l.isSite(name) && !strings.HasPrefix(fold(l.titleText), fold(name)) || labelOnly(name) {
			continue
		}
		r.say("brand", name, l.evidence(n, "element named brand near the heading", text, 0.75))
		return true
	}
	return false
}

func (l *layout) namesBrand(n *html.Node) bool {
	if l.hasIn(n, brandWords) {
		return true
	}
	href := strings.ToLower(dom.Attr(n, "href"))
	return n.DataAtom == atom.A && (strings.Contains(href, "/brand/") || strings.Contains(href, "/brands/") || strings.Contains(href, "/marque/") || strings.Contains(href, "brand="))
}

// labelOnly tells a text that is itself a label.
func labelOnly(text string) bool {
	for _, name := range labels[brandLabel] {
		if strings.EqualFold(strings.TrimSpace(text), name) {
			return true
		}
	}
	return false
}

// isSite says whether a name is that of the site.
func (l *layout) isSite(name string) bool {
	folded := fold(name)
	if folded == "" {
		return false
	}
	host := fold(strings.TrimPrefix(l.doc.URL().Hostname(), "www."))
	return strings.HasPrefix(host, folded) || fold(l.doc.Meta("og:site_name")) == folded
}

// brandInTitle takes the first words of the name where a link of the page has just
// these for its text: shops link from a product to the others of its maker.
func (l *layout) brandInTitle(r *Reading) {
	title := strings.ToLower(l.titleText)
	if title == "" {
		return
	}
	var best *html.Node
	name := ""
	for i, n := range l.clicks {
		if i >= mostClicks || n.DataAtom != atom.A || l.measure(n) > 30 {
			continue
		}
		text := dom.Line(n)
		if text == "" {
			text = dom.Alt(n)
		}
		rest, ok := strings.CutPrefix(title, strings.ToLower(text))
		if !ok || len(text) < 3 || rest == "" || rest[0] != ' ' || len(wordsOf(text)) > 3 || len(text) <= len(name) {
			continue
		}
		if l.away(n, l.title) < 1500 && brandName(text) != "" {
			best, name = n, brandName(text)
		}
	}
	if best != nil {
		r.say("brand", name, l.evidence(best, "a link with the first words of the name", name, 0.6))
	}
}
