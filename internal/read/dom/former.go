package dom

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/text/labels"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var formerWords = []string{"old", "was", "before", "regular", "former", "strike", "crossed", "original", "rrp", "msrp", "uvp"}

// Struck says whether an element crosses out what it holds.
func Struck(n *html.Node) bool {
	return n.DataAtom == atom.S || n.DataAtom == atom.Del || n.DataAtom == atom.Strike || strings.Contains(Attr(n, "style"), "line-through")
}

// Former says whether an element holds what something cost before: it is crossed out, or a
// class names it so.
func Former(n *html.Node) bool {
	if Struck(n) {
		return true
	}
	for class := range strings.FieldsSeq(Attr(n, "class")) {
		if FormerName(class) {
			return true
		}
	}
	return false
}

// FormerName says whether a name is that of a former price.
func FormerName(name string) bool {
	lower := strings.ToLower(name)
	within := func(w string) bool { return strings.Contains(lower, w) }
	if !slices.ContainsFunc(formerWords, within) && !within("price") { // most names have none of the words
		return false
	}
	words := labels.Words(name)
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(formerWords, w) }) ||
		slices.Contains(words, "list") && slices.Contains(words, "price")
}

// ToPay is the text of an element, on one line, without the former prices in it.
func ToPay(n *html.Node) string { return Line(WithoutFormer(n)) }

// WithoutFormer is an element without the former prices in it, where another figure stands
// beside these; else it is the element itself.
func WithoutFormer(n *html.Node) *html.Node {
	if HoldsFormer(n) {
		if rest := withoutFormer(n); strings.ContainsFunc(Line(rest), unicode.IsDigit) {
			return rest
		}
	}
	return n
}

// HoldsFormer says whether a former price stands below an element.
func HoldsFormer(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && Former(d) {
			return true
		}
	}
	return false
}

// withoutFormer copies an element without the former prices below it.
func withoutFormer(n *html.Node) *html.Node {
	out := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: n.Attr}
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || !Former(c) {
			out.AppendChild(withoutFormer(c))
		}
	}
	return out
}
