package blueprint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/structured"
)

// maxPathSteps bounds the length of one path.
const maxPathSteps = 50

// jsonPath is a path into JSON values and structured items; docs/blueprints.md
// describes the language.
type jsonPath struct {
	absolute bool // begins with $: from the root, not from the record
	steps    []pathStep
}

type pathStep struct {
	kind   stepKind
	name   string   // stepName, stepDeep
	index  int      // stepIndex; negative counts from the end
	path   jsonPath // stepFilter: of the tested value
	equal  *string  // stepFilter: nil tests that it is there
	unlike bool     // stepFilter: != instead of ==
}

type stepKind int

const (
	stepName stepKind = iota
	stepIndex
	stepAll
	stepDeep
	stepFilter
)

// compilePath parses "$.data.events[*]", "offers[0].price", "@id" …
func compilePath(text string) (jsonPath, error) {
	p := jsonPath{}
	rest := strings.TrimSpace(text)
	switch {
	case rest == "":
		return p, errors.New("it is empty")
	case rest[0] == '$':
		p.absolute, rest = true, rest[1:]
	case rest == "@":
		return p, nil
	case strings.HasPrefix(rest, "@.") || strings.HasPrefix(rest, "@["):
		rest = rest[1:]
	case rest[0] != '.' && rest[0] != '[':
		rest = "." + rest
	}
	for rest != "" {
		step, after, err := nextStep(rest)
		if err != nil {
			return p, err
		}
		p.steps, rest = append(p.steps, step), after
		if len(p.steps) > maxPathSteps {
			return p, fmt.Errorf("it has more than %d steps", maxPathSteps)
		}
	}
	return p, nil
}

func nextStep(rest string) (pathStep, string, error) {
	switch {
	case strings.HasPrefix(rest, ".."):
		name, after := cutName(rest[2:])
		if name == "" {
			return pathStep{}, "", errors.New("a name must follow the two dots")
		}
		return pathStep{kind: stepDeep, name: name}, after, nil
	case rest[0] == '.':
		name, after := cutName(rest[1:])
		switch name {
		case "":
			return pathStep{}, "", fmt.Errorf("a name must follow the dot in %q", rest)
		case "*":
			return pathStep{kind: stepAll}, after, nil
		}
		return pathStep{kind: stepName, name: name}, after, nil
	case rest[0] == '[':
		end := bracketEnd(rest)
		if end < 0 {
			return pathStep{}, "", fmt.Errorf("%q is not closed", rest)
		}
		step, err := bracketStep(strings.TrimSpace(rest[1:end]))
		return step, rest[end+1:], err
	}
	return pathStep{}, "", fmt.Errorf("a dot or a bracket must precede %q", rest)
}

func cutName(text string) (name, rest string) {
	if i := strings.IndexAny(text, ".["); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// bracketEnd is where the bracket that a text begins with closes, or -1.
func bracketEnd(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func bracketStep(inner string) (pathStep, error) {
	if inner == "*" {
		return pathStep{kind: stepAll}, nil
	}
	if name, ok := unquote(inner); ok {
		return pathStep{kind: stepName, name: name}, nil
	}
	if test, ok := strings.CutPrefix(inner, "?"); ok {
		return filterStep(test)
	}
	index, err := strconv.Atoi(inner)
	if err != nil {
		return pathStep{}, fmt.Errorf("[%s] is no number, no quoted name, no * and no [?(…)]", inner)
	}
	return pathStep{kind: stepIndex, index: index}, nil
}

// filterStep parses "(@.type=='x')", "(@.type!='x')" and "(@.type)".
func filterStep(test string) (pathStep, error) {
	test = strings.TrimSpace(test)
	if strings.HasPrefix(test, "(") && strings.HasSuffix(test, ")") {
		test = test[1 : len(test)-1]
	}
	step := pathStep{kind: stepFilter}
	left, right, compared := strings.Cut(test, "==")
	if other, value, unlike := strings.Cut(test, "!="); unlike && len(other) < len(left) {
		left, right, compared, step.unlike = other, value, true, true
	}
	left = strings.TrimSpace(left)
	if !strings.HasPrefix(left, "@") {
		return step, fmt.Errorf("the test %q must begin with @", test)
	}
	var err error
	if step.path, err = compilePath(left); err != nil || !compared {
		return step, err
	}
	right = strings.TrimSpace(right)
	if text, ok := unquote(right); ok {
		right = text
	} else if right == "" || strings.ContainsAny(right, "'\"&|()") {
		return step, fmt.Errorf("%q is no quoted text, number, true or false", right)
	}
	step.equal = &right
	return step, nil
}

func unquote(text string) (string, bool) {
	if len(text) < 2 || text[0] != '\'' && text[0] != '"' || text[len(text)-1] != text[0] {
		return "", false
	}
	inner := text[1 : len(text)-1]
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`).Replace(inner), true
}

// locatedValue is a value and where it stands.
type locatedValue struct {
	// nil, string, json.Number, bool, map[string]any, []any, *structured.Item, []structured.Value, or structured.Value for a text with details
	value any
	place string // a JSON path, or the XPath of the element that carries an item
}

// opensList says whether a path ends by naming the elements of a list: [*] or [?(…)].
func (p jsonPath) opensList() bool {
	if len(p.steps) == 0 {
		return false
	}
	last := p.steps[len(p.steps)-1].kind
	return last == stepAll || last == stepFilter
}

// walk follows a path from a value.
func (p jsonPath) walk(from locatedValue, b *budget) []locatedValue {
	at := []locatedValue{from}
	for _, step := range p.steps {
		var next []locatedValue
		for _, s := range at {
			if len(next) > MostRecords || !b.spend(1) {
				break
			}
			next = step.from(s, next, b)
		}
		at = next
	}
	return at
}

func (p pathStep) from(s locatedValue, out []locatedValue, b *budget) []locatedValue {
	switch p.kind {
	case stepName:
		return nameIn(s, p.name, out, b)
	case stepIndex:
		i, n := p.index, lengthOf(s)
		if i < 0 {
			i += n
		}
		if i >= 0 && i < n && b.spend(cost(s)) {
			out = append(out, element(s, i))
		}
		return out
	case stepAll:
		if m, ok := s.value.(map[string]any); ok {
			return append(out, members(s, m, b)...)
		}
		return append(out, elements(s, b)...)
	case stepDeep:
		return deepIn(s, p.name, out, b, 0)
	}
	for _, child := range elements(s, b) {
		if p.holds(child, b) {
			out = append(out, child)
		}
	}
	return out
}

// holds says whether a value passes a filter.
func (p pathStep) holds(s locatedValue, b *budget) bool {
	found := p.path.walk(s, b)
	if p.equal == nil {
		return len(found) > 0
	}
	equal := slices.ContainsFunc(scalars(found, b), func(f finding) bool { return f.text == *p.equal })
	return equal != p.unlike
}

// nameIn looks a name up; in a list it looks in each element.
func nameIn(s locatedValue, name string, out []locatedValue, b *budget) []locatedValue {
	switch v := s.value.(type) {
	case map[string]any:
		if value, ok := v[name]; ok {
			b.spend(cost(s))
			out = append(out, locatedValue{value, s.place + "." + name})
		}
	case *structured.Item:
		if value := property(v, name); value != nil {
			out = append(out, locatedValue{value, s.place})
		}
	case structured.Value:
		return nameIn(locatedValue{v.Item, s.place}, name, out, b)
	case []any, []structured.Value:
		for _, child := range elements(s, b) {
			if _, list := child.value.([]any); list || len(out) > MostRecords {
				continue // a list in a list is reached by [*]
			}
			if text, plain := child.value.(string); plain && name == "name" && isValues(s.value) {
				out = append(out, locatedValue{text, child.place}) // schema.org: text in place of a thing is its name
				continue
			}
			out = nameIn(child, name, out, b)
		}
	}
	return out
}

func isValues(v any) bool {
	_, ok := v.([]structured.Value)
	return ok
}

// property is a property of an item, or its id or types.
func property(item *structured.Item, name string) any {
	switch name {
	case "@id":
		if item.ID == "" {
			return nil
		}
		return item.ID
	case "@type":
		types := make([]any, len(item.Types))
		for i, t := range item.Types {
			types[i] = t
		}
		return types
	}
	if values, ok := item.Properties[name]; ok {
		return values
	}
	return nil
}

// cost is what a value inside another costs to name: its place holds that of the other. That takes about as long
// as to look at three nodes (measured on lists in lists, 2026-11).
func cost(s locatedValue) int { return 3 + len(s.place)/32 }

// members are the values of an object by the order of their names, as far as the budget lasts.
func members(s locatedValue, m map[string]any, b *budget) []locatedValue {
	if !b.spend(len(m)) {
		return nil
	}
	all := make([]locatedValue, 0, len(m))
	for _, key := range sortedKeys(m) {
		if !b.spend(cost(s) + len(key)/64) {
			break
		}
		all = append(all, locatedValue{m[key], s.place + "." + key})
	}
	return all
}

// elements are the elements of a list, as far as the budget lasts; anything else is a list of itself.
func elements(s locatedValue, b *budget) []locatedValue {
	var all []locatedValue
	for i := range lengthOf(s) {
		if !b.spend(cost(s)) {
			break
		}
		all = append(all, element(s, i))
	}
	return all
}

// lengthOf is how many elements a list has.
func lengthOf(s locatedValue) int {
	switch v := s.value.(type) {
	case []any:
		return len(v)
	case []structured.Value:
		return len(v)
	case nil:
		return 0
	}
	return 1
}

// element is one element of a list.
func element(s locatedValue, i int) (e locatedValue) {
	switch v := s.value.(type) {
	case []any:
		return locatedValue{v[i], s.place + "[" + strconv.Itoa(i) + "]"}
	case []structured.Value:
		switch value := v[i]; {
		case value.Item == nil:
			e = locatedValue{value.Text, value.Node}
		case value.Text == "":
			e = locatedValue{value.Item, value.Item.Node}
		default: // an address with details: its text is a value, its item can be entered
			e = locatedValue{value, value.Node}
		}
		e.place = cmp.Or(e.place, s.place)
		return e
	}
	return s
}

// maxDeep bounds how far ..name looks down.
const maxDeep = 64

// deepIn looks a name up at any depth of a JSON value; items may refer to each
// other in circles, so the depth is bounded too.
func deepIn(s locatedValue, name string, out []locatedValue, b *budget, depth int) []locatedValue {
	if depth > maxDeep || len(out) > MostRecords || !b.spend(1) {
		return out
	}
	switch v := s.value.(type) {
	case map[string]any:
		out = nameIn(s, name, out, b)
		for _, child := range members(s, v, b) {
			out = deepIn(child, name, out, b, depth+1)
		}
	case []any:
		for _, child := range elements(s, b) {
			out = deepIn(child, name, out, b, depth+1)
		}
	case structured.Value:
		out = deepIn(locatedValue{v.Item, s.place}, name, out, b, depth+1)
	case *structured.Item:
		for _, item := range reachable([]*structured.Item{v}, nil) {
			out = nameIn(locatedValue{item, item.Node}, name, out, b)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// scalars are the texts among values; lists are opened, objects and items skipped.
func scalars(located []locatedValue, b *budget) []finding {
	var out []finding
	for _, s := range located {
		switch v := s.value.(type) {
		case string:
			out = append(out, finding{text: v, place: s.place})
		case structured.Value:
			out = append(out, finding{text: v.Text, place: s.place})
		case json.Number:
			out = append(out, finding{text: v.String(), place: s.place})
		case float64:
			out = append(out, finding{text: strconv.FormatFloat(v, 'f', -1, 64), place: s.place})
		case bool:
			out = append(out, finding{text: strconv.FormatBool(v), place: s.place})
		case []any, []structured.Value:
			if len(out) < MostRecords && b.spend(1) {
				out = append(out, scalars(elements(s, b), b)...)
			}
		}
	}
	return out
}
