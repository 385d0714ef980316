package regions

import (
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// grid is what the tables of a region say about its rows: the column of each cell,
// the headings of columns, and the cells that reach down from rows above.
type grid struct {
	column map[*html.Node]int
	header map[int]string
	above  map[*html.Node][]spanned // by row
}

type spanned struct {
	column int
	cell   dom.Cell
}

// gridOf reads the tables in which the rows of a region stand.
func gridOf(d *dom.Document, rows map[*html.Node]bool) grid {
	g := grid{map[*html.Node]int{}, map[int]string{}, map[*html.Node][]spanned{}}
	for _, t := range d.Tables() {
		seen := map[*html.Node]bool{}
		ours := false
		for _, line := range t.Rows {
			row := rowOf(line, seen)
			if row == nil || !rows[row] {
				continue
			}
			ours = true
			for column, cell := range line {
				switch {
				case cell.Node == nil:
				case cell.Node.Parent != row:
					g.above[row] = append(g.above[row], spanned{column, cell})
				default:
					if _, known := g.column[cell.Node]; !known {
						g.column[cell.Node] = column
					}
				}
			}
		}
		for column, text := range t.Header {
			if ours && g.header[column] == "" {
				g.header[column] = text
			}
		}
	}
	return g
}

// rowOf finds the row that a line of a table was made of: the one parent of its
// cells that no line before had.
func rowOf(line []dom.Cell, seen map[*html.Node]bool) *html.Node {
	var row *html.Node
	for _, cell := range line {
		if cell.Node != nil && cell.Node.Parent != nil && cell.Node.Parent.DataAtom == atom.Tr && !seen[cell.Node.Parent] {
			row = cell.Node.Parent
		}
	}
	if row != nil {
		seen[row] = true
	}
	return row
}
