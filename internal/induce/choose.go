package induce

import (
	"slices"

	"curlew/internal/blueprint"
)

// maxRules is how many rules a field gets: the best, and what catches the cases in
// which that finds nothing.
const maxRules = 5

// choose picks the rules of a field from tried candidates: the best first, then those
// that are right where the ones before find nothing, then others that lean on
// something else, for the day when the first breaks.
func choose(all []candidate) []candidate {
	slices.SortStableFunc(all, better)
	all = usable(all)
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
	top := all[0].score()
	for _, c := range all[1:] {
		if len(chosen) >= maxRules || c.score() < top {
			break
		}
		if c.odds >= leastFallback && !slices.ContainsFunc(chosen, func(o candidate) bool { return o.kind() == c.kind() }) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// leastFallback is how likely a further rule must be to survive.
const leastFallback = 0.5

// usable drops what was wrong on a page with known values; only if nothing else is
// left may a rule be wrong now and then, since people mislabel too.
func usable(all []candidate) []candidate {
	var clean, rough []candidate
	for _, c := range all {
		switch {
		case c.right == 0 || c.extra > c.right:
		case c.wrong == 0:
			clean = append(clean, c)
		case c.right > 2*c.wrong:
			rough = append(rough, c)
		}
	}
	if len(clean) > 0 {
		return clean
	}
	return rough
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
