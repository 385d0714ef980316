package normalise

import (
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text/dates"
)

// happening is when an event is, while its fields are read together.
type happening struct {
	start, end       moment
	hasStart, hasEnd bool
	allDay           bool
	stated           bool // the draft says itself that the time is known
}

// event reads the times of an event together: a range fills the end, a date and a
// time come together, and whole days are told from unknown times.
func (w *work) event(zone *time.Location, zoneName string) {
	var h happening
	h.start, h.hasStart = w.joined("starts_at", []string{"start_date", "date"}, []string{"start_time", "time"}, zone)
	if !h.hasStart {
		return
	}
	w.doubt("starts_at", h.start)
	h.end, h.hasEnd = w.eventEnd(h.start, zone)
	h.allDay, _ = w.out["all_day"].(bool)
	known, ok := w.out["time_known"].(bool)
	h.stated = ok && known && !h.allDay
	if ok && !known {
		h.start.TimeKnown = false
	}
	h.settleDays(w)
	h.settleEnd(w)
	w.keepHappening(h, zoneName)
}

// joined reads a date that may stand apart from its time.
func (w *work) joined(field string, days, times []string, zone *time.Location) (moment, bool) {
	value := w.in[field]
	for _, name := range days {
		if value == nil && w.in[name] != nil {
			value = w.in[name]
			w.derived(field, name)
		}
	}
	if value == nil {
		return moment{}, false
	}
	m, ok := w.moment(value, zone)
	if !ok {
		w.note(field, "not_a_date", "the text holds no date that can be read")
		return moment{}, false
	}
	for _, name := range times {
		if hour, minute, isClock := clock(line(scalarText(w.in[name]), 60)); isClock && (!m.TimeKnown || m.machine && isMidnight(m.Start)) {
			m = m.at(hour, minute, zone)
			break
		}
	}
	return m, true
}

// eventEnd reads the end: its own field, which may be a time alone, or the range
// that the start wrote.
func (w *work) eventEnd(start moment, zone *time.Location) (moment, bool) {
	for _, name := range []string{"ends_at", "end_time"} {
		hour, minute, ok := clock(line(scalarText(w.in[name]), 60))
		if _, days := w.in["end_date"]; !ok || days && name == "end_time" {
			continue
		}
		end := start.at(hour, minute, zone)
		if start.TimeKnown && !end.Start.After(start.Start) {
			end.Start = end.Start.AddDate(0, 0, 1) // past midnight
		}
		w.derived("ends_at", name)
		return end, true
	}
	if end, ok := w.joined("ends_at", []string{"end_date"}, []string{"end_time"}, zone); ok {
		if !end.End.IsZero() && !start.End.IsZero() { // the range stands in both fields
			end.Start, end.TimeKnown = end.End, end.EndTime
		}
		return end, true
	}
	if start.End.IsZero() {
		return moment{}, false
	}
	w.derived("ends_at", "starts_at")
	end := dates.Date{Start: start.End, TimeKnown: start.EndTime, ZoneKnown: start.ZoneKnown, Confidence: start.Confidence}
	return moment{Date: end, offset: start.offset, machine: start.machine}, true
}

// settleDays tells whole days, and midnights that stand for an unknown time.
func (h *happening) settleDays(w *work) {
	midnight := h.start.TimeKnown && isMidnight(h.start.Start) && !h.stated
	timedEnd := h.hasEnd && h.end.TimeKnown
	switch {
	case h.allDay:
		h.endLastDay()
	case midnight && timedEnd && (isMidnight(h.end.Start) || isDayEnd(h.end.Start)):
		h.endLastDay()
		h.allDay = true
		w.note("starts_at", "all_day", "the event lasts from midnight to midnight, so it was taken as whole days")
	case midnight && h.start.machine && !timedEnd:
		h.start.TimeKnown = false
		w.note("starts_at", "midnight", "midnight was taken as a time that is not known")
	}
	if h.allDay {
		h.start.TimeKnown, h.end.TimeKnown = false, false
	}
	if !h.start.TimeKnown && isMidnight(h.end.Start) {
		h.end.TimeKnown = false
	}
}

// endLastDay puts an end at midnight on the day that ends there.
func (h *happening) endLastDay() {
	if h.hasEnd && h.end.TimeKnown && isMidnight(h.end.Start) && h.end.Start.After(h.start.Start) {
		h.end.Start = h.end.Start.AddDate(0, 0, -1)
	}
}

// settleEnd drops an end that is none.
func (h *happening) settleEnd(w *work) {
	if !h.hasEnd {
		return
	}
	start, end := h.start.Start, h.end.Start
	if !h.start.TimeKnown || !h.end.TimeKnown {
		start, end = dayOf(start), dayOf(end)
	}
	switch {
	case end.Before(start):
		h.hasEnd = false
		w.note("ends_at", "end_before_start", "the end was before the start, so it was left out")
	case end.Equal(start) && h.start.TimeKnown == h.end.TimeKnown:
		h.hasEnd = false
		if !h.allDay {
			w.note("ends_at", "end_is_start", "the end is the same as the start, so it was left out")
		}
	}
}

func dayOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// keepHappening writes the fields of the event so that they agree.
func (w *work) keepHappening(h happening, zoneName string) {
	w.out["starts_at"] = dates.Format(h.start.Start, h.start.TimeKnown, h.start.ZoneKnown)
	w.out["time_known"] = h.start.TimeKnown
	w.derived("time_known", "starts_at")
	if h.hasEnd {
		w.out["ends_at"] = dates.Format(h.end.Start, h.end.TimeKnown, h.end.ZoneKnown)
	}
	if delete(w.out, "all_day"); h.allDay {
		w.out["all_day"] = true
		w.derived("all_day", "starts_at")
	}
	if zoneName != "" && h.start.TimeKnown && sameOffset(h.start.Start, zoneName) {
		w.out["timezone"] = zoneName
		w.derived("timezone", "starts_at")
	}
	rule := strings.TrimPrefix(line(scalarText(w.in["recurrence"]), 1000), "RRULE:")
	if rule == "" {
		rule = h.start.Recurrence
		w.derived("recurrence", "starts_at")
	}
	if strings.HasPrefix(rule, "FREQ=") || strings.Contains(rule, ";FREQ=") {
		w.out["recurrence"] = rule
	} else if rule != "" {
		w.note("recurrence", "not_a_rule", "the text is no recurrence rule of RFC 5545")
	}
}

// sameOffset tells whether a zone had the offset that a time is written with.
func sameOffset(t time.Time, zoneName string) bool {
	zone, err := time.LoadLocation(zoneName)
	if err != nil {
		return false
	}
	_, own := t.Zone()
	_, there := t.In(zone).Zone()
	return own == there
}
