package syndicate

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// happening is when an event is, as iCalendar has it.
type happening struct {
	start, end time.Time // the end is exclusive; zero when there is none
	kind       precision
	zone       *time.Location // the times' own, which the calendar describes; nil means UTC, or none for floating ones
	rule       string
	except     []time.Time // when it does not take place, although the rule says so
}

// happening reads the times of an event; false means that it has no start.
func (z zones) happening(s subject) (happening, bool) {
	if s.schema != curlew.SchemaEvent || s.entity == "" {
		return happening{}, false
	}
	start, ok := parseWhen(plain(s.fields["starts_at"]))
	if !ok || start.Year() < 1583 || start.Year() > 9998 {
		return happening{}, false
	}
	h := happening{start: start.Time, kind: start.precision}
	if s.fields["all_day"] == true || s.fields["time_known"] == false {
		h.kind = dayOnly
	}
	h.begin(start, z.find(plain(s.fields["timezone"])))
	if end, ok := parseWhen(plain(s.fields["ends_at"])); ok && end.Year() <= 9998 {
		h.end = h.endOf(end)
	}
	if !h.end.After(h.start) {
		h.end = time.Time{}
	}
	rule, except, _ := strings.Cut(plain(s.fields["recurrence"]), ";EXDATE=")
	if h.rule = h.repeats(rule); h.rule != "" {
		h.skip(except)
	}
	return h, true
}

// begin places the start: at midnight where only the day counts, else in the zone of the
// event, where that is known and agrees with what is written.
func (h *happening) begin(start when, zone *time.Location) {
	switch {
	case h.kind == dayOnly:
		h.start = midnight(start.Time)
	case zone == nil || zone == time.UTC || start.Year() < firstZoneYear || start.Year() > lastZoneYear:
	case start.precision == floating:
		h.kind, h.zone, h.start = exact, zone, inZone(start.Time, zone)
	default:
		_, written := start.Zone()
		if _, real := start.In(zone).Zone(); real == written {
			h.zone, h.start = zone, start.In(zone)
		}
	}
}

// endOf turns the last day, or the moment of the end, into an exclusive end of the
// same kind as the start.
func (h happening) endOf(end when) time.Time {
	switch {
	case h.kind == dayOnly:
		return midnight(end.Time).AddDate(0, 0, 1)
	case end.precision == dayOnly && midnight(end.Time).Equal(midnight(h.start)):
		return time.Time{} // says no more than the start
	case end.precision == dayOnly:
		return inZone(end.AddDate(0, 0, 1), h.start.Location())
	case h.kind == floating && end.precision == exact:
		return time.Time{} // not comparable
	case end.precision == floating:
		return inZone(end.Time, h.start.Location())
	case h.zone != nil:
		return end.In(h.zone)
	}
	return end.Time
}

// property writes times in the form of the happening.
func (h happening) property(name string, times ...time.Time) string {
	form, zone := utcForm, time.UTC
	switch {
	case h.kind == dayOnly:
		name, form, zone = name+";VALUE=DATE", dateForm, nil
	case h.kind == floating:
		form, zone = localForm, nil
	case h.zone != nil:
		name, form, zone = name+";TZID="+h.zone.String(), localForm, nil
	}
	values := make([]string, len(times))
	for i, t := range times {
		if zone != nil {
			t = t.In(zone)
		}
		values[i] = t.Format(form)
	}
	return name + ":" + strings.Join(values, ",")
}

func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// inZone is the same clock time in another zone.
func inZone(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
}

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case json.Number:
		n, err := v.Float64()
		return n, err == nil
	}
	return 0, false
}
