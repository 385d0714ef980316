package induce

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/wrapper"
)

// Bounds of a text that holds the name of its field.
const (
	mostNameWords  = 3
	mostValueWords = 6
)

// namedInText gives a thing of an org's own kind the fields whose names stand in its texts: "Fee 89 €", "4 rooms".
func namedInText(d curlew.Draft, kind curlew.Schema, fields curlew.Values, proof map[string]curlew.Evidence) {
	if kind.Name.BuiltIn() {
		return
	}
	slots, _ := d.Fields["slots"].(map[string]any)
	for _, slot := range slices.Sorted(maps.Keys(slots)) {
		said, _ := slots[slot].(string)
		field, value := nameAndValue(kind, said)
		if slot != "title" && field != "" && fields[field] == nil {
			fields[field], proof[field] = value, d.Provenance["slots."+slot]
		}
	}
}

// nameAndValue are the field whose name a text begins with and the rest of it, or the number that a text begins with and the
// field whose name, or the end of it, follows.
func nameAndValue(kind curlew.Schema, said string) (field, value string) {
	words := strings.Fields(said)
	for n := min(mostNameWords, len(words)-1); n > 0 && len(words)-n <= mostValueWords; n-- {
		field = wrapper.FieldOf(kind, strings.Join(words[:n], " "), true)
		rest := strings.Join(words[n:], " ")
		if field != "" && (!numbered(kind, field) || strings.ContainsFunc(rest, unicode.IsDigit)) {
			return field, rest
		}
	}
	if len(words) < 2 || len(words) > 1+mostNameWords || !unicode.IsDigit([]rune(words[0])[0]) {
		return "", ""
	}
	for _, f := range kind.Fields {
		for from := 1; from < len(words) && f.Type.Numeric(); from++ {
			name := strings.Join(words[from:], " ")
			if slices.ContainsFunc(f.Names(), func(own string) bool { return wrapper.EndsSo(own, name) }) {
				return f.Name, words[0]
			}
		}
	}
	return "", ""
}
