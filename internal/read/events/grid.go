package events

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"curlew/internal/read/dom"
)

// spot is where a cell stands in its table, with what it spans.
type spot struct {
	row, column, rows, columns int
	alone                      bool // the only cell of its row
}

func (s spot) overColumn(column int) bool { return column >= s.column && column < s.column+s.columns }
func (s spot) besideRow(row int) bool     { return row >= s.row && row < s.row+s.rows }

// maxColumns bounds the width of a table.
const maxColumns = 256

// spotOf finds the place of a cell; every table is counted once.
func (r *reader) spotOf(cell *html.Node) spot {
	if s, known := r.spots[cell]; known {
		return s
	}
	if r.spots == nil {
		r.spots = map[*html.Node]spot{}
	}
	if table := tableOf(cell); table != nil {
		r.layOut(table)
	}
	return r.spots[cell]
}

// layOut counts the cells of a table; cells that span rows push later ones aside.
func (r *reader) layOut(table *html.Node) {
	var taken [maxColumns]int // how many further rows each column is taken
	number := 0
	row := func(tr *html.Node) {
		column, cells := 0, 0
		var last *html.Node
		for c := tr.FirstChild; c != nil; c = c.NextSibling {
			if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
				continue
			}
			for column < maxColumns && taken[column] > 0 {
				column++
			}
			s := spot{row: number, column: column, rows: spanned(c, "rowspan", 5000), columns: spanned(c, "colspan", maxColumns)}
			for k := column; k < min(column+s.columns, maxColumns); k++ {
				taken[k] = s.rows
			}
			r.spots[c] = s
			column += s.columns
			cells++
			last = c
		}
		if cells == 1 {
			s := r.spots[last]
			s.alone = true
			r.spots[last] = s
		}
		for k := range taken {
			taken[k] = max(0, taken[k]-1)
		}
		number++
	}
	for part := table.FirstChild; part != nil; part = part.NextSibling {
		if part.DataAtom == atom.Tr {
			row(part)
		}
		if part.DataAtom == atom.Thead || part.DataAtom == atom.Tbody || part.DataAtom == atom.Tfoot {
			for tr := part.FirstChild; tr != nil; tr = tr.NextSibling {
				if tr.DataAtom == atom.Tr {
					row(tr)
				}
			}
		}
	}
}

func spanned(cell *html.Node, name string, most int) int {
	value := dom.Attr(cell, name)
	if value == "" {
		return 1
	}
	return min(max(number(value), 1), most)
}
