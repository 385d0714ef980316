package induce

import (
	"slices"

	"curlew/internal/blueprint"
)

// outside makes rules for values that stand above their records or that all records
// share: the nearest heading, a place on the page, or in the end the value itself.
func (t trial) outside(field string, values []value) []candidate {
	if len(values) == 0 || !values[0].day.IsZero() {
		return nil
	}
	f := &family{seen: map[string]bool{}, words: t.words, limit: leastCandidates}
	for _, tag := range []string{"h1", "h2", "h3", "h4", "h5", "h6", "caption", "strong", "dt"} {
		f.add(blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, From: blueprint.FromHeading}, oddsTelling*oddsText, place{})
	}
	same := !slices.ContainsFunc(values, func(v value) bool { return v.key != values[0].key })
	if same && len(values) > 1 {
		for _, tag := range []string{"h1", "title", "h2"} {
			f.add(blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, From: blueprint.FromPage}, oddsTelling*oddsText, place{})
		}
		text := values[0].text
		f.add(blueprint.Rule{Constant: &text}, oddsGenerated, place{})
	}
	t.run(f.all, field, false)
	return f.all
}
