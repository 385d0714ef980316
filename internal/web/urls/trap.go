package urls

import (
	"slices"
	"strings"
)

// Signs of a site without end. They are generous: a false alarm loses a page,
// a miss only wastes budget, and the budget always ends a crawl.
const (
	maxSegments      = 40 // of a path
	maxParameters    = 30
	maxSameParameter = 5 // the same name with or without value
	maxQuery         = 1000
	maxRepeats       = 3 // of a run of segments: /a/b/a/b/a/b
	maxNumberRepeats = 5 // of one number: /1/1/1 may be a date or a place in a tree
	growingFrom      = 8 // parameters from which on a growing query is a trap
)

// trap tells whether an address looks like one of an endless site: a path that
// repeats itself, or parameters that pile up. The second is the page that links to
// it. Endless calendars look like any archive; they end with the budget.
func (a address) trap(from address) Refusal {
	switch {
	case repeats(a.path):
		return RefusalRepeats
	case pilesUp(a.query), a.grows(from):
		return RefusalQuery
	}
	return RefusalNone
}

// repeats finds a run of segments that follows itself twice, wherever it stands
// in the path.
func repeats(path string) bool {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if len(segments) > maxSegments {
		return true
	}
	for period := 1; period*maxRepeats <= len(segments); period++ {
		streak := 0 // segments in a row that equal the one a period before
		for i := period; i < len(segments); i++ {
			if segments[i] != segments[i-period] {
				streak = 0
				continue
			}
			streak++
			needed := maxRepeats
			if period == 1 && isNumber(segments[i]) {
				needed = maxNumberRepeats
			}
			if streak >= period*(needed-1) {
				return true
			}
		}
	}
	return false
}

func isNumber(segment string) bool { return strings.Trim(segment, "0123456789") == "" }

// pilesUp finds queries that no person would make: very many parameters, one
// name again and again, escapes of escapes of escapes.
func pilesUp(query []string) bool {
	if len(query) > maxParameters {
		return true
	}
	length := 0
	count := map[string]int{}
	for _, parameter := range query {
		name, _, _ := strings.Cut(parameter, "=")
		length += len(parameter)
		if count[name]++; count[name] > maxSameParameter && !isList(name) {
			return true
		}
		if strings.Contains(parameter, "%252525") {
			return true
		}
	}
	return length > maxQuery
}

// isList tells that a name is made to be repeated: "tag[]".
func isList(name string) bool {
	return strings.HasSuffix(name, "[]") || strings.HasSuffix(name, "%5B%5D")
}

// grows tells that a page links to itself with more parameters than it has
// already, as filters do that can be combined without end.
func (a address) grows(from address) bool {
	if from.host != a.host || from.path != a.path || len(a.query) < growingFrom || len(a.query) <= len(from.query) {
		return false
	}
	have := map[string]bool{}
	for _, parameter := range a.query {
		have[parameter] = true
	}
	return !slices.ContainsFunc(from.query, func(parameter string) bool { return !have[parameter] })
}
