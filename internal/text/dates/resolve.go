package dates

import "time"

// resolve makes a date of a moment, against the clock of the options.
func (p *parser) resolve(m *moment) (Date, bool) {
	day, sure, ok := p.dayOf(m)
	if !ok {
		return Date{}, false
	}
	d := Date{Confidence: sure, Recurrence: m.rule, Relative: m.countedFromNow()}
	zone := m.zone
	if zone == nil {
		zone = p.o.Zone
	}
	d.ZoneKnown = zone != nil
	if zone == nil {
		zone = time.UTC
	}
	if m.relative && m.exact && !m.hasTime {
		d.Start, d.TimeKnown = m.base, true
		return d, true
	}
	d.Start = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
	if m.hasTime {
		d.TimeKnown = true
		d.Start = time.Date(day.Year(), day.Month(), day.Day(), m.hour, m.minute, m.second, m.nanos, zone)
	}
	p.resolveEnd(m, &d, day, zone)
	return d, d.Start.Year() > 0 && d.Start.Year() < 10000
}

// countedFromNow says what of a moment is counted from the clock of the options.
func (m *moment) countedFromNow() Relative {
	switch {
	case !m.relative:
		return Absolute
	case m.span && !m.hasTime:
		return RelativeMoment
	}
	return RelativeDay
}

// resolveEnd sets the end that one moment has itself: a last day, a last hour,
// the rest of a month.
func (p *parser) resolveEnd(m *moment, d *Date, day time.Time, zone *time.Location) {
	last := day
	if m.lastDay > m.day {
		last = day.AddDate(0, 0, m.lastDay-m.day)
		d.End = time.Date(last.Year(), last.Month(), last.Day(), 0, 0, 0, 0, zone)
	}
	if m.month > 0 && m.day == 0 && !m.relative {
		last = day.AddDate(0, 1, -1)
		d.End = time.Date(last.Year(), last.Month(), last.Day(), 0, 0, 0, 0, zone)
	}
	if m.hasEnd {
		d.EndTime = true
		d.End = time.Date(last.Year(), last.Month(), last.Day(), m.endHour, m.endMin, 0, 0, zone)
		if !d.End.After(d.Start) { // past midnight
			d.End = d.End.AddDate(0, 0, 1)
		}
	}
}

// dayOf finds the day and how sure it is.
func (p *parser) dayOf(m *moment) (time.Time, float64, bool) {
	switch {
	case m.relative:
		return m.base, 0.85, true
	case m.rule != "" && m.month == 0:
		return p.firstOccurrence(m)
	case m.month > 0:
		return p.calendarDay(m)
	case m.day > 0 || p.o.Now.IsZero():
		return time.Time{}, 0, false
	case m.weekday >= 0:
		return p.nearWeekday(m)
	case m.hasTime && p.lenient:
		return p.now(), 0.4, true
	}
	return time.Time{}, 0, false
}

// now is the clock of the options as wall time.
func (p *parser) now() time.Time {
	n := p.o.Now
	if p.o.Zone != nil {
		n = n.In(p.o.Zone)
	}
	return n
}

func (p *parser) today() time.Time {
	n := p.now()
	return time.Date(n.Year(), n.Month(), n.Day(), 0, 0, 0, 0, time.UTC)
}

// nearWeekday resolves a weekday without a date to the next one, or to the
// last one where the past is preferred; today counts for both.
func (p *parser) nearWeekday(m *moment) (time.Time, float64, bool) {
	today := p.today()
	ahead := (m.weekday - int(today.Weekday()) + 7) % 7
	if p.o.Past && ahead > 0 {
		ahead -= 7
	}
	return today.AddDate(0, 0, ahead), 0.6, true
}

func (p *parser) calendarDay(m *moment) (time.Time, float64, bool) {
	sure := 0.97
	if m.numeric {
		sure = 0.92
	}
	switch {
	case m.undecided:
		sure = 0.5
	case m.swappable:
		sure = 0.8
	}
	day := m.day
	if day == 0 {
		day, sure = 1, 0.6
	}
	year := m.year
	switch {
	case m.year == 0:
		y, s, ok := p.chooseYear(m, day)
		if !ok {
			return time.Time{}, 0, false
		}
		year, sure = y, min(sure, s)
	case m.shortYear:
		year = fullYear(m.year, p.o)
		sure -= 0.1
	}
	date, ok := p.civil(m, year, day)
	if !ok {
		return date, 0, false
	}
	if m.weekday >= 0 {
		if int(date.Weekday()) == m.weekday {
			sure = min(1, sure+0.03)
		} else {
			sure -= 0.3
		}
	}
	return date, max(sure, 0.1), true
}

// civil converts to the civil calendar.
func (p *parser) civil(m *moment, year, day int) (time.Time, bool) {
	if m.jalali {
		return fromJalali(year, m.month, day), year > 0
	}
	if !validDay(year, m.month, day) {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(m.month), day, 0, 0, 0, 0, time.UTC), true
}

// recent is how long a date without a year may lie on the other side of now
// before the next or previous year is meant: an event list keeps showing what
// has just passed.
const recent = 45 * 24 * time.Hour

// chooseYear finds the year of a date that has none: the one of a heading, else
// the nearest that fits the weekday, else the nearest on the preferred side.
func (p *parser) chooseYear(m *moment, day int) (int, float64, bool) {
	if p.o.Now.IsZero() && p.o.Year == 0 {
		return 0, 0, false
	}
	this := p.o.Year
	if this == 0 {
		this = p.today().Year()
		if m.jalali {
			this = toJalaliYear(p.today())
		}
	}
	years, sure := []int{this, this + 1, this - 1}, 0.75
	if p.o.Year == 0 {
		years = p.yearsBySide(m, this, day)
	} else {
		sure = 0.85
	}
	if m.weekday >= 0 {
		for _, y := range years {
			if date, ok := p.civil(m, y, day); ok && int(date.Weekday()) == m.weekday {
				return y, 0.93, true
			}
		}
	}
	for _, y := range append(years, this+2, this-2, this+3, this-3, this+4, this-4) {
		if _, ok := p.civil(m, y, day); ok {
			return y, sure, true
		}
	}
	return 0, 0, false
}

// yearsBySide puts the years around now in the order of preference.
func (p *parser) yearsBySide(m *moment, this, day int) []int {
	today := p.today()
	date, ok := p.civil(m, this, min(day, 28))
	if !ok {
		return []int{this}
	}
	gap := date.Sub(today)
	if p.o.Past {
		if gap > 7*24*time.Hour {
			return []int{this - 1, this, this - 2}
		}
		return []int{this, this - 1, this + 1}
	}
	switch {
	case gap < -recent:
		return []int{this + 1, this, this - 1}
	case gap > 365*24*time.Hour-recent:
		return []int{this - 1, this, this + 1}
	}
	return []int{this, this + 1, this - 1}
}
