package structured

import (
	"encoding/json"
	"strconv"
)

// flattened is data written as one list whose entries refer to each other by
// their position: devalue (Nuxt, SvelteKit) and turbo-stream (Remix, React
// Router).
type flattened struct {
	entries  []any
	open     []bool // entries being resolved
	budget   int
	depth    int
	special  func(f *flattened, kind string, entry []any) (any, bool)
	member   func(f *flattened, key string) string
	promises map[string]json.Number
}

func newFlattened(entries []any) *flattened {
	return &flattened{entries: entries, open: make([]bool, len(entries)), budget: maxValues}
}

// readDevalue reads a payload of devalue.
func readDevalue(entries []any) any {
	f := newFlattened(entries)
	f.special = devalued
	f.member = func(_ *flattened, key string) string { return key }
	return f.at(json.Number("0"))
}

// at resolves the entry at a position. Negative positions stand for undefined,
// holes and numbers that JSON does not have; null serves for all of them.
func (f *flattened) at(position any) any {
	number, ok := position.(json.Number)
	if !ok {
		return position
	}
	n, err := strconv.Atoi(number.String())
	if err != nil || n < 0 || n >= len(f.entries) || f.open[n] {
		return nil
	}
	if f.budget--; f.budget < 0 {
		return nil
	}
	if f.depth++; f.depth > maxDepth {
		f.depth--
		return nil
	}
	f.open[n] = true
	value := f.entry(f.entries[n])
	f.open[n] = false
	f.depth--
	return value
}

func (f *flattened) entry(entry any) any {
	switch entry := entry.(type) {
	case []any:
		if kind, ok := first(entry).(string); ok {
			value, _ := f.special(f, kind, entry[1:])
			return value
		}
		return f.all(entry)
	case map[string]any:
		members := make(map[string]any, len(entry))
		for _, key := range sortedKeys(entry) {
			members[f.member(f, key)] = f.at(entry[key])
		}
		return members
	}
	return entry
}

func (f *flattened) all(positions []any) []any {
	items := make([]any, 0, len(positions))
	for _, position := range positions {
		items = append(items, f.at(position))
	}
	return items
}

// pairs reads keys and values in turn.
func (f *flattened) pairs(positions []any, plainKeys bool) any {
	members := map[string]any{}
	for i := 0; i+1 < len(positions); i += 2 {
		key := positions[i]
		if !plainKeys {
			key = f.at(key)
		}
		text, ok := scalar(key)
		if !ok {
			return f.all(positions)
		}
		members[text] = f.at(positions[i+1])
	}
	return members
}

// devalued reads the wrapped values of devalue. Wrappers of frameworks (Ref,
// Reactive, ShallowRef …) hold one other entry, or JSON in a text.
func devalued(f *flattened, kind string, rest []any) (any, bool) {
	switch kind {
	case "Date", "BigInt", "URL":
		return first(rest), true
	case "Set":
		return f.all(rest), true
	case "Map":
		return f.pairs(rest, false), true
	case "null":
		return f.pairs(rest, true), true
	case "Object":
		return first(rest), true
	case "RegExp", "Symbol":
		return nil, true
	}
	if len(rest) != 1 {
		return nil, false
	}
	if _, ok := rest[0].(json.Number); ok {
		return f.at(rest[0]), true
	}
	return rest[0], true
}

// isDevalue tells a payload of devalue from other lists: every member of its
// first entry is a position in the list.
func isDevalue(value any) ([]any, bool) {
	entries, ok := value.([]any)
	if !ok || len(entries) < 2 {
		return nil, false
	}
	isPosition := func(value any) bool {
		number, ok := value.(json.Number)
		n, err := strconv.Atoi(number.String())
		return ok && err == nil && n >= -7 && n < len(entries)
	}
	switch root := entries[0].(type) {
	case []any:
		if _, wrapped := first(root).(string); wrapped {
			return entries, len(root) == 2 && isPosition(root[1])
		}
		for _, member := range root {
			if !isPosition(member) {
				return nil, false
			}
		}
		return entries, len(root) > 0
	case map[string]any:
		for _, member := range root {
			if !isPosition(member) {
				return nil, false
			}
		}
		return entries, len(root) > 0
	}
	return nil, false
}
