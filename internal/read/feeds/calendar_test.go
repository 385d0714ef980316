package feeds

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// calendar wraps the lines of events into a calendar.
func calendar(lines ...string) []byte {
	return []byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VCALENDAR\r\n")
}

func event(lines ...string) string {
	return "BEGIN:VEVENT\r\nUID:one\r\nSUMMARY:Jazz\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT"
}

func readAll(t *testing.T, body []byte) []curlew.Draft {
	t.Helper()
	drafts, err := Read(body, "text/calendar", "https://hall.example/cal.ics", curlew.SchemaEvent)
	if err != nil {
		t.Fatal(err)
	}
	return drafts
}

func TestTimesOfACalendarSayWhatIsKnown(t *testing.T) {
	berlin := "BEGIN:VTIMEZONE\r\nTZID:Our town\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\n" +
		"RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:19700329T020000\r\nTZOFFSETFROM:+0100\r\n" +
		"TZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE"
	for _, c := range []struct{ name, lines, start, end, zone string }{
		{"UTC", "DTSTART:20260418T180000Z\r\nDTEND:20260418T200000Z", "2026-04-18T18:00:00Z", "2026-04-18T20:00:00Z", ""},
		{"floating", "DTSTART:20260418T180000", "2026-04-18T18:00:00", "", ""},
		{"a zone", "DTSTART;TZID=Europe/Berlin:20260418T180000\r\nDURATION:PT1H30M", "2026-04-18T18:00:00+02:00", "2026-04-18T19:30:00+02:00", "Europe/Berlin"},
		{"a zone of Windows", "DTSTART;TZID=\"W. Europe Standard Time\":20260118T180000", "2026-01-18T18:00:00+01:00", "", "Europe/Berlin"},
		{"a zone with a path", "DTSTART;TZID=/citadel.org/20210210_1/America/New_York:20260118T180000", "2026-01-18T18:00:00-05:00", "", "America/New_York"},
		{"a zone by offset", "DTSTART;TZID=GMT+0530:20260118T180000", "2026-01-18T18:00:00+05:30", "", ""},
		{"the calendar's own zone in summer", "DTSTART;TZID=Our town:20260418T180000", "2026-04-18T18:00:00+02:00", "", ""},
		{"the calendar's own zone in winter", "DTSTART;TZID=Our town:20261225T180000", "2026-12-25T18:00:00+01:00", "", ""},
		{"an unknown zone", "DTSTART;TZID=Atlantis:20260418T180000", "2026-04-18T18:00:00", "", ""},
		{"one day", "DTSTART;VALUE=DATE:20260418\r\nDTEND;VALUE=DATE:20260419", "2026-04-18", "", ""},
		{"three days", "DTSTART;VALUE=DATE:20260418\r\nDTEND;VALUE=DATE:20260421", "2026-04-18", "2026-04-20", ""},
		{"with hyphens", "DTSTART:2026-04-18T18:00:00Z", "2026-04-18T18:00:00Z", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			drafts := readAll(t, calendar(berlin, event(c.lines)))
			if len(drafts) != 1 {
				t.Fatalf("%d drafts", len(drafts))
			}
			f := drafts[0].Fields
			end, _ := f["ends_at"].(string)
			zone, _ := f["timezone"].(string)
			if f["starts_at"] != c.start || end != c.end || zone != c.zone {
				t.Errorf("from %v until %q in %q", f["starts_at"], end, zone)
			}
			if f["all_day"] != (len(c.start) == 10) || f["time_known"] == f["all_day"] {
				t.Errorf("all day %v, time known %v", f["all_day"], f["time_known"])
			}
		})
	}
}

func TestOneOccurrenceMayDiffer(t *testing.T) {
	series := event("DTSTART:20260302T200000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
	moved := "BEGIN:VEVENT\r\nUID:one\r\nRECURRENCE-ID:20260309T200000Z\r\nSUMMARY:Jazz, later\r\nDTSTART:20260309T213000Z\r\nSTATUS:CANCELLED\r\nEND:VEVENT"
	drafts := readAll(t, calendar(series, moved))
	if len(drafts) != 2 || drafts[1].Fields["title"] != "Jazz, later" || drafts[1].Fields["status"] != "cancelled" {
		t.Fatalf("%+v", drafts)
	}
	if drafts[1].ExternalID != "one/20260309T200000Z" {
		t.Errorf("the moved occurrence is now %s", drafts[1].ExternalID)
	}
}

func TestARecurringEventKeepsItsRule(t *testing.T) {
	drafts := readAll(t, calendar(event("DTSTART:20260302T200000Z", "RRULE:FREQ=WEEKLY;COUNT=3")))
	if len(drafts) != 1 || drafts[0].Fields["recurrence"] != "FREQ=WEEKLY;COUNT=3" || drafts[0].ExternalID != "one" {
		t.Errorf("%+v", drafts)
	}
}

// The days on which it does not take place stand in the rule.
func TestARuleKeepsItsExceptions(t *testing.T) {
	drafts := readAll(t, calendar(event("DTSTART:20260302T200000Z", "RRULE:FREQ=WEEKLY;COUNT=9", "EXDATE:20260316T200000Z,20260309T200000Z", "EXDATE;VALUE=DATE:20260323")))
	if got, want := drafts[0].Fields["recurrence"], "FREQ=WEEKLY;COUNT=9;EXDATE=20260309,20260316,20260323"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	many := make([]string, 200)
	for i := range many {
		many[i] = time.Date(2026, 3, 2+i, 20, 0, 0, 0, time.UTC).Format("20060102T150405Z")
	}
	drafts = readAll(t, calendar(event("DTSTART:20260302T200000Z", "RRULE:FREQ=DAILY", "EXDATE:"+strings.Join(many, ","))))
	if got := fmt.Sprint(drafts[0].Fields["recurrence"]); len(got) > 1000 || !strings.HasSuffix(got, ",20260917") {
		t.Errorf("%d: %s", len(got), got)
	}
}

func TestFieldsOfAnEventInACalendar(t *testing.T) {
	d := readAll(t, calendar(event(
		"DTSTART:20260418T180000Z", `LOCATION:Blue Hall\, Long Street 5\, Kraków`, "GEO:50.06;19.94", "URL;VALUE=URI:/events/jazz",
		`DESCRIPTION:First line\nsecond \; line <b>bold</b>`, "CATEGORIES:Music,Jazz", `ORGANIZER;CN="Blue, Hall":mailto:desk@hall.example`,
		"IMAGE;VALUE=URI:https://hall.example/a.jpg", "STATUS:CONFIRMED", "this line is broken", "X-LONG:", " folded")))[0]
	for field, want := range map[string]any{
		"title": "Jazz", "venue_name": "Blue Hall", "venue_address": "Blue Hall, Long Street 5, Kraków", "latitude": "50.06", "longitude": "19.94",
		"url": "https://hall.example/events/jazz", "description": "First line\nsecond ; line bold", "category": "Music", "organizer": "Blue, Hall",
		"image_url": "https://hall.example/a.jpg", "status": "scheduled",
	} {
		t.Run(field, func(t *testing.T) {
			if d.Fields[field] != want {
				t.Errorf("%s is %#v", field, d.Fields[field])
			}
		})
	}
	if e := d.Provenance["starts_at"]; e.Tier != curlew.TierAPI || e.Rule != "DTSTART" || e.Text != "20260418T180000Z" || e.Node != "VEVENT[1]" {
		t.Errorf("the start comes from %+v", e)
	}
	online := readAll(t, calendar(event("DTSTART:20260418T180000Z", "LOCATION:https://meet.example/abc")))[0]
	if online.Fields["online"] != true || online.Fields["venue_name"] != nil {
		t.Errorf("an event on the web: %+v", online.Fields)
	}
}

func TestTheLatestVersionOfAnEventCounts(t *testing.T) {
	drafts := readAll(t, calendar(event("DTSTART:20260418T180000Z", "SEQUENCE:2"), event("DTSTART:20260401T180000Z", "SEQUENCE:1")))
	if len(drafts) != 1 || drafts[0].Fields["starts_at"] != "2026-04-18T18:00:00Z" {
		t.Errorf("%+v", drafts)
	}
}

func TestHostileCalendarsEnd(t *testing.T) {
	fill, number := growth.Fill, growth.Number
	growth.Inputs{
		"many rules":      number("", "BEGIN:VEVENT\nUID:#\nDTSTART:19700101T000000\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR\nEND:VEVENT\n", ""),
		"impossible":      number("", "BEGIN:VEVENT\nUID:#\nDTSTART:20260101T000000\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT\n", ""),
		"one uid":         fill("", "BEGIN:VEVENT\nUID:a\nDTSTART:20260101T000000\nEND:VEVENT\n", ""),
		"parameters":      fill("A", ";B=c", ":x\n"),
		"a long line":     fill("SUMMARY:", "a\n b", ""),
		"open components": fill("", "BEGIN:VEVENT\n", ""),
		"exceptions":      fill("BEGIN:VEVENT\nDTSTART:20260101T000000\nRRULE:FREQ=DAILY\nEXDATE:", "20260101T000000,", "\nEND:VEVENT\n"),
	}.Check(t, 1<<20, func(body string) func() {
		return func() {
			drafts, err := Read(calendar(body), "", "", "")
			if err != nil || len(drafts) > mostDrafts {
				t.Errorf("%d drafts, %v", len(drafts), err)
			}
		}
	})
}
