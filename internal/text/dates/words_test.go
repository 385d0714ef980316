package dates

import (
	"regexp"
	"strings"
	"testing"
)

// groupsOf is how many groups lines may have that count; those of other keys have one.
var groupsOf = map[string]int{
	"month": 12, "jalali": 12, "weekday": 7, "weekdays": 7, "unit": 8, "number": 31, "tens": 2,
	"relative": 5, "each": 5, "mark": 6,
}

// TestWordsFile: every line of the words is a comment, opens a section of a new language
// or belongs to one and has a known key, the groups of that key and no empty alternative.
func TestWordsFile(t *testing.T) {
	opens := regexp.MustCompile(`^\[[a-z]{2,3}( [a-z]{2,3})*\]$`)
	codes, sections := map[string]bool{}, 0
	for n, line := range strings.Split(strings.TrimSuffix(wordsFile, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "#"), line == "":
			continue
		case opens.MatchString(line):
			sections++
			for _, code := range strings.Fields(strings.Trim(line, "[]")) {
				if codes[code] {
					t.Errorf("line %d: %s has two sections", n+1, code)
				}
				codes[code] = true
			}
			continue
		}
		key, rest, _ := strings.Cut(line, " ")
		if _, known := lineKinds[key]; !known || sections == 0 {
			t.Errorf("line %d: unknown key %q, or outside a section", n+1, key)
		}
		groups := strings.Split(rest, "|")
		if len(groups) > max(1, groupsOf[key]) {
			t.Errorf("line %d: %d groups of %s", n+1, len(groups), key)
		}
		for _, group := range groups {
			for _, word := range strings.Split(group, ",") {
				if (word == "" && group != "") || word != strings.TrimSpace(word) {
					t.Errorf("line %d: %q is no list of words", n+1, group)
				}
			}
		}
	}
	if sections > 64 {
		t.Errorf("%d sections: a set of languages has 64 bits", sections)
	}
}
