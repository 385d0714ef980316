package quality

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// dated is the field that says when, by schema, and whether a time of day belongs
// to it.
var dated = map[curlew.SchemaName]struct {
	field string
	timed bool
}{
	curlew.SchemaEvent:   {"starts_at", true},
	curlew.SchemaJob:     {"posted_date", false},
	curlew.SchemaArticle: {"published_at", false},
	curlew.SchemaItem:    {"date", false},
}

// What a date is worth when something is known to be doubtful about it.
const (
	worthUntimed  = 0.6 // honest, but nobody can go there by it
	worthDisputed = 0.5 // the page says two things
	worthGuessed  = 0.2 // a time of day that nobody wrote
)

// sane is how far from now a date may lie, in years; beyond, it was misread.
const sane = 15

func dateAccuracy(s Sample) outcome {
	when, ok := dated[s.Schema]
	if !ok {
		return outcome{sentence: "records of this schema have no date of their own"}
	}
	if s.Schema == curlew.SchemaItem && !anyHas(s, when.field) {
		return outcome{sentence: "these items have no dates"}
	}
	o := outcome{applies: true, of: len(s.Records)}
	guessed := guessedClock(s, when.field)
	reasons := tally{}
	for _, r := range s.Records {
		worth, why := dateWorth(r, when.field, when.timed, guessed, s.Now)
		o.score += worth / float64(len(s.Records))
		if why == "" {
			o.good++
			continue
		}
		reasons.add(why)
		o.examples = few(o.examples, strings.TrimSpace(example(r)+": "+text.OneLine(textOf(r, when.field), 40)))
	}
	if len(reasons.order) == 0 {
		o.sentence = "all dates were read"
		if when.timed {
			o.sentence += ", with the time of day wherever one belongs"
		}
		return o
	}
	o.sentence = fmt.Sprintf("%d of %d dates are exact; %s", o.good, o.of, reasons.text())
	return o
}

// dateWorth is how far a date can be relied on, and what is wrong with it.
func dateWorth(r curlew.Record, field string, timed bool, guessed string, now time.Time) (float64, string) {
	value := textOf(r, field)
	if value == "" || !has(r, field) {
		return 0, "without a date"
	}
	start, clock, ok := moment(value)
	if !ok {
		return 0, "unreadable"
	}
	if !now.IsZero() && field != "published_at" && distance(start.Year(), now.Year()) > sane {
		return 0, fmt.Sprintf("more than %d years away", sane)
	}
	if endsOnAnEarlierDay(r, start) {
		return 0, "ending before they begin"
	}
	switch {
	case guessed != "" && clock == guessed:
		return worthGuessed, "at " + guessed + " like all others, which is probably a guess"
	case len(r.Provenance[field].Rivals) > 0:
		return worthDisputed, "contradicted elsewhere on the page"
	case timed && clock == "" && !wholeDay(r):
		return worthUntimed, "without a time of day"
	}
	return 1, ""
}

func endsOnAnEarlierDay(r curlew.Record, start time.Time) bool {
	end, _, ok := moment(textOf(r, "ends_at"))
	return ok && end.Before(start) && end.Format(time.DateOnly) < start.Format(time.DateOnly)
}

func distance(a, b int) int { return max(a-b, b-a) }

// wholeDay says whether an event needs no time of day: it lasts a day or several.
func wholeDay(r curlew.Record) bool {
	if all, _ := r.Fields["all_day"].(bool); all {
		return true
	}
	start, end := textOf(r, "starts_at"), textOf(r, "ends_at")
	return len(end) >= len(time.DateOnly) && len(start) >= len(time.DateOnly) && end[:len(time.DateOnly)] > start[:len(time.DateOnly)]
}

// fewestClocks is how many equal times of day are a pattern.
const fewestClocks = 3

// guessedClock is the time of day that stands for "unknown" in a sample: midnight
// or noon for all of them.
func guessedClock(s Sample, field string) string {
	only, n := "", 0
	for _, r := range s.Records {
		_, clock, ok := moment(textOf(r, field))
		if !ok || clock == "" {
			continue
		}
		if n > 0 && clock != only {
			return ""
		}
		only, n = clock, n+1
	}
	if n >= fewestClocks && (only == "00:00" || only == "12:00") {
		return only
	}
	return ""
}

// moment reads a time as fields carry it; clock is "" when the time of day is not
// known.
func moment(value string) (at time.Time, clock string, ok bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		t, err := time.Parse(layout, value)
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			return t, "", true
		}
		return t, t.Format("15:04"), true
	}
	return time.Time{}, "", false
}

func anyHas(s Sample, field string) bool {
	return slices.ContainsFunc(s.Records, func(r curlew.Record) bool { return has(r, field) })
}

// tally counts reasons in the order in which they came.
type tally struct {
	order  []string
	counts map[string]int
}

func (t *tally) add(reason string) {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	if t.counts[reason] == 0 {
		t.order = append(t.order, reason)
	}
	t.counts[reason]++
}

func (t *tally) text() string {
	parts := make([]string, 0, len(t.order))
	for _, reason := range t.order {
		parts = append(parts, fmt.Sprintf("%d %s", t.counts[reason], reason))
	}
	return strings.Join(parts, ", ")
}
