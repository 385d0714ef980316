package publish

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// countsAttention says whether a slot's two texts differ only in how often something was
// read, answered or passed on, by their own words: "89 Comments", "90 Comments". Of numbers
// alone the name of the slot tells it, the head of a column such as "Views".
func countsAttention(slot string, before, after any) bool {
	a, aText := before.(string)
	b, bText := after.(string)
	if !aText || !bText {
		return false
	}
	if bareNumber(a) && bareNumber(b) {
		_, name, _ := strings.Cut(slot, ".")
		a, b = a+" "+name, b+" "+name
	}
	x, xCounts := withoutCounts(a)
	y, yCounts := withoutCounts(b)
	return xCounts && yCounts && slices.Equal(x, y)
}

func bareNumber(s string) bool {
	said := func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) } // a word or a currency
	return strings.ContainsFunc(s, unicode.IsDigit) && !strings.ContainsFunc(s, said)
}

// withoutCounts are the words of a text but for numbers and for what they count, and
// whether it counts attention.
func withoutCounts(s string) (rest []string, counts bool) {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return ' '
		}
		return r
	}, s)
	for _, word := range text.Words(plain) {
		switch {
		case labels.DrawsAttention(word):
			counts = true
		case word != "k" && word != "m": // of thousands and millions
			rest = append(rest, word)
		}
	}
	return rest, counts && plain != s
}

// countingSlots are the slots that count attention otherwise in most of the entities that have
// them: nothing happened to these, somebody read of them.
func (d *decision) countingSlots(all []found) map[string]bool {
	moved := map[string]int{}
	for _, f := range all {
		for _, c := range f.changes {
			if strings.HasPrefix(c.Field, "slots.") && countsAttention(c.Field, c.Old, c.New) {
				moved[c.Field]++
			}
		}
	}
	counting := map[string]bool{}
	for _, field := range slices.Sorted(maps.Keys(moved)) {
		if n, of := moved[field], d.having(all, field); n >= moveFloor && 2*n >= of {
			counting[field] = true
			d.note(curlew.LogInfo, "%s counts readers or answers, and did so anew for %d of %d: taken over without change events", field, n, of)
		}
	}
	return counting
}
