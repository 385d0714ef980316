package product

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// brandWords are the names that makers of shops give to what shows a brand: to
// elements, to the addresses of its page, and to the folder of its logos.
var brandWords = wordlist.Named(words, "brand words")

// namesBrand says whether an element is about a brand by what it is called, by where
// it leads, or by the folder and name of its picture.
func (l *layout) namesBrand(n *html.Node) bool {
	if l.hasIn(n, brandWords()) {
		return true
	}
	switch n.DataAtom {
	case atom.A:
		return addressNames(dom.Attr(n, "href"))
	case atom.Img:
		return addressNames(dom.Attr(n, "src"))
	}
	return false
}

// addressNames says whether a word of an address says that it is about a brand:
// "/brands/acme", "manufacturers_id/705", "?marque=acme", "/img/manufacturer_acme.jpg".
func addressNames(address string) bool {
	if address == "" || len(address) > 500 {
		return false
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return false
	}
	query, _, _ := strings.Cut(u.RawQuery, "&")
	key, value, _ := strings.Cut(query, "=")
	words := splitNames(nil, u.Path)
	if value != "" {
		words = splitNames(words, key)
	}
	return slices.ContainsFunc(words, brandWords().Has)
}

// brandInAttributes takes the brand that an element around the heading keeps for
// scripts: data-brand, data-product-brand and the like.
func (l *layout) brandInAttributes(r *PageDraft) bool {
	title := spaced(l.titleText)
	for n := range l.doc.Tree().Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for i := range n.Attr {
			a := &n.Attr[i]
			rest, ok := strings.CutPrefix(a.Key, "data-")
			if !ok || !keepsBrand(rest) {
				continue
			}
			name := brandName(a.Val)
			if name == "" || l.aside(n) || labelOnly(name) || strings.ContainsAny(name, "{}[]=<>/_") {
				continue
			}
			_, around := l.above[n]
			if around || strings.Contains(title, spaced(name)) {
				r.say("brand", name, l.evidence(n, "attribute "+a.Key, a.Val, 0.7))
				return true
			}
		}
	}
	return false
}

// keepsBrand tells the names of attributes whose value is a brand's name.
func keepsBrand(key string) bool {
	key = strings.TrimSuffix(key, "-name")
	at := strings.LastIndexByte(key, '-')
	return brandWords().Has(key[at+1:])
}

// spaced are the words of a text between spaces, so that whole words can be sought.
func spaced(text string) string { return " " + strings.Join(wordsOf(text), " ") + " " }

// byWords stand before the maker's name in a line of its own under the heading.
var byWords = wordlist.Named(words, "by words")

// brandBelow reads "by Acme" in a line right below the heading, where the name is a
// link: to the maker, or to all of its products.
func (l *layout) brandBelow(r *PageDraft) bool {
	if l.title == nil {
		return false
	}
	for i, n := range l.clicks {
		if i >= mostClicks || n.Parent == nil || l.ranges[n].from < l.ranges[l.title].to || !l.linkNear(n, 60) {
			continue
		}
		name := brandName(dom.Line(n))
		line := strings.TrimSpace(strings.TrimSuffix(dom.Line(n.Parent), dom.Line(n)))
		if name == "" || !byWords().Has(strings.ToLower(line)) || !startsUpper(name) {
			continue
		}
		r.say("brand", name, l.evidence(n, "name behind \""+line+"\" below the heading", dom.Line(n.Parent), 0.6))
		return true
	}
	return false
}

// linkNear tells a link within so many characters of the heading, outside side parts.
func (l *layout) linkNear(n *html.Node, reach int) bool {
	return n.DataAtom == atom.A && l.away(n, l.title) <= reach && !l.aside(n)
}

func startsUpper(text string) bool {
	for _, r := range text {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || unicode.Is(unicode.Lo, r)
	}
	return false
}

// brandInOffer takes the first words of the name where a link near the heading
// offers more of them: "View other products from Acme", "Alle Artikel von Acme".
func (l *layout) brandInOffer(r *PageDraft) bool {
	if l.title == nil {
		return false
	}
	first := strings.Fields(l.titleText)
	for size := min(3, len(first)-1); size > 0; size-- {
		name := brandName(strings.Join(first[:size], " "))
		if len(name) < 2 || !startsUpper(name) {
			continue
		}
		for i, n := range l.clicks {
			if i >= mostClicks || l.measure(n) > 60 || !l.linkNear(n, 400) || !l.otherPage(n) {
				continue
			}
			if text := dom.Line(n); offers(text, name, l.titleText) {
				r.say("brand", name, l.evidence(n, "a link to more with the first words of the name", text, 0.55))
				return true
			}
		}
	}
	return false
}

// offers says whether a text of several words ends or begins with a name, written
// just so, and says nothing else of the title.
func offers(text, name, title string) bool {
	rest, ok := strings.CutSuffix(text, " "+name)
	if !ok {
		if rest, ok = strings.CutPrefix(text, name+" "); !ok {
			return false
		}
	}
	words := wordsOf(rest)
	return len(words) > 0 && len(words) < 6 && overlap(words, wordsOf(title)) == 0
}
