package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// Bounds of a query: characters that people type, words that are looked for.
const (
	MostTyped = 200
	mostNeeds = 24
)

// Query is what is looked for: all of its needs, each in one of several ways. A way is
// how a line of a block begins.
type Query struct {
	needs [][]string
	typed bool
}

// ParseQuery reads what somebody typed: every word must be the beginning of a word. What has
// nothing to look for, such as signs alone, finds nothing.
func ParseQuery(s string) (Query, error) {
	if n := utf8.RuneCountInString(s); n > MostTyped {
		return Query{}, curlew.Permanent("search_too_long", "the search has %d characters, and %d are allowed: search for fewer words", n,
			MostTyped)
	}
	q := Query{typed: strings.TrimSpace(s) != ""}
	for _, run := range runs(s) {
		if unspaced(firstOf(run)) {
			for _, word := range grams(run, true) {
				q.need("\n" + word)
			}
			continue
		}
		ways := []string{"\n" + text.CutBytes(run, longest)}
		if rest, ok := withoutArticle(run); ok {
			ways = append(ways, "\n"+text.CutBytes(rest, longest))
		}
		q.need(ways...)
	}
	return q, nil
}

// need adds that something must begin in one of these ways.
func (q *Query) need(ways ...string) {
	if len(ways) == 0 || len(q.needs) == mostNeeds || slices.ContainsFunc(q.needs, func(n []string) bool { return slices.Equal(n, ways) }) {
		return
	}
	q.needs = append(q.needs, ways)
}

// Blank says that nothing was typed, so that there is no search.
func (q Query) Blank() bool { return !q.typed }

// Hopeless says that nothing can be found, whatever there is.
func (q Query) Hopeless() bool { return q.typed && len(q.needs) == 0 }

// Marked is the query for what has one of these marks besides; empty ones ask nothing.
func Marked[T ~string](q Query, values ...T) Query {
	var ways []string
	for _, value := range values {
		if value != "" {
			ways = append(ways, "\n"+mark(string(value))+" ")
		}
	}
	out := Query{needs: slices.Clone(q.needs), typed: q.typed}
	if len(ways) > 0 {
		out.needs = append([][]string{ways}, out.needs...)
	}
	return out
}
