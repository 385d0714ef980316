package structured

import (
	"maps"
	"slices"
	"strings"
)

// sameGraph says whether two sets of statements are equal but for the names of
// their blank nodes. The graphs of the suites are small: it tries.
func sameGraph(a, b []triple) bool {
	left, right := distinct(a), distinct(b)
	if len(left) != len(right) {
		return false
	}
	return match(left, right, blanksOf(left), map[string]string{})
}

func distinct(triples []triple) []triple {
	seen := map[string]bool{}
	var out []triple
	for _, t := range triples {
		t.node, t.object.element = nil, nil
		t.object.lang = strings.ToLower(t.object.lang)
		if t.object.datatype == xsdNS+"string" {
			t.object.datatype = ""
		}
		if k := written(t, nil); !seen[k] {
			seen[k] = true
			out = append(out, t)
		}
	}
	return out
}

func isBlank(name string) bool { return strings.HasPrefix(name, "_:") }

func blanksOf(triples []triple) []string {
	all := map[string]bool{}
	for _, t := range triples {
		if isBlank(t.subject) {
			all[t.subject] = true
		}
		if !t.object.literal && isBlank(t.object.value) {
			all[t.object.value] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// written is a statement as text, blank nodes renamed.
func written(t triple, names map[string]string) string {
	subject, value := t.subject, t.object.value
	if to, ok := names[subject]; ok {
		subject = to
	}
	if to, ok := names[value]; ok && !t.object.literal {
		value = to
	}
	kind := "r"
	if t.object.literal {
		kind = "l" + t.object.lang + "^" + t.object.datatype
	}
	return subject + "\x00" + t.predicate + "\x00" + kind + "\x00" + value
}

// match tries to give each blank node of left one of right.
func match(left, right []triple, blanks []string, names map[string]string) bool {
	if len(blanks) == 0 {
		have := map[string]bool{}
		for _, t := range right {
			have[written(t, nil)] = true
		}
		for _, t := range left {
			if !have[written(t, names)] {
				return false
			}
		}
		return true
	}
	used := slices.Collect(maps.Values(names))
	for _, candidate := range blanksOf(right) {
		if slices.Contains(used, candidate) || !alike(left, right, blanks[0], candidate) {
			continue
		}
		names[blanks[0]] = candidate
		if match(left, right, blanks[1:], names) {
			return true
		}
		delete(names, blanks[0])
	}
	return false
}

// alike compares what two blank nodes are in, other blank nodes aside.
func alike(left, right []triple, a, b string) bool {
	return slices.Equal(shape(left, a), shape(right, b))
}

func shape(triples []triple, node string) []string {
	names := map[string]string{node: "_:self"}
	for _, other := range blanksOf(triples) {
		if other != node {
			names[other] = "_:other"
		}
	}
	var all []string
	for _, t := range triples {
		if t.subject == node || t.object.value == node && !t.object.literal {
			all = append(all, written(t, names))
		}
	}
	slices.Sort(all)
	return all
}
