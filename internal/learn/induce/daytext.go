package induce

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// asTaught lets the rules of a field of text give days as they were taught: where "Jan 6, 2019"
// stands in a longer line, the rest of the line is no part of it. What has another form stays
// as the rules find it.
func (t trial) asTaught(field string, rules []blueprint.Rule) []blueprint.Rule {
	if f, ok := t.kind.Field(field); ok && f.Type != curlew.TypeText {
		return rules
	}
	form, there := "", false
	for _, s := range t.samples {
		for _, v := range s.want[field] {
			one := patternOf(v.text)
			if v.day.IsZero() || form != "" && one != form {
				return rules
			}
			form, there = one, there || strings.Contains(s.index.doc.VisibleText(), v.text)
		}
	}
	if !there {
		return rules
	}
	var exact []blueprint.Rule
	for _, r := range rules {
		r.Do = append(slices.Clone(r.Do), blueprint.Transform{Op: "match", Text: form})
		exact = append(exact, r)
	}
	return append(exact, rules...)
}

var textParts = text.Pattern(`\d+|\pL+|[^\d\pL]+`)

// patternOf is a pattern of texts written like one: its numbers as long, words for its words.
func patternOf(text string) string {
	var form strings.Builder
	for _, part := range textParts().FindAllString(strings.TrimSpace(text), -1) {
		switch first := []rune(part)[0]; {
		case first >= '0' && first <= '9' && len(part) <= 2:
			form.WriteString(`\d{1,2}`)
		case first >= '0' && first <= '9':
			form.WriteString(`\d{4}`)
		case unicode.IsLetter(first):
			form.WriteString(`\pL+`)
		default:
			form.WriteString(regexp.QuoteMeta(part))
		}
	}
	return form.String()
}
