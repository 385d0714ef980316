package schedule

import (
	"math/bits"
	"time"
)

// calendar is a set of minutes on the clock on the wall.
type calendar struct {
	clock    [24]uint64 // the minutes of each hour
	days     uint32     // of the month, bits 1 to 31
	months   uint16     // bits 1 to 12
	weekdays uint8      // bit 0 is Sunday
	either   bool       // a day of the month or a weekday suffices, as cron has it when both are restricted
}

// lastYear is where the search ends: times after it have no RFC 3339 spelling.
const lastYear = 9999

// next is the first time after a moment. A time of day that a zone leaves out, when
// its clock is put forward, comes at the moment after the gap, once however many of
// them fall into it. A time that comes twice, when the clock is put back, counts the
// first time only. A schedule for every hour follows the clock instead: no hour of
// real time goes without it, and none gets a run more.
func (c calendar) next(after time.Time, zone *time.Location) time.Time {
	if after.Year() >= lastYear || after.Year() < 1 {
		return time.Time{}
	}
	if c.everyHour() {
		return c.nextByClock(after, zone)
	}
	for wall := wallOf(after, zone); ; wall = wall.Add(time.Minute) {
		var ok bool
		if wall, ok = c.from(wall); !ok {
			return time.Time{}
		}
		if t := reached(wall, zone); t.After(after) {
			return t.In(zone)
		}
	}
}

// nextByClock goes through the stretches of time in which the zone's offset stays.
func (c calendar) nextByClock(after time.Time, zone *time.Location) time.Time {
	for t := after; ; {
		local := t.In(zone)
		_, offset := local.Zone()
		_, end := local.ZoneBounds()
		wall := wallOf(t, zone)
		if wall.Add(-time.Duration(offset)*time.Second).Before(t) || t.Equal(after) {
			wall = wall.Add(time.Minute) // the minute that has begun
		}
		wall, ok := c.from(wall)
		if !ok {
			return time.Time{}
		}
		found := wall.Add(-time.Duration(offset) * time.Second)
		if end.IsZero() || found.Before(end) {
			return found.In(zone)
		}
		t = end
	}
}

// wallOf is what the clock on the wall shows, to the minute, written as if in UTC.
func wallOf(t time.Time, zone *time.Location) time.Time {
	local := t.In(zone)
	y, m, d := local.Date()
	return time.Date(y, m, d, local.Hour(), local.Minute(), 0, 0, time.UTC)
}

// reached is the first moment at which a clock on the wall shows a time or a later
// one. That is the time itself; or the end of the gap that swallows it; or the first
// of two passes. Being monotonic, it keeps the order of times.
func reached(wall time.Time, zone *time.Location) time.Time {
	t := wall.Add(-16 * time.Hour) // no offset has ever been greater
	for {
		local := t.In(zone)
		_, offset := local.Zone()
		_, end := local.ZoneBounds()
		found := wall.Add(-time.Duration(offset) * time.Second)
		switch {
		case found.Before(t):
			return t
		case end.IsZero() || found.Before(end):
			return found
		}
		t = end
	}
}

// from is the first wall time of the set that is not before another. The calendar
// repeats after 400 years: what does not come within them never comes.
func (c calendar) from(wall time.Time) (time.Time, bool) {
	until := min(wall.Year()+400, lastYear)
	for wall.Year() <= until {
		y, m, d := wall.Date()
		switch {
		case c.months&(1<<m) == 0:
			wall = time.Date(y, m+1, 1, 0, 0, 0, 0, time.UTC)
		case !c.holdsDay(wall):
			wall = time.Date(y, m, d+1, 0, 0, 0, 0, time.UTC)
		default:
			if hour, minute, ok := c.inDay(wall.Hour(), wall.Minute()); ok {
				return time.Date(y, m, d, hour, minute, 0, 0, time.UTC), true
			}
			wall = time.Date(y, m, d+1, 0, 0, 0, 0, time.UTC)
		}
	}
	return time.Time{}, false
}

func (c calendar) holdsDay(wall time.Time) bool {
	day, weekday := c.days&(1<<wall.Day()) != 0, c.weekdays&(1<<wall.Weekday()) != 0
	if c.either {
		return day || weekday
	}
	return day && weekday
}

// inDay is the first time of day that is not before another.
func (c calendar) inDay(hour, minute int) (int, int, bool) {
	for ; hour < 24; hour, minute = hour+1, 0 {
		if left := c.clock[hour] >> minute << minute; left != 0 {
			return hour, bits.TrailingZeros64(left), true
		}
	}
	return 0, 0, false
}

// everyHour says that each hour of the day has the same minutes.
func (c calendar) everyHour() bool {
	for _, minutes := range c.clock {
		if minutes != c.clock[0] {
			return false
		}
	}
	return true
}

// shortest is the least distance between two of its times on the wall.
func (c calendar) shortest() time.Duration {
	const day = 24 * 60
	first, last, least := -1, -1, day*366
	for hour, minutes := range c.clock {
		for ; minutes != 0; minutes &= minutes - 1 {
			at := hour*60 + bits.TrailingZeros64(minutes)
			if first < 0 {
				first = at
			} else {
				least = min(least, at-last)
			}
			last = at
		}
	}
	gap := c.daysApart()
	return time.Duration(min(least, first+gap*day-last)) * time.Minute
}

// daysApart is the least number of days between two of its days, looked for in the
// years that hold every kind of month and leap year.
func (c calendar) daysApart() int {
	least, before := 366, time.Time{}
	for day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2033 && least > 1; day = day.AddDate(0, 0, 1) {
		if c.months&(1<<day.Month()) == 0 || !c.holdsDay(day) {
			continue
		}
		if !before.IsZero() {
			least = min(least, int(day.Sub(before)/(24*time.Hour)))
		}
		before = day
	}
	return least
}
