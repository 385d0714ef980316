package schedule

import (
	"fmt"
	"math/bits"
	"strings"
	"time"
)

// Describe says the schedule in words: "at 07:30, Monday to Friday, Europe/Oslo time".
func (s Schedule) Describe() string {
	switch s.kind {
	case byInterval:
		return "every " + words(s.every)
	case byRhythm:
		return fmt.Sprintf("as often as the page changes, between every %s and every %s", words(s.adaptive.Shortest), words(s.adaptive.Longest))
	case byCalendar:
		text := s.calendar.times() + ", " + s.calendar.dates()
		if s.zone != time.UTC {
			return text + ", " + s.zone.String() + " time"
		}
		return text + ", UTC"
	}
	return "never"
}

// times says the times of day.
func (c calendar) times() string {
	all := c.timesOfDay()
	minutes, hours, product := c.product()
	switch {
	case len(all) <= 6:
		return "at " + enumerate(all)
	case !product:
		return fmt.Sprintf("at %d times of day from %s to %s", len(all), all[0], all[len(all)-1])
	}
	when := minutesInWords(minutes)
	if hours == allHours {
		return when
	}
	if low, high, step := pattern(uint64(hours), 23); step == 1 {
		return fmt.Sprintf("%s from %02d:00 to %02d:59", when, low, high)
	} else if step > 1 && low == 0 && high+step > 23 {
		return fmt.Sprintf("%s of every %s hour", when, ordinal(step))
	}
	return when + " in the hours " + numbers(uint64(hours))
}

// product tells whether the times are the same minutes in some hours.
func (c calendar) product() (minutes uint64, hours uint32, ok bool) {
	for hour, m := range c.clock {
		if m == 0 {
			continue
		}
		if minutes != 0 && m != minutes {
			return 0, 0, false
		}
		minutes, hours = m, hours|1<<hour
	}
	return minutes, hours, true
}

func minutesInWords(minutes uint64) string {
	low, high, step := pattern(minutes, 59)
	switch {
	case minutes == allMinutes:
		return "every minute"
	case bits.OnesCount64(minutes) == 1:
		return fmt.Sprintf("at minute %d", low)
	case step > 1 && low == 0 && high+step > 59 && 60%step == 0:
		return fmt.Sprintf("every %d minutes", step)
	case step == 1:
		return fmt.Sprintf("every minute from %d to %d", low, high)
	}
	return "at the minutes " + numbers(minutes)
}

// pattern finds the even step of a set; 0 when it has none.
func pattern(set uint64, top int) (low, high, step int) {
	low, high = bits.TrailingZeros64(set), 63-bits.LeadingZeros64(set)
	before := -1
	for v := low; v <= min(high, top); v++ {
		if set&(1<<v) == 0 {
			continue
		}
		if before >= 0 {
			if step != 0 && step != v-before {
				return low, high, 0
			}
			step = v - before
		}
		before = v
	}
	return low, high, step
}

// dates says the days.
func (c calendar) dates() string {
	days, weekdays := c.monthDays(), c.weekdayWords()
	var text string
	switch {
	case c.days == allDays && c.weekdays == allWeekdays:
		text = "every day"
	case c.days == allDays:
		text = weekdays
	case c.weekdays == allWeekdays:
		text = days
	case c.either:
		text = days + " and on " + weekdays
	default:
		text = days + " if that is " + weekdays
	}
	if c.months == allMonths {
		return text
	}
	var names []string
	for m := 1; m <= 12; m++ {
		if c.months&(1<<m) != 0 {
			names = append(names, time.Month(m).String())
		}
	}
	return text + " in " + enumerate(names)
}

func (c calendar) monthDays() string {
	if low, high, step := pattern(uint64(c.days), 31); step == 1 && high > low+1 {
		return fmt.Sprintf("on the days %d to %d of the month", low, high)
	}
	var all []string
	for d := 1; d <= 31; d++ {
		if c.days&(1<<d) != 0 {
			all = append(all, ordinal(d))
		}
	}
	return "on the " + enumerate(all) + " of the month"
}

func (c calendar) weekdayWords() string {
	switch c.weekdays {
	case 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<5:
		return "Monday to Friday"
	case 1<<0 | 1<<6:
		return "Saturday and Sunday"
	}
	var all []string
	for i := range 7 {
		if d := (i + 1) % 7; c.weekdays&(1<<d) != 0 {
			all = append(all, time.Weekday(d).String())
		}
	}
	return enumerate(all)
}

func enumerate(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

func ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
