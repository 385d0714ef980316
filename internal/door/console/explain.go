package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// Explained is a blueprint in words.
type Explained struct {
	Records    string
	Identity   string
	Pagination string
	Context    string
	Fields     []ExplainedField
	Follows    []ExplainedFollow
	JSON       string
}

// ExplainedField is how one field is got: the first rule that gives a value wins.
type ExplainedField struct {
	Name           string
	Rules          []string
	Required, Many bool
	Expect         string // what its values looked like
}

// ExplainedFollow is how the detail pages of records are read.
type ExplainedFollow struct {
	Field string
	Explained
}

// inWords is what a blueprint reads in words; one that can no longer be read says why.
func inWords(b curlew.Blueprint) Explained {
	parsed, err := blueprint.Parse(b.Rules)
	if err != nil {
		return Explained{Records: "it cannot be read: " + curlew.AsFault(err).Sentence, JSON: string(b.Rules)}
	}
	words := explain(parsed)
	var tidy bytes.Buffer
	if json.Indent(&tidy, b.Rules, "", "  ") == nil {
		words.JSON = tidy.String()
	}
	return words
}

// contextWords is what the pages do not say themselves, in words.
func contextWords(c blueprint.Locale) string {
	var words []string
	for _, part := range []struct{ name, value string }{{"language", c.Language}, {"time zone", c.Timezone}, {"country", c.Country},
		{"currency", c.Currency}, {"dates", curlew.CodeWords(c.DateOrder)}} {
		if part.value != "" {
			words = append(words, part.name+" "+part.value)
		}
	}
	return strings.Join(words, ", ")
}

// explain puts a blueprint into words.
func explain(b *blueprint.Blueprint) Explained {
	x := Explained{Records: b.Records.Words(), Identity: b.Identity.Words(), Pagination: b.Pagination.Words()}
	if b.Context != nil {
		x.Context = contextWords(*b.Context)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Fields)) {
		f := b.Fields[name]
		field := ExplainedField{Name: name, Required: f.Required, Many: f.Many, Rules: ruleWords(f)}
		if b.Expect != nil {
			field.Expect = expectWords(b.Expect.Fields[name])
		}
		x.Fields = append(x.Fields, field)
	}
	for _, f := range b.Follow {
		x.Follows = append(x.Follows, ExplainedFollow{Field: f.Field, Explained: explain(f.With)})
	}
	return x
}

func ruleWords(f blueprint.FieldRules) []string {
	words := make([]string, len(f.Rules))
	for i, r := range f.Rules {
		words[i] = r.Words()
	}
	return words
}

func expectWords(e blueprint.Expectation) string {
	if e.Present == 0 {
		return ""
	}
	text := fmt.Sprintf("in %.0f %% of the records", e.Present*100)
	if e.Looks != "" {
		text += ", a " + e.Looks
	}
	switch {
	case e.MaxLength == 0:
	case e.MinLength == e.MaxLength:
		text += fmt.Sprintf(" of %d characters", e.MaxLength)
	default:
		text += fmt.Sprintf(" of %d to %d characters", e.MinLength, e.MaxLength)
	}
	return text
}

// sidesOf lays two blueprints side by side: by their parts, or, where one of them can no
// longer be read, as they are written.
func sidesOf(before, after curlew.Blueprint) []blueprint.PartDiff {
	old, err := blueprint.Parse(before.Rules)
	fresh, failed := blueprint.Parse(after.Rules)
	if err != nil || failed != nil {
		return []blueprint.PartDiff{{Part: "rules", Before: string(before.Rules), After: string(after.Rules)}}
	}
	return blueprint.Compare(old, fresh)
}
