package events

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dayList is nothing but days: "4", "4, 18", "4th and 18th".
var dayList = text.Pattern(`^\d{1,2}(?:st|nd|rd|th|\.)?(?:\s*(?:,|&|and|und|et|y|e|i|og|och|en|\+|/|;)\s*\d{1,2}(?:st|nd|rd|th|\.)?){0,11}$`)

// monthTable is a table whose rows begin with a month.
type monthTable struct {
	days          []*date
	rows, several int  // rows with days, and with more than one
	other         bool // some numbers in its rows are no days
}

// daysInMonthRows are the days in rows of tables that begin with a month: "May 2027" and
// "4, 18" beside it. Numbers beside months may count anything: only where they rise as days
// do in all rows, and most rows have several, they are believed.
func (r *reader) daysInMonthRows() []*date {
	tables := map[*html.Node]*monthTable{}
	var order []*monthTable
	for i := range r.lines {
		cell := cellOf(r.lines[i].holder)
		if cell == nil || len(r.lines[i].text) > 30 || r.spans[cell] != (span{i, i + 1}) || before(cell) != nil {
			continue
		}
		c := context{line: i, cell: cell}
		c.month, c.year = dates.MonthYear(r.lines[i].text, r.options())
		if c.month == 0 || wordCount(r.lines[i].text) > 2 || len(r.within(r.spans[cell.Parent])) > 0 {
			continue
		}
		table := cell.Parent.Parent
		if tables[table] == nil {
			tables[table] = &monthTable{}
			order = append(order, tables[table])
		}
		if len(tables[table].days) < maxDates {
			tables[table].add(r, c)
		}
	}
	var found []*date
	for _, t := range order {
		if !t.other && t.rows > 1 && t.several*2 >= t.rows {
			found = append(found, t.days...)
		}
	}
	return found
}

// before is the cell before another in its row; nil for the first.
func before(cell *html.Node) *html.Node {
	for n := cell.PrevSibling; n != nil; n = n.PrevSibling {
		if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
			return n
		}
	}
	return nil
}

// add reads the row of a month.
func (t *monthTable) add(r *reader, c context) {
	last, count := 0, 0
	for next := c.cell.NextSibling; next != nil; next = next.NextSibling {
		s, ok := r.spans[next]
		if !ok || next.DataAtom != atom.Td || s.first >= len(r.lines) || !hasDigits(r.lines[s.first].text) {
			continue
		}
		text := r.lines[s.first].text
		if s.last != s.first+1 || !dayList().MatchString(text) {
			t.other = true
			return
		}
		for _, at := range digits().FindAllStringIndex(text, -1) {
			day := number(text[at[0]:at[1]])
			one := r.monthDate(s.first, c, day, 0, -1)
			if day <= last || one == nil {
				t.other = true
				return
			}
			last, one.begin, one.end, one.text, one.single = day, at[0], at[1], strings.TrimSpace(text), true
			t.days = append(t.days, one)
			count++
		}
	}
	if count > 0 {
		t.rows++
	}
	if count > 1 {
		t.several++
	}
}

var digits = text.Pattern(`\d+`)
