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
		case t.kind == tokenMark && t.mark == '-':
			if dash {
				return i, dash, prompted
			}
			dash = true
		case t.kind == tokenMark && t.mark == '@':
			prompted = true
		case t.kind == tokenMark && (t.mark == ',' || t.mark == '|' || t.mark == '.' || t.mark == '(' || t.mark == ')' || t.mark == '/' && t.space || t.mark == '*'):
		case t.kind == tokenMark && t.mark == ':' && (p.is(i-1, isLabel) || p.is(i-1, isAt) || t.space || p.lenient):
		case t.kind == tokenWord && p.is(i, isAt) && !p.is(i, isMonth) && !p.is(i, isWeekday):
			prompted = true
		case t.kind == tokenWord && (p.is(i, isOf) || p.is(i, isFrom)) && !p.is(i, isMonth) && !p.is(i, isWeekday) && !p.is(i, isRelative):
			prompted = prompted || p.is(i, isFrom)
		case t.kind == tokenWord && p.is(i, isLabel) && !p.is(i, isNoon) && (p.mark(i+1) == ':' || p.lenient || t.lines > 0):
			prompted = true
		case t.kind == tokenWord && p.isT(i):
			prompted = true
		default:
			return i, dash, prompted
		}
		i++
	}
	return i, dash, prompted
}

// isT sees the letter between date and time of ISO 8601.
func (p *parser) isT(i int) bool {
	t := p.tok(i)
	return t.end-t.begin == 1 && (p.text[t.begin] == 'T' || p.text[t.begin] == 't') && p.glued(i) && p.glued(i+1)
}

// component reads one part of a date into m.
func (p *parser) component(i int, m *moment, afterDash, prompted bool) (int, bool) {
	t := p.tok(i)
	if t == nil {
		return i, false
	}
	if t.kind == tokenMark {
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
	if !m.hasDate() {
		probe := *m
		if next, ok := p.relativeAt(i, &probe); ok {
			*m = probe
			return next, true
		}
	}
	if next, ok := p.weekdayAt(i, m); ok {
		return next, true
	}
	if !m.hasDate() {
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
	}
	if next, ok := p.timeAt(i, m, false); ok {
		return next, true
	}
	return p.isoTimeAt(i, m)
}

// bareTime tells whether "8" or "19.30" is a time here.
func (p *parser) bareTime(i int, m *moment, prompted bool) bool {
	n, digits, ok := p.number(i)
	if !ok || digits > 2 || n > 24 || !m.hasDate() && m.rule == "" && m.weekday < 0 {
		return false
	}
	dotted := p.mark(i+1) == '.' && p.glued(i+1) && p.glued(i+2)
	if dotted {
		minutes, md, ok := p.number(i + 2)
		return ok && md == 2 && minutes < 60 && (prompted || p.lenient || digits == 2 && n >= 6 && p.mark(i+3) == 0)
	}
	if !prompted {
		return false
	}
	if _, ok := p.monthSoon(i + 1); ok {
		return false
	}
	return p.lenient || p.is(i-1, isAt) || p.mark(i-1) == '@' || p.is(i-1, isFrom)
}

func (p *parser) monthSoon(i int) (int, bool) {
	k := p.skip(i, 2, isOf)
	return k, p.is(k, isMonth) || p.is(k, isMonthMark)
}

// isoTimeAt reads the compact time of "20260424T190000Z".
func (p *parser) isoTimeAt(i int, m *moment) (int, bool) {
	n, digits, ok := p.number(i)
	if !ok || m.hasTime || !m.hasDate() || !(digits == 6 || digits == 4) || i == 0 || p.tok(i-1).kind != tokenWord || !p.isT(i-1) {
		return i, false
	}
	if digits == 4 {
		n *= 100
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
	if p.is(i, isMonth) && !m.hasDate() {
		if _, _, ok := p.dayAt(p.skip(i+1, 1)); ok && !p.clockFollows(i+2) {
			return true
		}
		if _, digits, ok := p.number(p.skip(i+1, 1)); ok && digits == 4 {
			return true
		}
		if _, _, ok := p.dayAt(i - 1); ok {
			return true
		}
	}
	const joining = 1<<isTo | 1<<isAnd | 1<<isOf | 1<<isAt | 1<<isFrom | 1<<isIn
	if p.foreign(i, isWeekday) {
		return true
	}
	if t.kinds&joining != 0 && t.end-t.begin <= 2 && i > 0 && !t.capital && !p.means(i, isWeekday) {
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
	if _, _, ok := p.clockNumbers(i); ok {
		return true
	}
	_, next, ok := p.dayAt(i)
	if !ok {
		return false
	}
	if _, named := p.monthSoon(next); named {
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
		if m := p.mark(i); m == ',' || m == '.' || m == '|' || m == '-' || m == '@' || m == '/' || m == ')' || m == '&' ||
			p.is(i, isOf) || p.is(i, isAt) || p.is(i, isTo) || p.is(i, isFrom) {
			i++
			continue
		}
		return p.is(i, isWeekday)
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
