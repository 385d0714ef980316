package quality

import (
	"fmt"
	"slices"
	"strings"
)

// PausePoints is how far a score may fall before its source is paused, by the
// specification: more than this pauses.
const PausePoints = 20

// Drop tells by how many points the score fell between earlier scorecards of a
// source and later ones, and which dimensions fell with it. One odd look among
// several changes little, because medians are compared. Without cards on both
// sides nothing fell. A rise is no drop: points is never negative.
func Drop(before, after []Scorecard) (points int, why string) {
	if len(before) == 0 || len(after) == 0 {
		return 0, ""
	}
	was, is := middle(scores(before, total)), middle(scores(after, total))
	if is >= was {
		return 0, ""
	}
	points = was - is
	text := fmt.Sprintf("the quality score fell from %d to %d", was, is)
	var falls []string
	for _, m := range measures() {
		then, now := scores(before, dimension(m.name)), scores(after, dimension(m.name))
		if len(then) == 0 || len(now) == 0 {
			continue
		}
		if a, b := middle(then), middle(now); b < a {
			falls = append(falls, fmt.Sprintf("%s from %d to %d", lowerFirst(m.title), a, b))
		}
	}
	if len(falls) > 0 {
		text += ": " + strings.Join(falls, ", ")
	}
	if points > PausePoints {
		text += fmt.Sprintf("; more than %d points, so the source is paused", PausePoints)
	}
	return points, text
}

func total(c Scorecard) (int, bool) { return c.Score, true }

func dimension(name DimensionName) func(Scorecard) (int, bool) {
	return func(c Scorecard) (int, bool) {
		d, ok := c.Dimension(name)
		return d.Score, ok && d.Applies
	}
}

func scores(cards []Scorecard, of func(Scorecard) (int, bool)) []int {
	var all []int
	for _, c := range cards {
		if n, ok := of(c); ok {
			all = append(all, n)
		}
	}
	return all
}

// middle is the median; of two, the lower one.
func middle(all []int) int {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[(len(sorted)-1)/2]
}
