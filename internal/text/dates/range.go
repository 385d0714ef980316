package dates

import "time"

// rangeAt reads one date, or two with a dash or "to" between them.
func (p *parser) rangeAt(i int) (Date, int, int, bool) {
	p.agree(i)
	first, ok := p.collect(i)
	if ok && first.namesDay() {
		if d, next, ok := p.secondDate(&first); ok {
			return d, first.begin, next, true
		}
	}
	if day, open := p.openDay(i); open && !(ok && first.hasDate()) { // "Wed 18 – Sun 22 March"
		if d, next, ok := p.secondDate(&day); ok {
			return d, i, next, true
		}
	}
	if !ok || !p.enough(&first) {
		return Date{}, i, i, false
	}
	d, ok := p.resolve(&first)
	return d, first.begin, first.end, ok
}

// enough tells whether a moment alone is a date: in running text a time or a
// weekday without more is not.
func (p *parser) enough(m *moment) bool {
	if m.hasDate() || m.rule != "" {
		return true
	}
	if m.month > 0 && (m.year > 0 || p.lenient) {
		return true
	}
	if m.weekday >= 0 {
		return m.hasTime || p.lenient
	}
	return p.lenient && m.hasTime
}

// openDay reads a day without a month, which a range can complete.
func (p *parser) openDay(i int) (moment, bool) {
	m := newMoment()
	m.begin = i
	if next, ok := p.weekdayAt(i, &m); ok {
		i = p.skip(next, 2, isOf)
	}
	if p.is(i, isFrom) {
		i = p.skip(i+1, 1, isOf)
	}
	day, next, ok := p.dayAt(i)
	if !ok || p.clockFollows(next) {
		return m, false
	}
	m.day, m.bare = day, true
	m.end = p.skip(next, 1)
	return m, true
}

// dashAt passes over what joins the two ends of a range.
func (p *parser) dashAt(i int) (int, bool) {
	if p.marked(i, ",).") {
		i++
	}
	if t := p.tok(i); t == nil || t.lines > 1 && !p.lenient {
		return i, false
	}
	if p.mark(i) != '-' && !p.isAny(i, isTo, isUntil) {
		return i, false
	}
	i++
	for n := 0; n < 2 && p.isAny(i, isOf, isTo, isUntil); n++ {
		i++
	}
	return i, true
}

// secondDate reads the end of a range that begins with first.
func (p *parser) secondDate(first *moment) (Date, int, bool) {
	at, ok := p.dashAt(first.end)
	if !ok || first.span && !p.lenient { // in running text what stands behind an age is another date
		return Date{}, 0, false
	}
	second, ok := p.collect(at)
	if !ok || second.rule != "" {
		return Date{}, 0, false
	}
	if first.rule != "" {
		return p.untilDate(first, &second)
	}
	if !second.hasDate() || first.hasDate() && first.hasEnd {
		return Date{}, 0, false
	}
	if first.bare && second.lastDay > 0 {
		return Date{}, 0, false
	}
	p.inherit(first, &second)
	if !first.hasDate() {
		return Date{}, 0, false
	}
	return p.join(first, &second)
}

// inherit completes each end by the other: month and year are often written once.
func (p *parser) inherit(first, second *moment) {
	if second.month > 0 && first.month == 0 && first.day > 0 {
		first.month, first.jalali = second.month, second.jalali
		if first.day > second.day && second.month > 1 && first.year == 0 {
			first.month--
		}
	}
	inheritYear(first, second)
	settled := !second.swappable && second.day > 12
	if first.numeric && second.numeric && first.swappable && settled {
		p.sameOrder(first, second)
	}
}

// inheritYear gives the end without a year that of the other, across the turn of
// the year.
func inheritYear(first, second *moment) {
	if first.year == 0 && second.year > 0 && first.month > 0 {
		first.year, first.shortYear = second.year, second.shortYear
		if first.month > second.month && !first.shortYear {
			first.year--
		}
	}
	if second.year == 0 && first.year > 0 {
		second.year, second.shortYear = first.year, first.shortYear
		if second.month < first.month && !first.shortYear {
			second.year++
		}
	}
}

// sameOrder: one end that can be read in one way only settles the other.
func (p *parser) sameOrder(first, second *moment) {
	sameYear := first.year == second.year && first.shortYear == second.shortYear
	if sameYear && first.month > second.month && first.day <= 12 {
		first.month, first.day = first.day, first.month
	}
	first.swappable, first.undecided = false, false
}

func (p *parser) join(first, second *moment) (Date, int, bool) {
	start, ok := p.resolve(first)
	if !ok {
		return Date{}, 0, false
	}
	if second.year == 0 && !second.relative {
		second.year = yearAfter(start.Start, first, second)
	}
	end, ok := p.resolve(second)
	if !ok || end.Start.Before(start.Start) && !sameDay(end.Start, start.Start) {
		return Date{}, 0, false
	}
	start.End, start.EndTime = end.Start, end.TimeKnown
	if second.hasEnd { // "12 May – 14 May, 10:00–18:00"
		start.End, start.EndTime = end.End, true
	}
	if !start.TimeKnown && end.TimeKnown && second.hasTime && second.hasEnd {
		day := start.Start
		start.Start = time.Date(day.Year(), day.Month(), day.Day(), second.hour, second.minute, 0, 0, day.Location())
		start.TimeKnown = true
	}
	if end.ZoneKnown && !start.ZoneKnown {
		start.ZoneKnown = true
		start.Start = inZone(start.Start, end.Start.Location())
	}
	start.Confidence = min(start.Confidence, end.Confidence)
	return start, second.end, true
}

// yearAfter is the year of the second end of a range whose first is on a day.
func yearAfter(start time.Time, first, second *moment) int {
	year := start.Year()
	if second.jalali {
		year = toJalaliYear(start)
	}
	if second.month < first.month {
		year++
	}
	return year
}

// inZone keeps the wall time and changes the zone.
func inZone(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// untilDate closes a recurrence: "Fridays until 3 June".
func (p *parser) untilDate(first, second *moment) (Date, int, bool) {
	if !second.hasDate() {
		return Date{}, 0, false
	}
	start, ok := p.resolve(first)
	if !ok {
		return Date{}, 0, false
	}
	end, ok := p.resolve(second)
	if !ok || end.Start.Before(start.Start) {
		return Date{}, 0, false
	}
	start.Recurrence += ";UNTIL=" + end.Start.Format("20060102")
	return start, second.end, true
}
