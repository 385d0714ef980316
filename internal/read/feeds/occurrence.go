package feeds

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
)

const (
	mostExceptions = 2_000 // of one event
	longestRule    = 1000  // is as much of a recurrence as records keep
)

// rule is by what rule an event recurs, with its exceptions.
func (c calendarReading) rule(h happening) string {
	rule := strings.TrimSpace(h.component.get("RRULE").value)
	if rule == "" {
		return ""
	}
	return rule + h.exceptions(c.moments(h.component.properties["EXDATE"]), longestRule-len(rule))
}

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
	if len(days) == 0 {
		return ""
	}
	return name + strings.Join(days, ",")
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
			if len(all) >= mostExceptions {
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
