package induce

import (
	"strings"
	"time"

	"golang.org/x/net/html"

	"curlew/internal/blueprint"
	"curlew/internal/dates"
	"curlew/internal/dom"
	"curlew/internal/language"
)

// Bounds of looking for values, so that no page takes long.
const (
	maxLeaves = 60_000 // pieces of text of one page that are looked at
	maxPlaces = 12     // places of one value on one page that rules are made for
	maxValue  = 4_000  // bytes of a known value that count
)

// leaf is a piece of text of the page.
type leaf struct {
	node   *html.Node
	text   string // on one line
	key    string // as values are compared
	hidden bool
	shown  int // its number among the shown ones
}

// sheet is a page, ready for finding values on it.
type sheet struct {
	doc    *dom.Document
	leaves []leaf
	shown  []int // the shown ones, in reading order
	order  map[*html.Node]int
	span   map[*html.Node][2]int // of elements: the shown leaves inside, from and up to
	inside map[*html.Node][4]int // of all nodes: the leaves inside, from and up to, and the attributes
	dates  dates.Options
	lang   string
	found  map[string][]dates.Found // dates by text, found once
	attrs  []attribute
	byWord map[string][]int // the shown texts of each word, made when asked for
}

// attribute is an attribute that may hold a value.
type attribute struct {
	node *html.Node
	name string
	text string
	key  string
}

// valued are the attributes that carry values for readers or machines.
var valued = map[string]bool{"content": true, "href": true, "src": true, "datetime": true, "title": true, "alt": true, "value": true,
	"data-price": true, "data-sku": true, "data-id": true, "data-name": true, "data-date": true, "data-start": true, "data-value": true}

func newSheet(doc *dom.Document, now time.Time) *sheet {
	tag, _ := language.Of(doc)
	s := &sheet{doc: doc, order: map[*html.Node]int{}, span: map[*html.Node][2]int{}, inside: map[*html.Node][4]int{}, found: map[string][]dates.Found{},
		dates: dates.Options{Now: now, Lang: language.Primary(tag)}, lang: tag}
	s.walk(doc.Tree(), false)
	return s
}

// page is what blueprints are applied to.
func (s *sheet) page() blueprint.Page {
	return blueprint.Page{Document: s.doc, Now: s.dates.Now, Lang: s.lang}
}

func (s *sheet) walk(n *html.Node, hidden bool) {
	s.order[n] = len(s.order)
	if n.Type == html.ElementNode && unread(n) || len(s.leaves) >= maxLeaves {
		return
	}
	hidden = hidden || dom.Hidden(n)
	first, firstAttr := len(s.leaves), len(s.attrs)
	if n.Type == html.TextNode {
		s.text(n, hidden)
		s.inside[n] = [4]int{first, len(s.leaves), 0, 0}
		return
	}
	from := len(s.shown)
	for _, a := range n.Attr {
		if valued[a.Key] && a.Val != "" && len(a.Val) <= maxValue {
			s.attrs = append(s.attrs, attribute{n, a.Key, a.Val, key(a.Val)})
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.walk(c, hidden)
	}
	s.span[n] = [2]int{from, len(s.shown)}
	s.inside[n] = [4]int{first, len(s.leaves), firstAttr, len(s.attrs)}
}

// leavesIn are the texts of a part of the page.
func (s *sheet) leavesIn(in scope) []*leaf {
	var all []*leaf
	if in == nil {
		in = scope{s.doc.Tree()}
	}
	for _, root := range in {
		r := s.inside[root]
		for i := r[0]; i < r[1]; i++ {
			all = append(all, &s.leaves[i])
		}
	}
	return all
}

// attrsIn are the attributes of a part of the page.
func (s *sheet) attrsIn(in scope) []attribute {
	if in == nil {
		return s.attrs
	}
	var all []attribute
	for _, root := range in {
		r := s.inside[root]
		all = append(all, s.attrs[r[2]:r[3]]...)
	}
	return all
}

func (s *sheet) text(n *html.Node, hidden bool) {
	text := collapse(n.Data)
	if text == "" {
		return
	}
	l := leaf{node: n, text: text, hidden: hidden, shown: -1}
	if len(text) <= maxValue {
		l.key = key(text)
	}
	if !hidden {
		l.shown = len(s.shown)
		s.shown = append(s.shown, len(s.leaves))
	}
	s.leaves = append(s.leaves, l)
}

// unread says whether the text of an element is no text for people.
func unread(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template", "svg", "math", "noscript", "iframe", "textarea":
		return true
	}
	return false
}

// beside is the shown text some steps after (or, negative, before) a leaf; "" at the
// ends.
func (s *sheet) beside(l leaf, steps int) string {
	at := l.shown + steps
	if l.shown < 0 || at < 0 || at >= len(s.shown) {
		return ""
	}
	return s.leaves[s.shown[at]].text
}

// line is the text of an element as values are compared.
func line(n *html.Node) string { return key(dom.Line(n)) }

// datesIn finds the dates of a text, once.
func (s *sheet) datesIn(text string) []dates.Found {
	found, ok := s.found[text]
	if !ok && len(text) <= maxValue {
		found = dates.Find(text, s.dates)
		s.found[text] = found
	}
	return found
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
