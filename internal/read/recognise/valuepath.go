package recognise

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	sampled     = 60  // records whose values are looked at
	pathDepth   = 4   // of objects in a record
	mostPaths   = 400 // kinds of value in a record
	listSampled = 5   // elements of a list inside a record
	enough      = 80  // values of one path that are looked at
)

// valuePath is one kind of value that the records of a group have: the values at one
// path below the record.
type valuePath struct {
	path    string // in the language of blueprints
	key     string // the last one on the way, as written
	meaning string // of the keys on the way, in canonical words
	many    bool   // a list stands on the way
	depth   int
	present int // records that have it
	last    int // the record that has it last
	values  []string
	scalars []any // the same values as JSON has them
	counted []int // how many values look like each kind; nil while nobody asked
	order   int
}

// own is the meaning of the last key alone.
func (l *valuePath) own() string { return meaning([]string{l.key}) }

// words are those of the last key, as written.
func (l *valuePath) words() []string { return tokens(l.key) }

// kinds counts what the values look like. Most paths have no name that anybody looks for, so that nobody asks.
func (l *valuePath) kinds() []int {
	if l.counted == nil {
		l.counted = make([]int, kindPhone+1)
		for i, v := range l.scalars {
			l.counted[kindOf(v, l.values[i])]++
		}
	}
	return l.counted
}

// is says whether most values look like one of some kinds.
func (l *valuePath) is(kinds ...kind) bool {
	n, counted := 0, l.kinds()
	for _, k := range kinds {
		n += counted[k]
	}
	return n*3 >= len(l.values)*2
}

// some says whether any value looks like one of some kinds.
func (l *valuePath) some(kinds ...kind) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return l.kinds()[k] > 0 })
}

// distinct is the share of different values.
func (l *valuePath) distinct() float64 {
	seen := map[string]bool{}
	for _, v := range l.values {
		seen[v] = true
	}
	return float64(len(seen)) / float64(max(len(l.values), 1))
}

// length is the mean number of characters.
func (l *valuePath) length() float64 {
	total := 0
	for _, v := range l.values {
		total += utf8.RuneCountInString(v)
	}
	return float64(total) / float64(max(len(l.values), 1))
}

// profile is what the records of a group have in common.
type profile struct {
	paths    []*valuePath
	records  int
	meanings map[string][]*valuePath // by what they mean
	endings  map[string][]*valuePath // and by the last word of that
}

// profileOf reads a sample of records, which are objects or rows of cells.
func profileOf(g *group) *profile {
	b := &profiling{profile: profile{meanings: map[string][]*valuePath{}, endings: map[string][]*valuePath{}}}
	root := &pathNode{}
	for _, r := range sample(g.nodes, sampled) {
		b.records++
		switch v := r.(type) {
		case map[string]any:
			b.object(v, root, false, 0)
		case []any:
			b.row(v, g.columns, root)
		}
	}
	return &b.profile
}

// called are the paths that may have a name of the table of fields.
func (p *profile) called(name string) []*valuePath {
	if suffix, loose := strings.CutPrefix(name, "…"); loose {
		return p.endings[lastWord(suffix)]
	}
	return p.meanings[name]
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

type profiling struct{ profile }

// pathNode is a path below the records on which values were met.
type pathNode struct {
	path   string
	keys   []string
	below  map[string]*pathNode
	values *valuePath
}

// at is the node under a key of an object.
func (p *pathNode) at(key string) *pathNode {
	if next := p.below[key]; next != nil {
		return next
	}
	return p.add(key, key, joinPath(p.path, key))
}

// cell is the node of a cell of a row.
func (p *pathNode) cell(i int, column string) *pathNode {
	path := "[" + itoa(i) + "]"
	if next := p.below[path]; next != nil {
		return next
	}
	return p.add(path, column, path)
}

func (p *pathNode) add(id, key, path string) *pathNode {
	if p.below == nil {
		p.below = map[string]*pathNode{}
	}
	p.below[id] = &pathNode{path: path, keys: append(p.keys[:len(p.keys):len(p.keys)], key)}
	return p.below[id]
}

func (b *profiling) object(o map[string]any, at *pathNode, many bool, depth int) {
	if depth >= pathDepth {
		return
	}
	for _, key := range sortedKeys(o) {
		b.value(o[key], at.at(key), many, depth)
	}
}

func (b *profiling) value(value any, at *pathNode, many bool, depth int) {
	switch v := value.(type) {
	case map[string]any:
		b.object(v, at, many, depth+1)
	case []any:
		for _, e := range v[:min(len(v), listSampled)] {
			if _, nested := e.([]any); !nested {
				b.value(e, at, true, depth)
			}
		}
	default:
		b.scalar(value, at, many, depth)
	}
}

func (b *profiling) scalar(value any, at *pathNode, many bool, depth int) {
	l := at.values
	if l != nil && len(l.values) >= enough {
		l.count(b.records)
		return
	}
	text := textOf(value)
	if text == "" {
		return
	}
	if l == nil {
		if len(b.paths) >= mostPaths {
			return
		}
		l = &valuePath{path: at.path, key: at.keys[len(at.keys)-1], meaning: meaning(at.keys), depth: depth, order: len(b.paths)}
		at.values = l
		b.paths = append(b.paths, l)
		b.meanings[l.meaning] = append(b.meanings[l.meaning], l)
		ending := lastWord(l.meaning)
		b.endings[ending] = append(b.endings[ending], l)
	}
	l.many = l.many || many
	l.values, l.scalars = append(l.values, text), append(l.scalars, value)
	l.count(b.records)
}

// count notes that a record has a path.
func (l *valuePath) count(record int) {
	if l.last != record {
		l.last = record
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
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
