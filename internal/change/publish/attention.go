package publish

import (
	"slices"
	"strings"
	"unicode"

	"curlew/internal/curlew"
	"curlew/internal/text"
	"curlew/internal/text/labels"
)

// CountsAttention says whether a slot's two texts differ only in how often something was
// read, answered or passed on, by their own words: "89 Comments", "90 Comments". Of numbers
// alone the name of the slot tells it, the head of a column such as "Views".
func CountsAttention(slot string, before, after any) bool {
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
	return strings.ContainsFunc(s, unicode.IsDigit) && !strings.ContainsFunc(s, unicode.IsLetter) && !strings.ContainsFunc(s, unicode.IsSymbol)
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

// Restless are the slots in which most of the entities that two checks have in common
// count attention otherwise, by their fields before and after.
func Restless(before, after map[string]curlew.Values) []string {
	changed, having := map[string]int{}, map[string]int{}
	for id, now := range after {
		was := before[id].Flat()
		for name, value := range now.Flat() {
			if !strings.HasPrefix(name, "slots.") || was[name] == nil {
				continue
			}
			having[name]++
			if was[name] != value && CountsAttention(name, was[name], value) {
				changed[name]++
			}
		}
	}
	var found []string
	for name, n := range changed {
		if n >= moveFloor && 2*n >= having[name] {
			found = append(found, name)
		}
	}
	return found
}
