package induce

import (
	"regexp"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text"
)

// outside makes rules for values that stand above their records or that all records
// share: the nearest heading, a place on the page, or in the end the value itself. Slots are what stands
// in the record, but for the one of the heading.
func (t trial) outside(field string, values []value) []candidate {
	if len(values) == 0 || strings.HasPrefix(field, "slots.") && field != "slots."+regions.GroupSlot {
		return nil
	}
	f := &family{seen: map[string]bool{}, words: t.words, limit: leastCandidates}
	form := formOf(values[0].text)
	above := func(css string) {
		rule := blueprint.Rule{Selector: blueprint.Selector{CSS: css}, From: blueprint.FromHeading}
		f.add(rule, oddsTelling*oddsText, place{})
		if form != "" {
			rule.Do = []blueprint.Transform{{Op: "match", Text: form}}
			f.add(rule, oddsTelling*oddsText, place{})
		}
	}
	for _, tag := range []string{"h1", "h2", "h3", "h4", "h5", "h6", "caption", "strong", "dt"} {
		above(tag)
	}
	for _, css := range t.standsIn(values) {
		above(css)
	}
	if !values[0].day.IsZero() { // a day of the page as a whole is not that of its records
		t.run(f.all, field, false)
		return f.all
	}
	if text := mostCommon(values); text != "" && len(t.indexes()[0].datesIn(text)) == 0 {
		for _, tag := range []string{"h1", "title", "h2"} {
			f.add(blueprint.Rule{Selector: blueprint.Selector{CSS: tag}, From: blueprint.FromPage}, oddsTelling*oddsText, place{})
		}
		f.add(blueprint.Rule{Constant: &text}, oddsGenerated, place{})
	}
	t.run(f.all, field, false)
	return f.all
}

// formOf is a pattern for texts of the form of one with figures, such as a date within a
// heading; "" for other texts.
func formOf(s string) string {
	if !strings.ContainsAny(s, "0123456789") || len(s) > 40 {
		return ""
	}
	pattern := figures().ReplaceAllString(regexp.QuoteMeta(s), `\d+`)
	return wordForm().ReplaceAllStringFunc(pattern, func(word string) string {
		if strings.HasPrefix(word, `\`) {
			return word
		}
		return `\p{L}+`
	})
}

var (
	figures  = text.Pattern(`[0-9]+`)
	wordForm = text.Pattern(`\\?\p{L}+`)
)

// standsIn are the elements in which values stand, wherever they do, by their tags and by
// names that people gave them.
func (t trial) standsIn(values []value) []string {
	var all []string
	for _, s := range t.indexes() {
		for _, v := range values[:min(len(values), maxTeachers)] {
			for _, p := range s.places(v, nil) {
				n := p.node()
				if n == nil {
					continue
				}
				for _, m := range marksOf(n) {
					if m.class != "" && m.odds() >= oddsClass && !slices.Contains(all, m.css()) {
						all = append(all, m.css())
					}
				}
				if !slices.Contains(all, n.Data) {
					all = append(all, n.Data)
				}
			}
		}
	}
	return all
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
