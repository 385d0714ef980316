package recognise

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

const (
	mostColumns    = 200
	columnsDepth   = 3 // how far below the object that holds the rows their columns may stand
	leastHeadWords = 2 // columns of a heading row whose meaning is known
)

// columnKeys are keys under which the names of columns stand, nameKeys those that
// name one column.
var (
	columnKeys = wordlist.Named(words, "column keys")
	nameKeys   = []string{"name", "title", "label", "header", "field", "fieldName", "key", "data", "id"}
)

// tablesOf finds the rows of a group that are lists of cells: {"columns": […],
// "rows": [[…], …]}, or rows of which the first names the columns.
func tablesOf(g *group) []*group {
	if len(g.nodes) != 1 {
		return nil
	}
	switch v := g.nodes[0].(type) {
	case map[string]any:
		var all []*group
		for _, key := range sortedKeys(v) {
			rows := rowsOf(v[key])
			if rows == nil {
				continue
			}
			if names := columnsFor(v, len(rows[0].([]any)), 0); names != nil {
				rows := g.below(key, rows)
				rows.path, rows.listed, rows.columns = rows.path+"[*]", true, names
				all = append(all, rows)
			}
		}
		return all
	case []any:
		rows := rowsOf(v)
		if rows == nil {
			return nil
		}
		names := headingRow(rows[0].([]any))
		if names == nil || strings.ContainsAny(names[0], `'"\`) || len(rows) < 2 {
			return nil
		}
		return []*group{{path: g.path + "[?(@[0]!='" + names[0] + "')]", keys: g.keys, nodes: rows[1:], listed: true, parent: g, columns: names}}
	}
	return nil
}

// rowsOf gives the elements of a list that are all lists of about the same length.
func rowsOf(value any) []any {
	all, _ := value.([]any)
	if len(all) == 0 {
		return nil
	}
	width := 0
	for _, r := range sample(all, sampled) {
		row, ok := r.([]any)
		if uneven := width != 0 && len(row) != width; !ok || uneven || len(row) < 2 || len(row) > mostColumns {
			return nil
		}
		width = len(row)
	}
	rows := all[:min(len(all), mostNodes)]
	for _, r := range rows {
		if _, ok := r.([]any); !ok {
			return nil
		}
	}
	return rows
}

// columnsFor looks for as many names of columns as there are cells, in an object or
// a little below it.
func columnsFor(o map[string]any, width, depth int) []string {
	for _, key := range sortedKeys(o) {
		if columnKeys().Has(strings.ToLower(key)) {
			if names := columnNames(o[key]); len(names) == width {
				return names
			}
		}
	}
	if depth >= columnsDepth {
		return nil
	}
	for _, key := range sortedKeys(o) {
		if inner, ok := o[key].(map[string]any); ok {
			if names := columnsFor(inner, width, depth+1); names != nil {
				return names
			}
		}
	}
	return nil
}

// columnNames reads a list of names, or of objects that have names.
func columnNames(value any) []string {
	list, _ := value.([]any)
	if len(list) > mostColumns {
		return nil
	}
	var names []string
	for _, entry := range list {
		name, ok := entry.(string)
		if o, isObject := entry.(map[string]any); isObject {
			for _, key := range nameKeys {
				if name, ok = o[key].(string); ok {
					break
				}
			}
		}
		if !ok {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// headingRow gives the cells of a first row that names columns: all are words, no
// two are the same, and some mean what columns of entities mean.
func headingRow(row []any) []string {
	var names []string
	known := 0
	for _, cell := range row {
		name, ok := cell.(string)
		if !ok || len(name) > 60 || slices.Contains(names, name) {
			return nil
		}
		names = append(names, name)
		if words := tokens(name); len(words) > 0 && synonyms()[words[len(words)-1]] != "" {
			known++
		}
	}
	if known < leastHeadWords || names[0] == "" {
		return nil
	}
	return names
}

// row reads the cells of a row as the paths of a record.
func (b *profiling) row(cells []any, columns []string, root *pathNode) {
	for i, cell := range cells[:min(len(cells), len(columns))] {
		if columns[i] != "" {
			b.value(cell, root.cell(i, columns[i]), false, 0)
		}
	}
}
