package regions

import (
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of what is aligned.
const (
	maxUnits = 120  // of one record
	maxValue = 4000 // bytes of one value
)

// unit is one value of a record: the text of an element that has text of its own, a
// piece of such text, an address, an image.
type unit struct {
	key   uint64 // the same for the same part of other records
	at    int32
	node  *html.Node
	attr  string // "" for text
	text  string
	mixed bool   // the text of an element that holds others with text
	list  bool   // such a text of a list in the record: its parts are as many as there are
	piece bool   // a text beside elements
	part  bool   // a part of the text of its node
	in    uint64 // the key of the mixed text that this is a part of
	path  uint64 // the key without its number
	label string // what the record itself calls it
	names bool   // it is such a label
}

// unitsOf lists the values of a record in reading order.
func (s *survey) unitsOf(r run, whole bool, of layout) []unit {
	w := unitWork{survey: s, layout: of, seen: map[uint64]int{}}
	w.root = r.from
	if !whole {
		w.root = s.flat[r.from].parent
	}
	for i := r.from; i < r.to && len(w.out) < maxUnits; i++ {
		p := &s.flat[i]
		if of.adverts[i] {
			i = p.end - 1
			continue
		}
		if p.node.Type == html.TextNode {
			w.piece(i, r)
			continue
		}
		w.attributes(i)
		w.element(i)
	}
	return w.out
}

// layout is what the records of a list have in common.
type layout struct {
	columns map[*html.Node]int // of cells in tables
	headed  bool               // none has more than one heading
	adverts map[int32]bool     // within records
}

type unitWork struct {
	*survey
	layout
	root   int32
	seen   map[uint64]int
	out    []unit
	inside []enclosing
}

// enclosing is an element with mixed text around the units that come next.
type enclosing struct {
	end int32
	key uint64
}

// add takes a value; the second of one path is another slot than the first.
func (w *unitWork) add(key uint64, u unit) {
	if u.text = strings.TrimSpace(u.text); len(u.text) > maxValue || !strings.ContainsFunc(u.text, says) && !unitCell(u) {
		return
	}
	w.seen[key]++
	u.path, u.key = key, key^uint64(w.seen[key])*prime
	for len(w.inside) > 0 && w.inside[len(w.inside)-1].end <= u.at {
		w.inside = w.inside[:len(w.inside)-1]
	}
	if len(w.inside) > 0 {
		u.in = w.inside[len(w.inside)-1].key
	}
	if u.mixed {
		w.inside = append(w.inside, enclosing{w.flat[u.at].end, u.key})
	}
	w.out = append(w.out, u)
}

// unitCell says whether a value is a cell with a unit that is no letter: elsewhere, "%" belongs to a number beside it.
func unitCell(u unit) bool {
	return (u.text == "%" || u.text == "‰") && (u.node.DataAtom == atom.Td || u.node.DataAtom == atom.Dd)
}

// says tells characters that mean something from those that only part others.
func says(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSymbol(r) && r != '|' && r != '+' && r != '<' && r != '>'
}

// element takes the text of an element that has text of its own.
func (w *unitWork) element(i int32) {
	p := &w.flat[i]
	if w.holds(w.whole(i)).text > maxValue {
		return
	}
	own, others := 0, false
	for c := i + 1; c < p.end; c = w.flat[c].end {
		if w.flat[c].node.Type == html.TextNode {
			own++
		} else if w.sums[w.flat[c].end].texts > w.sums[c].texts {
			others = true
		}
	}
	list := own == 0 && others && w.enumerates(i)
	if own == 0 && !list && !(p.node.DataAtom == atom.Td || p.node.DataAtom == atom.Dd) || i == w.root && others {
		return
	}
	w.add(w.path(i), unit{at: i, node: p.node, text: textOf([]*html.Node{p.node}), mixed: others, list: list})
}

// enumerates says whether an element is a list of plain texts of one make.
func (w *unitWork) enumerates(i int32) bool {
	p := &w.flat[i]
	if p.node.DataAtom != atom.Ul && p.node.DataAtom != atom.Ol {
		return false
	}
	for c := i + 1; c < p.end; c++ {
		switch one := &w.flat[c]; {
		case one.node.Type == html.TextNode:
		case one.parent != i || one.node.DataAtom != atom.Li || one.stable != w.flat[i+1].stable:
			return false
		}
	}
	return true
}

// piece takes a text that stands beside elements, or right in the record.
func (w *unitWork) piece(i int32, r run) {
	p := &w.flat[i]
	if len(p.node.Data) > maxValue {
		return
	}
	if up := p.parent; up >= r.from && w.sums[w.flat[up].end].texts-w.sums[up].texts == 1 {
		return // the only text of its element, which has been taken
	}
	w.add(w.path(p.parent)*prime+5, unit{at: i, node: p.node, text: textOf([]*html.Node{p.node}), piece: true})
}

// attributes takes what an element says in its attributes.
func (w *unitWork) attributes(i int32) {
	n := w.flat[i].node
	switch n.DataAtom {
	case atom.A, atom.Area:
		if href := dom.Attr(n, "href"); leadsSomewhere(href) {
			w.add(w.path(i)*prime+7, unit{at: i, node: n, attr: "href", text: href})
		}
	case atom.Img:
		if attr, src := imageOf(n); src != "" {
			w.add(w.path(i)*prime+9, unit{at: i, node: n, attr: attr, text: src})
		}
	case atom.Time:
		w.add(w.path(i)*prime+11, unit{at: i, node: n, attr: "datetime", text: dom.Attr(n, "datetime")})
	case atom.Meta, atom.Data:
		for _, attr := range [...]string{"content", "value"} {
			if text := dom.Attr(n, attr); text != "" && dom.HasAttr(n, "itemprop") {
				w.add(w.path(i)*prime+13, unit{at: i, node: n, attr: attr, text: text})
			}
		}
	}
}

const pathStart, headingPath = 17, 79

// oneHeading says whether no record has more than one heading: the first of a page may have one
// of another rank, in other classes.
func (s *survey) oneHeading(records []run) bool {
	for _, r := range records {
		headings := 0
		for i := r.from; i < r.to; i++ {
			if isHeading(s.flat[i].node) {
				headings++
			}
		}
		if headings > 1 {
			return false
		}
	}
	return true
}

func isHeading(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// path is the way from the record to a node, by tags and class names; in tables by
// the number of the column, and from its heading on where it has but one.
func (w *unitWork) path(i int32) uint64 {
	h := uint64(pathStart)
	for ; i > w.root && i >= 0; i = w.flat[i].parent {
		p := &w.flat[i]
		if column, cell := w.columns[p.node]; cell {
			h = h*prime ^ uint64(column+1)*73
			continue
		}
		if w.headed && isHeading(p.node) {
			return h*prime ^ headingPath
		}
		h = h*prime ^ uint64(p.tag)*71 ^ p.stable
	}
	return h
}

func leadsSomewhere(href string) bool {
	href = strings.TrimSpace(href)
	return href != "" && href[0] != '#' && !hasPrefixFold(href, "javascript:") && !hasPrefixFold(href, "mailto:") &&
		!hasPrefixFold(href, "tel:")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// imageOf is where an image is loaded from. Pages that load images when they come
// into view put the address elsewhere and a placeholder into src.
func imageOf(n *html.Node) (attr, src string) {
	for _, name := range [...]string{"data-src", "data-original", "data-lazy-src", "data-lazy", "src"} {
		if src = strings.TrimSpace(dom.Attr(n, name)); src != "" && !hasPrefixFold(src, "data:") {
			return name, src
		}
	}
	for _, name := range [...]string{"srcset", "data-srcset"} {
		first, _, _ := strings.Cut(strings.TrimSpace(dom.Attr(n, name)), " ")
		if first = strings.TrimSuffix(first, ","); first != "" {
			return name, first
		}
	}
	return "", ""
}
