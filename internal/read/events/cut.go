package events

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cut makes one entry of each date: the highest element that holds one day, or the
// lines around it where an element holds several.
func (r *reader) cut() {
	for i := range r.lines {
		r.lines[i].stripped = nil // by now it is settled what is a date
	}
	units := map[*html.Node]*entry{}
	r.unitMakes = map[string]int{}
	chains := make([][]*html.Node, len(r.dates))
	for i, d := range r.dates {
		chains[i] = r.climb(d)
	}
	r.settleChains(chains)
	for i, d := range r.dates {
		if len(chains[i]) == 0 {
			r.cutLines(d)
			continue
		}
		n := chains[i][len(chains[i])-1]
		if e := units[n]; e != nil {
			e.also = append(e.also, d)
			continue
		}
		e := &entry{date: d, node: n, span: r.spans[n]}
		units[n] = e
		r.unitMakes[makeOf(n)]++
		r.entries = append(r.entries, e)
	}
	r.widen()
	r.splitByTime()
	r.carry()
}

// climb lists the elements from the date's own upwards that hold one day only.
func (r *reader) climb(d *date) []*html.Node {
	var chain []*html.Node
	first := 0
	s, n := r.spanOf(d.node)
	for n != nil && s.last <= d.lastLine { // a badge's parts
		s, n = r.spanOf(n.Parent)
	}
	for steps := 0; n != nil && steps < 60; steps++ {
		if !r.oneDay(s, d) || tooWide(n) {
			break
		}
		if len(chain) > 0 && (s.last-s.first > 80 || r.twins(chain[len(chain)-1], n, d)) {
			break
		}
		chain = append(chain, n)
		s, n = r.spanOf(n.Parent)
	}
	return chain[first:]
}

func tooWide(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body, atom.Main, atom.Form, atom.Thead:
		return true
	case atom.Table, atom.Tbody:
		return !ofFacts(n)
	}
	return false
}

// ofFacts tells a table that says one thing of its entry in each row, behind a label.
func ofFacts(table *html.Node) bool {
	rows := 0
	for row := range table.Descendants() {
		if row.DataAtom != atom.Tr {
			continue
		}
		var cells []*html.Node
		for c := range row.ChildNodes() {
			if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
				cells = append(cells, c)
			}
		}
		if len(cells) != 2 || cells[1].DataAtom == atom.Th {
			return false
		}
		if cells[0].DataAtom != atom.Th && !strings.HasSuffix(strings.TrimSpace(dom.Line(cells[0])), ":") {
			return false
		}
		rows++
	}
	return rows > 1
}

func (r *reader) oneDay(s span, d *date) bool {
	inside := r.within(s)
	if len(inside) > 24 {
		return false
	}
	return !slices.ContainsFunc(inside, func(other *date) bool { return other.day() != d.day() || r.parts(d, other) })
}

// parts says whether two lines of one element, which a br parts, begin with one day and different hours, and each says
// what is then: two entries.
func (r *reader) parts(a, b *date) bool {
	opens := func(d *date) bool {
		return d.begin == 0 && d.hasClock && d.line == d.lastLine && wordCount(r.bare(d.line)) >= 2
	}
	return a.line != b.line && r.lines[a.line].holder == r.lines[b.line].holder && !a.start.Equal(b.start) && opens(a) && opens(b)
}

// twins says whether a parent holds siblings of the same make with the same day:
// then each is an entry of its own.
func (r *reader) twins(child, parent *html.Node, d *date) bool {
	switch child.DataAtom {
	case atom.Td, atom.Th, atom.Span, atom.B, atom.Strong, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return false
	}
	s := r.spans[parent]
	if len(r.within(s)) == len(r.within(r.spans[child])) {
		return false
	}
	return r.twin(child, next) || r.twin(child, previous)
}

// twin looks for a sibling of the same make with a date among the nearest few.
func (r *reader) twin(child *html.Node, next func(*html.Node) *html.Node) bool {
	n := next(child)
	for range 12 {
		if n == nil {
			return false
		}
		if n.DataAtom == child.DataAtom && dom.Attr(n, "class") == dom.Attr(child, "class") {
			own, ok := r.spans[n]
			if ok && len(r.within(own)) > 0 && r.substance(own) >= 2 && r.substance(r.spans[child]) >= 2 {
				return true
			}
		}
		n = next(n)
	}
	return false
}

// substance counts the words of lines beyond dates, times and names of documents.
func (r *reader) substance(s span) int {
	count := 0
	for i := s.first; i < s.last && count < 50; i++ {
		count += wordCount(r.bare(i))
	}
	return count
}

// settleChains lets entries that stand alone in their part of the page end where
// their likes end: a list with one entry is still a list.
func (r *reader) settleChains(chains [][]*html.Node) {
	makes := map[string]int{}
	for _, chain := range chains {
		if len(chain) > 0 {
			makes[makeOf(chain[len(chain)-1])]++
		}
	}
	for i, chain := range chains {
		if len(chain) < 2 || makes[makeOf(chain[len(chain)-1])] >= 3 {
			continue
		}
		for k := len(chain) - 2; k >= 0; k-- {
			if makes[makeOf(chain[k])] >= 3 {
				chains[i] = chain[:k+1]
				break
			}
		}
	}
}

// makeOf is the tag and the classes of an element.
func makeOf(n *html.Node) string { return n.Data + "." + dom.Attr(n, "class") }

// cutLines makes an entry of a date whose own element holds other days too: its
// line up to the next day, or its part of the line.
func (r *reader) cutLines(d *date) {
	s, n := r.spanOf(r.lines[d.line].holder)
	e := &entry{date: d, node: n, shape: shapeLines, span: span{d.line, d.lastLine + 1}}
	inside := r.within(s)
	k := slices.Index(inside, d)
	if k < 0 {
		return
	}
	if k > 0 && inside[k-1].line == d.line && inside[k-1].day() == d.day() {
		return // another mention
	}
	if k > 0 && inside[k-1].line == d.line {
		e.begin = d.begin
	}
	last := s.last
	if next := nextEntry(d, inside[k+1:]); next != nil && next.line == d.line {
		e.end, last = next.begin, d.line+1
	} else if next != nil {
		last = next.line
	}
	for i := d.lastLine + 1; i < last && i < d.line+12 && r.lines[i].level == 0 && !r.isContext(i); i++ {
		e.span.last = i + 1
	}
	if e.end > 0 {
		e.span.last = d.line + 1
	}
	r.entries = append(r.entries, e)
}

// nextEntry is the date with which the next entry begins: one of another day, or of the same where both begin their lines.
func nextEntry(d *date, after []*date) *date {
	for _, other := range after {
		if other.day() != d.day() || other.line != d.line && other.begin == 0 && d.begin == 0 {
			return other
		}
	}
	return nil
}

func (r *reader) isContext(i int) bool {
	k := r.contextBefore(i + 1)
	return k >= 0 && r.contexts[k].line == i
}
