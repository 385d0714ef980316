package blueprint

import (
	"slices"
	"sort"
	"strconv"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxColumns bounds a row: spans beyond it are cut.
const maxColumns = 200

// grid is a table with its spans filled in.
type grid struct {
	rows  [][]*html.Node          // a cell that spans stands in several places; nil is none
	names []*html.Node            // the elements of the rows
	row   map[*html.Node]int      // of the elements of rows; made when it is needed
	at    map[*html.Node]position // of a cell: its first place; made when it is needed
	heads []heading               // rows of headings; the first row is always one
	near  int                     // the row that was looked for last
	ends  []int                   // of the last row's cells: the row before which each ends
	cells []*html.Node            // memory for rows
}

// position is where a cell begins.
type position struct{ row, column int }

// heading is a row of headings with the columns of their texts.
type heading struct {
	row     int
	columns map[string]int
}

// gridOf is the table around a node; nil when there is none.
func (r *run) gridOf(n *html.Node) *grid {
	table := closest(n, atom.Table)
	if table == nil {
		return nil
	}
	g, ok := r.grids[table]
	if !ok {
		g = newGrid(table)
		r.grids[table] = g
	}
	return g
}

func newGrid(table *html.Node) *grid {
	g := &grid{}
	for c := table.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Tr:
			g.add(c)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for tr := c.FirstChild; tr != nil; tr = tr.NextSibling {
				if tr.DataAtom == atom.Tr {
					g.add(tr)
				}
			}
		}
	}
	return g
}

// add puts a row under the others; cells that reach down from above keep their place.
func (g *grid) add(tr *html.Node) {
	i := len(g.rows)
	var memory [maxColumns]*html.Node
	row := memory[:0]
	if i > 0 {
		row = append(row, g.rows[i-1]...)
		for column, end := range g.ends {
			if end <= i {
				row[column] = nil
			}
		}
	}
	column := 0
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		for column < len(row) && row[column] != nil {
			column++
		}
		end := i + span(c, "rowspan")
		for range span(c, "colspan") {
			if column >= maxColumns {
				break
			}
			if column == len(row) {
				row, g.ends = append(row, nil), append(g.ends, 0)
			}
			row[column], g.ends[column] = c, end
			column++
		}
	}
	g.rows, g.names = append(g.rows, g.keep(row)), append(g.names, tr)
	if i == 0 || headRow(tr) {
		g.heads = append(g.heads, headingOf(i, row))
	}
}

// manyCells is for how many cells memory is asked at once.
const manyCells = 512

// keep copies a row.
func (g *grid) keep(row []*html.Node) []*html.Node {
	if len(g.cells)+len(row) > cap(g.cells) {
		g.cells = make([]*html.Node, 0, manyCells)
	}
	at := len(g.cells)
	g.cells = append(g.cells, row...)
	return g.cells[at:len(g.cells):len(g.cells)]
}

func headingOf(number int, row []*html.Node) heading {
	h := heading{number, map[string]int{}}
	for column, cell := range row {
		if cell == nil || column > 0 && cell == row[column-1] {
			continue
		}
		if name := labelKey(dom.Line(cell)); name != "" {
			if _, taken := h.columns[name]; !taken {
				h.columns[name] = column
			}
		}
	}
	return h
}

// numberOf is which row an element is. Mostly it is the one that was asked for last,
// or the next.
func (g *grid) numberOf(tr *html.Node) (number int, ok bool) {
	for i := g.near; i < len(g.names) && i < g.near+2; i++ {
		if g.names[i] == tr {
			g.near = i
			return i, true
		}
	}
	if g.row == nil {
		g.row = make(map[*html.Node]int, len(g.names))
		for i, n := range g.names {
			g.row[n] = i
		}
	}
	if number, ok = g.row[tr]; ok {
		g.near = number
	}
	return number, ok
}

// placeOf is where a cell begins.
func (g *grid) placeOf(cell *html.Node) (position, bool) {
	if g.at == nil {
		g.at = map[*html.Node]position{}
		for i, row := range g.rows {
			for column, c := range row {
				if _, seen := g.at[c]; c != nil && !seen {
					g.at[c] = position{i, column}
				}
			}
		}
	}
	at, ok := g.at[cell]
	return at, ok
}

// above are the nearest rows of headings above a row, nearest first.
func (g *grid) above(row int) []heading {
	end := sort.Search(len(g.heads), func(i int) bool { return g.heads[i].row >= row })
	from := max(0, end-maxHeadings)
	if end-from == 1 { // nearly always
		return g.heads[from:end]
	}
	near := slices.Clone(g.heads[from:end])
	slices.Reverse(near)
	return near
}

// span is a colspan or rowspan: at least 1.
func span(cell *html.Node, name string) int {
	text := dom.Attr(cell, name)
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 65534) // the limit of the HTML standard
}

// cell is the cell of a row under a heading, or by its number.
func (r *run) cell(u *rule, root *html.Node) []finding {
	g := r.gridOf(root)
	if g == nil {
		return nil
	}
	at, ok := g.numberOf(closest(root, atom.Tr))
	if !ok {
		return nil
	}
	column := g.column(u.column, at)
	if column < 0 || column >= len(g.rows[at]) || g.rows[at][column] == nil {
		return nil
	}
	cell := g.rows[at][column]
	if u.css == nil && u.xpath == nil {
		return append(r.scratch.room(1), r.at(u, match{node: cell}))
	}
	var found []finding
	for _, m := range r.matches(u, under(cell)) {
		found = append(found, r.at(u, m))
	}
	return found
}

// column finds a column by the nearest heading above a row, or by its number.
func (g *grid) column(name string, row int) int {
	for _, h := range g.above(row) {
		if column, ok := h.columns[name]; ok {
			return column
		}
	}
	if !digit(name[0]) {
		return -1
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		return n - 1
	}
	return -1
}

// headOf is the heading cell of the column or row of the cell that holds a record.
func (r *run) headOf(rec record, from From) (head region) {
	roots := r.rootsOf(rec).roots
	if len(roots) == 0 {
		return head
	}
	cell := closest(roots[0], atom.Td, atom.Th)
	g := r.gridOf(roots[0])
	if cell == nil || g == nil {
		return head
	}
	at, ok := g.placeOf(cell)
	if !ok {
		return head
	}
	if from == FromRow {
		if first := g.rows[at.row][0]; first != nil && first != cell {
			return under(first)
		}
		return head
	}
	for _, h := range g.above(at.row) {
		if row := g.rows[h.row]; at.column < len(row) && row[at.column] != nil {
			return under(row[at.column])
		}
	}
	return head
}

// headRow says whether a row holds headings.
func headRow(tr *html.Node) bool {
	if tr.Parent != nil && tr.Parent.DataAtom == atom.Thead {
		return true
	}
	cells := 0
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td {
			return dom.BoldHead(tr)
		}
		if c.DataAtom == atom.Th {
			cells++
		}
	}
	return cells > 1
}

// closest is the nearest of some elements around a node, itself included.
func closest(n *html.Node, tags ...atom.Atom) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && slices.Contains(tags, n.DataAtom) {
			return n
		}
	}
	return nil
}
