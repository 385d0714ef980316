package schedule

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	weekdayNames = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
	monthNames   = []string{"", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
		"december"}
)

// field is one of the five places of a cron line.
type field struct {
	name  string
	low   int
	high  int // 7 is Sunday too
	names []string
}

var fields = [5]field{
	{name: "minute", low: 0, high: 59},
	{name: "hour", low: 0, high: 23},
	{name: "day of the month", low: 1, high: 31},
	{name: "month", low: 1, high: 12, names: monthNames},
	{name: "weekday", low: 0, high: 7, names: weekdayNames},
}

// cron reads five fields.
func (l *line) cron(zone *time.Location) (Schedule, error) {
	switch n := len(l.words); {
	case n == 6 || n == 7:
		return Schedule{}, l.bad(l.words[5].at, "a cron line has five fields (minute, hour, day, month, weekday), this one has %d: leave "+
			"seconds and years out", n)
	case n != 5:
		return Schedule{}, l.bad(l.after(n-1), "a cron line has five fields (minute, hour, day, month, weekday), this one has %d", n)
	}
	var sets [5]uint64
	var texts [5]string
	for i, f := range fields {
		var err error
		if sets[i], err = l.set(f, l.words[i]); err != nil {
			return Schedule{}, err
		}
		texts[i] = strings.ToLower(strings.ReplaceAll(l.words[i].text, "?", "*"))
	}
	c := calendar{
		days: uint32(sets[2]), months: uint16(sets[3]), weekdays: uint8(sets[4]),
		// Vixie's rule, which crontab(5) documents: a field that begins with a star restricts nothing by itself.
		either: !strings.HasPrefix(texts[2], "*") && !strings.HasPrefix(texts[4], "*"),
	}
	for hour := range c.clock {
		if sets[1]&(1<<hour) != 0 {
			c.clock[hour] = sets[0]
		}
	}
	if _, ever := c.from(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); !ever {
		return Schedule{}, l.bad(l.words[2].at, "this never happens: no month of %s has a day %s", quote(l.words[3].text), quote(l.words[2].text))
	}
	if zone == nil {
		zone = time.UTC
	}
	return Schedule{kind: byCalendar, text: strings.Join(texts[:], " "), calendar: c, zone: zone}, nil
}

// set reads one field: a list of parts.
func (l *line) set(f field, w word) (uint64, error) {
	var all uint64
	at := w.at
	for part := range strings.SplitSeq(w.text, ",") {
		bits, err := l.part(f, word{part, at})
		if err != nil {
			return 0, err
		}
		all |= bits
		at += len(part) + 1
	}
	return all, nil
}

// part reads "*", "5", "mon-fri", "*/15", "10-50/10" or "5/10".
func (l *line) part(f field, w word) (uint64, error) {
	body, step, stepped := strings.Cut(w.text, "/")
	low, high, err := l.span(f, word{body, w.at}, stepped)
	if err != nil {
		return 0, err
	}
	by := 1
	if stepped {
		if by, err = l.step(f, word{step, w.at + len(body) + 1}); err != nil {
			return 0, err
		}
	}
	var set uint64
	if low > high { // only weekdays: friday to monday
		high += 7
	}
	for v := low; v <= high; v += by {
		if f.low == 0 && f.high == 7 {
			set |= 1 << (v % 7)
		} else {
			set |= 1 << v
		}
	}
	return set, nil
}

func (l *line) step(f field, w word) (int, error) {
	by, err := strconv.ParseUint(w.text, 10, 16)
	size := f.high - f.low + 1
	if f.high == 7 {
		size = 7
	}
	switch {
	case err != nil:
		return 0, l.bad(w.at, "the step after / must be a number, not %s", quote(w.text))
	case by == 0:
		return 0, l.bad(w.at, "a step of 0 never gets anywhere: write */5 for every fifth %s", f.name)
	case int(by) > size:
		return 0, l.bad(w.at, "a step of %d is more than the field for the %s holds: for a longer interval write, for example, \"every 90m\"",
			by, f.name)
	}
	return int(by), nil
}

// last is the highest value of a field, of which each is one: Sunday is 0.
func (f field) last() int {
	if f.high == 7 {
		return 6
	}
	return f.high
}

// span reads the part before the step. A single value with a step runs to the end.
func (l *line) span(f field, w word, stepped bool) (low, high int, err error) {
	day := f.name == "day of the month" || f.name == "weekday"
	if w.text == "*" || w.text == "?" && day {
		return f.low, f.last(), nil
	}
	first, last, ranged := strings.Cut(w.text, "-")
	if low, err = l.value(f, word{first, w.at}); err != nil {
		return 0, 0, err
	}
	switch {
	case ranged:
		if high, err = l.value(f, word{last, w.at + len(first) + 1}); err != nil {
			return 0, 0, err
		}
	case stepped:
		high = f.last()
	default:
		high = low
	}
	if low > high && f.high == 7 && ranged {
		return low % 7, high, nil
	}
	if low > high {
		return 0, 0, l.bad(w.at, "the range %s runs backwards: write %d-%d,%d-%d to go past the end", quote(w.text), low, f.high, f.low, high)
	}
	return low, high, nil
}

// value reads a number or a name.
func (l *line) value(f field, w word) (int, error) {
	if w.text == "" {
		return 0, l.bad(w.at, "here a %s is missing", f.name)
	}
	if n, err := strconv.ParseUint(w.text, 10, 16); err == nil {
		if int(n) < f.low || int(n) > f.high {
			return 0, l.bad(w.at, "%d is no %s: it goes from %d to %d", n, f.name, f.low, f.high)
		}
		return int(n), nil
	}
	text := strings.ToLower(w.text)
	if i := slices.IndexFunc(f.names, func(name string) bool { return isNameOf(text, name) }); i >= 0 {
		return i, nil
	}
	if f.names != nil {
		if near := nearest(text, slices.Concat(abbreviated(f.names), f.names)); near != "" {
			return 0, l.bad(w.at, "%s is no %s: did you mean %s?", quote(w.text), f.name, near[:3])
		}
	}
	if strings.ContainsAny(strings.ToUpper(w.text), "LW#?") && strings.Trim(strings.ToUpper(w.text), "LW#?0123456789") == "" {
		return 0, l.bad(w.at, "%s is an extension of other schedulers (last day, nearest workday, nth weekday) that is not understood here",
			quote(w.text))
	}
	return 0, l.bad(w.at, "%s is no %s", quote(w.text), f.name)
}

func abbreviated(names []string) []string {
	var all []string
	for _, name := range names {
		if name != "" {
			all = append(all, name[:3])
		}
	}
	return all
}
