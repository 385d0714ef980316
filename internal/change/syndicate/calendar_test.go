package syndicate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/teambition/rrule-go"
)

// property is one content line of iCalendar, unfolded.
type property struct{ name, params, value string }

// component is one BEGIN … END.
type component struct {
	kind  string
	lines []property
	parts []*component
}

func (c *component) get(t testing.TB, name string) property {
	t.Helper()
	var found []property
	for _, l := range c.lines {
		if l.name == name {
			found = append(found, l)
		}
	}
	if len(found) > 1 {
		t.Errorf("%s has %d %s", c.kind, len(found), name)
	}
	if len(found) == 0 {
		return property{}
	}
	return found[0]
}

// strictCalendar checks what RFC 5545 demands and lenient readers forgive, and gives
// the calendar.
func strictCalendar(t testing.TB, text string) *component {
	t.Helper()
	if !strings.HasSuffix(text, "\r\n") || strings.Count(text, "\n") != strings.Count(text, "\r\n") || strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		t.Fatalf("lines do not all end in CRLF: %q", text)
	}
	for l := range strings.SplitSeq(text, "\r\n") {
		if len(l) > 75 || !utf8.ValidString(l) {
			t.Errorf("a line of %d octets, or a character cut in two: %q", len(l), l)
		}
	}
	root := &component{}
	stack := []*component{root}
	for l := range strings.SplitSeq(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"), "\r\n") {
		head, value, found := strings.Cut(l, ":")
		name, params, _ := strings.Cut(head, ";")
		if !found || name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "" {
			t.Fatalf("%q is no content line", l)
		}
		top := stack[len(stack)-1]
		switch name {
		case "BEGIN":
			c := &component{kind: value}
			top.parts = append(top.parts, c)
			stack = append(stack, c)
		case "END":
			if top.kind != value || len(stack) == 1 {
				t.Fatalf("END:%s ends %s", value, top.kind)
			}
			stack = stack[:len(stack)-1]
		default:
			top.lines = append(top.lines, property{name, params, value})
		}
	}
	if len(stack) != 1 || len(root.parts) != 1 || root.parts[0].kind != "VCALENDAR" || len(root.parts[0].parts) == 0 {
		t.Fatalf("not one whole calendar: %s", text)
	}
	strictEvents(t, root.parts[0])
	return root.parts[0]
}

func strictEvents(t testing.TB, calendar *component) {
	t.Helper()
	zones, ids := map[string]bool{}, map[string]bool{}
	for _, c := range calendar.parts {
		if c.kind == "VTIMEZONE" {
			zones[c.get(t, "TZID").value] = true
			continue
		}
		id := c.get(t, "UID").value
		if c.kind != "VEVENT" || id == "" || ids[id] {
			t.Errorf("%s with the UID %q", c.kind, id)
		}
		ids[id] = true
		start, end, rule := c.get(t, "DTSTART"), c.get(t, "DTEND"), c.get(t, "RRULE")
		if _, err := time.Parse("20060102T150405Z", c.get(t, "DTSTAMP").value); err != nil {
			t.Error(err)
		}
		if end.value != "" && (end.params != start.params || len(end.value) != len(start.value)) {
			t.Errorf("from %v to %v: kinds differ", start, end)
		}
		if zone, zoned := strings.CutPrefix(start.params, "TZID="); zoned && !zones[zone] {
			t.Errorf("nobody describes the zone %s", zone)
		}
		if rule.value != "" {
			strictRule(t, start, rule.value)
		}
		for _, l := range c.lines {
			if l.name == "URL" || l.name == "IMAGE" {
				strictAddress(t, l.value)
			}
		}
	}
}

func strictRule(t testing.TB, start property, rule string) {
	t.Helper()
	if _, err := rrule.StrToRRule(rule); err != nil {
		t.Errorf("%s: %v", rule, err)
	}
	_, until, _ := strings.Cut(rule, "UNTIL=")
	until, _, _ = strings.Cut(until, ";")
	date, utc := start.params == "VALUE=DATE", strings.HasSuffix(start.value, "Z") || start.params != ""
	if until != "" && (date != (len(until) == 8) || !date && utc != strings.HasSuffix(until, "Z")) {
		t.Errorf("%s does not fit the start %v", rule, start)
	}
}

func event(t *testing.T, change func(curlew.Values)) *component {
	t.Helper()
	parts := strictCalendar(t, written(t, syndicate.ICalendar, feedOf(syndicate.FeedEntry{Entity: concert(change), Updated: seen}))).parts
	return parts[len(parts)-1]
}

func TestAnEventInACalendar(t *testing.T) {
	e := event(t, nil)
	for name, want := range map[string]property{
		"UID":         {value: "ent_1@curlew.invalid"},
		"DTSTAMP":     {value: "20260302T073000Z"},
		"SEQUENCE":    {value: "3"},
		"DTSTART":     {params: "TZID=Europe/Oslo", value: "20260418T200000"},
		"DTEND":       {params: "TZID=Europe/Oslo", value: "20260418T223000"},
		"STATUS":      {value: "CONFIRMED"},
		"SUMMARY":     {value: "Organ & Brass"},
		"LOCATION":    {value: `Oslo Cathedral\; north door\, NO`},
		"DESCRIPTION": {value: `An evening.\nBring a friend\, or two.\nPerformers: Kåre\, the Elder\; Nidaros Brass\nLowest price: 250.00 NOK`},
		"GEO":         {value: "59.912700;10.746100"},
		"URL":         {value: "https://example.org/e/1"},
		"CATEGORIES":  {value: "music"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := e.get(t, name); got.value != want.value || got.params != want.params {
				t.Errorf("%s is %q %q, want %q %q", name, got.params, got.value, want.params, want.value)
			}
		})
	}
	read, err := ics.ParseCalendar(strings.NewReader(written(t, syndicate.ICalendar, feedOf(syndicate.FeedEntry{Entity: concert(nil)}))))
	if err != nil || len(read.Events()) != 1 {
		t.Fatalf("another reader finds %v, %v", read, err)
	}
	start, err := read.Events()[0].GetStartAt()
	if err != nil || !start.Equal(time.Date(2026, 4, 18, 18, 0, 0, 0, time.UTC)) {
		t.Errorf("another reader finds the start %v, %v", start, err)
	}
}

func TestTimesOfEvents(t *testing.T) {
	for name, c := range map[string]struct {
		fields               curlew.Values
		start, end, rule, is string
	}{
		"whole days, the last one included":  {curlew.Values{"starts_at": "2026-04-18", "ends_at": "2026-04-20", "all_day": true}, "VALUE=DATE 20260418", "VALUE=DATE 20260421", "", "CONFIRMED"},
		"one day, time unknown":              {curlew.Values{"starts_at": "2026-04-18", "ends_at": nil, "time_known": false}, "VALUE=DATE 20260418", " ", "", "CONFIRMED"},
		"an offset without a zone":           {curlew.Values{"timezone": nil}, " 20260418T180000Z", " 20260418T203000Z", "", "CONFIRMED"},
		"a zone that contradicts the offset": {curlew.Values{"timezone": "Asia/Tokyo"}, " 20260418T180000Z", " 20260418T203000Z", "", "CONFIRMED"},
		"a zone that is none":                {curlew.Values{"timezone": "../../etc/passwd"}, " 20260418T180000Z", " 20260418T203000Z", "", "CONFIRMED"},
		"UTC":                                {curlew.Values{"timezone": "UTC", "starts_at": "2026-04-18T18:00:00Z"}, " 20260418T180000Z", " 20260418T203000Z", "", "CONFIRMED"},
		"floating":                           {curlew.Values{"timezone": nil, "starts_at": "2026-04-18T20:00:00", "ends_at": "2026-04-18T22:00:00"}, " 20260418T200000", " 20260418T220000", "", "CONFIRMED"},
		"local, with a zone":                 {curlew.Values{"starts_at": "2026-04-18T20:00:00", "ends_at": nil}, "TZID=Europe/Oslo 20260418T200000", " ", "", "CONFIRMED"},
		"an end before the start":            {curlew.Values{"ends_at": "2026-04-17T10:00:00+02:00"}, "TZID=Europe/Oslo 20260418T200000", " ", "", "CONFIRMED"},
		"a last day after a time":            {curlew.Values{"ends_at": "2026-04-20"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260421T000000", "", "CONFIRMED"},
		"weekly until a day":                 {curlew.Values{"recurrence": "FREQ=WEEKLY;BYDAY=SA;UNTIL=20260601"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260418T223000", "FREQ=WEEKLY;BYDAY=SA;UNTIL=20260601T215959Z", "CONFIRMED"},
		"weekly on whole days":               {curlew.Values{"starts_at": "2026-04-18", "ends_at": nil, "recurrence": "RRULE:FREQ=WEEKLY;BYHOUR=20;UNTIL=20260601T200000Z"}, "VALUE=DATE 20260418", " ", "FREQ=WEEKLY;UNTIL=20260601", "CONFIRMED"},
		"weekly but for some days":           {curlew.Values{"recurrence": "FREQ=WEEKLY;EXDATE=20260425,20260502"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260418T223000", "FREQ=WEEKLY", "CONFIRMED"},
		"a rule with a line of its own":      {curlew.Values{"recurrence": "FREQ=WEEKLY\r\nATTACH:x"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260418T223000", "", "CONFIRMED"},
		"a rule in words":                    {curlew.Values{"recurrence": "every week"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260418T223000", "", "CONFIRMED"},
		"a rule with two ends":               {curlew.Values{"recurrence": "FREQ=DAILY;COUNT=3;UNTIL=20260601"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260418T223000", "", "CONFIRMED"},
		"cancelled":                          {curlew.Values{"status": "cancelled"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260418T223000", "", "CANCELLED"},
		"postponed":                          {curlew.Values{"status": "postponed"}, "TZID=Europe/Oslo 20260418T200000", "TZID=Europe/Oslo 20260418T223000", "", "TENTATIVE"},
	} {
		t.Run(name, func(t *testing.T) {
			e := event(t, func(v curlew.Values) {
				for field, value := range c.fields {
					v[field] = value
				}
			})
			start, end := e.get(t, "DTSTART"), e.get(t, "DTEND")
			got := [4]string{start.params + " " + start.value, end.params + " " + end.value, e.get(t, "RRULE").value, e.get(t, "STATUS").value}
			if want := [4]string{c.start, c.end, c.rule, c.is}; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestDaysOnWhichAnEventIsNotAreWritten(t *testing.T) {
	for start, want := range map[string]string{"2026-04-18T20:00:00+02:00": "TZID=Europe/Oslo 20260425T200000,20260502T200000", "2026-04-18": "VALUE=DATE 20260425,20260502"} {
		t.Run(start, func(t *testing.T) {
			e := event(t, func(v curlew.Values) {
				v["starts_at"], v["ends_at"], v["recurrence"] = start, nil, "FREQ=WEEKLY;EXDATE=20260425,20260502"
			})
			if got := e.get(t, "EXDATE"); got.params+" "+got.value != want {
				t.Errorf("%s %s, want %s", got.params, got.value, want)
			}
		})
	}
}

func TestOnlyEventsWithAStartAreInACalendar(t *testing.T) {
	gone := concert(nil)
	gone.ID, gone.Status = "ent_2", curlew.EntityRemoved
	unknown := concert(func(v curlew.Values) { v["starts_at"] = "soon" })
	unknown.ID = "ent_3"
	text := written(t, syndicate.ICalendar, feedOf(syndicate.FeedEntry{Entity: concert(nil)}, syndicate.FeedEntry{Entity: gone}, syndicate.FeedEntry{Entity: unknown}, syndicate.FeedEntry{Change: bicycle()}))
	parts := strictCalendar(t, text).parts
	if len(parts) != 3 || parts[2].get(t, "STATUS").value != "CANCELLED" || parts[2].get(t, "COMMENT").value == "" {
		t.Error(text)
	}
	strictCalendar(t, written(t, syndicate.ICalendar, feedOf()))
}

func TestACalendarOfChangesShowsTheNewestOnly(t *testing.T) {
	entry := func(id curlew.ChangeID, title string, version int) syndicate.FeedEntry {
		c := changeOf(curlew.EntityChanged, curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: "event", Fields: concert(func(v curlew.Values) { v["title"] = title }).Fields}})
		c.ID, c.Version = id, version
		return syndicate.FeedEntry{Change: c}
	}
	parts := strictCalendar(t, written(t, syndicate.ICalendar, feedOf(entry("chg_2", "new", 5), entry("chg_1", "old", 4)))).parts
	if len(parts) != 2 || parts[1].get(t, "SUMMARY").value != "new" || parts[1].get(t, "SEQUENCE").value != "5" {
		t.Errorf("%v", parts)
	}
}

// Each zone that a calendar describes must give the moments that the zone really has:
// an observance applies from its start, which is in the offset before it.
func TestZonesAreDescribedTruly(t *testing.T) {
	for _, name := range []string{"Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "America/Sao_Paulo", "Africa/Casablanca", "Europe/Dublin", "Pacific/Apia"} {
		t.Run(name, func(t *testing.T) {
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			for month := range 30 {
				at := time.Date(2009, time.Month(1+month*2), 15, 19, 30, 0, 0, zone)
				text := written(t, syndicate.ICalendar, feedOf(syndicate.FeedEntry{Entity: concert(func(v curlew.Values) {
					v["starts_at"], v["timezone"], v["ends_at"], v["recurrence"] = at.Format(time.RFC3339), name, nil, "FREQ=DAILY;COUNT=900"
				})}))
				calendar := strictCalendar(t, text)
				start := calendar.parts[1].get(t, "DTSTART")
				if start.params != "TZID="+name || start.value != at.Format("20060102T150405") {
					t.Fatalf("%s: %v", at, start)
				}
				for _, later := range []int{0, 100, 300, 800} {
					t.Run(fmt.Sprint(later), func(t *testing.T) {
						on := at.AddDate(0, 0, later)
						if got := resolve(t, calendar.parts[0], on.Format("20060102T150405")); !got.Equal(on) {
							t.Errorf("%s reads as %s by\n%s", on, got, text)
						}
					})
				}
			}
		})
	}
}

// resolve turns local time into a moment by a VTIMEZONE alone.
func resolve(t *testing.T, zone *component, local string) time.Time {
	t.Helper()
	best, offset := "", 0
	for _, o := range zone.parts {
		if from := o.get(t, "DTSTART").value; from <= local && from >= best {
			var hours, minutes int
			text := o.get(t, "TZOFFSETTO").value
			if _, err := fmt.Sscanf(text[1:], "%02d%02d", &hours, &minutes); err != nil {
				t.Fatal(err)
			}
			best, offset = from, (hours*60+minutes)*60
			if text[0] == '-' {
				offset = -offset
			}
		}
	}
	at, err := time.Parse("20060102T150405", local)
	if err != nil || best == "" {
		t.Fatalf("no observance covers %s: %v", local, err)
	}
	return at.Add(-time.Duration(offset) * time.Second)
}
