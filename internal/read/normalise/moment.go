package normalise

import (
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// moment is a date with what its spelling says about it.
type moment struct {
	dates.Date
	offset  bool // the text itself wrote the offset
	machine bool // written by a program
}

// moments reads all times.
func (w *work) moments() {
	zone, name := w.zone()
	for _, f := range w.schema.Fields {
		happening := w.schema.Name == curlew.SchemaEvent && (f.Name == "starts_at" || f.Name == "ends_at")
		if !f.Type.Dated() || happening || w.in[f.Name] == nil {
			continue
		}
		if day := w.day(f, w.in[f.Name], zone); day != nil {
			w.out[f.Name] = day
		}
	}
	if w.schema.Name == curlew.SchemaEvent {
		w.event(zone, name)
	}
}

// day reads a day or a moment that stands for itself.
func (w *work) day(f curlew.Field, value any, zone *time.Location) any {
	m, ok := w.moment(value, zone)
	if !ok {
		w.note(f.Name, "not_a_date", "the text holds no date that can be read")
		return nil
	}
	w.doubt(f.Name, m)
	known := f.Type == curlew.TypeTime && m.TimeKnown && !(isMidnight(m.Start) && !m.offset && (m.machine || !m.ZoneKnown))
	return dates.Format(m.Start, known, m.ZoneKnown)
}

// doubt tells of dates that could mean something else.
func (w *work) doubt(field string, m moment) {
	if m.Confidence < 0.5 {
		w.note(field, "doubtful", "the date could mean another day")
	}
}

// moment reads one time in any spelling.
func (w *work) moment(value any, zone *time.Location) (moment, bool) {
	text := ""
	switch v := value.(type) {
	case int64, int, float64:
		text = scalarText(v)
	case []string:
		text = line(strings.Join(v[:min(len(v), 8)], " "), 300)
	default:
		text = line(plainText(value), 300)
	}
	if m, ok := isoMoment(text, zone); ok {
		return m, true
	}
	if m, ok := epoch(text, zone); ok {
		return m, true
	}
	past := w.schema.Name == curlew.SchemaArticle || w.schema.Name == curlew.SchemaJob
	lang, _, _ := strings.Cut(w.Lang, "-")
	d, ok := dates.Parse(text, dates.Options{Now: w.Now, Lang: strings.ToLower(lang), Zone: zone, Order: w.Order, Past: past})
	if !ok || !plausible(d.Start) {
		return moment{}, false
	}
	if d.Start.Equal(w.Now) { // "now": today, and not to the second at which somebody asked
		d.TimeKnown, d.ZoneKnown = false, false
	}
	return moment{Date: d}, true
}

// plausible tells years that a page can mean.
func plausible(t time.Time) bool { return t.Year() >= 1000 && t.Year() <= 2999 }

var isoPattern = text.Pattern(`^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?` +
	`\s?(Z|z|[+-]\d\d:?\d\d|[+-]\d\d)?(?:\[[\w/+-]+\])?)?$`)

// isoMoment reads ISO 8601 as programs write it.
func isoMoment(text string, zone *time.Location) (moment, bool) {
	m := isoPattern().FindStringSubmatch(text)
	if m == nil {
		return moment{}, false
	}
	n := func(i int) int { v, _ := strconv.Atoi(m[i]); return v }
	where, offset := time.UTC, m[7] != ""
	if offset {
		where = fixedZone(m[7])
	} else if zone != nil {
		where = zone
	}
	t := time.Date(n(1), time.Month(n(2)), n(3), n(4), n(5), n(6), 0, where)
	if n(2) < 1 || n(2) > 12 || t.Day() != n(3) && n(4) < 24 {
		return moment{}, false
	}
	if n(4) > 24 || n(5) > 59 || n(6) > 60 || !plausible(t) {
		return moment{}, false
	}
	d := dates.Date{Start: t, TimeKnown: m[4] != "", Confidence: 1}
	d.ZoneKnown = d.TimeKnown && (offset || zone != nil)
	return moment{Date: d, offset: offset, machine: true}, true
}

func fixedZone(text string) *time.Location {
	digits := strings.ReplaceAll(text, ":", "")
	if len(digits) < 3 {
		return time.UTC
	}
	hours, _ := strconv.Atoi(digits[1:3])
	minutes := 0
	if len(digits) == 5 {
		minutes, _ = strconv.Atoi(digits[3:])
	}
	seconds := (hours*60 + minutes) * 60
	if seconds == 0 || hours > 15 || minutes > 59 {
		return time.UTC
	}
	if digits[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone("", seconds)
}

// epoch reads seconds or milliseconds since 1970, in the years 2001 to 2286.
func epoch(text string, zone *time.Location) (moment, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || len(text) != 10 && len(text) != 13 {
		return moment{}, false
	}
	t := time.Unix(n, 0)
	if len(text) == 13 {
		t = time.UnixMilli(n).Truncate(time.Second)
	}
	if zone == nil {
		zone = time.UTC
	}
	return moment{Date: dates.Date{Start: t.In(zone), TimeKnown: true, ZoneKnown: true, Confidence: 0.9}, offset: true, machine: true}, true
}

var clockPattern = text.Pattern(`(?i)^\D{0,12}?(\d{1,2})(?:[:.h](\d{2}))?\s*(a\.?m\.?|p\.?m\.?|uhr|h)?\.?$`)

// clock reads a time of day alone.
func clock(text string) (hour, minute int, ok bool) {
	m := clockPattern().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || m[2] == "" && m[3] == "" {
		return 0, 0, false
	}
	hour, _ = strconv.Atoi(m[1])
	minute, _ = strconv.Atoi(m[2])
	switch half := strings.ToLower(m[3]); {
	case strings.HasPrefix(half, "p") && hour < 12:
		hour += 12
	case strings.HasPrefix(half, "a") && hour == 12:
		hour = 0
	}
	return hour, minute, hour < 24 && minute < 60
}

// at puts a time of day on the day of a moment.
func (m moment) at(hour, minute int, zone *time.Location) moment {
	where := m.Start.Location()
	if zone != nil && !m.offset {
		where = zone
	}
	y, month, d := m.Start.Date()
	m.Start = time.Date(y, month, d, hour, minute, 0, 0, where)
	m.TimeKnown, m.ZoneKnown = true, m.offset || zone != nil
	return m
}

func isMidnight(t time.Time) bool { return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 }

// isDayEnd tells the last minute of a day.
func isDayEnd(t time.Time) bool { return t.Hour() == 23 && t.Minute() == 59 }
