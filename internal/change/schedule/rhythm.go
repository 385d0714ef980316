package schedule

import (
	"fmt"
	"math"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// CheckOutcome is what came of looking at a page once.
type CheckOutcome struct {
	At          time.Time
	Changed     bool
	Failed      bool      // nothing whole was seen: it teaches only to wait
	Missing     bool      // something known was not there
	Dated       bool      // the page lists things with dates
	NextEventAt time.Time // the soonest start still to come; zero when there is none
	Requests    int       // what it took
}

// The prior: half a change in half a day. It starts a watch at the pace of daily
// changes, and a few days of silence or noise outweigh it.
const priorChanges, priorDays = 0.5, 0.5

// Memory holds about so many changes, within bounds: a page that changes its habits
// is believed after a while.
const memoryChanges = 20

const shortestMemory, longestMemory = 7.0, 90.0 // days

// Observe adds a check to what is known.
func (a Adaptive) Observe(r curlew.Rhythm, look CheckOutcome) curlew.Rhythm {
	if look.Failed {
		r.Failures++
		return r
	}
	r.Failures, r.Missing = 0, look.Missing
	r.Dated, r.NextEventAt = look.Dated, look.NextEventAt
	first := r.LastCheckAt.IsZero()
	if !first && !look.At.After(r.LastCheckAt) {
		return r // the clock went back, or the same check was told twice
	}
	if !first { // the first one asks for everything, and no later one does
		r = learn(r, look)
		r.Cost = costOf(r, look)
		r.Avoided += a.spared(look.At.Sub(r.LastCheckAt))
	}
	r.Checks++
	if look.Changed && !first {
		r.Hits++
		r.LastChangeAt = look.At
	}
	r.LastCheckAt = look.At
	return r
}

// costOf is what a check is expected to take after this one.
func costOf(r curlew.Rhythm, look CheckOutcome) float64 {
	if r.Cost == 0 {
		return float64(look.Requests)
	}
	return r.Cost + (float64(look.Requests)-r.Cost)/5
}

// spared counts the checks that polling at the shortest interval would have taken.
func (a Adaptive) spared(gap time.Duration) int {
	return max(0, int(gap/a.bounded().Shortest)-1)
}

// Rate is how often a page is believed to change, per day.
func Rate(r curlew.Rhythm) float64 {
	return (r.Changed + priorChanges) / (r.Exposure + priorDays)
}

// learn takes one stretch between two looks into account. A look tells only whether
// there was a change, not how many: what is counted is how many there were to be
// expected if there was one, λ/(1-exp(-λ)), a step of expectation maximisation. Its
// fixed point is the estimate of greatest likelihood for looks at irregular times;
// where every check finds a change, which would be infinite, it is held by the
// correction of Cho and Garcia-Molina, "Estimating frequency of change" (2003):
// n looks of n do not prove more than ln(2n+1) changes for each.
func learn(r curlew.Rhythm, look CheckOutcome) curlew.Rhythm {
	rate, shape := Rate(r), shapeOf(r)
	from := r.LastCheckAt
	if look.At.Sub(from) > farthest {
		from = look.At.Add(-farthest)
	}
	var passed float64 // days, each hour counted by what usually happens in it
	eachHour(from, look.At, func(t time.Time, days float64) { passed += shape.at(t) * days })
	var changes float64
	if look.Changed {
		expected := rate * passed
		changes = min(expected/-math.Expm1(-expected), max(1, math.Log(2*float64(r.Checks)+1)))
	}
	fade := math.Exp2(-inDays(look.At.Sub(from)) / min(max(memoryChanges/rate, shortestMemory), longestMemory))
	r.Exposure = r.Exposure*fade + passed
	r.Changed = r.Changed*fade + changes
	r.Hours, r.Days = faded(r.Hours, 24, fade), faded(r.Days, 7, fade)
	eachHour(from, look.At, func(t time.Time, days float64) {
		hour, weekday := t.Hour(), int(t.Weekday())
		share := changes * shape.at(t) * days / passed
		r.Hours[hour].Exposure += days * shape.days[weekday]
		r.Hours[hour].Changes += share
		r.Days[weekday].Exposure += days * shape.hours[hour]
		r.Days[weekday].Changes += share
	})
	return r
}

// faded copies beats, so that a rhythm stays a value.
func faded(beats []curlew.Beat, n int, fade float64) []curlew.Beat {
	all := make([]curlew.Beat, n)
	for i := range min(n, len(beats)) {
		all[i] = curlew.Beat{Exposure: rounded(beats[i].Exposure * fade), Changes: rounded(beats[i].Changes * fade)}
	}
	return all
}

// rounded keeps the stored rhythm short.
func rounded(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// eachHour goes through a stretch of time in UTC, hour by hour.
func eachHour(from, to time.Time, do func(t time.Time, days float64)) {
	from, to = from.UTC(), to.UTC()
	for t := from; t.Before(to); {
		end := t.Truncate(time.Hour).Add(time.Hour)
		if end.After(to) {
			end = to
		}
		do(t, inDays(end.Sub(t)))
		t = end
	}
}

// shape is how much busier than the average an hour of the day and a day of the week
// are. It is flat until there is evidence.
type shape struct {
	hours [24]float64
	days  [7]float64
}

func (s shape) at(t time.Time) float64 {
	u := t.UTC()
	return max(minFactor, s.hours[u.Hour()]*s.days[u.Weekday()])
}

// beliefNeeded is how many changes an hour or a day must have had to be expected
// before half of what was seen is believed.
const beliefNeeded = 1.5

func shapeOf(r curlew.Rhythm) shape {
	var s shape
	rate := Rate(r)
	relative(s.hours[:], r.Hours, rate)
	relative(s.days[:], r.Days, rate)
	return s
}

// relative turns beats into factors around 1: what was seen over what was to be
// expected, neighbours lending strength, pulled towards 1 where little is known.
func relative(factors []float64, beats []curlew.Beat, rate float64) {
	n := len(factors)
	for i := range factors {
		factors[i] = 1
	}
	if len(beats) != n || !uneven(beats, rate) {
		return
	}
	sum := 0.0
	for i := range factors {
		before, here, after := beats[(i+n-1)%n], beats[i], beats[(i+1)%n]
		lent := 0.25
		if n == 7 {
			lent = 0 // Sunday says nothing about Monday
		}
		seen := here.Changes + lent*(before.Changes+after.Changes)
		expected := rate * (here.Exposure + lent*(before.Exposure+after.Exposure))
		factors[i] = max(minFactor, (seen+beliefNeeded)/(expected+beliefNeeded))
		sum += factors[i]
	}
	for i := range factors {
		factors[i] *= float64(n) / sum
	}
}

// uneven asks whether the beats differ by more than chance, by χ² per degree of freedom.
func uneven(beats []curlew.Beat, rate float64) bool {
	var chi float64
	for _, b := range beats {
		if expected := rate * b.Exposure; expected > 0 {
			chi += square(b.Changes-expected) / expected
		}
	}
	return chi > 1.2*float64(len(beats)-1)
}

// busy names the hours with most of the changes, where there are such.
func (s shape) busy() string {
	least, most := 24, 0.0
	first := 0
	for start := range 24 { // the shortest stretch with four fifths of an average day
		sum := 0.0
		for n := range 12 {
			sum += s.hours[(start+n)%24]
			if sum >= 0.8*24 && (n+1 < least || n+1 == least && sum > most) {
				least, most, first = n+1, sum, start
			}
		}
	}
	text := ""
	if least <= 12 {
		text = fmt.Sprintf("between %02d:00 and %02d:00 UTC", first, (first+least)%24)
	}
	if s.days[0]+s.days[6] < 0.8 && min(s.days[1], s.days[2], s.days[3], s.days[4], s.days[5]) > 0.6 {
		if text != "" {
			text += " "
		}
		text += "on weekdays"
	}
	return text
}

// Savings says what the schedule has spared against polling at its shortest interval.
func (a Adaptive) Savings(r curlew.Rhythm) string {
	total := r.Checks + r.Avoided
	if r.Avoided == 0 {
		return "no fetches spared yet"
	}
	return fmt.Sprintf("%d of %d fetches spared (%d %%) against checking every %s", r.Avoided, total, r.Avoided*100/total,
		words(a.bounded().Shortest))
}
