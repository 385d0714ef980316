package dates

import (
	"fmt"
	"strings"
	"time"
)

var byDay = [7]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// recurrenceAt reads "every Tuesday", "Mondays & Wednesdays", "second Tuesday
// of the month", "täglich" into an RFC 5545 rule.
func (p *parser) recurrenceAt(i int, m *moment) (int, bool) {
	if m.rule != "" || m.hasDate() || m.weekday >= 0 {
		return i, false
	}
	if next, ok := p.nthWeekday(i, m); ok {
		return next, true
	}
	if next, ok := p.weekdaySpan(i, m); ok {
		return next, true
	}
	j, every := i, false
	if v, ok := p.sense(j, isEach); ok {
		if v != 1 || !p.weekdaySoon(j+1) {
			return p.frequency(j, m)
		}
		j, every = p.skip(j+1, 2, isOf), true
	}
	if p.is(j, isEvery) {
		j, every = p.skip(j+1, 2, isOf), true
	}
	interval := 1
	if every {
		interval, j = p.intervalAt(j)
	}
	days, next := p.weekdayList(j, every)
	if days == 0 {
		return i, false
	}
	m.weekdays = days
	m.rule = "FREQ=WEEKLY"
	if interval > 1 {
		m.rule += fmt.Sprintf(";INTERVAL=%d", interval)
	}
	m.rule += ";BYDAY=" + dayList(days)
	return next, true
}

// intervalAt reads the number of "every 2nd Friday".
func (p *parser) intervalAt(i int) (interval, next int) {
	n, _, ok := p.number(i)
	if !ok || n <= 1 || n >= 10 {
		return 1, i
	}
	if p.is(i+1, isSuffix) {
		i++
	}
	if p.isAny(i+1, isWeekday, isUnit) {
		return n, i + 1
	}
	return 1, i
}

// weekdaySpan reads opening hours: "Mon–Fri 9:00–17:00", "Mondays to Fridays".
func (p *parser) weekdaySpan(i int, m *moment) (int, bool) {
	first, plural, ok := p.anyWeekday(i)
	if !ok {
		return i, false
	}
	j := i + 1
	if p.mark(j) == '.' {
		j++
	}
	if p.mark(j) != '-' && !p.is(j, isTo) {
		return i, false
	}
	last, _, ok := p.anyWeekday(j + 1)
	if !ok || last == first || !plural && !p.timeFollows(p.skip(j+2, 2)) {
		return i, false
	}
	for day := first; ; day = (day + 1) % 7 {
		m.weekdays |= 1 << day
		if day == last {
			break
		}
	}
	m.rule = "FREQ=WEEKLY;BYDAY=" + dayList(m.weekdays)
	return j + 2, true
}

func (p *parser) anyWeekday(i int) (day int, plural, ok bool) {
	if v, ok := p.sense(i, isWeekdays); ok {
		return v, true, true
	}
	v, ok := p.sense(i, isWeekday)
	return v, false, ok
}

func (p *parser) weekdaySoon(i int) bool {
	k := p.skip(i, 2, isOf)
	return p.is(k, isWeekday) || p.is(k, isWeekdays)
}

func dayList(days int) string {
	var names []string
	for n := 1; n <= 7; n++ { // weeks of RFC 5545 begin on Monday
		if days&(1<<(n%7)) != 0 {
			names = append(names, byDay[n%7])
		}
	}
	return strings.Join(names, ",")
}

// weekdayList reads weekdays joined by "and"; without "every" the first must be
// a plural.
func (p *parser) weekdayList(i int, every bool) (days, next int) {
	v, ok := p.sense(i, isWeekdays)
	if !ok && every {
		v, ok = p.sense(i, isWeekday)
	}
	if !ok {
		return 0, i
	}
	days, next = 1<<v, i+1
	for n := 0; n < 6; n++ {
		j := next
		for p.marked(j, ",&/+") || p.isAny(j, isAnd, isEvery) {
			if j++; j > next+3 {
				break
			}
		}
		v, _, ok := p.anyWeekday(j)
		if !ok || j == next {
			break
		}
		days |= 1 << v
		next = j + 1
	}
	return days, next
}

// frequency reads "daily", "monthly" and the like, which alone say little:
// in running text a time must follow.
func (p *parser) frequency(i int, m *moment) (int, bool) {
	v, ok := p.sense(i, isEach)
	needsTime := v == 4 || !p.lenient
	if !ok || needsTime && !p.timeFollows(i+1) {
		return i, false
	}
	m.rule = [...]string{"FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}[v]
	if v == 4 {
		m.weekdays = 0b0111110
	}
	return i + 1, true
}

// nthWeekday reads "second Tuesday of the month", "every 1st and 3rd Monday",
// "last Friday of each month".
func (p *parser) nthWeekday(i int, m *moment) (int, bool) {
	j, every := i, false
	if p.is(j, isEvery) {
		j, every = p.skip(j+1, 2, isOf), true
	}
	nths, j := p.nthList(j)
	wd, ok := p.sense(j, isWeekday)
	if len(nths) == 0 || !ok {
		return i, false
	}
	k := p.skip(j+1, 2, isOf)
	for p.is(k, isEvery) || p.is(k, isOf) && k < j+5 {
		k++
	}
	if u, isU := p.sense(k, isUnit); isU && u == unitMonth && k > j+1 {
		j = k
	} else if !every || nths[0] < 0 {
		return i, false
	}
	var parts []string
	for _, n := range nths {
		parts = append(parts, fmt.Sprintf("%d%s", n, byDay[wd]))
	}
	m.rule = "FREQ=MONTHLY;BYDAY=" + strings.Join(parts, ",")
	m.weekdays = 1 << wd
	return j + 1, true
}

// nthList reads "1st and 3rd".
func (p *parser) nthList(i int) (nths []int, next int) {
	for n := 0; n < 4; n++ {
		nth, next, ok := p.nthAt(i)
		if !ok {
			break
		}
		nths = append(nths, nth)
		i = next
		if p.is(i, isAnd) || p.marked(i, "&,") {
			i++
		}
	}
	return nths, i
}

// nthAt reads "2nd", "second", "last".
func (p *parser) nthAt(i int) (nth, next int, ok bool) {
	if p.is(i, isLast) {
		return -1, i + 1, true
	}
	if n, digits, isNum := p.number(i); isNum && digits == 1 && n >= 1 && n <= 5 {
		if p.is(i+1, isSuffix) && p.glued(i+1) || p.mark(i+1) == '.' || p.mark(i+1) == 'º' {
			return n, i + 2, true
		}
		return 0, i, false
	}
	v, isWord := p.sense(i, isNumber)
	return v, i + 1, isWord && v <= 5
}

// firstOccurrence is the first day of a rule that is not before today.
func (p *parser) firstOccurrence(m *moment) (time.Time, float64, bool) {
	if p.o.Now.IsZero() {
		return time.Time{}, 0, false
	}
	day := p.today()
	if m.weekdays == 0 {
		return day, 0.5, true
	}
	for n := 0; n < 70; n++ {
		if m.weekdays&(1<<int(day.Weekday())) != 0 && nthFits(m.rule, day) {
			return day, 0.7, true
		}
		day = day.AddDate(0, 0, 1)
	}
	return time.Time{}, 0, false
}

// nthFits checks the numbers of a monthly rule such as BYDAY=1MO,3MO.
func nthFits(rule string, day time.Time) bool {
	if !strings.HasPrefix(rule, "FREQ=MONTHLY;BYDAY=") {
		return true
	}
	nth := (day.Day()-1)/7 + 1
	last := day.AddDate(0, 0, 7).Month() != day.Month()
	list := rule[len("FREQ=MONTHLY;BYDAY="):]
	for _, part := range strings.Split(list, ",") {
		if part == fmt.Sprintf("%d%s", nth, byDay[day.Weekday()]) || last && strings.HasPrefix(part, "-1") {
			return true
		}
	}
	return false
}
