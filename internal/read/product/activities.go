package product

import (
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// activityHeadings are what organizations write above the list of what they do.
var activityHeadings = wordlist.Named(words, "activity headings")

// plainWords are the words of a heading, without its punctuation.
func plainWords(text string) string {
	punctuation := func(r rune) bool { return strings.ContainsRune(" \t\n\u00a0.,:;!?'’–—-", r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), punctuation), " ")
}

// What is a list of activities, and not a text or a menu.
const (
	mostActivities = 60
	longestName    = 120 // of an activity, in bytes
)

// Activities reads what an organization does from the list under a heading that says
// so. It is no draft of its own: it completes one that is known.
func Activities(d *dom.Document) (values []string, evidence curlew.Evidence, ok bool) {
	l := lay(d, nil, nil)
	for n := range d.Tree().Descendants() {
		if n.Type != html.ElementNode || !headsList(n) || l.aside(n) {
			continue
		}
		text := dom.Line(n)
		if len(text) > longestName || !activityHeadings().Has(plainWords(text)) {
			continue
		}
		if list := listAfter(n); list != nil {
			if values = itemsOf(list); len(values) > 0 {
				return values, l.evidence(list, "the list under "+text, strings.Join(values, ", "), 0.8), true
			}
		}
	}
	return nil, evidence, false
}

func headsList(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Th, atom.Strong, atom.B, atom.P, atom.Legend,
		atom.Caption, atom.Span, atom.Div:
		return true
	}
	return false
}

// listAfter is the list that a heading stands above: its next neighbour, or that of
// what holds nothing but the heading.
func listAfter(n *html.Node) *html.Node {
	for range 3 {
		for s := n.NextSibling; s != nil; s = s.NextSibling {
			if s.Type == html.TextNode && strings.TrimSpace(s.Data) == "" || s.Type == html.CommentNode {
				continue
			}
			return listIn(s)
		}
		if n = n.Parent; n == nil || n.DataAtom == atom.Body {
			return nil
		}
	}
	return nil
}

// listIn is a list, or the only list that a wrapper of it holds.
func listIn(n *html.Node) *html.Node {
	for range 3 {
		switch {
		case n == nil || n.Type != html.ElementNode:
			return nil
		case n.DataAtom == atom.Ul || n.DataAtom == atom.Ol:
			return n
		}
		n = onlyChild(n)
	}
	return nil
}

func onlyChild(n *html.Node) *html.Node {
	var only *html.Node
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) == "" || c.Type == html.CommentNode:
		case only != nil:
			return nil
		default:
			only = c
		}
	}
	return only
}

// itemsOf are the entries of a list; none when they are no names.
func itemsOf(list *html.Node) []string {
	var all []string
	for c := range list.ChildNodes() {
		if c.DataAtom != atom.Li || dom.Hidden(c) {
			continue
		}
		text := dom.Line(c)
		if len(text) > longestName || len(all) >= mostActivities {
			return nil
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}
