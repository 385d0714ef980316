package publish

import (
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// moment is a time as a record writes it.
type moment struct {
	at       time.Time
	day      bool // the time of the day is not known
	floating bool // no offset: a clock somewhere
}

func readMoment(v any) (moment, bool) {
	text, ok := v.(string)
	if !ok || len(text) < len(time.DateOnly) || len(text) > 40 {
		return moment{}, false
	}
	if len(text) == len(time.DateOnly) {
		t, err := time.Parse(time.DateOnly, text)
		return moment{at: t, day: true}, err == nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			return moment{at: t.Truncate(time.Second)}, true
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return moment{at: t.Truncate(time.Second), floating: true}, true
		}
	}
	return moment{}, false
}

// sameDate says whether two texts write one day, each in a way of its own: "2026-05-28T12:00:00Z" and "05/28/26".
func sameDate(a, b string) bool {
	if withoutDigits(a) == withoutDigits(b) || max(len(a), len(b)) > 40 {
		return false
	}
	days := func(s string) (all []string) {
		for _, order := range []dates.Order{dates.DayFirst, dates.MonthFirst} {
			if date, ok := dates.Parse(s, dates.Options{Order: order}); ok {
				all = append(all, date.Start.Format(time.DateOnly))
			}
		}
		return all
	}
	others := days(b)
	return slices.ContainsFunc(days(a), func(day string) bool { return slices.Contains(others, day) })
}

// sameMoment compares two times. With offsets they are equal as instants; without
// one, as clocks. A time that becomes known is a change; one that is merely left out
// is none, as long as the day stays.
func sameMoment(before, after moment) bool {
	switch {
	case !before.day && after.day, before.day && after.day:
		return clock(before)[:len(time.DateOnly)] == clock(after)[:len(time.DateOnly)]
	case before.day:
		return false
	case before.floating != after.floating:
		return clock(before) == clock(after)
	}
	return before.at.Equal(after.at)
}

// sameClock says whether two times have the same time of day.
func sameClock(before, after any) bool {
	a, aTime := readMoment(before)
	b, bTime := readMoment(after)
	return aTime && bTime && a.day == b.day && clock(a)[len(time.DateOnly):] == clock(b)[len(time.DateOnly):]
}

func clock(m moment) string { return m.at.Format("2006-01-02T15:04:05") }

// lastPlace is where a day ends last: when nobody knows the zone, an event is not
// over before it is over everywhere.
var lastPlace = time.FixedZone("", -12*60*60)

// ends is when a time has passed: a day at its end.
func (m moment) ends(zone *time.Location) time.Time {
	y, month, d := m.at.Date()
	switch {
	case m.day:
		return time.Date(y, month, d+1, 0, 0, 0, 0, zone)
	case m.floating:
		return time.Date(y, month, d, m.at.Hour(), m.at.Minute(), m.at.Second(), 0, zone)
	}
	return m.at
}

// begins is when a time begins.
func (m moment) begins(zone *time.Location) time.Time {
	if m.day {
		y, month, d := m.at.Date()
		return time.Date(y, month, d, 0, 0, 0, 0, zone)
	}
	return m.ends(zone)
}

// over says whether an event has passed: its end, or its start where it names no
// end. What recurs is over when its rule ends.
func over(fields curlew.Values, zones zones, at time.Time) bool {
	start, ok := readMoment(fields["starts_at"])
	if !ok {
		return false
	}
	zone := zones.of(fields)
	if rule, _ := fields["recurrence"].(string); rule != "" {
		until, known := ruleEnd(rule)
		return known && !until.ends(zone).After(at)
	}
	last := start.ends(zone)
	if end, ok := readMoment(fields["ends_at"]); ok {
		if ends := end.ends(zone); ends.After(start.begins(zone)) {
			last = ends
		}
	}
	return !last.After(at)
}

// zones finds time zones, each once: looking one up is slower than all else here.
type zones struct {
	watch string // what the watch says
	known map[string]*time.Location
}

func newZones(watch string) zones { return zones{watch: watch, known: map[string]*time.Location{}} }

// of is where an event's clock hangs.
func (z zones) of(fields curlew.Values) *time.Location {
	own, _ := fields["timezone"].(string)
	for _, name := range []string{own, z.watch} {
		if zone := z.named(name); zone != nil {
			return zone
		}
	}
	return lastPlace
}

func (z zones) named(name string) *time.Location {
	if name == "" {
		return nil
	}
	zone, ok := z.known[name]
	if !ok {
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			zone = nil
		}
		z.known[name] = zone
	}
	return zone
}

// ruleEnd reads UNTIL of a recurrence rule (RFC 5545).
func ruleEnd(rule string) (moment, bool) {
	for part := range strings.SplitSeq(rule, ";") {
		text, ok := strings.CutPrefix(part, "UNTIL=")
		if !ok {
			continue
		}
		if t, err := time.Parse("20060102", text); err == nil {
			return moment{at: t, day: true}, true
		}
		if t, err := time.Parse("20060102T150405Z", text); err == nil {
			return moment{at: t}, true
		}
		t, err := time.Parse("20060102T150405", text)
		return moment{at: t, floating: true}, err == nil
	}
	return moment{}, false
}
