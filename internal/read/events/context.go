package events

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// context is a line that gives a month or a year to the dates after it.
type context struct {
	line        int
	month, year int
	second      int // the second year of a season: 2019–2020
	level       int
	cell        *html.Node
	part        span // the part of the page that it opens
}

var (
	fourDigits = text.Pattern(`\b(?:19|20)\d\d\b`)
	season     = text.Pattern(`\b((?:19|20)\d\d)\s*[-–—/]\s*((?:20)?\d\d)\b`)
)

// findContexts reads headings, captions and short lines with a month or a year and
// no day.
func (r *reader) findContexts() {
	for i := range r.lines {
		if !r.mayBeContext(i) {
			continue
		}
		l := &r.lines[i]
		c := context{line: i, level: l.level, cell: cellOf(l.holder), part: r.partOf(i)}
		c.month, c.year = dates.MonthYear(l.text, r.options())
		if c.month == 0 && c.year == 0 || isCopyright(l.text) {
			continue
		}
		if l.level == 0 && wordCount(l.text) > 8 {
			continue
		}
		if m := season().FindStringSubmatch(l.text); m != nil {
			c.year, c.second = number(m[1]), number(m[2])
			if c.second < 100 {
				c.second += c.year / 100 * 100
			}
			if c.second != c.year+1 {
				c.second = 0
			}
		}
		r.contexts = append(r.contexts, c)
	}
	r.dropTabs()
	r.findHeadings()
}

// mayBeContext tells the lines that are short enough to be nothing but a month or a
// year, and have no date.
func (r *reader) mayBeContext(i int) bool {
	l := &r.lines[i]
	if utf8.RuneCountInString(l.text) > 110 || r.at[i] < r.at[i+1] {
		return false
	}
	year := (strings.Contains(l.text, "19") || strings.Contains(l.text, "20")) && fourDigits().MatchString(l.text)
	if !year && (len(l.text) > 40 || l.level == 0 && len(l.text) > 14) {
		return false
	}
	return l.level > 0 || !r.insideEntry(i) && !r.namesEntry(i)
}

// namesEntry says whether a line of some words stands in one of several parts of one make that
// have a date each: it names what is on that day, and a year there is part of the name.
func (r *reader) namesEntry(i int) bool {
	if wordCount(r.lines[i].text) < 4 {
		return false
	}
	for n, steps := r.lines[i].holder, 0; n != nil && steps < 5; n, steps = n.Parent, steps+1 {
		s, ok := r.spans[n]
		if !ok || !isPart(n) || len(r.within(s)) != 1 {
			continue
		}
		return s.last-s.first < 12 && (r.twin(n, next) || r.twin(n, previous))
	}
	return false
}

func isCopyright(s string) bool {
	return strings.ContainsRune(s, '©') || strings.Contains(strings.ToLower(s), "copyright")
}

func wordCount(s string) int {
	count, inside := 0, false
	for _, c := range s {
		word := isWordRune(c)
		if word && !inside {
			count++
		}
		inside = word
	}
	return count
}

// insideEntry says whether a line stands in a row or a list entry that has a date
// of its own: the year of a report there says nothing of other rows.
func (r *reader) insideEntry(i int) bool {
	for n := r.lines[i].holder; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Tr, atom.Li, atom.P, atom.Article:
			s := r.spans[n]
			return r.at[s.first] < r.at[s.last] && r.dates[r.at[s.first]].line < i && s.last-s.first < 12
		case atom.Table, atom.Section, atom.Body:
			return false
		}
	}
	return false
}

// dropTabs removes the labels of tabs: three bare years in a row, of which only the
// last is followed by anything, are a way to choose, not headings.
func (r *reader) dropTabs() {
	kept := r.contexts[:0]
	for i, c := range r.contexts {
		after := i+1 < len(r.contexts) && r.contexts[i+1].line == c.line+1 && bareYear(r.lines[c.line].text) && bareYear(r.lines[c.line+1].text)
		before := i > 0 && r.contexts[i-1].line == c.line-1 && bareYear(r.lines[c.line].text) && bareYear(r.lines[c.line-1].text)
		if !(after || before) || cellOf(r.lines[c.line].holder) != nil {
			kept = append(kept, c)
		}
	}
	r.contexts = kept
}

func bareYear(s string) bool {
	return len(s) <= 12 && fourDigits().MatchString(s) && !hasLetters(s)
}

// cellOf is the nearest table cell around an element.
func cellOf(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Td, atom.Th:
			return n
		case atom.Table:
			return nil
		}
	}
	return nil
}

// yearAbove finds the year that holds for a line: from the head of its column, else
// from the nearest line above in whose scope it stands.
func (r *reader) yearAbove(i int) (context, bool) {
	if c, ok := r.columnContext(i, func(c context) bool { return c.year > 0 }); ok {
		return c, true
	}
	return r.above(i, func(c context) bool { return c.year > 0 })
}

func (r *reader) monthAbove(i int) (context, bool) {
	if c, ok := r.columnContext(i, func(c context) bool { return c.month > 0 }); ok {
		return c, true
	}
	return r.above(i, func(c context) bool { return c.month > 0 })
}

// above looks upwards for the nearest context in whose scope a line stands.
func (r *reader) above(i int, fits func(context) bool) (context, bool) {
	last := r.contextBefore(i)
	for k := last; k >= 0 && k > last-200 && i-r.contexts[k].line < 3000; k-- {
		if c := r.contexts[k]; fits(c) && r.inScope(c, i) {
			return c, true
		}
	}
	return context{}, false
}

func (r *reader) contextBefore(i int) int {
	low, high := 0, len(r.contexts)
	for low < high {
		if mid := (low + high) / 2; r.contexts[mid].line < i {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low - 1
}

// inScope: a heading opens the part of the page that it stands in, up to the next
// one of its rank in the same part. The great headings also hold beyond it.
func (r *reader) inScope(c context, i int) bool {
	if (r.lines[c.line].zone == frame) != (r.lines[i].zone == frame) {
		return false // a menu says nothing of the content, nor the other way round
	}
	if c.cell != nil && i >= r.spans[c.cell].last && !r.cellOpens(c, i) {
		return false
	}
	rank := c.level
	rank = cmp.Or(rank, 8)
	part := c.part
	if i >= part.last {
		if rank > 3 {
			return false
		}
		part = span{c.line, len(r.lines)}
	}
	for _, h := range r.headings[r.headingAfter(c.line+1):] {
		if h.line >= i {
			break
		}
		ranks := h.level <= rank && !h.timed && h.part.first <= c.part.first
		if ranks && (h.part.last > i || h.part == part) {
			return false
		}
	}
	return true
}

// heading is a line that ends the scope of headings before it.
type heading struct {
	line, level int
	part        span
	timed       bool // it says a month or a year itself
}

// findHeadings lists the headings and the part of the page that each opens: the
// nearest element that holds more than the heading.
func (r *reader) findHeadings() {
	for i := range r.lines {
		if l := r.lines[i].level; l > 0 && l < 7 && r.at[i] == r.at[i+1] {
			r.headings = append(r.headings, heading{line: i, level: l, part: r.partOf(i), timed: r.isContext(i)})
		}
	}
}

func (r *reader) headingAfter(line int) int {
	k, _ := slices.BinarySearchFunc(r.headings, line, func(h heading, line int) int { return h.line - line })
	return k
}

func (r *reader) partOf(i int) span {
	for n := r.lines[i].holder; n != nil; n = n.Parent {
		if s, ok := r.spans[n]; ok && s.last > i+1 {
			return s
		}
	}
	return span{0, len(r.lines)}
}

// cellOpens: a cell that spans its row is a heading for the rows below.
func (r *reader) cellOpens(c context, i int) bool {
	s, ok := r.spans[c.cell.Parent]
	if !ok || s.last-s.first > 2 {
		return false
	}
	own := cellOf(r.lines[i].holder)
	return own != nil && tableOf(own) == tableOf(c.cell) || own == nil
}

func tableOf(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == atom.Table {
			return n
		}
	}
	return nil
}

// columnContext is the month or year at the head of the column of a line, or at the
// head of its row.
func (r *reader) columnContext(i int, fits func(context) bool) (context, bool) {
	cell := cellOf(r.lines[i].holder)
	if cell == nil {
		return context{}, false
	}
	own, table := r.extentOf(cell), tableOf(cell)
	last := r.contextBefore(i)
	for k := last; k >= 0 && k > last-100 && i-r.contexts[k].line < 600; k-- {
		c := r.contexts[k]
		if c.cell == nil || !fits(c) {
			continue
		}
		if c.cell == cell {
			return c, true
		}
		if tableOf(c.cell) == table && r.extentOf(c.cell).heads(own) {
			return c, true
		}
	}
	return context{}, false
}

// heads tells a cell at the head of the row or of the column of another.
func (s cellSpan) heads(other cellSpan) bool {
	if s.column == 0 && s.besideRow(other.row) {
		return true
	}
	return s.row < other.row && s.overColumn(other.column) && !s.alone && s.columns == 1
}
