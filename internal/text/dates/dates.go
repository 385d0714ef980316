// Package dates reads dates and times as people write them, in many languages:
// single days, times, ranges, runs of several days, recurrences, relative words.
//
// It never invents: an unknown time stays unknown, a year that is not written is
// resolved against a clock that the caller gives, and what could mean two things
// says so by its confidence.
package dates

import "time"

// Order is the order of day and month in numeric dates.
type Order int

const (
	OrderUnknown Order = iota // decided by language, else by what is possible
	DayFirst
	MonthFirst
)

// Options are what the text does not say itself.
type Options struct {
	Now   time.Time      // for relative words and missing years; zero means that such dates are not resolved
	Lang  string         // "pl" or "en-GB"; "" means unknown
	Zone  *time.Location // of times without an offset; nil means unknown
	Order Order
	Year  int  // of dates without a year, from a heading; 0 means the nearest to Now
	Past  bool // prefer the past for dates without a year (articles); otherwise the future is preferred (events)
}

// Date is a moment as far as it is known.
type Date struct {
	Start      time.Time
	End        time.Time // zero when there is none
	TimeKnown  bool      // whether Start has a time of day
	EndTime    bool      // whether End has a time of day
	ZoneKnown  bool      // whether the zone was written or given; otherwise the times are local and carry UTC
	Recurrence string    // an RFC 5545 RRULE value, or ""
	Confidence float64   // 0 … 1
	Relative   Relative  // what of Start is counted from Options.Now
}

// Relative is what of a date changes with the moment at which its text is read.
type Relative int

const (
	Absolute       Relative = iota
	RelativeDay             // "tomorrow", "next Friday, 20:00"
	RelativeMoment          // "3 hours ago", "in 2 weeks", "now"
)

// Occurrence is a date in a longer text.
type Occurrence struct {
	Date
	Begin, End int // byte offsets
}

// Format writes a moment as fields carry it: RFC 3339, without an offset when the
// zone is not known, and the date alone when the time is not known.
func Format(t time.Time, timeKnown, zoneKnown bool) string {
	switch {
	case !timeKnown:
		return t.Format(time.DateOnly)
	case !zoneKnown:
		return t.Format("2006-01-02T15:04:05")
	}
	return t.Format(time.RFC3339)
}
