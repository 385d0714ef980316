package induce

import (
	"context"
	"iter"
	"time"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
)

// Bounds of looking for values, so that no page takes long.
const (
	maxTexts  = 60_000 // pieces of text of one page that are looked at
	maxPlaces = 12     // places of one value on one page that rules are made for
	maxValue  = 4_000  // bytes of a known value that count
)

// textPiece is a piece of text of the page.
type textPiece struct {
	node   *html.Node
	text   string // on one line
	key    string // as values are compared
	hidden bool
	shown  int // its number among the shown ones
}

// pageIndex is a page, ready for finding values on it.
type pageIndex struct {
	ctx     context.Context // of the learning that it serves
	doc     *dom.Document
	kept    blueprint.PageInput
	texts   []textPiece
	shown   []int // the shown ones, in reading order
	nodes   int32 // of the page
	extents map[*html.Node]extent
	dates   dates.Options
	found   map[string][]dates.Occurrence // dates by text, found once
	keys    map[string]string             // texts as compared
	sums    map[string]string             // amounts by compared text; "" where there is none
	attrs   []attribute
	called  map[*html.Node]string // what elements are called; see calling
	byWord  map[string][]int      // the shown texts of each word, made when asked for
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

func newPageIndex(ctx context.Context, doc *dom.Document, now time.Time) *pageIndex {
	tag := doc.Language()
	s := &pageIndex{ctx: ctx, doc: doc, extents: make(map[*html.Node]extent, min(nodesOf(doc.Tree()), 2*maxTexts)),
		found: map[string][]dates.Occurrence{}, called: map[*html.Node]string{}, keys: map[string]string{}, sums: map[string]string{},
		dates: dates.Options{Now: now, Lang: language.Primary(tag)}}
	s.kept = blueprint.PageInput{Document: doc, Now: now, Lang: tag}.Keep()
	s.walk(doc.Tree(), false)
	return s
}

// page is what blueprints are applied to.
func (s *pageIndex) page() blueprint.PageInput { return s.kept }

// extent is where a node stands and what is inside of it, from and up to.
type extent struct {
	order        int32
	shown        [2]int32 // shown texts, of elements
	texts, attrs [2]int32
}

// nodesOf counts the nodes of a page.
func nodesOf(tree *html.Node) int {
	n := 1
	for range tree.Descendants() {
		n++
	}
	return n
}

// span are the shown texts inside of an element, from and up to.
func (s *pageIndex) span(n *html.Node) [2]int {
	at := s.extents[n].shown
	return [2]int{int(at[0]), int(at[1])}
}

func (s *pageIndex) walk(n *html.Node, hidden bool) {
	at := extent{order: s.nodes}
	s.nodes++
	if n.Type == html.ElementNode && unread(n) || len(s.texts) >= maxTexts {
		s.extents[n] = at
		return
	}
	hidden = hidden || dom.Hidden(n)
	at.texts[0], at.attrs[0], at.shown[0] = int32(len(s.texts)), int32(len(s.attrs)), int32(len(s.shown))
	if n.Type == html.TextNode {
		s.text(n, hidden)
		s.extents[n] = extent{order: at.order, texts: [2]int32{at.texts[0], int32(len(s.texts))}}
		return
	}
	for _, a := range n.Attr {
		if valued[a.Key] && a.Val != "" && len(a.Val) <= maxValue {
			s.attrs = append(s.attrs, attribute{n, a.Key, a.Val, key(a.Val)})
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.walk(c, hidden)
	}
	at.texts[1], at.attrs[1], at.shown[1] = int32(len(s.texts)), int32(len(s.attrs)), int32(len(s.shown))
	s.extents[n] = at
}

// textsIn are the texts of a part of the page.
func (s *pageIndex) textsIn(in scope) iter.Seq[*textPiece] {
	if in == nil {
		in = scope{s.doc.Tree()}
	}
	return func(yield func(*textPiece) bool) {
		for _, root := range in {
			r := s.extents[root].texts
			for i := r[0]; i < r[1]; i++ {
				if !yield(&s.texts[i]) {
					return
				}
			}
		}
	}
}

// attrsIn are the attributes of a part of the page.
func (s *pageIndex) attrsIn(in scope) []attribute {
	if in == nil {
		return s.attrs
	}
	var all []attribute
	for _, root := range in {
		r := s.extents[root].attrs
		all = append(all, s.attrs[r[0]:r[1]]...)
	}
	return all
}

func (s *pageIndex) text(n *html.Node, hidden bool) {
	text := text.Collapse(n.Data)
	if text == "" {
		return
	}
	l := textPiece{node: n, text: text, hidden: hidden, shown: -1}
	if len(text) <= maxValue {
		l.key = key(text)
	}
	if !hidden {
		l.shown = len(s.shown)
		s.shown = append(s.shown, len(s.texts))
	}
	s.texts = append(s.texts, l)
}

// unread says whether the text of an element is no text for people.
func unread(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template", "svg", "math", "noscript", "iframe", "textarea":
		return true
	}
	return false
}

// beside is the shown text some steps after (or, negative, before) a text; "" at the
// ends.
func (s *pageIndex) beside(l textPiece, steps int) string {
	at := l.shown + steps
	if l.shown < 0 || at < 0 || at >= len(s.shown) {
		return ""
	}
	return s.texts[s.shown[at]].text
}

// line is the text of an element as values are compared.
func line(n *html.Node) string { return key(dom.Line(n)) }

// datesIn finds the dates of a text, once.
func (s *pageIndex) datesIn(text string) []dates.Occurrence {
	found, ok := s.found[text]
	if !ok && len(text) <= maxValue {
		found = dates.Find(text, s.dates)
		s.found[text] = found
	}
	return found
}

// keyOf is the key of a text, made once.
func (s *pageIndex) keyOf(text string) string {
	k, ok := s.keys[text]
	if !ok {
		k = key(text)
		s.keys[text] = k
	}
	return k
}

// amountIn is the price or number that a compared text is; "" when it is none.
func (s *pageIndex) amountIn(key string) string {
	amount, ok := s.sums[key]
	if !ok {
		if p, is := money.Parse(key, ""); is {
			amount = p.Amount
		}
		s.sums[key] = amount
	}
	return amount
}
