package schedule

import (
	"math"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// FleetWatch is one adaptive watch among those that share a budget.
type FleetWatch struct {
	Adaptive Adaptive
	Rhythm   curlew.Rhythm
}

// PaceWithin finds the pace at which watches together make so many requests a day. Pages
// that change often get more checks, by the root of their rate. Nothing can be slower
// than the longest bounds allow.
func PaceWithin(fleet []FleetWatch, perDay float64) Pace {
	slow, fast := math.Log(float64(farthest)), math.Log(float64(time.Second))
	for range 60 {
		middle := (slow + fast) / 2
		if requestsAt(fleet, math.Exp(middle)) > perDay {
			fast = middle
		} else {
			slow = middle
		}
	}
	return Pace(math.Exp(slow))
}

// requestsAt adds up the requests a day of a fleet at a pace.
func requestsAt(fleet []FleetWatch, pace float64) float64 {
	sum := 0.0
	for _, m := range fleet {
		a := m.Adaptive.bounded()
		wait := min(max(pace/math.Sqrt(Rate(m.Rhythm)), float64(a.Shortest)), float64(a.Longest))
		sum += max(m.Rhythm.Cost, 1) * float64(day) / wait
	}
	return sum
}
