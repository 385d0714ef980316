package dates

import (
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
)

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
	d := numbers{begin: i, last: at, mark: sep, n: [3]int{a, b}, digits: [3]int{ad, bd}}
	if next, c, cd := p.thirdNumber(at+1, sep); next > 0 {
		d.last, d.n[2], d.digits[2] = next, c, cd
		return p.threeNumbers(d, m)
	}
	return p.twoNumbers(d, m)
}

// thirdNumber reads a mark and the number that ends a date; an hour is none.
func (p *parser) thirdNumber(i int, mark rune) (at, n, digits int) {
	sep, at := p.separator(i)
	n, digits, ok := p.number(at)
	if !ok || sep != mark || digits == 3 || digits > 8 {
		return 0, 0, 0
	}
	if digits <= 2 && (p.clockFollows(at+1) || p.hoursAt(at)) {
		return 0, 0, 0
	}
	return at, n, digits
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
		path := p.mark(i-1) == '/' && !p.lenient
		return p.glued(i-1) && p.tok(i-2) != nil && (path || p.tok(i-2).kind == tokenNumber)
	case '-':
		return p.glued(i-1) && !p.tok(i-1).wide && p.isNumber(i-2)
	}
	t := p.tok(i - 1)
	return t.kind == tokenWord && t.end-t.begin == 1 && !p.lenient && !p.isT(i-1)
}

// isNumber tells that the token at i is a number, of however many digits.
func (p *parser) isNumber(i int) bool {
	t := p.tok(i)
	return t != nil && t.kind == tokenNumber
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
	if p.marked(j+1, "./-") && p.tight(j+1) && p.isNumber(j+2) && !p.tok(j+1).wide {
		if _, ok := p.clockNumbers(j + 2); !ok || p.mark(j+1) != '-' {
			return true
		}
	}
	return p.mark(j+1) == '%' && p.glued(j+1)
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
	if !ok || wd != 2 || week < 1 || week > 53 {
		return i, false
	}
	day, dd, ok := p.number(i + 5)
	written := ok && dd == 1 && day >= 1 && day <= 7
	next := i + 6
	if p.mark(i+4) != '-' || !written {
		day, next = 1, i+4
	}
	date := isoWeek(y, week, day)
	m.year, m.month, m.day, m.numeric = date.Year(), int(date.Month()), date.Day(), true
	return next, true
}

func (p *parser) threeNumbers(d numbers, m *moment) (int, bool) {
	if p.adjoined(d.begin, d.last) {
		return d.begin, false
	}
	next := d.last + 1
	if d.mark == '.' {
		next = p.passDot(next)
	}
	m.numeric = true
	if d.digits[0] == 4 {
		if d.digits[2] > 2 || d.digits[2] == 0 {
			return d.begin, false
		}
		m.year, m.month, m.day = d.n[0], d.n[1], d.n[2]
		p.calendarYear(m)
		return next, p.possible(m)
	}
	if d.digits[0] > 2 || !p.endsInYear(d) {
		return d.begin, false
	}
	m.year, m.shortYear = d.n[2], d.digits[2] == 2
	if m.shortYear && d.n[0] > 31 {
		m.year, m.month, m.day = d.n[0], d.n[1], d.n[2]
		return next, p.possible(m)
	}
	if !p.dayMonth(d, m) {
		return d.begin, false
	}
	p.calendarYear(m)
	return next, p.possible(m)
}

// endsInYear tells that the third number has the digits of a year; two between dashes
// are none in running text.
func (p *parser) endsInYear(d numbers) bool {
	return d.digits[2] == 4 || d.digits[2] == 2 && (p.lenient || d.mark != '-')
}

// twoNumbers reads "24.4." and "24/04". In running text most such pairs are
// fractions, scores and versions: there only a weekday before or a time after
// makes it a date, or the closing dot of "24.4.".
func (p *parser) twoNumbers(d numbers, m *moment) (int, bool) {
	if !p.pairFits(d) {
		return d.begin, false
	}
	next := d.last + 1
	closing := d.mark == '.' && p.glued(d.last) && p.passDot(next) > next
	if closing {
		next++
	}
	if !p.surePair(d, m, closing) || d.mark == '.' && p.pairIsTime(d, m, closing) {
		return d.begin, false
	}
	read := *m
	read.numeric = true
	if !p.dayMonth(d, &read) || p.hoursOfWeekday(d, &read) {
		return d.begin, false
	}
	*m = read
	return next, p.possible(m)
}

// hoursOfWeekday tells the hours of "Mon 10-12" from "Thu 10-12", a day: in a language that
// says which number is the month, that day is near today and of the weekday.
func (p *parser) hoursOfWeekday(d numbers, m *moment) bool {
	if d.mark != '-' || d.n[0] >= d.n[1] || d.n[1] > 24 || p.o.Now.IsZero() {
		return false
	}
	if m.weekday < 0 { // the weekday before it may have been passed over
		return p.is(d.begin-1, isWeekday) || p.marked(d.begin-1, ".,:") && p.is(d.begin-2, isWeekday)
	}
	for year := p.o.Now.Year() - 1; year <= p.o.Now.Year()+1 && !m.undecided; year++ {
		day, ok := p.civil(m, year, m.day)
		if away := day.Sub(p.o.Now).Abs(); ok && int(day.Weekday()) == m.weekday && away < halfYear {
			return false
		}
	}
	return true
}

const halfYear = 183 * 24 * time.Hour

// pairFits tells that nothing around two numbers makes them something else than day
// and month.
func (p *parser) pairFits(d numbers) bool {
	next := d.last + 1
	if p.monthSoon(next) || p.is(next, isUnit) && !p.is(next, isWeekday) {
		return false
	}
	if d.digits[0] > 2 || d.n[0] == 0 || d.n[1] == 0 {
		return false
	}
	return !p.adjoined(d.begin, d.last) && (d.mark != '-' || p.lenient) && (d.mark != '.' || !p.measured(d))
}

// measured tells two numbers with a dot that are a rating, a version or an amount of something:
// "★ 4.7", "v1.2", "4.7 km".
func (p *parser) measured(d numbers) bool {
	before, next := d.begin-1, d.last+1
	if p.marked(before, stars) || p.marked(next, stars) {
		return true
	}
	if p.mark(before) == ':' {
		before--
	}
	if t := p.tok(before); t != nil && t.kind == tokenWord {
		switch word := strings.ToLower(p.text[t.begin:t.end]); {
		case word == "v" && p.glued(before+1), word == "ver", strings.HasPrefix(word, "version"), word == "release":
			return true
		}
	}
	t := p.tok(next)
	return t != nil && t.kind == tokenWord && unitsOfMeasure[p.text[t.begin:t.end]]
}

const stars = "★☆⭐✩✪✭✮✯🌟"

// unitsOfMeasure are signs of units; those of time are words of dates.
var unitsOfMeasure = text.Set("km m cm mm mi ft kg g mg lb lbs oz l ml cl MB GB TB kB KB W kW kWh MW " +
	"V A Hz kHz MHz GHz MP Mbit Gbit dB PS hp ha Zoll inch")

// surePair tells that something beside two numbers makes them a date.
func (p *parser) surePair(d numbers, m *moment, closing bool) bool {
	if p.lenient || m.weekday >= 0 {
		return true
	}
	if m.hasTime {
		return false
	}
	if closing && p.dotted() && d.n[0] <= 31 && d.n[1] <= 12 {
		return true
	}
	return d.mark == '/' && p.timeFollows(d.last+1)
}

// pairIsTime tells two numbers with a dot that are a time: "19.30", "8.15 Uhr".
func (p *parser) pairIsTime(d numbers, m *moment, closing bool) bool {
	if d.digits[1] == 2 && d.n[1] > 12 {
		return true
	}
	announced := p.is(d.begin-1, isAt) && m.hasDate()
	return !closing && (announced || p.isAny(d.last+1, isClock, isAM, isPM))
}

// dotted tells languages that write "24.4."; an unknown language may be one.
func (p *parser) dotted() bool { return p.lang&dictionary().codes["en"] == 0 }

// dayMonth decides which of two numbers is the day.
func (p *parser) dayMonth(d numbers, m *moment) bool {
	a, b := d.n[0], d.n[1]
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
			order = p.orderByLanguage(d.mark, m)
		}
	}
	if order == MonthFirst {
		m.month, m.day = a, b
	} else {
		m.month, m.day = b, a
	}
	return m.month >= 1 && m.month <= 12 && m.day >= 1 && m.day <= 31
}

// orderByLanguage: dots are European; English with slashes is mostly American unless its
// region is known, but that is a guess.
func (p *parser) orderByLanguage(sep rune, m *moment) Order {
	if sep == '.' {
		return DayFirst
	}
	m.undecided = p.lang == 0 || p.lang == dictionary().codes["en"]
	return orderByRegion(p.o.Lang, "")
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
	written := m.year > 0 && !m.shortYear
	if written && !p.lenient && !yearOfText(y) {
		return false
	}
	return validDay(y, m.month, m.day)
}

// calendarYear tells the Persian and the Buddhist calendar by the size of the year.
func (p *parser) calendarYear(m *moment) {
	codes := dictionary().codes
	thai := m.buddhist || p.lang&codes["th"] != 0 || p.pref == codes["th"]
	switch {
	case m.year >= 1300 && m.year <= 1500 && p.lang == codes["fa"]:
		m.jalali = true
	case m.year >= 2400 && m.year <= 2700 && thai:
		m.year -= 543
	}
}
