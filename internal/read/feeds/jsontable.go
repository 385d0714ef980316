package feeds

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/curlew-data/curlew/internal/text/labels"
)

// Bounds of the search for a list in JSON.
const (
	deepestList  = 6
	mostColumns  = 24
	fewestInList = 2
)

// JSONTable is the longest list of objects in decoded JSON, as a page with a table; ok is
// false where there is none.
func JSONTable(value any) (page []byte, ok bool) {
	list := longestList(value, 0)
	if len(list) < fewestInList {
		return nil, false
	}
	var rows []map[string]string
	columns := map[string]bool{}
	for _, object := range list[:min(len(list), mostRows)] {
		row := map[string]string{}
		flatten(object, "", row, 0)
		rows = append(rows, row)
		for name := range row {
			if !slices.ContainsFunc(labels.Words(name), labels.ForMachines) {
				columns[name] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(columns))
	names = names[:min(len(names), mostColumns)]
	var out bytes.Buffer
	out.WriteString(tableHead + "<table>")
	writeRow(&out, names, true)
	cells := make([]string, len(names))
	for _, row := range rows {
		for i, name := range names {
			cells[i] = row[name]
		}
		writeRow(&out, cells, false)
	}
	out.WriteString("</table>")
	return out.Bytes(), len(names) > 0
}

// longestList finds the list with most objects.
func longestList(value any, depth int) (best []map[string]any) {
	if depth > deepestList {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if list := longestList(v[name], depth+1); len(list) > len(best) {
				best = list
			}
		}
	case []any:
		for _, entry := range v {
			if object, is := entry.(map[string]any); is {
				best = append(best, object)
			}
		}
	}
	return best
}

// flatten writes the plain values of an object into a row: those of objects within it
// under both names.
func flatten(object map[string]any, prefix string, row map[string]string, depth int) {
	for name, value := range object {
		switch v := value.(type) {
		case nil, []any:
		case map[string]any:
			if depth == 0 {
				flatten(v, prefix+name+" ", row, depth+1)
			}
		default:
			row[prefix+name] = fmt.Sprint(v)
		}
	}
}
