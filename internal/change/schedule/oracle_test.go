package schedule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"pgregory.net/rapid"
)

// oracle finds the next run of a cron line by watching the clock on the wall minute
// by minute. It shares nothing with the code it judges: it understands fields that
// are sorted lists of numbers only.
type oracle struct {
	minutes, hours, days, months, weekdays map[int]bool
	anyDay, anyWeekday                     bool
}

func (o oracle) matches(wall time.Time) bool {
	if !o.minutes[wall.Minute()] || !o.hours[wall.Hour()] || !o.months[int(wall.Month())] {
		return false
	}
	day, weekday := o.days[wall.Day()], o.weekdays[int(wall.Weekday())]
	switch {
	case o.anyDay && o.anyWeekday:
		return true
	case o.anyDay:
		return weekday
	case o.anyWeekday:
		return day
	}
	return day || weekday
}

// next watches from two days before, so that it knows what the clock has shown.
func (o oracle) next(after time.Time, zone *time.Location, limit time.Duration) time.Time {
	shown := wall(after.Add(-48*time.Hour), zone)
	for t := after.Add(-48 * time.Hour).Truncate(time.Minute); t.Before(after.Add(limit)); t = t.Add(time.Minute) {
		now, hit := wall(t, zone), false
		if len(o.hours) == 24 {
			hit = o.matches(now)
		}
		for ; now.After(shown); shown = shown.Add(time.Minute) {
			hit = hit || len(o.hours) < 24 && o.matches(shown.Add(time.Minute))
		}
		if hit && t.After(after) {
			return t
		}
	}
	return time.Time{}
}

func wall(t time.Time, zone *time.Location) time.Time {
	l := t.In(zone)
	return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), 0, 0, time.UTC)
}

func someOf(t *rapid.T, name string, low, high, most int) (string, map[int]bool) {
	set := map[int]bool{}
	if rapid.Bool().Draw(t, name+" any") {
		for v := low; v <= high; v++ {
			set[v] = true
		}
		return "*", set
	}
	var parts []string
	for range rapid.IntRange(1, most).Draw(t, name+" count") {
		from := rapid.IntRange(low, high).Draw(t, name+" from")
		to := rapid.IntRange(from, high).Draw(t, name+" to")
		step := rapid.IntRange(1, 5).Draw(t, name+" step")
		step = min(step, high-low+1)
		for v := from; v <= to; v += step {
			set[v] = true
		}
		parts = append(parts, fmt.Sprintf("%d-%d/%d", from, to, step))
	}
	return strings.Join(parts, ","), set
}

func TestNextAgreesWithAClockOnTheWall(t *testing.T) {
	zones := []string{"UTC", "Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "America/Santiago", "Africa/Casablanca"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(zones).Draw(t, "zone")
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		var o oracle
		var texts [5]string
		texts[0], o.minutes = someOf(t, "minute", 0, 59, 2)
		texts[1], o.hours = someOf(t, "hour", 0, 23, 3)
		texts[2], o.days = someOf(t, "day", 1, 31, 2)
		texts[3], o.months = someOf(t, "month", 1, 12, 2)
		texts[4], o.weekdays = someOf(t, "weekday", 0, 6, 2)
		o.anyDay, o.anyWeekday = texts[2] == "*", texts[4] == "*"
		s, err := schedule.Parse("CRON_TZ=" + name + " " + strings.Join(texts[:], " "))
		if err != nil {
			return // what never happens
		}
		// Around clock changes of all zones: March, April, September, October, and the end of 2011.
		start := rapid.SampledFrom([]string{"2026-03-07", "2026-03-28", "2026-04-04", "2026-09-05", "2026-10-03", "2026-10-24", "2026-10-31", "2011-12-29", "2026-02-14"}).Draw(t, "start")
		day, _ := time.Parse(time.DateOnly, start)
		after := day.Add(time.Duration(rapid.IntRange(-600, 4000).Draw(t, "minutes")) * time.Minute).Add(time.Duration(rapid.IntRange(0, 1).Draw(t, "seconds")) * 17 * time.Second)
		const limit = 12 * 24 * time.Hour
		got, want := s.Next(after), o.next(after, zone, limit)
		if want.IsZero() && (got.IsZero() || got.Sub(after) >= limit) {
			return
		}
		if !got.Equal(want) {
			t.Fatalf("%s after %s: %s, the clock says %s", s, after.In(zone), got.In(zone), want.In(zone))
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"every 15m", "daily at 07:30 Europe/Warsaw", "CRON_TZ=Europe/Oslo 30 7 * * mon-fri", "*/5 1-3,7 */2 feb ? @UTC", "adaptive 15m..24h", "weekly on mon, thu at 07:30 and 09:00", "@daily", "hourly at :05", "monthly on 31 at 00:00", "0 0 29 2 */7"} {
		f.Add(seed)
	}
	after := time.Date(2026, 3, 28, 12, 0, 30, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := schedule.Parse(text)
		if err != nil {
			return
		}
		again, err := schedule.Parse(s.String())
		if err != nil || again.String() != s.String() || again.Describe() != s.Describe() {
			t.Fatalf("%q is written as %q, which is read as %q: %v", text, s, again, err)
		}
		next := s.Next(after)
		if !next.After(after) || !again.Next(after).Equal(next) || s.Shortest() <= 0 {
			t.Fatalf("%q comes at %v after %v, at least %v apart", text, next, after, s.Shortest())
		}
	})
}
