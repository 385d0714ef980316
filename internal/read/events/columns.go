package events

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// columnFacts is what the cells of one column of a table have in common.
type columnFacts struct {
	filled   int
	distinct map[string]bool
	length   int
}

// telling columns differ from row to row, as titles do and rooms do not.
func (f *columnFacts) telling() float64 {
	if f == nil || f.filled == 0 {
		return 0
	}
	return float64(len(f.distinct)) / float64(f.filled)
}

// nameColumn is the column of a table whose cells name its rows:
// the one whose texts differ most; -1 when none does or the rows are few.
func (r *reader) nameColumn(table *html.Node) int {
	if column, known := r.naming[table]; known {
		return column
	}
	if r.naming == nil {
		r.naming = map[*html.Node]int{}
	}
	rows, facts := r.columns(table)
	best, column := 0.0, -1
	for c := range maxColumns {
		f := facts[c]
		if f == nil || f.filled*3 < rows*2 || f.telling() < 0.3 {
			continue
		}
		if score := f.telling() * float64(min(f.length/f.filled, 40)); score > best {
			best, column = score, c
		}
	}
	if rows < 4 {
		column = -1
	}
	r.naming[table] = column
	return column
}

// columns gathers the texts of the entries' rows in a table.
func (r *reader) columns(table *html.Node) (rows int, facts map[int]*columnFacts) {
	facts = map[int]*columnFacts{}
	for _, e := range r.entries {
		if e.node == nil || e.node.DataAtom != atom.Tr || tableOf(e.node) != table {
			continue
		}
		rows++
		seen := map[int]bool{}
		for i := e.span.first; i < e.span.last; i++ {
			cell := cellOf(r.lines[i].holder)
			if cell == nil || cell.Parent != e.node {
				continue
			}
			c := r.extentOf(cell).column
			text := r.bare(i)
			if seen[c] || !r.fitsAsTitle(text) || r.isFile(i) || r.placeMarked(i, e) {
				continue
			}
			seen[c] = true
			if facts[c] == nil {
				facts[c] = &columnFacts{distinct: map[string]bool{}}
			}
			facts[c].filled++
			facts[c].distinct[text] = true
			facts[c].length += len(text)
		}
	}
	return rows, facts
}

// titleByContrast takes the cell of the naming column.
func (r *reader) titleByContrast(e *entry) (named, bool) {
	if e.node == nil || e.node.DataAtom != atom.Tr {
		return named{}, false
	}
	table := tableOf(e.node)
	if table == nil {
		return named{}, false
	}
	column := r.nameColumn(table)
	for i := e.span.first; i < e.span.last && column >= 0; i++ {
		cell := cellOf(r.lines[i].holder)
		if cell == nil || cell.Parent != e.node || r.extentOf(cell).column != column {
			continue
		}
		if r.fitsAsTitle(r.part(e, i)) && !r.isFile(i) {
			return named{text: r.part(e, i), line: i, rule: "the column that differs from row to row"}, true
		}
	}
	return named{}, false
}

// columnHead is the text at the head of a line's column, when the table has one.
func (r *reader) columnHead(i int) string {
	cell := cellOf(r.lines[i].holder)
	if cell == nil {
		return ""
	}
	heads := r.headsOf(tableOf(cell))
	if c := r.extentOf(cell).column; c < len(heads) {
		return heads[c]
	}
	return ""
}

// wordsOf are the words of a column's head; there are few heads, and many cells.
func (r *reader) wordsOf(head string) []string {
	if head == "" {
		return nil
	}
	words, known := r.headWords[head]
	if !known {
		words = strings.Fields(strings.ToLower(head))
		if r.headWords == nil {
			r.headWords = map[string][]string{}
		}
		r.headWords[head] = words
	}
	return words
}

// headsOf are the texts of the first row of a table, when they hold no date.
func (r *reader) headsOf(table *html.Node) []string {
	if heads, known := r.heads[table]; known {
		return heads
	}
	var heads []string
	if s, ok := r.spans[table]; ok {
		if row := rowOf(r.lines[s.first].holder); row != nil && len(r.within(r.spans[row])) == 0 {
			for c := row.FirstChild; c != nil && len(heads) < 40; c = c.NextSibling {
				if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
					text := text.CutWords(dom.Line(c), 40)
					for range min(r.extentOf(c).columns, 40) {
						heads = append(heads, text)
					}
				}
			}
		}
	}
	if r.heads == nil {
		r.heads = map[*html.Node][]string{}
	}
	r.heads[table] = heads
	return heads
}

// withoutNamed leaves out the days in the names of rows: those behind words in a column of which few cells
// have one, beside a bare day in a column of which most do.
func (r *reader) withoutNamed(all []*date) []*date {
	type column struct {
		table *html.Node
		at    int
	}
	columnOf := func(d *date) (column, bool) {
		cell := cellOf(d.node)
		if cell == nil {
			return column{}, false
		}
		return column{tableOf(cell), r.extentOf(cell).column}, true
	}
	days, most, held := map[column]int{}, map[*html.Node]int{}, map[*html.Node]int{}
	for _, d := range all {
		if c, ok := columnOf(d); ok {
			days[c]++
			most[c.table] = max(most[c.table], days[c])
		}
	}
	usual := func(c column) bool { return days[c]*2 > most[c.table] }
	for _, d := range all {
		if c, ok := columnOf(d); ok && usual(c) && r.dateOnly(d.line) {
			held[rowOf(d.node)]++
		}
	}
	return slices.DeleteFunc(all, func(d *date) bool {
		c, ok := columnOf(d)
		named := hasLetters(r.lines[d.line].text[:d.begin])
		return ok && named && most[c.table] >= 3 && !usual(c) && held[rowOf(d.node)] > 0
	})
}
