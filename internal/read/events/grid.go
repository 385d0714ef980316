package events

import (
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cellSpan is where a cell stands in its table, with what it cellSpans.
type cellSpan struct {
	row, column, rows, columns int
	alone                      bool // the only cell of its row
}

func (s cellSpan) overColumn(column int) bool {
	return column >= s.column && column < s.column+s.columns
}
func (s cellSpan) besideRow(row int) bool { return row >= s.row && row < s.row+s.rows }

// maxColumns bounds the width of a table.
const maxColumns = 256

// extentOf finds the place of a cell; every table is counted once.
func (r *reader) extentOf(cell *html.Node) cellSpan {
	if s, known := r.cellSpans[cell]; known {
		return s
	}
	if r.cellSpans == nil {
		r.cellSpans = map[*html.Node]cellSpan{}
	}
	if table := tableOf(cell); table != nil {
		r.layOut(table)
	}
	return r.cellSpans[cell]
}

// layOut counts the cells of a table; cells that span rows push later ones aside.
func (r *reader) layOut(table *html.Node) {
	l := &tableLayout{cellSpans: r.cellSpans}
	for part := range table.ChildNodes() {
		switch part.DataAtom {
		case atom.Tr:
			l.add(part)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for tr := range part.ChildNodes() {
				if tr.DataAtom == atom.Tr {
					l.add(tr)
				}
			}
		}
	}
}

// tableLayout is a table whose rows are being counted.
type tableLayout struct {
	cellSpans map[*html.Node]cellSpan
	rows      int
	taken     [maxColumns]int // how many further rows each column is taken
}

// add counts the cells of the next row.
func (l *tableLayout) add(tr *html.Node) {
	column, cells := 0, 0
	var last *html.Node
	for c := range tr.ChildNodes() {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		for column < maxColumns && l.taken[column] > 0 {
			column++
		}
		s := cellSpan{row: l.rows, column: column, rows: spanned(c, "rowspan", 5000), columns: spanned(c, "colspan", maxColumns)}
		for k := column; k < min(column+s.columns, maxColumns); k++ {
			l.taken[k] = s.rows
		}
		l.cellSpans[c] = s
		column += s.columns
		cells++
		last = c
	}
	if cells == 1 {
		s := l.cellSpans[last]
		s.alone = true
		l.cellSpans[last] = s
	}
	for k := range l.taken {
		l.taken[k] = max(0, l.taken[k]-1)
	}
	l.rows++
}

func spanned(cell *html.Node, name string, most int) int {
	value := dom.Attr(cell, name)
	if value == "" {
		return 1
	}
	return min(max(number(value), 1), most)
}
