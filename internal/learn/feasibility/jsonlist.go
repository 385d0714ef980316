package feasibility

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"

	"github.com/curlew-data/curlew/internal/text"
)

// jsonList is a list of objects within an answer.
type jsonList struct {
	path    string // "$.data.events[*]"
	objects []map[string]any
}

// maxJSONDepth bounds how deep an answer is searched.
const maxJSONDepth = 12

// decode reads JSON with its numbers as written.
func decode(body []byte) (any, bool) {
	if len(body) > 16<<20 || nesting(body) > 512 {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	d.UseNumber()
	var value any
	return value, d.Decode(&value) == nil
}

// nesting is how deep brackets go, strings aside as far as cheap.
func nesting(body []byte) int {
	depth, most, quoted := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > most {
				most = depth
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return most
}

// largestList finds the list of objects that holds most: objects weigh by their
// keys, so that a list of twenty events beats one of thirty colours.
func largestList(body []byte) (jsonList, bool) {
	value, ok := decode(body)
	if !ok {
		return jsonList{}, false
	}
	return listIn(value)
}

func objectsOf(list []any) ([]map[string]any, int) {
	var objects []map[string]any
	weight := 0
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			objects = append(objects, o)
			weight += min(len(o), 8)
		}
	}
	return objects, weight
}

func step(key string) string {
	if !plainKey().MatchString(key) {
		return "[" + strconv.Quote(key) + "]"
	}
	return "." + key
}

var plainKey = text.Pattern(`^[A-Za-z0-9_]+$`)

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// member follows a path of keys.
func member(value any, keys ...string) any {
	for _, key := range keys {
		m, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = m[key]
	}
	return value
}

func asText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// message is what an answer says of its failure.
func message(body []byte) string {
	value, ok := decode(body)
	if !ok {
		return ""
	}
	for _, keys := range [][]string{{"message"}, {"error", "message"}, {"error"}, {"detail"}, {"errors"}} {
		found := member(value, keys...)
		if list, ok := found.([]any); ok && len(list) > 0 {
			found = member(list[0], "message")
		}
		if s := asText(found); s != "" {
			return text.OneLine(s, 160)
		}
	}
	return ""
}

// listIn finds the weightiest list of objects within a value.
func listIn(value any) (jsonList, bool) {
	var best jsonList
	most := 0
	searchLists(value, "$", 0, func(l jsonList, weight int) {
		if weight > most {
			best, most = l, weight
		}
	})
	return best, most > 0
}

func searchLists(value any, path string, depth int, found func(jsonList, int)) {
	if depth > maxJSONDepth {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			searchLists(v[key], path+step(key), depth+1, found)
		}
	case []any:
		objects, weight := objectsOf(v)
		if weight > 0 {
			found(jsonList{path + "[*]", objects}, weight)
		}
		if len(objects) == 0 && len(v) < 50 {
			for i, inner := range v {
				searchLists(inner, path+"["+strconv.Itoa(i)+"]", depth+1, found)
			}
		}
	}
}
