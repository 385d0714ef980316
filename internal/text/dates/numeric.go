package dates

// numericAt reads dates of numbers: ISO, "24/04/26", "24.4.", "20260424".
func (p *parser) numericAt(i int, m *moment) (int, bool) {
	a, ad, ok := p.number(i)
	if !ok || m.month > 0 || p.unfit(i) {
		return i, false
	}
	if ad == 8 && !p.adjoined(i, i) {
		return p.compact(i, a, m)
	}
	if next, ok := p.weekDate(i, m); ok {
		return next, true
	}
	sep, at := p.separator(i + 1)
	if sep == 0 || ad > 4 || ad == 3 {
		return i, false
	}
	b, bd, ok := p.number(at)
	if !ok || bd > 2 {
		return i, false
	}
	sep2, at2 := p.separator(at + 1)
	if c, cd, ok := p.number(at2); ok && sep2 == sep && cd != 3 && cd <= 8 && !(cd <= 2 && p.clockFollows(at2+1)) {
		return p.threeNumbers(i, at2, sep, [3]int{a, b, c}, [3]int{ad, bd, cd}, m)
	}
	return p.twoNumbers(i, at, sep, a, b, ad, bd, m)
}

// unfit tells numbers that belong to something else: "#12", "$5", "v1", "1-800".
func (p *parser) unfit(i int) bool {
	if !p.glued(i) {
		return false
	}
	switch p.mark(i - 1) {
	case '#', '$', '€', '£', '=', '+', '%', '_', '\\', '*':
		return true
	case '.', '/', ':':
		return p.glued(i-1) && p.tok(i-2) != nil && (p.tok(i-2).kind == tokenNumber || p.mark(i-1) == '/' && !p.lenient)
	case '-':
		return p.glued(i-1) && p.tok(i-2) != nil && !p.tok(i-1).wide && p.tok(i-2).kind == tokenNumber
	}
	if t := p.tok(i - 1); t.kind == tokenWord && t.end-t.begin == 1 && !p.lenient && !p.isT(i-1) {
		return true
	}
	return false
}

// separator reads the mark between the numbers of a date, with spaces around dots.
func (p *parser) separator(i int) (rune, int) {
	m := p.mark(i)
	switch m {
	case '.', '/', '-':
	default:
		return 0, i
	}
	if p.tok(i).wide {
		return 0, i
	}
	if m != '.' && !p.lenient && (!p.glued(i) || !p.glued(i+1)) {
		return 0, i
	}
	if m == '-' && p.glued(i) != p.glued(i+1) {
		return 0, i
	}
	return m, i + 1
}

// adjoined tells that the numbers from i to j go on in a longer run such as a
// phone number, an address or a version.
func (p *parser) adjoined(i, j int) bool {
	if m := p.mark(j + 1); (m == '.' || m == '/' || m == '-') && p.glued(j+1) && p.glued(j+2) {
		if t := p.tok(j + 2); t != nil && t.kind == tokenNumber && !p.tok(j+1).wide {
			if _, _, ok := p.clockNumbers(j + 2); !ok || m != '-' {
				return true
			}
		}
	}
	if t := p.tok(j + 1); t != nil && p.glued(j+1) && t.kind == tokenMark && t.mark == '%' {
		return true
	}
	return false
}

func (p *parser) compact(i, n int, m *moment) (int, bool) {
	y, mo, d := n/10000, n/100%100, n%100
	if y < 1900 || y > 2099 || !validDay(y, mo, d) {
		return i, false
	}
	m.year, m.month, m.day, m.numeric = y, mo, d, true
	return i + 1, true
}

// weekDate reads ISO weeks: 2026-W17-5.
func (p *parser) weekDate(i int, m *moment) (int, bool) {
	y, yd, _ := p.number(i)
	t := p.tok(i + 2)
	if yd != 4 || p.mark(i+1) != '-' || t == nil || p.text[t.begin:t.end] != "W" {
		return i, false
	}
	week, wd, ok := p.number(i + 3)
	day, dd, ok2 := p.number(i + 5)
	if !ok || wd != 2 || week < 1 || week > 53 {
		return i, false
	}
	next := i + 6
	if p.mark(i+4) != '-' || !ok2 || dd != 1 || day < 1 || day > 7 {
		day, next = 1, i+4
	}
	date := isoWeek(y, week, day)
	m.year, m.month, m.day, m.numeric = date.Year(), int(date.Month()), date.Day(), true
	return next, true
}

func (p *parser) threeNumbers(i, last int, sep rune, n, digits [3]int, m *moment) (int, bool) {
	next := last + 1
	if p.adjoined(i, last) {
		return i, false
	}
	if p.mark(next) == '.' && sep == '.' && p.glued(next) {
		next++
	}
	m.numeric = true
	if digits[0] == 4 {
		if digits[2] > 2 || digits[2] == 0 {
			return i, false
		}
		m.year, m.month, m.day = n[0], n[1], n[2]
		p.calendarYear(m)
		return next, p.possible(m)
	}
	if digits[2] != 4 && digits[2] != 2 || digits[0] > 2 || !p.lenient && digits[2] == 2 && sep == '-' {
		return i, false
	}
	m.year, m.shortYear = n[2], digits[2] == 2
	if m.shortYear && n[0] > 31 {
		m.year, m.month, m.day = n[0], n[1], n[2]
		return next, p.possible(m)
	}
	if !p.dayMonth(n[0], n[1], sep, m) {
		return i, false
	}
	p.calendarYear(m)
	return next, p.possible(m)
}

// twoNumbers reads "24.4." and "24/04". In running text most such pairs are
// fractions, scores and versions: there only a weekday before or a time after
// makes it a date, or the closing dot of "24.4.".
func (p *parser) twoNumbers(i, last int, sep rune, a, b, ad, bd int, m *moment) (int, bool) {
	next := last + 1
	closing := sep == '.' && p.mark(next) == '.' && p.glued(next) && p.glued(last)
	if _, named := p.monthSoon(next); named || p.is(next, isUnit) && !p.is(next, isWeekday) || ad > 2 || a == 0 || b == 0 || p.adjoined(i, last) || sep == '-' && !p.lenient {
		return i, false
	}
	if closing {
		next++
	}
	sure := m.weekday >= 0 || closing && p.dotted() && a <= 31 && b <= 12 || p.lenient || sep == '/' && p.timeFollows(next)
	if !sure || m.hasTime && m.weekday < 0 && !p.lenient {
		return i, false
	}
	if sep == '.' && !closing && (p.is(next, isClock) || p.is(next, isAM) || p.is(next, isPM) || p.is(i-1, isAt) && m.hasDate()) {
		return i, false
	}
	if sep == '.' && bd == 2 && b > 12 { // a time: "19.30"
		return i, false
	}
	m.numeric = true
	if !p.dayMonth(a, b, sep, m) {
		return i, false
	}
	return next, p.possible(m)
}

// dotted tells languages that write "24.4."; an unknown language may be one.
func (p *parser) dotted() bool { return p.lang&dictionary().codes["en"] == 0 }

// dayMonth decides which of two numbers is the day.
func (p *parser) dayMonth(a, b int, sep rune, m *moment) bool {
	order := p.o.Order
	switch {
	case a > 12 && b >= 1 && b <= 12:
		order = DayFirst
	case b > 12 && a >= 1 && a <= 12:
		order = MonthFirst
	case a > 12 || b > 12:
		return false
	case a != b:
		m.swappable = true
		if order == OrderUnknown {
			order = p.orderByLanguage(sep, m)
		}
	}
	if order == MonthFirst {
		m.month, m.day = a, b
	} else {
		m.month, m.day = b, a
	}
	return m.month >= 1 && m.month <= 12 && m.day >= 1 && m.day <= 31
}

// orderByLanguage: dots are European; English with slashes is mostly American,
// but that is a guess.
func (p *parser) orderByLanguage(sep rune, m *moment) Order {
	switch {
	case sep == '.':
		return DayFirst
	case p.lang == 0 || p.lang == dictionary().codes["en"]:
		m.undecided = true
		return MonthFirst
	}
	return DayFirst
}

// possible checks the day against the month; without a year February has 29.
func (p *parser) possible(m *moment) bool {
	y := m.year
	if m.shortYear {
		y = fullYear(y, p.o)
	}
	if y == 0 {
		y = 2000
	}
	if m.jalali {
		return m.month >= 1 && m.month <= 12 && m.day >= 1 && m.day <= 31
	}
	if !p.lenient && m.year > 0 && !m.shortYear && (y < 1900 || y > 2100) {
		return false
	}
	return validDay(y, m.month, m.day)
}

// calendarYear tells the Persian and the Buddhist calendar by the size of the year.
func (p *parser) calendarYear(m *moment) {
	codes := dictionary().codes
	switch {
	case m.year >= 1300 && m.year <= 1500 && (p.lang == codes["fa"] && p.lang != 0):
		m.jalali = true
	case m.year >= 2400 && m.year <= 2700 && (m.buddhist || p.lang&codes["th"] != 0 || p.pref == codes["th"]):
		m.year -= 543
	}
}
