package schedule

import (
	"math"
	"slices"
	"strings"
	"time"

	"curlew/internal/curlew"
)

// Member is one adaptive watch among those that share a budget.
type Member struct {
	Adaptive Adaptive
	Rhythm   curlew.Rhythm
	DueAt    time.Time // for Order
}

// PaceWithin finds the pace at which watches together take so many looks a day. Pages
// that change often get more of them, by the root of their rate. Nothing can be slower
// than the longest bounds allow; Order then says who goes first.
func PaceWithin(fleet []Member, looksPerDay float64) Pace {
	slow, fast := math.Log(float64(farthest)), math.Log(float64(time.Second))
	for range 60 {
		middle := (slow + fast) / 2
		if looksAt(fleet, math.Exp(middle)) > looksPerDay {
			fast = middle
		} else {
			slow = middle
		}
	}
	return Pace(math.Exp(slow))
}

// looksAt adds up the looks a day of a fleet at a pace.
func looksAt(fleet []Member, pace float64) float64 {
	sum := 0.0
	for _, m := range fleet {
		a := m.Adaptive.bounded()
		wait := min(max(pace/math.Sqrt(Rate(m.Rhythm)), float64(a.Shortest)), float64(a.Longest))
		sum += float64(day) / wait
	}
	return sum
}

// Order says which of the watches that are due should go first when not all can: those
// that have waited twice their longest interval, then those to be confirmed, then those
// with most changes to be expected. Ties go by who is due longer, then by id.
func Order(due []Member, now time.Time) []Member {
	type ranked struct {
		Member
		class    int
		expected float64
	}
	all := make([]ranked, 0, len(due))
	for _, m := range due {
		waited := now.Sub(m.Rhythm.LastLookAt)
		k := ranked{Member: m, class: 2, expected: Rate(m.Rhythm) * inDays(min(waited, farthest))}
		switch {
		case m.Rhythm.LastLookAt.IsZero() || waited > 2*m.Adaptive.bounded().Longest:
			k.class = 0
		case m.Rhythm.Missing:
			k.class = 1
		}
		if m.Rhythm.Failures > 0 {
			k.class = 3
		}
		all = append(all, k)
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		if a.class != b.class {
			return a.class - b.class
		}
		if a.expected != b.expected && a.class == 2 {
			if a.expected > b.expected {
				return -1
			}
			return 1
		}
		if c := a.DueAt.Compare(b.DueAt); c != 0 {
			return c
		}
		return strings.Compare(a.Adaptive.ID, b.Adaptive.ID)
	})
	ordered := make([]Member, len(all))
	for i, k := range all {
		ordered[i] = k.Member
	}
	return ordered
}
