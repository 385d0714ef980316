package induce

import (
	"curlew/internal/read/blueprint"
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
	if text := mostCommon(values); text != "" {
		for _, tag := range []string{"h1", "title", "h2"} {
			f.add(blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, From: blueprint.FromPage}, oddsTelling*oddsText, place{})
		}
		f.add(blueprint.Rule{Constant: &text}, oddsGenerated, place{})
	}
	t.run(f.all, field, false)
	return f.all
}

// mostCommon is the value that nearly all records have; "" when there is none.
func mostCommon(values []value) string {
	counts := map[string]int{}
	for _, v := range values {
		counts[v.key]++
	}
	for _, v := range values {
		if n := counts[v.key]; n > 1 && n*8 >= len(values)*7 {
			return v.text
		}
	}
	return ""
}
