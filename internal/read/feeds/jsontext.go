package feeds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
)

// Bounds of JSON that is read as text.
const mostLines, deepestValue = 2_000, 50

// JSONText makes a page of any JSON, with a line for each value: its path and what it is.
func JSONText(body []byte) (page []byte, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, false
	}
	w := jsonWriter{}
	w.WriteString("<!doctype html><main>")
	w.value("", value, 0)
	w.WriteString("</main>")
	return w.Bytes(), w.lines > 0
}

type jsonWriter struct {
	bytes.Buffer
	lines int
}

func (w *jsonWriter) value(path string, value any, depth int) {
	if w.lines >= mostLines || depth > deepestValue {
		return
	}
	switch v := value.(type) {
	case nil:
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // a server may write them in any order
			inner := name
			if path != "" {
				inner = path + "." + name
			}
			w.value(inner, v[name], depth+1)
		}
	case []any:
		for i, one := range v {
			w.value(path+"["+strconv.Itoa(i)+"]", one, depth+1)
		}
	default:
		w.lines++
		w.WriteString(`<p data-path="` + html.EscapeString(path) + `">` + html.EscapeString(path) + ": " + html.EscapeString(fmt.Sprint(v)) + "</p>\n")
	}
}
