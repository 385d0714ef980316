package dates

import (
	"time"

	"github.com/curlew-data/curlew/internal/text/labels"
)

// anyDay is one from which a relative time can be counted.
var anyDay = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Passing says whether a text changes by itself: it tells a time as seen from today, "2 days ago",
// or counts visits.
func Passing(s string) bool {
	d, dated := Parse(s, Options{Now: anyDay})
	return dated && d.Relative != Absolute || labels.CountsAttention(s)
}
