package schedule_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
)

func TestSchedulesAreReadSpelledAndDescribed(t *testing.T) {
	for text, want := range map[string][2]string{
		"every 15m":                            {"every 15m", "every 15 minutes"},
		"Every  90 Minutes":                    {"every 1h30m", "every 90 minutes"},
		"every hour":                           {"every 1h", "every hour"},
		"every 6h":                             {"every 6h", "every 6 hours"},
		"every 1 day 12 hours":                 {"every 1d12h", "every 36 hours"},
		"hourly":                               {"every 1h", "every hour"},
		"daily":                                {"every 1d", "every day"},
		"weekly":                               {"every 7d", "every week"},
		"hourly at :05":                        {"hourly at :05", "at minute 5, every day, UTC"},
		"daily at 7:30 europe/warsaw":          {"daily at 07:30 Europe/Warsaw", "at 07:30, every day, Europe/Warsaw time"},
		"daily at 18:00, 07:30 and 12:15":      {"daily at 07:30, 12:15, 18:00", "at 07:30, 12:15 and 18:00, every day, UTC"},
		"weekdays at 07:30 @Europe/Oslo":       {"weekdays at 07:30 Europe/Oslo", "at 07:30, Monday to Friday, Europe/Oslo time"},
		"weekends at 09:00":                    {"weekends at 09:00", "at 09:00, Saturday and Sunday, UTC"},
		"weekly on Mondays and thu at 07:30":   {"weekly on mon, thu at 07:30", "at 07:30, Monday and Thursday, UTC"},
		"monthly on 1,15 at 00:00":             {"monthly on 1, 15 at 00:00", "at 00:00, on the 1st and 15th of the month, UTC"},
		"CRON_TZ=Europe/Oslo 30 7 * * mon-fri": {"CRON_TZ=Europe/Oslo 30 7 * * mon-fri", "at 07:30, Monday to Friday, Europe/Oslo time"},
		"30 7 * * MON-FRI @Europe/Oslo":        {"CRON_TZ=Europe/Oslo 30 7 * * mon-fri", "at 07:30, Monday to Friday, Europe/Oslo time"},
		"*/20 8-18 * * *":                      {"*/20 8-18 * * *", "every 20 minutes from 08:00 to 18:59, every day, UTC"},
		"0 */2 ? jan,jul 7":                    {"0 */2 * jan,jul 7", "at minute 0 of every 2nd hour, Sunday in January and July, UTC"},
		"5/15 * * * *":                         {"5/15 * * * *", "at the minutes 5, 20, 35, 50, every day, UTC"},
		"0 0 13 * fri":                         {"0 0 13 * fri", "at 00:00, on the 13th of the month and on Friday, UTC"},
		"0 0 29 2 *":                           {"0 0 29 2 *", "at 00:00, on the 29th of the month in February, UTC"},
		"@daily":                               {"0 0 * * *", "at 00:00, every day, UTC"},
		"@weekly @Asia/Tokyo":                  {"CRON_TZ=Asia/Tokyo 0 0 * * 0", "at 00:00, Sunday, Asia/Tokyo time"},
		"adaptive":                             {"adaptive", "as often as the page changes, between every 15 minutes and every day"},
		"adaptive 1h .. 7d":                    {"adaptive 1h..7d", "as often as the page changes, between every hour and every week"},
	} {
		t.Run(text, func(t *testing.T) {
			s, err := schedule.Parse(text)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				return
			}
			if s.String() != want[0] || s.Describe() != want[1] {
				t.Errorf("%q is %q, %q; want %q, %q", text, s.String(), s.Describe(), want[0], want[1])
			}
			if again, err := schedule.Parse(s.String()); err != nil || again.String() != s.String() {
				t.Errorf("%q does not survive being written as %q: %v", text, s.String(), err)
			}
		})
	}
}

func TestBadSchedulesSayWhatIsWrongAndWhere(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "is empty",
		"*/0 * * * *":                     `a step of 0 never gets anywhere: write */5 for every fifth minute (in "*/0 * * * *" at character 3)`,
		"61 * * * *":                      `61 is no minute: it goes from 0 to 59 (in "61 * * * *" at character 1)`,
		"0 24 * * *":                      `24 is no hour`,
		"0 0 30 2 *":                      `this never happens: no month of "2" has a day "30" (in "0 0 30 2 *" at character 5)`,
		"0 0 31 apr,jun *":                `never happens`,
		"*/90 * * * *":                    `every 90m`,
		"* * * *":                         `has five fields (minute, hour, day, month, weekday), this one has 4 (at the end of`,
		"0 0 12 * * mon":                  `leave seconds and years out`,
		"0 22-6 * * *":                    `runs backwards: write 22-23,0-6`,
		"0 0 * * mno":                     `did you mean mon?`,
		"0 0 L * *":                       `extension of other schedulers`,
		"0 0 * * mon-":                    `here a weekday is missing`,
		"0,,5 * * * *":                    `here a minute is missing (in "0,,5 * * * *" at character 3)`,
		"0 7 * * * @Europe/Olso":          `unknown time zone "Europe/Olso": did you mean Europe/Oslo? (in "0 7 * * * @Europe/Olso" at character 12)`,
		"daily at 07:30 Warsaw":           `did you mean Europe/Warsaw?`,
		"daily at 07:30 Local":            `unknown time zone "Local"`,
		"daily at 07:30 ../../etc/passwd": `unknown time zone: write it as Europe/Warsaw (in`,
		"CRON_TZ=UTC 0 0 * * * @UTC":      `named twice`,
		"FOO=bar 0 0 * * *":               `only CRON_TZ=ZONE`,
		"CRON_TZ=UTC":                     `a time zone alone`,
		"dayly at 07:30":                  `did you mean "daily"?`,
		"daily at 25:00":                  `"25:00" is no time of day`,
		"daily at":                        `something is missing`,
		"daily at 07:30 Europe/Oslo now":  `unexpected "now"`,
		"every":                           `needs an interval`,
		"every 0m":                        `an interval of nothing`,
		"every 15":                        `the unit is missing`,
		"every fortnight":                 `is no interval`,
		"every 9999999999999999999d":      `longer than 366 days`,
		"every 400d":                      `longer than 366 days`,
		"adaptive 24h..15m":               `is longer than the longest`,
		"adaptive often":                  `two dots`,
		"@hourli":                         `did you mean @hourly?`,
		"whenever":                        `is no schedule`,
		strings.Repeat("1,", 300):         `at most 400 characters`,
		"\xff * * * *":                    `UTF-8`,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := schedule.Parse(text)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v; want … %s …", text, err, want)
			}
			if f := curlew.AsFault(err); f != nil && (!errors.Is(f, curlew.Code("bad_schedule")) || f.Kind != curlew.KindPermanent) {
				t.Errorf("%q is a fault of the kind %s, %s", text, f.Kind, f.Code)
			}
		})
	}
}

func TestTooFrequentSchedulesAreRefused(t *testing.T) {
	for text, shortest := range map[string]time.Duration{
		"every 10m": 10 * time.Minute, "*/20 * * * *": 20 * time.Minute, "50 23 * * *": 24 * time.Hour,
		"0,59 * * * *": time.Minute, "daily at 23:50, 00:05": 15 * time.Minute, "0 0 1 * *": 28 * 24 * time.Hour,
		"0 0,23 * * mon": 23 * time.Hour, "adaptive 5m..1h": 5 * time.Minute, "0 9 * * mon,wed": 48 * time.Hour,
	} {
		t.Run(text, func(t *testing.T) {
			s, err := schedule.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if s.Shortest() != shortest || s.Check(shortest) != nil {
				t.Errorf("%q comes every %v at least, %v; want %v", text, s.Shortest(), s.Check(shortest), shortest)
			}
			err = s.Check(shortest + time.Second)
			if !errors.Is(err, curlew.Permanent("schedule_too_often", "")) {
				t.Errorf("%q is not refused when it is too frequent: %v", text, err)
			}
		})
	}
}

func TestClockChangesNeitherLoseNorDoubleARun(t *testing.T) {
	for _, c := range []struct{ text, after, want string }{
		// Oslo: 29 March 2026 has no 02:00–02:59, 25 October has them twice.
		{"30 2 * * * @Europe/Oslo", "2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00"},
		{"30 2 * * * @Europe/Oslo", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"},
		{"15,45 2 * * * @Europe/Oslo", "2026-03-28T03:00:00+01:00", "2026-03-29T03:00:00+02:00"},
		{"15,45 2 * * * @Europe/Oslo", "2026-03-29T03:00:00+02:00", "2026-03-30T02:15:00+02:00"},
		{"30 2 * * * @Europe/Oslo", "2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00"},
		{"30 2 * * * @Europe/Oslo", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"},
		// Every hour follows the clock through both.
		{"30 * * * * @Europe/Oslo", "2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00"},
		{"30 * * * * @Europe/Oslo", "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"},
		{"*/15 * * * * @Europe/Oslo", "2026-10-25T02:59:00+02:00", "2026-10-25T02:00:00+01:00"},
		// Apia left out 30 December 2011, Lord Howe moves by half an hour, Santiago at midnight.
		{"0 12 30 12 * @Pacific/Apia", "2011-12-29T12:00:00-10:00", "2011-12-31T00:00:00+14:00"},
		{"15 2 * * * @Australia/Lord_Howe", "2026-10-03T02:15:00+10:30", "2026-10-04T02:30:00+11:00"},
		{"0 0 * * * @America/Santiago", "2026-09-05T12:00:00-04:00", "2026-09-06T01:00:00-03:00"},
		{"0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"},
		{"0 0 29 2 */7", "2026-01-01T00:00:00Z", "2032-02-29T00:00:00Z"},
		{"every 6h", "2026-10-25T05:59:59Z", "2026-10-25T06:00:00Z"},
		{"every 6h", "1969-12-31T23:00:00Z", "1970-01-01T00:00:00Z"},
	} {
		t.Run(c.text, func(t *testing.T) {
			s, err := schedule.Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Next(moment(t, c.after)); !got.Equal(moment(t, c.want)) {
				t.Errorf("%q after %s: %s, want %s", c.text, c.after, got.Format(time.RFC3339), c.want)
			}
		})
	}
}

func TestIntervalsAreSpreadByIdAndKeepTheirBeat(t *testing.T) {
	s, _ := schedule.Parse("hourly")
	now := moment(t, "2026-11-15T09:00:00Z")
	minutes := map[int]bool{}
	for i := range 100 {
		own := s.For(strings.Repeat("x", i))
		next := own.Next(now)
		if wait := next.Sub(now); wait <= 0 || wait > time.Hour {
			t.Fatalf("waits %v", wait)
		}
		if after := own.Next(next); after.Sub(next) != time.Hour {
			t.Fatalf("the beat is %v", after.Sub(next))
		}
		minutes[next.Minute()] = true
	}
	if len(minutes) < 40 {
		t.Errorf("a hundred watches share %d minutes of the hour", len(minutes))
	}
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
