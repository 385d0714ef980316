package recognise

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	sampled     = 60  // records whose values are looked at
	leafDepth   = 4   // of objects in a record
	mostLeaves  = 400 // kinds of value in a record
	listSampled = 5   // elements of a list inside a record
	enough      = 80  // values of one leaf that are looked at
)

// leaf is one kind of value that the records of a group have: the values at one
// path below the record.
type leaf struct {
	path    string   // in the language of blueprints
	key     string   // the last one on the way, as written
	meaning string   // of the keys on the way, in canonical words
	own     string   // meaning of the last key alone
	words   []string // of the last key, as written
	many    bool     // a list stands on the way
	depth   int
	present int // records that have it
	values  []string
	kinds   map[kind]int
	order   int
}

// is says whether most values look like one of some kinds.
func (l *leaf) is(kinds ...kind) bool {
	n, all := 0, 0
	for k, count := range l.kinds {
		all += count
		if slices.Contains(kinds, k) {
			n += count
		}
	}
	return all > 0 && n*3 >= all*2
}

// some says whether any value looks like one of some kinds.
func (l *leaf) some(kinds ...kind) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return l.kinds[k] > 0 })
}

// distinct is the share of different values.
func (l *leaf) distinct() float64 {
	seen := map[string]bool{}
	for _, v := range l.values {
		seen[v] = true
	}
	return float64(len(seen)) / float64(max(len(l.values), 1))
}

// length is the mean number of characters.
func (l *leaf) length() float64 {
	total := 0
	for _, v := range l.values {
		total += utf8.RuneCountInString(v)
	}
	return float64(total) / float64(max(len(l.values), 1))
}

// profile is what the records of a group have in common.
type profile struct {
	leaves  []*leaf
	records int
}

// profileOf reads a sample of records, which are objects or rows of cells.
func profileOf(g *group) *profile {
	b := &profiling{byPath: map[string]*leaf{}}
	for _, r := range sample(g.nodes, sampled) {
		b.records++
		b.record = b.records
		switch v := r.(type) {
		case map[string]any:
			b.object(v, "", nil, false, 0)
		case []any:
			b.row(v, g.columns)
		}
	}
	return &profile{leaves: b.leaves, records: b.records}
}

type profiling struct {
	byPath  map[string]*leaf
	leaves  []*leaf
	records int
	record  int
	seen    map[*leaf]int
}

func (b *profiling) object(o map[string]any, path string, keys []string, many bool, depth int) {
	if depth >= leafDepth {
		return
	}
	for _, key := range sortedKeys(o) {
		b.value(o[key], joinPath(path, key), append(keys[:len(keys):len(keys)], key), many, depth)
	}
}

func (b *profiling) value(value any, path string, keys []string, many bool, depth int) {
	switch v := value.(type) {
	case map[string]any:
		b.object(v, path, keys, many, depth+1)
	case []any:
		for _, e := range v[:min(len(v), listSampled)] {
			if _, nested := e.([]any); !nested {
				b.value(e, path, keys, true, depth)
			}
		}
	default:
		b.scalar(value, path, keys, many, depth)
	}
}

func (b *profiling) scalar(value any, path string, keys []string, many bool, depth int) {
	l := b.byPath[path]
	if l != nil && len(l.values) >= enough {
		b.count(l)
		return
	}
	k, text := kindOf(value)
	if k == kindNone {
		return
	}
	if l == nil {
		if len(b.leaves) >= mostLeaves {
			return
		}
		last := keys[len(keys)-1]
		l = &leaf{
			path: path, key: last, meaning: meaning(keys), own: meaning([]string{last}), words: tokens(last), depth: depth,
			kinds: map[kind]int{}, order: len(b.leaves),
		}
		b.byPath[path] = l
		b.leaves = append(b.leaves, l)
	}
	l.many = l.many || many
	l.kinds[k]++
	l.values = append(l.values, text)
	b.count(l)
}

// count notes that the present record has a leaf.
func (b *profiling) count(l *leaf) {
	if b.seen == nil {
		b.seen = map[*leaf]int{}
	}
	if b.seen[l] != b.record {
		b.seen[l] = b.record
		l.present++
	}
}

// joinPath adds a key to a path of the blueprint language.
func joinPath(path, key string) string {
	if key == "" || strings.ContainsAny(key, ".[]'\"*?$@ \\\t\n") {
		return path + "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(key) + "']"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// sample takes at most n elements, spread over all.
func sample[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	out := make([]T, 0, n)
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}

func sortedKeys(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}
