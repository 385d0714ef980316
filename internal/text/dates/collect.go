package dates

import (
	"strings"
	"unicode/utf8"
)

// collect gathers weekday, date and time from i on, in any order, each at most
// once, with the usual words and marks between them.
func (p *parser) collect(i int) (moment, bool) {
	m := newMoment()
	m.begin, m.end = i, i
	j := i
	for n := 0; n < 6; n++ {
		at, afterDash, prompted := j, false, false
		if !m.empty() {
			at, afterDash, prompted = p.connect(j)
		}
		next, ok := p.component(at, &m, afterDash, prompted)
		if !ok && m.empty() && (p.is(j, isAt) || p.is(j, isFrom)) {
			next, ok = p.timeAt(j+1, &m, false)
		}
		if !ok {
			break
		}
		j, m.end = next, next
	}
	return m, !m.empty()
}

// connect passes over what may stand between the parts of one date. It tells
// whether a dash was among it, and whether it announces a time ("at", "um", "@").
func (p *parser) connect(i int) (next int, dash, prompted bool) {
	for n := 0; n < 5; n++ {
		t := p.tok(i)
		if t == nil || t.lines > 2 && !p.lenient {
			return i, dash, prompted
		}
		if next, ok := p.hanDay(i); ok {
			i = next
			continue
		}
		switch {
		case p.mark(i) == '-' && !dash:
			dash = true
		case p.announcesTime(i):
			prompted = true
		case p.separates(i):
		default:
			return i, dash, prompted
		}
		i++
	}
	return i, dash, prompted
}

// announcesTime tells what stands between a date and its time.
func (p *parser) announcesTime(i int) bool {
	switch {
	case p.mark(i) == '@':
		return true
	case p.is(i, isAt) && !p.isAny(i, isMonth, isWeekday):
		return true
	case p.links(i):
		return p.is(i, isFrom)
	}
	return p.labels(i) || p.isT(i)
}

// labels tells a word that is the label of what follows: "Time:".
func (p *parser) labels(i int) bool {
	if !p.is(i, isLabel) || p.is(i, isNoon) {
		return false
	}
	return p.mark(i+1) == ':' || p.lenient || p.toks[i].lines > 0
}

// separates tells what stands between the parts of a date and means nothing.
func (p *parser) separates(i int) bool {
	switch p.mark(i) {
	case ',', '|', '.', '(', ')', '*':
		return true
	case '/':
		return p.toks[i].space
	case ':':
		return p.isAny(i-1, isLabel, isAt) || p.toks[i].space || p.lenient
	}
	return p.links(i)
}

// links tells the small words between day, month and year: "of", "from".
func (p *parser) links(i int) bool {
	return p.isAny(i, isOf, isFrom) && !p.isAny(i, isMonth, isWeekday, isRelative)
}

// isT sees the letter between date and time of ISO 8601.
func (p *parser) isT(i int) bool {
	t := p.tok(i)
	return t.end-t.begin == 1 && (p.text[t.begin] == 'T' || p.text[t.begin] == 't') && p.glued(i) && p.glued(i+1)
}

// component reads one part of a date into m.
func (p *parser) component(i int, m *moment, afterDash, prompted bool) (int, bool) {
	if t := p.tok(i); t == nil || t.kind == tokenMark {
		return i, false
	}
	if prompted || m.hasDate() || m.rule != "" {
		if next, ok := p.timeAt(i, m, p.bareTime(i, m, prompted)); ok {
			return next, true
		}
	}
	if afterDash && m.hasDate() {
		return i, false // a range: see rangeAt
	}
	if next, ok := p.recurrenceAt(i, m); ok {
		return next, true
	}
	if next, ok := p.relativeAt(i, m); ok {
		return next, true
	}
	if next, ok := p.weekdayAt(i, m); ok {
		return next, true
	}
	if next, ok := p.calendarDateAt(i, m); ok {
		return next, true
	}
	if next, ok := p.timeAt(i, m, false); ok {
		return next, true
	}
	return p.isoTimeAt(i, m)
}

// calendarDateAt reads a date of numbers or one with the name of a month.
func (p *parser) calendarDateAt(i int, m *moment) (int, bool) {
	if m.hasDate() {
		return i, false
	}
	probe := *m
	if next, ok := p.numericAt(i, &probe); ok {
		*m = probe
		return next, true
	}
	probe = *m
	if next, ok := p.namedAt(i, &probe); ok {
		*m = probe
		return next, true
	}
	return i, false
}

// bareTime tells whether "8" or "19.30" is a time here.
func (p *parser) bareTime(i int, m *moment, prompted bool) bool {
	n, digits, ok := p.number(i)
	if !ok || digits > 2 || n > 24 || !m.namesDay() {
		return false
	}
	if p.mark(i+1) == '.' && p.tight(i+1) {
		return p.dottedTime(i, prompted)
	}
	if p.monthSoon(i+1) || !prompted {
		return false
	}
	return p.lenient || p.isAny(i-1, isAt, isFrom) || p.mark(i-1) == '@'
}

// dottedTime tells whether "19.30" is a time: unannounced it is one only late in the
// morning or after, and at the end.
func (p *parser) dottedTime(i int, prompted bool) bool {
	hour, digits, _ := p.number(i)
	minutes, md, ok := p.number(i + 2)
	if !ok || md != 2 || minutes >= 60 {
		return false
	}
	return prompted || p.lenient || digits == 2 && hour >= 6 && p.mark(i+3) == 0
}

func (p *parser) monthSoon(i int) bool {
	k := p.skip(i, 2, isOf)
	return p.is(k, isMonth) || p.is(k, isMonthMark)
}

// isoTimeAt reads the compact time of "20260424T190000Z".
func (p *parser) isoTimeAt(i int, m *moment) (int, bool) {
	n, digits, ok := p.number(i)
	if !ok || i == 0 || !p.isT(i-1) {
		return i, false
	}
	if m.hasTime || !m.hasDate() {
		return i, false
	}
	switch digits {
	case 4:
		n *= 100
	case 6:
	default:
		return i, false
	}
	c := clock{hour: n / 10000, minute: n / 100 % 100, second: n % 100, sure: true}
	if !c.settle() {
		return i, false
	}
	return p.setTime(m, c, i+1), true
}

// weekdayAt reads the name of a weekday.
func (p *parser) weekdayAt(i int, m *moment) (int, bool) {
	if m.weekday >= 0 || m.relative {
		return i, false
	}
	v, ok := p.sense(i, isWeekday)
	if !ok && p.lenient {
		v, ok = p.prefixSense(i, isWeekday)
		if !ok {
			v, ok = p.letterDay(i)
		}
	}
	if !ok || p.notWeekday(i, m) {
		return i, false
	}
	m.weekday = v
	next := i + 1
	if p.mark(next) == '.' && p.glued(next) {
		next++
	}
	return next, true
}

// notWeekday tells short words that are something else: "Mar" before a day is
// March, "sat" and "so" are words unless a date or a time follows.
func (p *parser) notWeekday(i int, m *moment) bool {
	t := p.tok(i)
	if p.is(i, isMonth) && !m.hasDate() && p.monthHere(i) {
		return true
	}
	if p.foreign(i, isWeekday) || p.smallWord(i) {
		return true
	}
	if p.lenient || t.end-t.begin > 4 || m.hasDate() {
		return false
	}
	if !t.capital && !unspaced(firstRune(p.text[t.begin:])) {
		return !p.surelyFollows(p.skip(i+1, 2, isOf))
	}
	return !p.dateFollows(i + 1)
}

// monthHere tells that a word which is both is a month: a day or a year stands beside it.
func (p *parser) monthHere(i int) bool {
	after := p.skip(i+1, 1)
	if _, _, ok := p.dayAt(after); ok && !p.clockFollows(i+2) {
		return true
	}
	if _, digits, ok := p.number(after); ok && digits == 4 {
		return true
	}
	_, _, ok := p.dayAt(i - 1)
	return ok
}

// smallWord tells a joining word of two letters that is a weekday in another language.
func (p *parser) smallWord(i int) bool {
	const joining = 1<<isTo | 1<<isAnd | 1<<isOf | 1<<isAt | 1<<isFrom | 1<<isIn
	t := p.tok(i)
	short := t.end-t.begin <= 2 && i > 0 && !t.capital
	return short && t.kinds&joining != 0 && !p.means(i, isWeekday)
}

// means tells that the word at i is a k in the language of the options.
func (p *parser) means(i int, k kind) bool {
	for _, s := range p.toks[i].senses {
		if s.kind == k && s.langs&p.lang != 0 {
			return true
		}
	}
	return false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// surelyFollows sees a month, a day with a month, or a time with minutes: what a
// short word in small letters needs to be a weekday.
func (p *parser) surelyFollows(i int) bool {
	if p.is(i, isMonth) {
		return true
	}
	if _, ok := p.clockNumbers(i); ok {
		return true
	}
	_, next, ok := p.dayAt(i)
	if !ok {
		return false
	}
	if p.monthSoon(next) {
		return true
	}
	_, at := p.separator(next)
	_, _, numeric := p.number(at)
	return numeric && at > next || p.is(next, isClock) && p.glued(next)
}

// dateFollows sees a number or a month soon after i.
func (p *parser) dateFollows(i int) bool {
	for n := 0; n < 3; n++ {
		t := p.tok(i)
		if t == nil {
			return false
		}
		if t.kind == tokenNumber {
			return t.digits <= 2 || t.digits == 4 && t.value > 1900 && t.value < 2100
		}
		if p.is(i, isMonth) {
			return true
		}
		if !p.marked(i, ",.|-@/)&") && !p.isAny(i, isOf, isAt, isTo, isFrom) {
			return p.is(i, isWeekday)
		}
		i++
	}
	return false
}

// hanDay passes over a weekday of one character in brackets: "(日)".
func (p *parser) hanDay(i int) (int, bool) {
	t := p.tok(i + 1)
	if p.mark(i) != '(' || t == nil || p.mark(i+2) != ')' {
		return i, false
	}
	return i + 3, strings.Contains("日月火水木金土一二三四五六일월화수목금토", p.text[t.begin:t.end])
}
