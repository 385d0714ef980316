package induce

import (
	"math"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// slack is how many days more than the known records had are allowed before and after
// them; at least four times as many of those to come, which are announced sooner or later.
const slack = 45

// leastForSpan is how many records must be known before their days say anything.
const leastForSpan = 4

// look reads the pages without rules, and sets the spans of days that are tried: as far
// from the day of reading as the known records were from theirs, where the pages have
// many others, then any. A list of which all was known, however old, has no such span.
func (h *healing) look() {
	h.open = h.inSpan(nil)
	h.read, h.spans = h.open, []*blueprint.Range{nil}
	days := h.span()
	if days == nil || len(h.past) < leastForSpan || h.knewAll() {
		return
	}
	few := h.inSpan(days)
	if n := total(few); n > 0 && n*4 <= total(h.open)*3 {
		h.read, h.spans = few, []*blueprint.Range{days, nil}
	}
}

// inSpan reads the pages without rules, as far as entries lie in some days.
func (h *healing) inSpan(days *blueprint.Range) map[*pageIndex][]curlew.Draft {
	all := map[*pageIndex][]curlew.Draft{}
	for i, p := range h.pages {
		all[h.indexes[i]] = ReadPage(h.ctx, p.Document, p.Now, h.old.Kind(), windowOf(days, p.Now))
	}
	return all
}

func total(drafts map[*pageIndex][]curlew.Draft) int {
	n := 0
	for _, all := range drafts {
		n += len(all)
	}
	return n
}

// knewAll says whether the known records are about all that the old blueprint found.
func (h *healing) knewAll() bool {
	e := h.old.Expect
	return e != nil && e.Records != nil && e.Records.Max > 0 && len(h.past)*4 >= e.Records.Max*3
}

// reach is which days around their reading some records had.
type reach struct {
	days        blueprint.Range
	first, last time.Time // the days themselves
	read        time.Time // when they were read last
	years       blueprint.Range
}

// reached is the reach of the known records; false when it is not known.
func (h *healing) reached() (reach, bool) {
	var r reach
	for _, p := range h.past {
		for _, text := range p.Fields["starts_at"] {
			v := newValue(text)
			if v.day.IsZero() || p.Now.IsZero() {
				continue
			}
			away, years := int(v.day.Sub(p.Now).Hours()/24), v.day.Year()-p.Now.Year()
			if r.first.IsZero() {
				r = reach{blueprint.Range{Min: away, Max: away}, v.day, v.day, p.Now, blueprint.Range{Min: years, Max: years}}
			}
			if p.Now.After(r.read) {
				r.read = p.Now
			}
			r.days.Min, r.days.Max = min(r.days.Min, away), max(r.days.Max, away)
			r.years.Min, r.years.Max = min(r.years.Min, years), max(r.years.Max, years)
			if v.day.Before(r.first) {
				r.first = v.day
			}
			if v.day.After(r.last) {
				r.last = v.day
			}
		}
	}
	return r, !r.first.IsZero()
}

// span is in which days around the day of reading records are looked for; nil when
// nothing tells. It is as far as the known ones reached, with some slack. Many lists are
// kept by the year: where the known ones began or ended with a year, so does the span.
func (h *healing) span() *blueprint.Range {
	if h.old.Schema != curlew.SchemaEvent || len(h.pages) == 0 {
		return nil
	}
	for _, p := range h.pages {
		if p.Now.IsZero() {
			return nil
		}
	}
	r, ok := h.reached()
	if !ok {
		return nil
	}
	now := h.pages[0].Now
	back := max(0, min(slack, daysTo(r.read, now))) // what was too old yesterday is so today
	days := &blueprint.Range{Min: r.days.Min - back, Max: max(r.days.Max+slack, 4*slack)}
	if r.first.YearDay() <= slack {
		turn := yearTurn(now.AddDate(0, 0, r.days.Min))
		days.Min = min(daysTo(now, turn), daysTo(now, newYear(now.Year()+r.years.Min)))
	} else if kept := daysTo(now, r.first); kept >= days.Min-slack { // hardly any time has passed
		days.Min = min(days.Min, kept)
	}
	if r.last.YearDay() > 365-2*slack {
		days.Max = max(days.Max, daysTo(now, newYear(now.Year()+r.years.Max+1))-1)
	}
	return days
}

func newYear(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

// yearTurn is the first of January that is nearest to a day.
func yearTurn(day time.Time) time.Time {
	if day.YearDay() > 183 {
		return newYear(day.Year() + 1)
	}
	return newYear(day.Year())
}

// daysTo counts the days from one day to another.
func daysTo(from, to time.Time) int {
	return int(math.Floor(to.Sub(from).Hours() / 24))
}

// windowOf is a span of days around a day.
func windowOf(days *blueprint.Range, now time.Time) DayRange {
	if days == nil {
		return DayRange{}
	}
	return DayRange{Since: now.AddDate(0, 0, days.Min), Until: now.AddDate(0, 0, days.Max)}
}
