package dates

import "strings"

// clock is a time of day as written.
type clock struct {
	hour, minute, second, nanos int
	half                        int  // 0 unknown, 1 before noon, 2 after
	sure                        bool // cannot be anything but a time
}

// settle puts the hour on 24 hours.
func (c *clock) settle() bool {
	switch {
	case c.half == 2 && c.hour < 12:
		c.hour += 12
	case c.half == 1 && c.hour == 12:
		c.hour = 0
	}
	if c.hour == 24 && c.minute == 0 {
		return true
	}
	return c.hour >= 0 && c.hour < 24 && c.minute < 60 && c.second <= 60
}

// halfAt reads "am", "p. m.", "nachmittags" at i, but only in the language of
// the date when the word is also something else.
func (p *parser) halfAt(i int) (half, next int) {
	switch {
	case p.is(i, isAM):
		return 1, p.passDot(i + 1)
	case p.is(i, isPM):
		return 2, p.passDot(i + 1)
	}
	return 0, i
}

// clockAt reads a time of day. bare allows a number alone ("at 8") and dots
// ("19.30"), which only the context can make a time.
func (p *parser) clockAt(i int, bare bool) (clock, int, bool) {
	if p.is(i, isNoon) && !(p.is(i, isDay) && p.is(i, isLabel)) {
		return clock{hour: 12, sure: true}, i + 1, true
	}
	if p.is(i, isMidnight) {
		return clock{sure: true}, i + 1, true
	}
	c, j := clock{}, i
	if half, next := p.halfAt(j); half > 0 {
		if _, _, ok := p.number(next); ok { // "午後7時", "de. 10"
			c.half, j = half, next
		}
	}
	if !p.hourAt(j) {
		return p.militaryAt(i)
	}
	j, ok := p.digitsAt(j, &c, bare || c.half > 0)
	if !ok {
		return c, i, false
	}
	j = p.clockWords(j, &c)
	if !c.sure && !bare {
		return c, i, false
	}
	return c, j, c.settle()
}

// hourAt tells a number that can be an hour.
func (p *parser) hourAt(i int) bool {
	h, digits, ok := p.number(i)
	return ok && digits <= 2 && h <= 24 && (p.mark(i-1) == '-' || !p.unfit(i))
}

// clockWords reads what makes a number a time: "pm", "Uhr", "Uhr abends".
func (p *parser) clockWords(i int, c *clock) int {
	if half, next := p.halfAt(i); half > 0 && c.half == 0 && c.hour <= 12 && p.toks[i].lines < 2 {
		c.half, i = half, next
	}
	if c.half == 0 && p.is(i, isClock) && !p.is(i, isMonth) && p.toks[i].lines == 0 {
		i++
		c.sure = true
		if half, next := p.halfAt(i); half > 0 && c.hour <= 12 {
			c.half, i = half, next
		}
	}
	c.sure = c.sure || c.half > 0
	return i
}

// militaryAt reads "1930 hrs".
func (p *parser) militaryAt(i int) (clock, int, bool) {
	n, digits, _ := p.number(i)
	_, _, hours := p.number(i + 2) // "2026 ore 19:30" is a year
	asClock := p.is(i+1, isClock) && !p.is(i+1, isOf) && !(hours && p.is(i+1, isAt))
	if !asClock || digits != 4 && digits != 3 {
		return clock{}, i, false
	}
	if p.unfit(i) || p.toks[i+1].end-p.toks[i+1].begin <= 2 {
		return clock{}, i, false
	}
	c := clock{hour: n / 100, minute: n % 100, sure: true}
	return c, i + 2, c.settle() && c.minute < 60
}

// clockNumbers reads the minutes of "19:30" alone.
func (p *parser) clockNumbers(i int) (m int, ok bool) {
	h, hd, ok1 := p.number(i)
	m, md, ok2 := p.number(i + 2)
	if !ok1 || !ok2 || hd > 2 || md != 2 {
		return 0, false
	}
	if p.mark(i+1) != ':' || !p.tight(i+1) {
		return 0, false
	}
	return m, h < 25 && m < 60
}

// digitsAt reads the hour and what follows: ":30:15.5", "h30", "時30分", ".30".
func (p *parser) digitsAt(j int, c *clock, bare bool) (int, bool) {
	c.hour, _, _ = p.number(j)
	j++
	if m, ok := p.clockNumbers(j - 1); ok {
		if p.numbered(j + 2) {
			return j, false
		}
		c.minute, c.sure = m, true
		return p.secondsAt(j+2, c), true
	}
	if p.mark(j) == ':' && p.glued(j) {
		if _, _, score := p.number(j + 1); score {
			return j, false
		}
		if p.isAny(j+1, isAM, isPM) { // "6:pm"
			j++
		}
	}
	if p.is(j, isHourMark) || p.is(j, isClock) && p.minutesFollow(j) {
		return p.markedMinutes(j, c), true
	}
	if p.mark(j) == '.' && p.tight(j) {
		return p.dottedMinutes(j, c, bare)
	}
	return j, bare || p.hourWord(j, c.hour)
}

// numbered sees the rest of a file number such as "1:14-cv-00393" after what could be its
// time: a word and a number, all of them joined by dashes.
func (p *parser) numbered(i int) bool {
	dash := func(i int) bool { return p.mark(i) == '-' && p.tight(i) }
	word := p.tok(i + 1)
	if !dash(i) || word == nil || word.kind != tokenWord || !dash(i+2) {
		return false
	}
	_, _, ok := p.number(i + 3)
	return ok
}

// hourWord tells that a word makes the hour before it a time: "8 pm", "19 Uhr".
func (p *parser) hourWord(i, hour int) bool {
	if hour > 0 && hour <= 12 && p.isAny(i, isAM, isPM) {
		return true
	}
	return p.is(i, isClock) && (p.glued(i) || hour > 0)
}

// dottedMinutes reads the minutes of "19.30" at the dot; something else must make it a
// time, and no further number may follow.
func (p *parser) dottedMinutes(j int, c *clock, bare bool) (int, bool) {
	m, md, ok := p.number(j + 1)
	next := j + 2
	if !ok || md != 2 || m > 59 {
		return j, false
	}
	if _, _, more := p.number(next + 1); more && p.mark(next) == '.' && p.tight(next) {
		return j, false
	}
	if !bare && !p.isAny(next, isAM, isPM, isClock) && !p.dotRange(next) {
		return j, false
	}
	c.minute = m
	return next, true
}

// dotRange sees "19.00–21.00 Uhr" at the dash.
func (p *parser) dotRange(i int) bool {
	if p.mark(i) != '-' && !p.is(i, isTo) || p.mark(i+2) != '.' {
		return false
	}
	_, digits, ok := p.number(i + 3)
	half, _ := p.halfAt(i + 4)
	return ok && digits == 2 && (p.is(i+4, isClock) || half > 0)
}

// minutesFollow sees the minutes of "19h30" and "19 Uhr 30".
func (p *parser) minutesFollow(j int) bool {
	m, digits, ok := p.number(j + 1)
	if !ok || digits != 2 || m > 59 {
		return false
	}
	if p.tight(j) || p.is(j+2, isMinuteMark) {
		return true
	}
	return p.lenient && !p.clockFollows(j+2) && p.mark(j+2) == 0 || p.spacedMinutes(j)
}

// spacedMinutes sees the minutes of "16 h 15", as French is set in print; not the day
// of "16 h 15 mai" or "16 h 15/5".
func (p *parser) spacedMinutes(j int) bool {
	t, after := p.tok(j), p.tok(j+2)
	letter := t.end-t.begin == 1 && p.text[t.begin]|0x20 == 'h'
	if !letter || p.glued(j) || p.toks[j+1].lines > 0 {
		return false
	}
	if after == nil || after.lines > 0 {
		return true
	}
	if after.kind == tokenMark {
		_, _, number := p.number(j + 3)
		return strings.ContainsRune(",;)-–—", after.mark) || !number && strings.ContainsRune(".:", after.mark)
	}
	return !p.clockFollows(j+2) && after.kinds&(1<<isMonth|1<<isUnit|1<<isDayMark) == 0
}

func (p *parser) markedMinutes(j int, c *clock) int {
	c.sure = true
	j++
	m, digits, ok := p.number(j)
	if !ok || digits > 2 || m > 59 {
		return j
	}
	if !p.is(j+1, isMinuteMark) && (p.clockFollows(j+1) || digits != 2 && !p.glued(j)) {
		return j
	}
	c.minute = m
	j++
	if p.is(j, isMinuteMark) {
		j++
	}
	if s, digits, ok := p.number(j); ok && digits <= 2 && s < 60 && p.is(j+1, isSecondMark) {
		c.second = s
		j += 2
	}
	return j
}

// secondsAt reads ":15" and ":15.25" after the minutes.
func (p *parser) secondsAt(j int, c *clock) int {
	s, digits, ok := p.number(j + 1)
	if p.mark(j) != ':' || !p.tight(j) {
		return j
	}
	if !ok || digits != 2 || s > 60 {
		return j
	}
	c.second = s
	j += 2
	if f, fd, ok := p.number(j + 1); ok && fd <= 9 && p.marked(j, ".,") && p.tight(j) {
		for ; fd < 9; fd++ {
			f *= 10
		}
		c.nanos = f
		j += 2
	}
	return j
}

// timeFollows sees a sure time close after i.
func (p *parser) timeFollows(i int) bool {
	for n := 0; n < 3; n++ {
		m := newMoment()
		if _, ok := p.timeAt(i, &m, false); ok {
			return true
		}
		if !p.marked(i, ",|@-") && !p.is(i, isAt) {
			return false
		}
		i++
	}
	return false
}

// timeAt reads a time and its end: "7:30–9pm", "from 8 to 10 pm", "19 Uhr CET".
func (p *parser) timeAt(i int, m *moment, bare bool) (int, bool) {
	if m.hasTime {
		return i, false
	}
	start, next, ok := p.clockAt(i, bare)
	if !ok {
		return p.timesAt(i, m)
	}
	next = p.setTime(m, start, next)
	end, after, ok := p.clockEnd(next, true)
	later := end.hour > start.hour && p.hourly(after-1) // "ore 9 – 18", not "at 7 - 20 people"
	if ok && (end.sure || (start.sure || later) && p.plainHour(after)) {
		return p.setRange(m, start, end, after), true
	}
	return next, true
}

// timesAt reads "7–9 pm": the first number alone is no time, with the second it is.
func (p *parser) timesAt(i int, m *moment) (int, bool) {
	start, next, ok := p.clockAt(i, true)
	if !ok {
		return i, false
	}
	end, after, ok := p.clockEnd(next, false)
	if !ok || !end.sure || p.mark(i-1) == '-' {
		return i, false
	}
	if end.half == 0 && !p.is(after-1, isClock) && !p.is(i-1, isFrom) {
		return i, false
	}
	return p.setRange(m, start, end, after), true
}

// hoursAt sees two hours, of which what follows the second makes both a time: "10–16 Uhr".
func (p *parser) hoursAt(i int) bool {
	var m moment
	_, ok := p.timesAt(i, &m)
	return ok
}

// plainHour makes sure that "19:00 - 21" is not the beginning of "21 May" or "21/5".
func (p *parser) plainHour(after int) bool {
	if p.marked(after, "/-°") || p.mark(after) == '.' && p.glued(after+1) {
		return false
	}
	k := p.skip(after, 2, isOf)
	return !p.isAny(k, isMonth, isUnit) && !p.is(after, isSuffix)
}

// clockEnd reads the end of a range of times.
func (p *parser) clockEnd(i int, bare bool) (clock, int, bool) {
	if p.mark(i) == '-' {
		i++
	} else if p.is(i, isTo) || p.is(i, isUntil) {
		i++
		if p.is(i, isAt) || p.is(i, isOf) {
			i++
		}
	} else {
		return clock{}, i, false
	}
	if bare {
		if _, digits, ok := p.number(i); ok && digits > 2 {
			return clock{}, i, false
		}
	}
	if c, next, ok := p.clockAt(i, false); ok {
		return c, next, true
	}
	if !bare {
		return clock{}, i, false
	}
	return p.clockAt(i, true)
}

func (p *parser) setTime(m *moment, c clock, next int) int {
	m.hasTime = true
	m.hour, m.minute, m.second, m.nanos = c.hour, c.minute, c.second, c.nanos
	if zone, after := p.zoneAt(next); zone != nil && p.zoneFits(next) {
		m.zone, next = zone, after
	}
	return next
}

// zoneFits: "19:00 -0500" is an offset, "19:00 - 21" and "19:00-21" are ranges.
func (p *parser) zoneFits(i int) bool {
	if p.mark(i) != '-' {
		return true
	}
	_, digits, _ := p.number(i + 1)
	if !p.glued(i+1) || p.tok(i).wide {
		return false
	}
	if digits == 4 {
		return true
	}
	// After seconds ("10:20:19-05:00") a dash is an offset.
	return digits == 2 && p.mark(i+2) == ':' && p.mark(i-2) == ':' && p.mark(i-4) == ':'
}

// setRange gives the first time the half of the day of the second when that
// keeps the order: "7:30–9pm" is 19:30, "11–1pm" is 11:00.
func (p *parser) setRange(m *moment, start, end clock, next int) int {
	if start.half == 0 && end.half > 0 && start.hour <= 12 {
		both := start
		both.half = end.half
		if both.settle() && both.hour*60+both.minute <= end.hour*60+end.minute {
			start = both
		}
	}
	later := end.hour > 0 && end.hour < 12 && end.hour+12 > start.hour
	if start.half == 2 && end.half == 0 && later {
		end.hour += 12
	}
	zone := m.zone
	next = p.setTime(m, start, next)
	if m.zone == nil {
		m.zone = zone
	}
	m.hasEnd, m.endHour, m.endMin = true, end.hour, end.minute
	return next
}
