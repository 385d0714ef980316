package feeds

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/teambition/rrule-go"
)

const (
	mostOccurrences = 2_000   // of one event inside the window
	mostSteps       = 200_000 // that all rules of a calendar may walk
	mostBarren      = 2       // rules that never come true: each is followed to the year 9999
)

// effort is what following the rules of one calendar has cost.
type effort struct{ steps, barren int }

func (e *effort) spent() bool { return e.steps > mostSteps || e.barren > mostBarren }

// occurrences expands a recurring event within the window of the reader. Without a
// clock, or when its rule cannot be followed, the event stands for itself and keeps
// the rule.
func (c calendarReading) occurrences(h happening, room int) []happening {
	rule := strings.TrimSpace(h.component.get("RRULE").value)
	extra := c.moments(h.component.properties["RDATE"])
	if rule == "" && len(extra) == 0 {
		if room > 0 && c.within(h) {
			return []happening{h}
		}
		return nil
	}
	except := c.moments(h.component.properties["EXDATE"])
	var next rrule.Next
	expanded := !c.reader.Now.IsZero() && !c.effort.spent()
	if expanded {
		next, expanded = c.iterator(h, rule)
	}
	if !expanded {
		h.rule = rule + h.exceptions(except, longestRule-len(rule))
		return []happening{h}
	}
	h.rule = rule
	skipped := map[int64]bool{}
	for _, m := range except {
		skipped[m.Unix()] = true
		if m.allDay && !h.start.allDay { // "not on that day"
			skipped[time.Date(m.Year(), m.Month(), m.Day(), h.start.Hour(), h.start.Minute(), h.start.Second(), 0, h.start.Location()).Unix()] = true
		}
	}
	return c.walk(h, next, extra, skipped, min(room, mostOccurrences))
}

// longestRule is as much of a recurrence as records keep.
const longestRule = 1000

// exceptions writes the days on which an event does not take place behind its rule, the
// latest ones where there is no room for all.
func (h happening) exceptions(all []moment, room int) string {
	days := make([]string, 0, len(all))
	for _, m := range all {
		if !m.allDay {
			m.Time = m.In(h.start.Location())
		}
		days = append(days, m.Format("20060102"))
	}
	slices.Sort(days)
	days = slices.Compact(days)
	const name, size = ";EXDATE=", len(",20060102")
	if most := max(0, room-len(name)) / size; len(days) > most {
		days = days[len(days)-most:]
	}
	if len(days) == 0 || h.component.get("RRULE").value == "" {
		return ""
	}
	return name + strings.Join(days, ",")
}

func (c calendarReading) walk(h happening, next rrule.Next, extra []moment, skipped map[int64]bool, room int) []happening {
	_, until := c.reader.window()
	var all []happening
	give := func(at time.Time) {
		if skipped[at.Unix()] || len(all) >= room {
			return
		}
		skipped[at.Unix()] = true // RDATE may repeat what the rule gives
		one := h.at(at)
		if c.within(one) {
			all = append(all, one)
		}
	}
	for step := 0; !c.effort.spent(); step++ {
		at, more := next()
		if !more && step == 0 {
			c.effort.barren++
		}
		if !more || at.After(until) || len(all) >= room {
			break
		}
		c.effort.steps++
		give(at)
	}
	for _, m := range extra {
		give(m.Time)
	}
	return all
}

// at moves an event to another start, keeping its length.
func (h happening) at(start time.Time) happening {
	length := h.end.Sub(h.start.Time)
	days := int(length.Hours()+0.5) / 24
	moved := h
	moved.start.Time = start
	if !h.end.IsZero() {
		moved.end.Time = start.Add(length)
		if h.start.allDay { // days are not always 24 hours long
			moved.end.Time = start.AddDate(0, 0, days)
		}
	}
	moved.instance = moved.start
	return moved
}

var (
	tooOften     = text.Pattern(`(?i)FREQ=(SECONDLY|MINUTELY|HOURLY)`)
	untilPattern = text.Pattern(`(?i)UNTIL=(\d{8})(T\d{6})?(Z?)`)
)

// iterator follows a rule from the first day that matters: rules without a count
// may skip whole periods of the past, since calendars from 1970 exist.
func (c calendarReading) iterator(h happening, rule string) (rrule.Next, bool) {
	if rule == "" {
		given := false
		return func() (time.Time, bool) { first := !given; given = true; return h.start.Time, first }, true
	}
	if tooOften().MatchString(rule) || len(rule) > 2000 {
		return nil, false
	}
	option, err := rrule.StrToROptionInLocation(untilPattern().ReplaceAllString(rule, "UNTIL=$1$2$3"), h.start.Location())
	if err != nil || option.Interval < 0 || combinations(option) > 1000 {
		return nil, false
	}
	option.Dtstart = h.start.Time
	if m := untilPattern().FindStringSubmatch(rule); m != nil && m[2] == "" { // a day includes all of its hours
		option.Until = option.Until.Add(24*time.Hour - time.Second)
	}
	from, _ := c.reader.window()
	if !option.Until.IsZero() && option.Until.Before(option.Dtstart) {
		return func() (time.Time, bool) { return time.Time{}, false }, true
	}
	if option.Count == 0 && option.Freq == rrule.DAILY {
		skipPast(option, from)
	}
	recurrence, err := rrule.NewRRule(*option)
	if err != nil {
		return nil, false
	}
	return recurrence.Iterator(), true
}

// skipPast begins a daily rule a year before the first day that matters.
func skipPast(option *rrule.ROption, from time.Time) {
	step := max(option.Interval, 1)
	if behind := int(from.Sub(option.Dtstart).Hours()/24) - 370; behind > step {
		option.Dtstart = option.Dtstart.AddDate(0, 0, behind/step*step)
	}
}

// combinations is how many occurrences a rule may ask for within one day.
func combinations(o *rrule.ROption) int {
	return max(len(o.Byhour), 1) * max(len(o.Byminute), 1) * max(len(o.Bysecond), 1)
}

// span is the start and end of an event.
func (c calendarReading) span(part *component) (start, end moment) {
	start = c.moment(part.get("DTSTART"))
	end = c.moment(part.get("DTEND"))
	length, long := parseDuration(part.get("DURATION").value)
	switch {
	case start.IsZero() || !end.IsZero():
	case long && start.allDay:
		end = moment{start.AddDate(0, 0, int(length.Hours()/24)), true, start.zoned}
	case long:
		end = moment{start.Add(length), false, start.zoned}
	}
	if end.allDay && !start.allDay { // a date closes the day that it names
		end = moment{}
	}
	return start, end
}

func (c calendarReading) moments(properties []property) []moment {
	var all []moment
	for _, p := range properties {
		for value := range strings.SplitSeq(p.value, ",") {
			value, _, _ = strings.Cut(value, "/") // a period: its start
			p.value = value
			if len(all) >= mostOccurrences {
				return all
			}
			if m := c.moment(p); !m.IsZero() {
				all = append(all, m)
			}
		}
	}
	return all
}

// moment reads a date or a time, in the zone that it names.
func (c calendarReading) moment(p property) moment {
	local, utc, ok := parseStamp(p.value)
	if !ok {
		return moment{}
	}
	if !strings.ContainsAny(p.value, "Tt") {
		return moment{local, true, false}
	}
	if utc {
		if c.zones.usual != nil { // the same moment, on the clock of the calendar
			return moment{local.In(c.zones.usual), false, true}
		}
		return moment{local, false, true}
	}
	at, zoned := c.zones.in(p.param("TZID"), local)
	return moment{at, false, zoned}
}

var stampMarks = strings.NewReplacer("-", "", ":", "")

// parseStamp reads 20260418, 20260418T200000 and 20260418T200000Z, and the same
// with hyphens and colons.
func parseStamp(s string) (at time.Time, utc, ok bool) {
	s = text.CutBytes(strings.ToUpper(strings.TrimSpace(s)), 32)
	if strings.ContainsAny(s, "-:") {
		s = stampMarks.Replace(s)
	}
	s, utc = strings.CutSuffix(s, "Z")
	for _, layout := range []string{"20060102T150405", "20060102T1504", "20060102"} {
		if len(s) != len(layout) {
			continue
		}
		if at, err := time.Parse(layout, s); err == nil && at.Year() > 0 {
			return at, utc, true
		}
	}
	return time.Time{}, false, false
}

var duration = text.Pattern(`^([+-]?)P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$`)

func parseDuration(text string) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	m := duration().FindStringSubmatch(strings.ToUpper(strings.TrimSpace(text)))
	if m == nil || m[1] == "-" {
		return 0, false
	}
	units := []time.Duration{7 * 24 * time.Hour, 24 * time.Hour, time.Hour, time.Minute, time.Second}
	var total time.Duration
	for i, unit := range units {
		n, _ := strconv.Atoi(m[i+2])
		total += time.Duration(n) * unit
	}
	return total, true
}
