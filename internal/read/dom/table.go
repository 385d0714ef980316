package dom

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Table is a table as a grid: spans are filled, rows have equal length.
type Table struct {
	Node   *html.Node
	Header []string // texts of its heading row, empty when it has none
	Rows   [][]Cell // body rows
}

// Cell is one cell; a spanned cell appears several times with the same node.
type Cell struct {
	Node *html.Node // nil where the row has no cell
	Text string     // on one line
}

const (
	maxCells   = 200_000 // of all tables of a page, filled
	maxColumns = 256
)

// Tables are the tables that hold data rather than layout.
func (d *Document) Tables() []Table {
	var all []Table
	work := gridWork{cells: maxCells, text: 2*len(d.body) + 64<<10}
	for n := range elements(d.Tree()) {
		if n.DataAtom != atom.Table || n.Namespace != "" {
			continue
		}
		if t, ok := work.read(n); ok {
			all = append(all, t)
		}
	}
	return all
}

// gridWork is what may still be spent on the tables of a page. Tables inside
// tables make the same text count again and again.
type gridWork struct{ cells, text int }

// tableRow is a tr with the cells that stand in it.
type tableRow struct {
	section *html.Node
	cells   []*html.Node
}

func (w *gridWork) read(table *html.Node) (Table, bool) {
	if role := Attr(table, "role"); role == "presentation" || role == "none" || w.text <= 0 {
		return Table{}, false
	}
	rows := rowsOf(table)
	if !holdsData(table, rows) {
		return Table{}, false
	}
	grid := w.fill(rows)
	heads := headRows(rows)
	t := Table{Node: table, Rows: grid[min(heads, len(grid)):]}
	if heads > 0 && len(grid) >= heads {
		t.Header = headerOf(grid[:heads])
	}
	return t, len(t.Rows) > 0
}

// rowsOf lists the rows of a table, not those of tables inside it; its foot last.
func rowsOf(table *html.Node) (rows []tableRow) {
	var foot []tableRow
	for c := table.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Thead, atom.Tbody:
			rows = appendRows(rows, c)
		case atom.Tfoot:
			foot = appendRows(foot, c)
		case atom.Tr:
			rows = append(rows, tableRow{table, cellsOf(c)})
		}
	}
	return append(rows, foot...)
}

func appendRows(rows []tableRow, section *html.Node) []tableRow {
	for r := section.FirstChild; r != nil; r = r.NextSibling {
		if r.DataAtom == atom.Tr && !Hidden(r) {
			rows = append(rows, tableRow{section, cellsOf(r)})
		}
	}
	return rows
}

func cellsOf(row *html.Node) (cells []*html.Node) {
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			cells = append(cells, c)
		}
	}
	return cells
}

// holdsData tells tables from layout: those with headings or a caption are data,
// others if most of their rows have the same number of cells, more than one, and
// hold neither tables nor whole sections of a page.
func holdsData(table *html.Node, rows []tableRow) bool {
	widths, heads, filled := map[int]int{}, 0, 0
	for _, r := range rows {
		if len(r.cells) > 0 {
			filled++
			widths[width(r)]++
		}
		for _, c := range r.cells {
			if c.DataAtom == atom.Th {
				heads++
			}
		}
	}
	if filled == 0 || filled == 1 && heads == 0 {
		return false
	}
	if holdsSections(table, heads > 0) {
		return false
	}
	if heads > 0 || table.FirstChild.DataAtom == atom.Caption {
		return true
	}
	usual := usualWidth(widths)
	return usual > 1 && 2*widths[usual] >= filled
}

// holdsSections says whether a table holds other tables, or whole sections of a page where it has no headings.
func holdsSections(table *html.Node, headed bool) bool {
	for n := range elements(table) {
		switch n.DataAtom {
		case atom.Table:
			if !headed || !aloneInRow(table, n) {
				return true
			}
		case atom.H1, atom.Nav, atom.Header, atom.Footer, atom.Main, atom.Article:
			if !headed {
				return true
			}
		}
	}
	return false
}

// aloneInRow says whether a table within another is all that its row holds: the numbers of pages
// below a list.
func aloneInRow(table, inner *html.Node) bool {
	for n := inner.Parent; n != nil && n != table; n = n.Parent {
		if n.DataAtom == atom.Tr {
			return len(cellsOf(n)) == 1
		}
	}
	return false
}

// usualWidth is the width that most rows have; of equals, the largest.
func usualWidth(widths map[int]int) (usual int) {
	for w, n := range widths {
		if n > widths[usual] || n == widths[usual] && w > usual {
			usual = w
		}
	}
	return usual
}

func width(r tableRow) (total int) {
	for _, c := range r.cells {
		total += spanOf(c, "colspan", maxColumns)
	}
	return total
}

// spanOf reads a span as browsers do: digits, at least 1.
func spanOf(c *html.Node, name string, limit int) int {
	value := strings.TrimSpace(Attr(c, name))
	end := 0
	for end < len(value) && end < 6 && value[end] >= '0' && value[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi(value[:end])
	return min(max(n, 1), limit)
}

// columns is how wide the grid is: as the widest row of several cells. A lone cell
// that spans more than there is (colspan=99) does not count.
func columns(rows []tableRow) int {
	widest := 1
	for _, r := range rows {
		if len(r.cells) > 1 {
			widest = max(widest, width(r))
		}
	}
	return min(widest, maxColumns)
}

// fill lays the cells out in a grid.
func (w *gridWork) fill(rows []tableRow) [][]Cell {
	wide := columns(rows)
	type hanging struct {
		cell Cell
		rows int
	}
	above := make([]hanging, wide)
	var grid [][]Cell
	for i, r := range rows {
		if i > 0 && r.section != rows[i-1].section {
			clear(above)
		}
		if w.cells -= wide; w.cells < 0 || w.text < 0 {
			break
		}
		line, column := make([]Cell, wide), 0
		free := func() {
			for ; column < wide && above[column].rows > 0; column++ {
				line[column] = above[column].cell
				above[column].rows--
			}
		}
		for _, n := range r.cells {
			if free(); column >= wide {
				break
			}
			cell := Cell{n, Line(n)}
			w.text -= len(cell.Text)
			down := spanOf(n, "rowspan", 65534) - 1
			for across := spanOf(n, "colspan", maxColumns); across > 0 && column < wide; across-- {
				line[column], above[column] = cell, hanging{cell, down}
				column++
			}
		}
		for ; column < wide; column++ {
			free()
		}
		grid = append(grid, line)
	}
	return grid
}

// headRows counts the heading rows on top: those of a thead, those of nothing but
// th, or one of nothing but bold cells above others.
func headRows(rows []tableRow) int {
	heads := 0
	for heads < len(rows) && heads < 4 {
		r := rows[heads]
		if r.section.DataAtom != atom.Thead && (len(r.cells) < 2 || !slices.ContainsFunc(r.cells, filledHead) ||
			slices.ContainsFunc(r.cells, filledBody)) {
			break
		}
		heads++
	}
	if heads == 0 && boldHead(rows) {
		return 1
	}
	if heads == len(rows) && heads > 0 && rows[heads-1].section.DataAtom != atom.Thead {
		return 1
	}
	return heads
}

// boldHead says whether the first of some rows is told from the next as a heading row, by its print or its name.
func boldHead(rows []tableRow) bool {
	return len(rows) > 1 && len(rows[0].cells) > 1 && bold(rows[0]) && !bold(rows[1])
}

// BoldHead says whether a row of td is the heading row of its table: the first, with short cells in bold
// or with the names of a head, above one without.
func BoldHead(tr *html.Node) bool {
	table := tr.Parent
	if table != nil && table.DataAtom == atom.Tbody {
		table = table.Parent
	}
	if table == nil || table.DataAtom != atom.Table || !firstRow(tr, table) {
		return false
	}
	row := tableRow{tr.Parent, cellsOf(tr)}
	for next := tr.NextSibling; next != nil; next = next.NextSibling {
		if next.DataAtom == atom.Tr && !Hidden(next) {
			return boldHead([]tableRow{row, {tr.Parent, cellsOf(next)}})
		}
	}
	return false
}

// firstRow says whether no row stands before one in its table.
func firstRow(tr, table *html.Node) bool {
	for n := tr; n != table; n = n.Parent {
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if s.DataAtom == atom.Tr || s.DataAtom == atom.Tbody || s.DataAtom == atom.Thead {
				return false
			}
		}
	}
	return true
}

func filledHead(c *html.Node) bool { return c.DataAtom == atom.Th }

func filledBody(c *html.Node) bool { return c.DataAtom == atom.Td && Line(c) != "" }

// longestHeading is how many bytes the text of a heading cell has.
const longestHeading = 60

// bold says whether all that a row says is short and set in bold, or in cells called heads.
func bold(r tableRow) bool {
	said := false
	for _, c := range r.cells {
		text := Line(c)
		if text == "" {
			continue
		}
		said = true
		if len(text) > longestHeading {
			return false
		}
		if calledHead(c) || calledHead(c.Parent) {
			continue
		}
		strong := ""
		for n := range elements(c) {
			if n.DataAtom == atom.B || n.DataAtom == atom.Strong {
				strong = Line(n)
				break
			}
		}
		if strong != text {
			return false
		}
	}
	return said
}

// calledHead says whether the class of a cell or its row is that of a heading, or its style is bold.
func calledHead(n *html.Node) bool {
	for _, class := range Classes(n) {
		switch class = strings.ToLower(class); {
		case class == "th", class == "head", class == "thead", strings.Contains(class, "header"), strings.Contains(class, "heading"):
			return true
		}
	}
	weight := styleValue(Attr(n, "style"), "font-weight")
	return strings.HasPrefix(weight, "bold") || len(weight) == 3 && weight >= "600"
}

// headerOf joins heading rows column by column, each text once.
func headerOf(grid [][]Cell) []string {
	header := make([]string, len(grid[0]))
	for column := range header {
		var parts []string
		for _, row := range grid {
			if text := row[column].Text; text != "" && !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
		header[column] = strings.Join(parts, " ")
	}
	return header
}
