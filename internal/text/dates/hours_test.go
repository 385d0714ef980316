package dates

import (
	"testing"
	"time"
)

func TestAFurtherHourIsOfTheDayBeforeIt(t *testing.T) {
	found := Find("Fri 20 Nov 2026 14:30 20:15 Sat 21 Nov 2026 17:00", Options{Lang: "en"})
	want := []time.Time{time.Date(2026, 11, 20, 14, 30, 0, 0, time.UTC), time.Date(2026, 11, 21, 17, 0, 0, 0, time.UTC)}
	if len(found) != 2 || !found[0].Start.Equal(want[0]) || !found[1].Start.Equal(want[1]) {
		t.Errorf("found %+v", found)
	}
}

// Two rising numbers behind a weekday are hours of every week, unless they are a day near today.
func TestHoursOfAWeekdayAreNoDayOfTheYear(t *testing.T) {
	now := time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct{ text, lang, want string }{
		{"Mon 10-12", "en", ""}, {"Tue 08-10", "en", ""}, {"Thu 10-12", "en", ""}, {"Wed 9-11", "", ""}, {"Mo 10-12", "de", ""},
		{"do 10-12", "nl", "2026-12-10"}, {"wo 10-12", "nl", ""}, {"Mon: 10-12", "en", ""}, {"Sat 21-11", "en", "2026-11-21"}, {"Sat 12-12", "en", "2026-12-12"},
		{"Mon 10/12", "en", "2026-10-12"},
	} {
		t.Run(c.text, func(t *testing.T) {
			got := ""
			if d, ok := Parse(c.text, Options{Now: now, Lang: c.lang}); ok {
				got = d.Start.Format(time.DateOnly)
			}
			if got != c.want {
				t.Errorf("%s (%s) is %q, want %q", c.text, c.lang, got, c.want)
			}
		})
	}
}

func TestTheNumberOfABookIsNoMoment(t *testing.T) {
	for text, is := range map[string]bool{"1763372096": true, "1763372096000": true, "9783161484100": false, "9791234567896": false, "9876543210": false} {
		t.Run(text, func(t *testing.T) {
			if _, ok := Parse(text, Options{}); ok != is {
				t.Errorf("%s is a moment: %v", text, ok)
			}
		})
	}
}
