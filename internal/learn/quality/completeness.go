package quality

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// need is something that a record of a schema must have to be of use; any of its
// fields will do.
type need struct {
	name   string
	fields []string
}

// needs are the important fields by schema. For events they are those of the
// specification: title, start, venue, URL.
var needs = map[curlew.SchemaName][]need{
	curlew.SchemaEvent: {
		{"title", []string{"title"}}, {"starts_at", []string{"starts_at"}},
		{"venue", []string{"venue_name", "venue_address", "city", "latitude", "online"}}, {"url", []string{"url"}},
	},
	curlew.SchemaProduct: {
		{"name", []string{"name"}}, {"price", []string{"price"}}, {"currency", []string{"currency"}}, {"url", []string{"url"}},
	},
	curlew.SchemaJob: {
		{"title", []string{"title"}}, {"company", []string{"company"}}, {"location", []string{"location", "remote"}}, {"url", []string{"url"}},
	},
	curlew.SchemaArticle: {
		{"title", []string{"title"}}, {"text", []string{"text", "markdown", "summary"}},
		{"published_at", []string{"published_at"}}, {"url", []string{"url", "canonical_url"}},
	},
	curlew.SchemaOrganization: {{"name", []string{"name"}}, {"place", []string{"address", "city", "latitude"}}, {"url", []string{"url"}}},
	curlew.SchemaItem:         {{"title", []string{"title"}}, {"url", []string{"url"}}},
	curlew.SchemaPage:         {{"text", []string{"text"}}},
}

// needsOf are the important fields of a sample. Of an org's own kind those are all that it has; where it is not known, those
// that most records have.
func needsOf(s Sample) (all []need) {
	if known, ok := needs[s.Schema]; ok {
		return known
	}
	counts := map[string]int{}
	for _, r := range s.Records {
		for name := range r.Fields {
			if has(r, name) {
				counts[name]++
			}
		}
		if r.Own != nil {
			for _, f := range r.Own.Fields {
				counts[f.Name] = len(s.Records)
			}
		}
	}
	delete(counts, "currency") // it comes with an amount
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if 2*counts[name] >= len(s.Records) {
			all = append(all, need{name, []string{name}})
		}
	}
	return all
}

func (n need) met(r curlew.Record) bool {
	return n.name == "url" && r.URL != "" || slices.ContainsFunc(n.fields, func(f string) bool { return has(r, f) })
}

// completeness is the share of the important fields that are filled. A record
// without a field that its schema requires is no record, whatever else it has.
func completeness(s Sample) outcome {
	important := needsOf(s)
	if len(important) == 0 {
		return outcome{applies: true, of: len(s.Records), sentence: "no field is filled in most of the records"}
	}
	o := outcome{applies: true, of: len(s.Records)}
	missing := make([]int, len(important))
	filled := 0
	for _, r := range s.Records {
		met := 0
		for i, n := range important {
			if n.met(r) {
				met++
			} else {
				missing[i]++
			}
		}
		if met == len(important) {
			o.good++
		} else {
			o.examples = few(o.examples, example(r))
		}
		if r.Whole() {
			filled += met
		}
	}
	o.score = float64(filled) / float64(len(important)*len(s.Records))
	var all, gaps []string
	for i, n := range important {
		all = append(all, n.name)
		if missing[i] > 0 {
			gaps = append(gaps, fmt.Sprintf("%s in %d", n.name, missing[i]))
		}
	}
	if len(gaps) == 0 {
		o.sentence = "all have " + strings.Join(all, " + ")
		return o
	}
	o.sentence = fmt.Sprintf("%d of %d have %s; missing: %s", o.good, o.of, strings.Join(all, " + "), strings.Join(gaps, ", "))
	return o
}

// rich are the fields that make a record more than its important ones.
var rich = map[curlew.SchemaName][]string{
	curlew.SchemaEvent:        {"image_url", "description"},
	curlew.SchemaProduct:      {"image_url", "description"},
	curlew.SchemaJob:          {"description_snippet", "salary_min"},
	curlew.SchemaArticle:      {"image_url", "author"},
	curlew.SchemaOrganization: {"phone", "activities"},
	curlew.SchemaItem:         {"image_url", "text"},
}

// worthReading is how long a description must be to say something, by the
// specification.
const worthReading = 50

func richness(s Sample) outcome {
	fields, ok := rich[s.Schema]
	if !ok {
		return outcome{sentence: "a schema of your own has no fields that count as extra"}
	}
	o := outcome{applies: true, of: len(s.Records)}
	counts := make([]int, len(fields))
	for _, r := range s.Records {
		whole := true
		for i, name := range fields {
			if has(r, name) && (!isLong(name) || len([]rune(textOf(r, name))) > worthReading) {
				counts[i]++
			} else {
				whole = false
			}
		}
		if whole {
			o.good++
		} else {
			o.examples = few(o.examples, example(r))
		}
	}
	var parts []string
	for i, name := range fields {
		o.score += float64(counts[i]) / float64(len(s.Records)*len(fields))
		what := name
		if isLong(name) {
			what += fmt.Sprintf(" of more than %d characters", worthReading)
		}
		parts = append(parts, fmt.Sprintf("%d of %d have %s", counts[i], len(s.Records), what))
	}
	o.sentence = strings.Join(parts, ", ")
	return o
}

func isLong(field string) bool {
	return field == "description" || field == "text" || field == "description_snippet"
}
