package induce

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// maxRules is how many rules a field gets: the best, and what catches the cases in
// which that finds nothing.
const maxRules = 5

// choose picks the rules of a field from tried candidates: the best first, then those
// that are right where the ones before find nothing, then others that lean on
// something else, for the day when the first breaks.
// Samples are those with a value; of a list there are records without one too.
func choose(all []candidate, values []value, samples, records int) []candidate {
	slices.SortStableFunc(all, better)
	all = slices.DeleteFunc(all, func(c candidate) bool { return c.useless(samples, records) })
	all = usable(all, samples)
	if len(all) == 0 {
		return nil
	}
	chosen := []candidate{all[0]}
	covered := slices.Clone(all[0].covers)
	for _, c := range all[1:] {
		if len(chosen) < maxRules && adds(covered, c.covers) {
			chosen = append(chosen, c)
			for i, is := range c.covers {
				covered[i] = covered[i] || is
			}
		}
	}
	return fallbacks(chosen, all, guards(values))
}

// leastFallback is how likely a further rule must be to survive.
const leastFallback = 0.8

// fallbacks adds rules that lean on something else than those chosen so far, each
// behind a guard.
func fallbacks(chosen, all []candidate, guards []blueprint.Transform) []candidate {
	top := chosen[0].score()
	for _, c := range all {
		if len(chosen) >= maxRules || c.score() < top {
			break
		}
		if c.odds >= leastFallback && !slices.ContainsFunc(chosen, func(o candidate) bool { return o.kind() == c.kind() }) {
			c.rule.Do = append(slices.Clone(c.rule.Do), guards...)
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// usable drops what was wrong on a page with known values; only if nothing else is
// left may a rule be wrong now and then, since people mislabel too.
//
// Steps with words of their own that are right on one of many pages cut out one value
// rather than a kind of value: they are the last resort.
func usable(all []candidate, samples int) []candidate {
	var clean, rough, special []candidate
	for _, c := range all {
		switch {
		case c.wrong == 0 && c.right == 1 && samples > 2 && worded(c.rule.Do):
			special = append(special, c)
		case c.clean():
			clean = append(clean, c)
		case c.right > c.wrong:
			rough = append(rough, c)
		}
	}
	switch {
	case len(rough) > 0 && mostRight(clean)*2 < samples && mostRight(rough) > mostRight(clean):
		return rough
	case len(clean) > 0:
		return clean
	case len(rough) > 0:
		return rough
	}
	return special
}

// useless says whether a rule finds nothing, mostly more than is known, or values by words
// beside them that hardly any record has: those of one record name nothing.
func (c candidate) useless(samples, records int) bool {
	if c.right == 0 || c.extra > c.right {
		return true
	}
	if _, text, far := strings.Cut(c.rule.XPath, textAnchor); far && records > 0 {
		text, _, _ = strings.Cut(text, "]")
		return c.right*2 <= samples || !strings.ContainsFunc(text, unicode.IsLetter) // a day that some records share is no label
	}
	words := c.rule.Label != "" || c.rule.After != "" || c.rule.Before != ""
	return words && (c.right == 1 && max(samples, records) > 2 || c.right*4 < samples)
}

func mostRight(all []candidate) int {
	most := 0
	for _, c := range all {
		most = max(most, c.right)
	}
	return most
}

func worded(do []blueprint.Transform) bool {
	return slices.ContainsFunc(do, func(t blueprint.Transform) bool { return t.Op != "split" && t.Op != "match" && t.Text != "" })
}

func adds(covered, more []bool) bool {
	for i, is := range more {
		if is && !covered[i] {
			return true
		}
	}
	return false
}

// kind is what a rule leans on, for telling fallbacks from doubles.
func (c candidate) kind() string {
	switch r := c.rule; {
	case r.Label != "":
		return "label"
	case r.Column != "":
		return "column"
	case r.After != "" || r.Before != "":
		return "text"
	case len(r.Join) > 0:
		return "join"
	case r.XPath != "":
		return "xpath"
	case r.Attr != "":
		return "attribute"
	}
	return "css"
}

func rulesOf(chosen []candidate) []blueprint.Rule {
	rules := make([]blueprint.Rule, len(chosen))
	for i, c := range chosen {
		rules[i] = c.rule
	}
	return rules
}
