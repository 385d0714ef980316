package blueprint

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cellTag finds the cells of tables in a selector.
var cellTag = text.Pattern(`(^|[\s>/])t[dh]\b`)

// byCell says whether a rule goes to a cell by its place alone: by its number, or by the elements that all cells are.
func byCell(r Rule) bool {
	switch {
	case r.Column != "":
		return !headed(r)
	case r.CSS != "":
		return cellTag().MatchString(r.CSS) && !strings.ContainsAny(r.CSS, ".#[")
	}
	return cellTag().MatchString(r.XPath) && !strings.ContainsAny(r.XPath, `@'"`)
}

// headed says whether a rule goes by what stands over a column.
func headed(r Rule) bool { return r.Column != "" && !digit(r.Column[0]) }

// headsOf are the columns that the rules of a field go by.
func headsOf(f FieldRules) []string {
	var heads []string
	for _, r := range f.Rules {
		if headed(r) {
			heads = append(heads, labelKey(r.Column))
		}
	}
	return heads
}

// elsewhere says whether a rule read another column in place of one that is gone: the headings of the table name other
// columns of the blueprint and not that of the field, and the cell stands under one of those, or was found by its place alone.
func (r *run) elsewhere(f *compiledField, u *rule, found finding) bool {
	if len(f.heads) == 0 || found.node == nil || u.column != "" && !u.byCell {
		return false
	}
	cell := closest(found.node, atom.Td, atom.Th)
	if cell == nil {
		return false
	}
	over, ok := r.over(cell, f.heads)
	return ok && over != "" && (u.byCell || r.heads[over])
}

// over is what stands over a cell in the headings by which the blueprint knows its columns; none where they name one of some.
func (r *run) over(cell *html.Node, heads []string) (name string, ok bool) {
	g := r.gridOf(cell)
	if g == nil {
		return "", false
	}
	at, ok := g.placeOf(cell)
	if !ok {
		return "", false
	}
	for _, h := range g.above(at.row) {
		if h.names(heads) {
			return "", false
		}
		if !h.knows(r.heads) {
			continue
		}
		if row := g.rows[h.row]; at.column < len(row) && row[at.column] != nil {
			return labelKey(dom.Line(row[at.column])), true
		}
		return "", true
	}
	return "", false
}

func (h heading) names(heads []string) bool {
	for _, name := range heads {
		if _, is := h.columns[name]; is {
			return true
		}
	}
	return false
}

func (h heading) knows(heads map[string]bool) bool {
	for name := range h.columns {
		if heads[name] {
			return true
		}
	}
	return false
}
