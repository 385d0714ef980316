package product

import (
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// button is what a visitor presses to buy the subject of the page.
type button struct {
	node     *html.Node
	text     string
	enabled  bool
	notifies bool // it only offers to write when the product is back
}

// buyWords begin or make up the texts of buttons with which people buy.
var buyWords = wordlist.Named(words, "buy words")

// notifyWords are those of buttons of things that cannot be bought now.
var notifyWords = wordlist.Named(words, "notify words")

// wishWords are in the texts of buttons that only put a thing aside: "add to
// favourites", "add to compare".
var wishWords = wordlist.Named(words, "wish words")

// buyNames are words by which the elements of such buttons go.
var buyNames = wordlist.Named(words, "buy names")

const mostClicks = 20_000

// buttons finds what the subject of the page is bought with. Buttons in cards of
// other products are left out.
func (l *layout) buttons() []button {
	var all []button
	seen := map[string]int{}
	for i, n := range l.clicks {
		if i >= mostClicks {
			break
		}
		b, ok := l.button(n)
		if !ok || l.aside(n) {
			continue
		}
		seen[b.text+"\x00"+firstClass(n)]++
		all = append(all, b)
	}
	kept := all[:0]
	for _, b := range all {
		if seen[b.text+"\x00"+firstClass(b.node)] <= 3 {
			kept = append(kept, b)
		}
	}
	return kept
}

func (l *layout) button(n *html.Node) (button, bool) {
	if n.DataAtom == atom.Input && !pressable(n) {
		return button{}, false
	}
	if l.measure(n) > 60 || n.DataAtom == atom.A && l.otherPage(n) && l.farFromBuying(n) {
		return button{}, false
	}
	b := button{node: n, enabled: enabled(n)}
	for _, text := range []string{dom.Line(n), dom.Attr(n, "value"), dom.Attr(n, "aria-label"), dom.Attr(n, "title")} {
		text = strings.ToLower(strings.TrimSpace(text))
		if text == "" || len(text) > 120 {
			continue
		}
		switch {
		case holdsAny(text, wishWords()):
			return button{}, false
		case begins(text, notifyWords()):
			b.text, b.notifies = text, true
		case begins(text, buyWords()):
			b.text = text
		default:
			continue
		}
		return b, !l.ranges[n].hidden
	}
	if !l.namedBuy(n) {
		return button{}, false
	}
	b.text = strings.ToLower(dom.Line(n))
	if stockOf(b.text) == outOfStock {
		b.enabled = false
	}
	return b, !l.ranges[n].hidden
}

// pressable tells inputs that are buttons.
func pressable(input *html.Node) bool {
	switch strings.ToLower(dom.Attr(input, "type")) {
	case "submit", "button", "image":
		return true
	}
	return false
}

// farFromBuying tells a link that merely begins with the word for buying.
func (l *layout) farFromBuying(a *html.Node) bool {
	href := strings.ToLower(dom.Attr(a, "href"))
	for _, part := range []string{"cart", "basket", "checkout", "buy", "bid", "order", "panier", "warenkorb", "kosik", "kosz", "add"} {
		if strings.Contains(href, part) {
			return false
		}
	}
	return true
}

func (l *layout) namedBuy(n *html.Node) bool {
	words := l.tokens(n)
	for i, word := range words {
		if word == "addtocart" || word == "addtobasket" || word == "addtobag" || word == "buynow" {
			return true
		}
		if i+1 < len(words) && buyNames().Has(word+" "+words[i+1]) && word != "add" {
			return true
		}
	}
	return false
}

// holdsAny says whether one of some beginnings of words stands in a text.
func holdsAny(text string, list *wordlist.List) bool {
	for _, word := range list.Words {
		if at := strings.Index(text, word); at >= 0 {
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			first, _ := utf8.DecodeRuneInString(word)
			if at == 0 || first >= 0x2E80 || !isLetter(before) {
				return true
			}
		}
	}
	return false
}

func begins(text string, list *wordlist.List) bool {
	text = strings.TrimLeft(text, "+»› ")
	for _, word := range list.Words {
		if rest, ok := strings.CutPrefix(text, word); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			first, _ := utf8.DecodeRuneInString(word)
			if rest == "" || first >= 0x2E80 || !isLetter(r) {
				return true
			}
		}
	}
	return false
}

// enabled says whether a button can be pressed.
func enabled(n *html.Node) bool {
	if dom.HasAttr(n, "disabled") || strings.EqualFold(dom.Attr(n, "aria-disabled"), "true") {
		return false
	}
	for class := range strings.FieldsSeq(strings.ToLower(dom.Attr(n, "class"))) {
		switch class {
		case "disabled", "is-disabled", "btn-disabled", "button-disabled", "inactive", "out-of-stock", "outofstock", "sold-out", "soldout":
			return false
		}
	}
	return true
}
