package events

import (
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxSpanning bounds how many months of a page are looked beside.
const maxSpanning = 1000

// spannedDays reads the days beside a month that is written once for several rows:
// a cell with rowspan, and in each of its rows the day in the cell after it.
func (r *reader) spannedDays() []*date {
	var found []*date
	left := maxSpanning
	for i := range r.lines {
		cell := cellOf(r.lines[i].holder)
		if cell == nil || len(r.lines[i].text) > 30 || spanned(cell, "rowspan", 5000) < 2 || r.spans[cell] != (span{i, i + 1}) {
			continue
		}
		c := context{line: i, cell: cell}
		if c.month, c.year = dates.MonthYear(r.lines[i].text, r.options()); c.month > 0 && wordCount(r.lines[i].text) <= 2 {
			if left--; left < 0 {
				break
			}
			found = append(found, r.daysBeside(c)...)
		}
	}
	return found
}

// daysBeside reads the day of each row that a month's cell spans, unless the row has
// a whole date already.
func (r *reader) daysBeside(c context) []*date {
	var found []*date
	s := r.extentOf(c.cell)
	row := c.cell.Parent
	for range min(s.rows, 31) {
		for row != nil && row.DataAtom != atom.Tr {
			row = row.NextSibling
		}
		if row == nil {
			break
		}
		if day := r.cellAt(row, s.column+s.columns); day != nil && len(r.within(r.spans[row])) == 0 {
			if d := r.dayIn(day, c); d != nil {
				found = append(found, d)
			}
		}
		row = row.NextSibling
	}
	return found
}

// cellAt is the cell of a row in a column.
func (r *reader) cellAt(row *html.Node, column int) *html.Node {
	cell := row.FirstChild
	for left := 2 * maxColumns; cell != nil && left > 0; cell, left = cell.NextSibling, left-1 {
		if (cell.DataAtom == atom.Td || cell.DataAtom == atom.Th) && r.extentOf(cell).column == column {
			return cell
		}
	}
	return nil
}

func (r *reader) dayIn(cell *html.Node, c context) *date {
	s, ok := r.spans[cell]
	if !ok {
		return nil
	}
	text := r.lines[s.first].text
	w, named := r.dayWithWeekday(text)
	if !named {
		if !dayAlone(text) {
			return nil
		}
		w = writtenDay{first: number(text), weekday: -1, end: len(text)}
	}
	return r.dayOf(s.first, c, w)
}
