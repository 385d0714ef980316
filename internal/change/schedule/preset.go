package schedule

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// presets are the first words of schedules in words. It is filled in init because
// its functions ask it for names.
var presets map[string]func(*line, *time.Location) (Schedule, error)

func init() {
	presets = map[string]func(*line, *time.Location) (Schedule, error){
		"adaptive": (*line).byRhythm,
		"every":    (*line).every,
		"hourly":   (*line).hourly,
		"daily":    onDays(allWeekdays),
		"weekdays": onDays(1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<5),
		"weekends": onDays(1<<0 | 1<<6),
		"weekly":   (*line).weekly,
		"monthly":  (*line).monthly,
	}
}

func presetNames() []string { return slices.Sorted(maps.Keys(presets)) }

func startsPreset(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return presets[first] != nil
}

const (
	allWeekdays = 1<<7 - 1
	allMonths   = 1<<13 - 2
	allDays     = 1<<32 - 2
	allHours    = 1<<24 - 1
	allMinutes  = 1<<60 - 1
	day         = 24 * time.Hour
	// longestWait is the rarest that anything is looked at.
	longestWait = 366 * day
)

// The bounds of an adaptive schedule that names none.
const (
	DefaultShortest = 15 * time.Minute
	DefaultLongest  = 24 * time.Hour
)

// byRhythm reads "adaptive" and "adaptive 15m..24h".
func (l *line) byRhythm(zone *time.Location) (Schedule, error) {
	if zone != nil {
		return Schedule{}, l.bad(0, "an adaptive schedule takes no time zone: it learns the hours")
	}
	a := Adaptive{Shortest: DefaultShortest, Longest: DefaultLongest}
	s := Schedule{kind: byRhythm, text: "adaptive", adaptive: a}
	if len(l.words) == 1 {
		return s, nil
	}
	at := l.words[1].at
	low, high, found := strings.Cut(l.text[at:], "..")
	if !found {
		return s, l.bad(at, "after \"adaptive\" come the bounds with two dots between them, such as 15m..24h")
	}
	var err error
	if a.Shortest, err = l.duration(low, at); err != nil {
		return s, err
	}
	if a.Longest, err = l.duration(high, at+len(low)+2); err != nil {
		return s, err
	}
	if a.Shortest > a.Longest {
		return s, l.bad(at, "the shortest interval, %s, is longer than the longest, %s", words(a.Shortest), words(a.Longest))
	}
	return Schedule{kind: byRhythm, text: "adaptive " + compact(a.Shortest) + ".." + compact(a.Longest), adaptive: a}, nil
}

// every reads "every 15m", "every 2 hours", "every day".
func (l *line) every(zone *time.Location) (Schedule, error) {
	if len(l.words) == 1 {
		return Schedule{}, l.bad(len(l.text), "\"every\" needs an interval, such as every 15m or every 6 hours")
	}
	if zone != nil {
		return Schedule{}, l.bad(0, "an interval has no time zone: name a time of day, or leave the zone out")
	}
	at := l.words[1].at
	if len(l.words) == 2 && !strings.ContainsAny(l.words[1].text[:1], "0123456789") {
		if unit, known := units[strings.ToLower(l.words[1].text)]; known && len(l.words[1].text) > 1 {
			return interval(unit), nil
		}
	}
	d, err := l.duration(l.text[at:], at)
	if err != nil {
		return Schedule{}, err
	}
	return interval(d), nil
}

func interval(d time.Duration) Schedule {
	return Schedule{kind: byInterval, every: d, text: "every " + compact(d)}
}

// hourly reads "hourly" and "hourly at :05".
func (l *line) hourly(zone *time.Location) (Schedule, error) {
	if len(l.words) == 1 && zone == nil {
		return interval(time.Hour), nil
	}
	c := calendar{days: allDays, months: allMonths, weekdays: allWeekdays}
	if len(l.words) < 3 || !strings.EqualFold(l.words[1].text, "at") {
		return Schedule{}, l.bad(l.after(0), "\"hourly\" takes no argument, or a minute as in \"hourly at :05\"")
	}
	w := l.words[2]
	minute, err := strconv.ParseUint(strings.TrimPrefix(w.text, ":"), 10, 8)
	if err != nil || minute > 59 {
		return Schedule{}, l.bad(w.at, "%s is no minute: write :00 to :59", quote(w.text))
	}
	for hour := range c.clock {
		c.clock[hour] = 1 << minute
	}
	text := "hourly at :" + pad(int(minute))
	return l.finish(c, text, 3, zone)
}

// onDays reads "daily", and "daily at 07:30 and 18:00 Europe/Warsaw" for any days.
func onDays(days uint8) func(*line, *time.Location) (Schedule, error) {
	return func(l *line, zone *time.Location) (Schedule, error) {
		name := strings.ToLower(l.words[0].text)
		if len(l.words) == 1 && zone == nil && name == "daily" {
			return interval(day), nil
		}
		c := calendar{days: allDays, months: allMonths, weekdays: days}
		times, used, err := l.times(&c, 1)
		if err != nil {
			return Schedule{}, err
		}
		return l.finish(c, name+" at "+times, used, zone)
	}
}

// weekly reads "weekly" and "weekly on mon, thu at 07:30".
func (l *line) weekly(zone *time.Location) (Schedule, error) {
	if len(l.words) == 1 && zone == nil {
		return interval(7 * day), nil
	}
	if len(l.words) < 2 || !strings.EqualFold(l.words[1].text, "on") {
		return Schedule{}, l.bad(l.after(0), "\"weekly\" takes no argument, or days as in \"weekly on mon, thu at 07:30\"")
	}
	c := calendar{days: allDays, months: allMonths}
	used, err := l.list(2, func(w word) error {
		i := slices.IndexFunc(weekdayNames, func(name string) bool { return isNameOf(strings.TrimSuffix(strings.ToLower(w.text), "s"), name) })
		if i < 0 {
			return l.bad(w.at, "%s is no weekday: write mon, tue, wed, thu, fri, sat or sun", quote(w.text))
		}
		c.weekdays |= 1 << i
		return nil
	})
	if err != nil {
		return Schedule{}, err
	}
	times, used, err := l.times(&c, used)
	if err != nil {
		return Schedule{}, err
	}
	var names []string
	for i := range 7 {
		if at := (i + 1) % 7; c.weekdays&(1<<at) != 0 {
			names = append(names, weekdayNames[at][:3])
		}
	}
	return l.finish(c, "weekly on "+strings.Join(names, ", ")+" at "+times, used, zone)
}

// monthly reads "monthly on 1, 15 at 07:30".
func (l *line) monthly(zone *time.Location) (Schedule, error) {
	if len(l.words) < 2 || !strings.EqualFold(l.words[1].text, "on") {
		return Schedule{}, l.bad(l.after(0), "\"monthly\" needs a day and a time, as in \"monthly on 1 at 07:30\"")
	}
	c := calendar{months: allMonths, weekdays: allWeekdays}
	used, err := l.list(2, func(w word) error {
		n, err := strconv.ParseUint(w.text, 10, 8)
		if err != nil || n < 1 || n > 31 {
			return l.bad(w.at, "%s is no day of a month: write 1 to 31", quote(w.text))
		}
		c.days |= 1 << n
		return nil
	})
	if err != nil {
		return Schedule{}, err
	}
	times, used, err := l.times(&c, used)
	if err != nil {
		return Schedule{}, err
	}
	return l.finish(c, "monthly on "+numbers(uint64(c.days))+" at "+times, used, zone)
}

// times reads "at 07:30, 12:00 and 18:00" from a word on.
func (l *line) times(c *calendar, from int) (string, int, error) {
	if from >= len(l.words) || !strings.EqualFold(l.words[from].text, "at") {
		return "", 0, l.bad(l.after(from-1), "here a time is missing, such as \"at 07:30\"")
	}
	used, err := l.list(from+1, func(w word) error {
		hour, minute, ok := clockTime(w.text)
		if !ok {
			return l.bad(w.at, "%s is no time of day: write 00:00 to 23:59", quote(w.text))
		}
		c.clock[hour] |= 1 << minute
		return nil
	})
	return strings.Join(c.timesOfDay(), ", "), used, err
}

// list reads words with commas or "and" between them, until one does not go on.
func (l *line) list(from int, take func(word) error) (int, error) {
	if from >= len(l.words) {
		return from, l.bad(len(l.text), "here something is missing")
	}
	for i := from; i < len(l.words); i++ {
		w := l.words[i]
		at := w.at
		for part := range strings.SplitSeq(strings.TrimSuffix(w.text, ","), ",") {
			if err := take(word{part, at}); err != nil {
				return i, err
			}
			at += len(part) + 1
		}
		and := i+1 < len(l.words) && strings.EqualFold(l.words[i+1].text, "and")
		if and {
			i++
		}
		if !and && !strings.HasSuffix(w.text, ",") {
			return i + 1, nil
		}
	}
	return len(l.words), l.bad(len(l.text), "here something is missing")
}

// finish reads the zone that may follow, and nothing else may.
func (l *line) finish(c calendar, text string, used int, zone *time.Location) (Schedule, error) {
	if used < len(l.words) {
		w := l.words[used]
		if zone != nil || used+1 < len(l.words) {
			return Schedule{}, l.bad(l.words[len(l.words)-1].at, "unexpected %s: only a time zone can follow the time",
				quote(l.words[len(l.words)-1].text))
		}
		var err error
		if zone, err = l.zone(w); err != nil {
			return Schedule{}, err
		}
	}
	if zone == nil {
		zone = time.UTC
	}
	return Schedule{kind: byCalendar, text: text, calendar: c, zone: zone}, nil
}

// after is where the word after another begins, or the end.
func (l *line) after(i int) int {
	if i+1 < len(l.words) {
		return l.words[i+1].at
	}
	return len(l.text)
}

// macro reads what crontab has with an @.
func (l *line) macro(zone *time.Location) (Schedule, error) {
	w := l.words[0]
	if len(l.words) > 1 {
		return Schedule{}, l.bad(l.words[1].at, "only @ZONE can follow %s", w.text)
	}
	fields, known := macros[strings.ToLower(w.text)]
	if !known {
		if near := nearest(w.text, slices.Sorted(maps.Keys(macros))); near != "" {
			return Schedule{}, l.bad(w.at, "%s is no schedule: did you mean %s?", quote(w.text), near)
		}
		return Schedule{}, l.bad(w.at, "%s is no schedule: use @hourly, @daily, @weekly, @monthly or @yearly", quote(w.text))
	}
	return (&line{text: fields, words: split(fields)}).cron(zone)
}

var macros = map[string]string{
	"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
	"@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}
