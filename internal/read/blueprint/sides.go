package blueprint

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// PartDiff is one part of two blueprints, side by side; "" where one has none.
type PartDiff struct {
	Part   string // "records", "identity", or "field price"
	Before string
	After  string
}

// Differs says whether the part is not the same in both.
func (s PartDiff) Differs() bool { return s.Before != s.After }

// Compare lays two blueprints side by side, part by part and field by field.
func Compare(a, b *Blueprint) []PartDiff {
	all := []PartDiff{{"schema", string(a.Schema), string(b.Schema)}, {"page type", string(a.Page), string(b.Page)},
		{"tier", string(a.Tier), string(b.Tier)},
		{"records", a.Records.Words(), b.Records.Words()}}
	for _, name := range sortedKeys(merged(a.Fields, b.Fields)) {
		before, was := a.Fields[name]
		after, is := b.Fields[name]
		all = append(all, PartDiff{"field " + name, before.words(was), after.words(is)})
	}
	all = append(all, PartDiff{"identity", a.Identity.Words(), b.Identity.Words()},
		PartDiff{"further pages", a.Pagination.Words(), b.Pagination.Words()},
		PartDiff{"detail pages", followWords(a.Follow), followWords(b.Follow)}, PartDiff{"context", jsonWords(a.Context), jsonWords(b.Context)},
		PartDiff{"request", jsonWords(a.Request), jsonWords(b.Request)}, PartDiff{"expectations", a.Expect.words(), b.Expect.words()})
	return all
}

// words sum up what is expected.
func (e *Expect) words() string {
	if e == nil {
		return ""
	}
	text := curlew.Counted(len(e.Fields), "field")
	if e.Records != nil {
		text += fmt.Sprintf(", %d to %d records", e.Records.Min, e.Records.Max)
	}
	return text
}

// words tell how a field is got; "" of one that there is not.
func (f FieldRules) words(there bool) string {
	if !there {
		return ""
	}
	rules := make([]string, len(f.Rules))
	for i, r := range f.Rules {
		rules[i] = r.Words()
	}
	text := strings.Join(rules, "; else ")
	if f.Required {
		text += " (required)"
	}
	if f.Many {
		text += " (a list)"
	}
	return text
}

func followWords(all []Follow) string {
	parts := make([]string, len(all))
	for i, f := range all {
		parts[i] = "behind " + f.Field + ": " + f.With.Records.Words()
		for _, name := range sortedKeys(f.With.Fields) {
			parts[i] += "; " + name + ": " + f.With.Fields[name].words(true)
		}
	}
	return strings.Join(parts, " · ")
}

// jsonWords are a part for which there are no better words; "" of none.
func jsonWords(part any) string {
	text, err := json.Marshal(part)
	if err != nil || string(text) == "null" {
		return ""
	}
	return string(text)
}
