package schedule

import (
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Adaptive looks as often as a page has been seen to change.
//
// A change that is found late costs its delay, a check costs a fetch. For a page that
// changes at random λ times a day and is looked at every I days, the delay of its
// changes adds up to λ·I/2 a day and the checks to 1/I. The sum is least where
// λ·I²/2 is the same for all pages: I is proportional to 1/√λ. So a check is due when
// the delay that is to be expected since the last one reaches a fixed amount, the
// same for all watches that share a budget; their Pace says which.
type Adaptive struct {
	Shortest, Longest time.Duration
	ID                string // of the watch, which spreads the checks of many
}

// Pace is the interval for a page that changes once a day. It is what a fetch is
// worth, and the one number that the watches of a budget share.
type Pace time.Duration

// DefaultPace sees a page with daily changes every four hours, so that a change is
// two hours old on average when it is found.
const DefaultPace = Pace(4 * time.Hour)

const (
	eventNear   = 72 * time.Hour // an event so close makes its page worth more
	eventFar    = 30 * day       // and one so far off makes it worth less
	missingWait = time.Hour      // until something missing is looked for again
	jitter      = 0.1            // of an interval, either way
	minFactor   = 0.02           // no hour is ever believed to be quite dead
	farthest    = 400 * day      // longer silences teach no more
)

// Next says when to look again and why, in words. Zero pace means DefaultPace.
func (a Adaptive) Next(r curlew.Rhythm, now time.Time, pace Pace) (time.Time, string) {
	a = a.bounded()
	if r.LastCheckAt.IsZero() && r.Failures == 0 {
		return now, "it has not been seen yet"
	}
	from := r.LastCheckAt
	if from.IsZero() || from.After(now) || r.Failures > 0 {
		from = now
	}
	wait, why := a.planned(r, from, pace)
	wait = a.spread(wait, r)
	if r.Failures > 0 {
		wait = a.backedOff(wait, r.Failures)
		why = fmt.Sprintf("the last %s failed", times(r.Failures, "check", "checks"))
	} else if r.Missing && wait > max(a.Shortest, missingWait) {
		wait, why = max(a.Shortest, missingWait), "something was missing, which a second check should confirm"
	}
	next := from.Add(wait).Truncate(time.Second)
	if next.Before(now) {
		next = now
	}
	return next, why
}

func (a Adaptive) bounded() Adaptive {
	if a.Shortest <= 0 {
		a.Shortest = DefaultShortest
	}
	if a.Longest <= 0 {
		a.Longest = max(DefaultLongest, a.Shortest)
	}
	a.Longest = max(a.Longest, a.Shortest)
	return a
}

// planned is the wait by the rhythm and by what the page announces.
func (a Adaptive) planned(r curlew.Rhythm, from time.Time, pace Pace) (time.Duration, string) {
	if r.Dated && r.NextEventAt.IsZero() {
		return a.Longest, "everything on the page is over"
	}
	wait, why := a.untilDue(r, from, pace), a.because(r)
	ahead := r.NextEventAt.Sub(from)
	switch {
	case r.NextEventAt.IsZero() || ahead <= 0:
	case ahead <= eventNear:
		wait, why = wait/2, "an event starts within 72 hours; "+why
	case from.Add(wait).After(r.NextEventAt.Add(-eventNear)):
		wait = ahead - eventNear
	case ahead > eventFar:
		wait, why = wait*3/2, "nothing starts within 30 days; "+why
	}
	return min(max(wait, a.Shortest), a.Longest), why
}

// untilDue waits until the delay to be expected reaches what the pace allows. Within
// an hour the rate is constant, so that the hour in which it happens is solved exactly.
func (a Adaptive) untilDue(r curlew.Rhythm, from time.Time, pace Pace) time.Duration {
	if pace <= 0 {
		pace = DefaultPace
	}
	allowed := square(inDays(time.Duration(pace))) / 2
	rate, shape := Rate(r), shapeOf(r)
	var delay, pending float64 // change-days, and changes not yet found
	for t := from; t.Sub(from) < a.Longest; {
		end := t.Truncate(time.Hour).Add(time.Hour)
		now, hour := rate*shape.at(t), inDays(end.Sub(t))
		if grown := delay + pending*hour + now*hour*hour/2; grown < allowed {
			delay, pending, t = grown, pending+now*hour, end
			continue
		}
		left := (math.Sqrt(pending*pending+2*now*(allowed-delay)) - pending) / now
		return min(t.Sub(from)+time.Duration(left*float64(day)), a.Longest)
	}
	return a.Longest
}

// spread moves a check by something fixed for the watch and the check, so that watches
// that were added together drift apart and stay apart.
func (a Adaptive) spread(wait time.Duration, r curlew.Rhythm) time.Duration {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", a.ID, r.Checks)
	part := float64(h.Sum64()%2001)/1000 - 1
	return min(max(wait+time.Duration(part*jitter*float64(wait)), a.Shortest), a.Longest)
}

// backedOff doubles with each failure, up to the longest bound.
func (a Adaptive) backedOff(wait time.Duration, failures int) time.Duration {
	for range min(failures, 30) {
		if wait >= a.Longest/2 {
			return a.Longest
		}
		wait *= 2
	}
	return wait
}

// because says what is known of a rhythm.
func (a Adaptive) because(r curlew.Rhythm) string {
	if r.Checks < 3 {
		return "little is known of its rhythm yet"
	}
	rate := Rate(r)
	text := fmt.Sprintf("it changes about %s", perTime(rate))
	if hours := shapeOf(r).busy(); hours != "" {
		text += ", mostly " + hours
	}
	return text
}

// perTime says a rate for people.
func perTime(rate float64) string {
	switch {
	case rate >= 36:
		return fmt.Sprintf("%.0f times an hour", rate/24)
	case rate >= 1.5:
		return fmt.Sprintf("%.0f times a day", rate)
	case rate >= 0.7:
		return "once a day"
	case rate >= 1.0/50:
		return fmt.Sprintf("every %.0f days", math.Max(2, 1/rate))
	}
	return "less than once in 50 days"
}

func times(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func inDays(d time.Duration) float64 { return float64(d) / float64(day) }
func square(x float64) float64       { return x * x }
