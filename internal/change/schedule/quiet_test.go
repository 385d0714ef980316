package schedule_test

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
)

func TestQuietHoursEndOnTheClocksOfTheirZone(t *testing.T) {
	for _, row := range []struct{ hours, at, until string }{
		{"22:00-07:00 Europe/Oslo", "2026-06-10T21:30:00Z", "2026-06-11T05:00:00Z"}, // 23:30 there
		{"22:00-07:00 Europe/Oslo", "2026-06-11T04:59:59Z", "2026-06-11T05:00:00Z"}, // they began the day before
		{"22:00-07:00 Europe/Oslo", "2026-06-11T05:00:00Z", ""},
		{"22:00-07:00 Europe/Oslo", "2026-06-11T19:59:00Z", ""},
		{"22:00-07:00 Europe/Oslo", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"}, // clocks go back that night
		{"22:00-07:00 Europe/Oslo", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"}, // and forward in this one
		{"12:00-13:30", "2026-06-11T13:00:00Z", "2026-06-11T13:30:00Z"},
		{"12:00-13:30", "2026-06-11T13:30:00Z", ""},
	} {
		t.Run(row.hours+" "+row.at, func(t *testing.T) {
			q, err := schedule.ParseQuiet(row.hours)
			if err != nil || q.String() != row.hours {
				t.Fatalf("%q (%v)", q, err)
			}
			at, err := time.Parse(time.RFC3339, row.at)
			if err != nil {
				t.Fatal(err)
			}
			until, held := q.Until(at)
			if got := until.UTC().Format(time.RFC3339); held != (row.until != "") || held && got != row.until {
				t.Errorf("until %s (%v), want %q", got, held, row.until)
			}
		})
	}
}

func TestWhatAreNoQuietHoursIsSaid(t *testing.T) {
	for _, text := range []string{"22-7", "22:00", "25:00-07:00", "22:00-22:00", "22:00-07:00 Oslo", "22:00-07:00 Local", "22:00-07:00 "} {
		t.Run(text, func(t *testing.T) {
			if q, err := schedule.ParseQuiet(text); err == nil {
				t.Errorf("read as %q", q)
			}
		})
	}
}
