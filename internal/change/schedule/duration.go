package schedule

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// units are the words for durations.
var units = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour,
	"d": day, "day": day, "days": day, "w": 7 * day, "week": 7 * day, "weeks": 7 * day,
}

// duration reads "15m", "1h30m", "6 hours", "2 days".
func (l *line) duration(text string, at int) (time.Duration, error) {
	at += len(text) - len(strings.TrimLeft(text, " \t"))
	rest := strings.TrimSpace(text)
	if rest == "" {
		return 0, l.bad(at, "here an interval is missing, such as 15m, 6h or 2d")
	}
	var total time.Duration
	for whole := rest; rest != ""; {
		place := at + len(whole) - len(rest)
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 {
			return 0, l.bad(place, "%s is no interval: write a number and a unit, such as 15m, 6h or 2d", quote(whole))
		}
		n, err := strconv.ParseInt(rest[:digits], 10, 64)
		if err != nil || n > int64(longestWait/time.Second) {
			return 0, l.bad(place, "the interval is longer than %s", words(longestWait))
		}
		rest = strings.TrimLeft(rest[digits:], " \t")
		letters := strings.IndexAny(rest, "0123456789 \t")
		if letters < 0 {
			letters = len(rest)
		}
		unit, known := units[strings.ToLower(rest[:letters])]
		if !known {
			return 0, l.bad(at+len(whole)-len(rest), "the unit is missing: use m (minutes), h (hours), d (days) or w (weeks)")
		}
		total += min(time.Duration(n), longestWait/unit+1) * unit
		if total > longestWait {
			return 0, l.bad(place, "the interval is longer than %s", words(longestWait))
		}
		rest = strings.TrimLeft(rest[letters:], " \t")
	}
	if total < time.Second {
		return 0, l.bad(at, "an interval of nothing never ends")
	}
	return total, nil
}

// compact writes a duration as a schedule has it: "1h30m", "2d".
func compact(d time.Duration) string {
	var b strings.Builder
	for _, u := range []struct {
		name string
		unit time.Duration
	}{{"d", day}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}} {
		if n := d / u.unit; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.name)
			d -= n * u.unit
		}
	}
	if b.Len() == 0 {
		return "0s"
	}
	return b.String()
}

// words writes a duration for people: "an hour", "15 minutes", "1h30m".
func words(d time.Duration) string {
	for _, u := range []struct {
		name string
		unit time.Duration
	}{{"week", 7 * day}, {"day", day}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if d < u.unit || d%u.unit != 0 {
			continue
		}
		if n := d / u.unit; n > 1 {
			return fmt.Sprintf("%d %ss", n, u.name)
		}
		return u.name
	}
	return compact(d)
}

// clockTime reads "07:30".
func clockTime(text string) (hour, minute int, ok bool) {
	h, m, found := strings.Cut(text, ":")
	if !found || len(h) < 1 || len(h) > 2 || len(m) != 2 {
		return 0, 0, false
	}
	x, errH := strconv.ParseUint(h, 10, 8)
	y, errM := strconv.ParseUint(m, 10, 8)
	return int(x), int(y), errH == nil && errM == nil && x < 24 && y < 60
}

// timesOfDay lists the times of the clock: "07:30".
func (c calendar) timesOfDay() []string {
	var all []string
	for hour, minutes := range c.clock {
		for ; minutes != 0; minutes &= minutes - 1 {
			all = append(all, pad(hour)+":"+pad(bits.TrailingZeros64(minutes)))
		}
	}
	return all
}

func numbers(set uint64) string {
	var all []string
	for ; set != 0; set &= set - 1 {
		all = append(all, number(bits.TrailingZeros64(set)))
	}
	return strings.Join(all, ", ")
}

func number(n int) string             { return strconv.Itoa(n) }
func pad(n int) string                { return fmt.Sprintf("%02d", n) }
func quote(text string) string        { return strconv.Quote(text) }
func isNameOf(text, name string) bool { return len(text) >= 3 && strings.HasPrefix(name, text) }
