package recognise

import (
	"reflect"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

const (
	mostDepth  = 14     // of records below the root
	mostGroups = 3_000  // paths that are looked at
	mostNodes  = 20_000 // values at one path
)

// group is a set of values at one path: records, if it ends in a list.
type group struct {
	path    string // "$.data.events[*]"
	keys    []string
	nodes   []any
	columns []string // of rows that are lists of cells

	listed bool // the path ends in a list or map, not in a single object
	parent *group
}

// walking finds the groups of a value. Values at the same path are looked at
// together: the events of each day under "days[*].events[*]" are one group.
type walking struct {
	groups []*group
	steps  int
	seen   map[uintptr]bool
}

// first says whether an object is met for the first time: the state of a page may
// refer to itself in circles.
func (w *walking) first(o map[string]any) bool {
	at := reflect.ValueOf(o).Pointer()
	if w.seen[at] {
		return false
	}
	w.seen[at] = true
	return true
}

func groupsOf(value any) []*group {
	w := &walking{seen: map[uintptr]bool{}}
	waiting := []*group{{path: "$", nodes: []any{value}}}
	for len(waiting) > 0 && w.steps < mostGroups {
		g := waiting[0]
		waiting = waiting[1:]
		w.steps++
		if depthOf(g) > mostDepth {
			continue
		}
		waiting = append(waiting, w.below(g)...)
	}
	return w.groups
}

func depthOf(g *group) int {
	n := 0
	for ; g.parent != nil; g = g.parent {
		n++
	}
	return n
}

// below gives the groups one step further in, and keeps g if its values may be records.
func (w *walking) below(g *group) []*group {
	w.groups = append(w.groups, tablesOf(g)...)
	var objects, elements []any
	lists := false
	for _, n := range g.nodes {
		switch v := n.(type) {
		case map[string]any:
			if len(v) > 0 && w.first(v) {
				objects = append(objects, v)
			}
		case []any:
			lists = true
			elements = append(elements, v[:min(len(v), max(mostNodes-len(elements), 0))]...)
		}
	}
	var next []*group
	if lists {
		next = append(next, &group{path: g.path + "[*]", keys: g.keys, nodes: elements, listed: true, parent: g})
	}
	if len(objects) == 0 {
		return next
	}
	own := &group{path: g.path, keys: g.keys, nodes: objects, listed: g.listed, parent: g.parent}
	w.groups = append(w.groups, own)
	if values := mapValues(objects); values != nil {
		if typed := byType(values, g.path+".*", own); typed != nil {
			return append(next, typed...)
		}
		return append(next, &group{path: g.path + ".*", keys: g.keys, nodes: values, listed: true, parent: own})
	}
	return append(next, children(own)...)
}

// children are the groups under each key of a group's objects.
func children(g *group) []*group {
	byKey := map[string]any{}
	nodes := map[string][]any{}
	for _, n := range g.nodes {
		for key, value := range n.(map[string]any) {
			switch value.(type) {
			case map[string]any, []any:
				byKey[key] = nil
				if len(nodes[key]) < mostNodes {
					nodes[key] = append(nodes[key], value)
				}
			}
		}
		if len(byKey) > mostGroups {
			break
		}
	}
	var all []*group
	for _, key := range sortedKeys(byKey) {
		all = append(all, g.below(key, nodes[key]))
	}
	return all
}

// below is a group of what stands under a key of the nodes of another.
func (g *group) below(key string, nodes []any) *group {
	return &group{path: joinPath(g.path, key), keys: append(slices.Clone(g.keys), key), nodes: nodes, listed: g.listed, parent: g}
}

// keyLike matches keys that are ids or dates rather than names of fields.
var keyLike = text.Pattern(`^\d+$|^\d{4}-\d{2}-\d{2}|^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}|^[A-Za-z_]+:.+|` +
	`^[0-9a-fA-F]{20,}$|^[A-Z0-9]{16,}$|^[a-z]+[-_]?\d{2,}$|^ROOT_QUERY`)

// mapValues gives the values of objects that are maps by id: {"466": {…}, "467": {…}}.
// Their values are all objects or lists, and their keys look like ids, or they are
// many with the same insides.
func mapValues(objects []any) []any {
	var values []any
	ids, keys := 0, 0
	for _, o := range objects {
		for _, key := range sortedKeys(o.(map[string]any)) {
			value := o.(map[string]any)[key]
			switch value.(type) {
			case map[string]any, []any:
			case nil:
				continue
			default:
				return nil
			}
			keys++
			if keyLike().MatchString(key) {
				ids++
			}
			if values = append(values, value); len(values) > mostNodes {
				return values
			}
		}
	}
	if keys == 0 || ids*3 < keys*2 && !(keys >= 4 && alike(values)) {
		return nil
	}
	return values
}

// byType splits the entities of a cache of a GraphQL client, which keeps those of
// all types in one map.
func byType(values []any, path string, parent *group) []*group {
	nodes := map[string][]any{}
	names := map[string]any{}
	typed := 0
	for _, v := range values {
		o, _ := v.(map[string]any)
		name, ok := o["__typename"].(string)
		if !ok || len(name) > 100 || strings.ContainsAny(name, "'\\") {
			continue
		}
		typed++
		names[name] = nil
		nodes[name] = append(nodes[name], v)
	}
	if len(names) < 2 || typed*5 < len(values)*3 || len(names) > 200 {
		return nil
	}
	var all []*group
	for _, name := range sortedKeys(names) {
		at := path + "[?(@.__typename=='" + name + "')]"
		all = append(all, &group{path: at, keys: []string{name}, nodes: nodes[name], listed: true, parent: parent})
	}
	return all
}

// alike says whether objects have mostly the same keys.
func alike(values []any) bool {
	counts := map[string]int{}
	objects, total := 0, 0
	for _, v := range sample(values, sampled) {
		o, ok := v.(map[string]any)
		if !ok || len(o) < 2 {
			return false
		}
		objects++
		for key := range o {
			counts[key]++
			total++
		}
	}
	common := 0
	for _, n := range counts {
		if n*5 >= objects*4 {
			common += n
		}
	}
	return common*5 >= total*3
}

// under says whether a path lies inside the records of another.
func under(inner, outer string) bool {
	return len(inner) > len(outer) && strings.HasPrefix(inner, outer) && (inner[len(outer)] == '.' || inner[len(outer)] == '[')
}
