package blueprint

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// shape compares a JSON value with the types of this language: unknown keys and
// values of the wrong kind. What the values mean is checked when compiling.
func (c *compiler) shape(tree any) {
	c.shapeOf("", tree, reflect.TypeFor[Blueprint](), 0)
}

var (
	fieldType     = reflect.TypeFor[FieldRules]()
	transformType = reflect.TypeFor[Transform]()
	rawType       = reflect.TypeFor[json.RawMessage]()
)

func (c *compiler) shapeOf(place string, value any, t reflect.Type, depth int) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case depth > 100:
		c.add(place, "it is nested too deep")
		return
	case t == rawType:
		return
	case t == fieldType:
		m, _ := value.(map[string]any)
		if _, long := m["rules"]; !long {
			c.inline[place] = true
			t = reflect.TypeFor[shortField]()
		}
	case t == transformType:
		if _, ok := value.(string); ok {
			return
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		c.objectShape(place, value, t, depth)
	case reflect.Map:
		m, ok := value.(map[string]any)
		c.expectKind(place, ok, "an object")
		for _, key := range sortedKeys(m) {
			c.shapeOf(place+"/"+escape(key), m[key], t.Elem(), depth+1)
		}
	case reflect.Slice:
		all, ok := value.([]any)
		c.expectKind(place, ok, "a list")
		for i, e := range all {
			c.shapeOf(place+"/"+strconv.Itoa(i), e, t.Elem(), depth+1)
		}
	default:
		c.scalarShape(place, value, t)
	}
}

// needed are keys whose absence would otherwise go unnoticed, as a zero.
var needed = map[reflect.Type][]string{
	reflect.TypeFor[Range]():          {"min", "max"},
	reflect.TypeFor[Expectation]():    {"present"},
	reflect.TypeFor[Transform]():      {"op"},
	reflect.TypeFor[Pagination]():     {"kind"},
	reflect.TypeFor[Follow]():         {"field", "with"},
	reflect.TypeFor[APIRequest]():     {"url"},
	reflect.TypeFor[IdentityFields](): {"fields"},
}

func (c *compiler) objectShape(place string, value any, t reflect.Type, depth int) {
	m, ok := value.(map[string]any)
	if !ok {
		c.expectKind(place, false, "an object")
		return
	}
	for _, key := range needed[t] {
		if _, ok := m[key]; !ok {
			c.add(place, "%s is missing", key)
		}
	}
	known := map[string]reflect.Type{}
	keysOf(t, known)
	for _, key := range sortedKeys(m) {
		inner, ok := known[key]
		if !ok {
			c.add(place+"/"+escape(key), "unknown key%s", suggest(key, sortedKeys(known)))
			continue
		}
		c.shapeOf(place+"/"+escape(key), m[key], inner, depth+1)
	}
}

// keysOf lists the JSON names of a struct's fields with their types.
func keysOf(t reflect.Type, known map[string]reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			keysOf(f.Type, known)
		case name != "":
			known[name] = f.Type
		}
	}
}

func (c *compiler) scalarShape(place string, value any, t reflect.Type) {
	number, isNumber := value.(json.Number)
	switch t.Kind() {
	case reflect.String:
		text, ok := value.(string)
		c.expectKind(place, ok, "a text")
		if ok && text == "" && !strings.HasSuffix(place, "/constant") && !strings.Contains(place, "/headers/") {
			c.add(place, "it is empty: leave it out")
		}
	case reflect.Bool:
		_, ok := value.(bool)
		c.expectKind(place, ok, "true or false")
	case reflect.Int:
		_, err := strconv.ParseInt(number.String(), 10, 32)
		c.expectKind(place, isNumber && err == nil, "a whole number")
	case reflect.Float64:
		_, err := number.Float64()
		c.expectKind(place, isNumber && err == nil, "a number")
	}
}

func (c *compiler) expectKind(place string, ok bool, kind string) {
	if !ok {
		c.add(place, "write %s here", kind)
	}
}

// suggest names the nearest known word, or all of them when there are few.
func suggest(word string, known []string) string {
	best, distance := "", 3
	for _, k := range known {
		if d := edits(word, k); d < distance {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return ": did you mean " + best + "?"
	case len(known) > 0 && len(known) <= 30:
		return ": use " + list(known)
	}
	return ""
}

// edits is the Levenshtein distance of two words, up to a length.
func edits(a, b string) int {
	if len(a) > 60 || len(b) > 60 {
		return 60
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		previous := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := previous
			if a[i] != b[j] {
				cost++
			}
			previous = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
