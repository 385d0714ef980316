package dates

import "time"

// relativeAt reads words that count from now: "tomorrow", "3 days ago",
// "in 2 weeks", "next Friday", "letzte Woche". Without a clock they are not dates.
func (p *parser) relativeAt(i int, m *moment) (int, bool) {
	if p.o.Now.IsZero() || m.relative || m.month > 0 {
		return i, false
	}
	probe := *m
	if next, ok := p.spanAt(i, &probe); ok {
		*m = probe
		return next, true
	}
	if v, ok := p.sense(i, isRelative); ok && p.relativeFits(i, m) {
		m.relative, m.base = true, p.today().AddDate(0, 0, v)
		return i + 1, true
	}
	if p.is(i, isNow) && p.lenient && !p.spanFollows(i+1) {
		m.relative, m.span, m.exact, m.base = true, true, true, p.now()
		return p.offsetFromNow(i+1, m), true
	}
	return p.nearUnit(i, m)
}

// offsetFromNow reads what is added to "now": "now + 2 hours".
func (p *parser) offsetFromNow(i int, m *moment) int {
	sign := map[rune]int{'+': 1, '-': -1}[p.mark(i)]
	amounts, next := p.amounts(i + 1)
	if sign == 0 || len(amounts) == 0 {
		return i
	}
	p.shift(m, amounts, sign)
	m.exact = true
	return next
}

// relativeFits: German and Dutch "morgen" is tomorrow unless "am"/"heute" stands before.
// In running text "hier" is yesterday in French and here in German: there the
// language must be known, or a time must follow. "ma" is today in Hungarian and a Monday in
// Finnish and Dutch: in their languages, weekdays are no such words.
func (p *parser) relativeFits(i int, m *moment) bool {
	if p.means(i, isWeekday) && !p.means(i, isRelative) {
		return false
	}
	known := p.lenient || p.means(i, isRelative) || p.lang == 0 && p.english(i)
	if !known && !p.timeFollows(i+1) {
		return false
	}
	return !p.is(i-1, isRelative) && (m.weekday < 0 || p.lenient || p.mark(i-1) == ',')
}

// english tells relative words of English.
func (p *parser) english(i int) bool {
	for _, s := range p.toks[i].senses {
		if s.kind == isRelative && s.langs&dictionary().codes["en"] != 0 {
			return true
		}
	}
	return false
}

// nearUnit reads "next Friday", "last week", "next year".
func (p *parser) nearUnit(i int, m *moment) (int, bool) {
	step, unit, after := p.nearAt(i)
	if after < 0 {
		return i, false
	}
	if wd, ok := p.sense(unit, isWeekday); ok && !p.is(unit, isUnit) {
		ahead := (wd - int(p.today().Weekday()) + 7) % 7
		switch {
		case step > 0 && ahead == 0:
			ahead = 7
		case step < 0:
			ahead -= 7
		}
		m.relative, m.base = true, p.today().AddDate(0, 0, ahead)
		return after, true
	}
	u, ok := p.sense(unit, isUnit)
	if !ok || u < unitDay || !p.lenient { // "next year" in running text is no day
		return i, false
	}
	m.relative, m.base = true, addUnits(p.today(), u, step)
	return after, true
}

// nearAt finds "next", "last" or "this" before a unit or a weekday, or behind it:
// "semana pasada", "la semana que viene". after is -1 when there is none.
func (p *parser) nearAt(i int) (step, unit, after int) {
	if step, at := p.nearWord(i); at >= 0 {
		if p.isAny(i+1, isUnit, isWeekday) {
			return step, i + 1, i + 2
		}
		return 0, 0, -1
	}
	if step, at := p.nearWord(i + 1); at >= 0 && p.isAny(i, isUnit, isWeekday) {
		return step, i, i + 2
	}
	return 0, 0, -1
}

// nearWord reads "next", "last" or "this".
func (p *parser) nearWord(i int) (step, at int) {
	switch {
	case p.is(i, isNext):
		return 1, i
	case p.is(i, isLast):
		return -1, i
	case p.is(i, isThis):
		return 0, i
	}
	return 0, -1
}

type amount struct{ count, unit int }

// spanAt reads "2 hours ago", "vor 3 Tagen", "in 1 year and 2 months".
func (p *parser) spanAt(i int, m *moment) (int, bool) {
	sign, j := p.spanSign(i)
	if j < 0 {
		return i, false
	}
	amounts, next := p.amounts(j)
	decimal := p.mark(j-1) == ',' && p.glued(j-1) && p.glued(j)
	if len(amounts) == 0 || decimal || p.unfit(j) {
		return i, false
	}
	switch {
	case p.agoAfter(next):
		sign = -1
		amounts, next = p.agoAgain(amounts, next+1)
	case p.is(next, isLater):
		sign = 1
		next++
	}
	if sign == 0 {
		if !p.lenient || i > 0 || next < len(p.toks) { // "for 4 months" is no day
			return i, false
		}
		sign = -1
	}
	p.shift(m, amounts, sign)
	return next, m.base.Year() > 0 && m.base.Year() < 10000
}

// spanSign reads what stands before an amount, and tells whether it looks back or
// ahead; next is -1 when it is more than such words.
func (p *parser) spanSign(i int) (sign, next int) {
	for next = i; p.isAny(next, isAgo, isIn) || p.isAny(next, isOf, isAt) && !p.isAny(next, isMonth, isUnit); {
		if p.is(next, isAgo) {
			sign = -1
		} else if p.is(next, isIn) && sign == 0 {
			sign = 1
		}
		if next++; next > i+3 {
			return 0, -1
		}
	}
	return sign, next
}

// agoAgain reads the rest of "5 minutes ago 42 seconds ago".
func (p *parser) agoAgain(amounts []amount, next int) ([]amount, int) {
	for n := 0; n < 4; n++ {
		more, after := p.amounts(next)
		if len(more) == 0 || !p.is(after, isAgo) {
			break
		}
		amounts, next = append(amounts, more...), after+1
	}
	return amounts, next
}

// agoAfter: in running text some words mean the past only before the amount.
func (p *parser) agoAfter(i int) bool {
	v, ok := p.sense(i, isAgo)
	return ok && (v == 0 || p.lenient) || p.is(i, isLast) && !p.lenient
}

func (p *parser) spanFollows(i int) bool {
	a, _ := p.amounts(i)
	return len(a) > 0
}

// amounts reads "1 year, 2 months and 3 days".
func (p *parser) amounts(i int) ([]amount, int) {
	var list []amount
	for len(list) < 8 {
		j := i
		if len(list) > 0 {
			j = p.skip(i, 2, isAnd, isAgo, isIn)
		}
		n, j, ok := p.countAt(j)
		if !ok && (len(list) > 0 || !p.countless(j)) {
			break
		}
		if p.is(j, isOf) && p.is(j+1, isUnit) && !p.is(j, isUnit) { // "6 de ore"
			j++
		}
		u, ok := p.unitAt(j)
		if !ok {
			break
		}
		list = append(list, amount{n, u})
		i = p.passDot(j + 1)
	}
	return list, i
}

// countAt reads how many of a unit: "3", "three", "twenty three"; without a number
// it is one.
func (p *parser) countAt(i int) (n, next int, ok bool) {
	if v, digits, ok := p.number(i); ok && digits <= 5 {
		return v, i + 1, true
	}
	v, ok := p.sense(i, isNumber)
	if !ok {
		return 1, i, false
	}
	if unit, ok := p.sense(i+1, isNumber); ok && v >= 20 && v%10 == 0 && unit < 10 {
		return v + unit, i + 2, true
	}
	return v, i + 1, true
}

// unitAt reads a unit, or its first letter directly after a number: "29h".
func (p *parser) unitAt(i int) (int, bool) {
	if u, ok := p.sense(i, isUnit); ok {
		return u, true
	}
	t := p.tok(i)
	if t == nil || t.end-t.begin != 1 || !p.glued(i) || t.kind != tokenWord {
		return 0, false
	}
	u, ok := map[byte]int{'s': unitSecond, 'm': unitMinute, 'h': unitHour, 'd': unitDay, 'w': unitWeek, 'y': unitYear}[p.text[t.begin]]
	return u, ok
}

// countless allows a unit alone, as in "через неделю", next to a word that
// makes it relative; "30+ days ago" has a count.
func (p *parser) countless(i int) bool {
	counted := p.isNumber(i-1) || p.mark(i-1) != 0 && p.isNumber(i-2)
	relative := p.is(i-1, isAgo) || p.is(i+1, isAgo) || p.is(i-1, isIn) && p.lenient
	return p.is(i, isUnit) && !counted && relative
}

func (p *parser) shift(m *moment, amounts []amount, sign int) {
	m.relative, m.span, m.base = true, true, p.now()
	for _, a := range amounts {
		if a.unit <= unitHour {
			m.exact = true
		}
	}
	for _, a := range amounts {
		m.base = addUnits(m.base, a.unit, sign*a.count)
	}
}

func addUnits(t time.Time, unit, n int) time.Time {
	switch unit {
	case unitSecond:
		return t.Add(time.Duration(n) * time.Second)
	case unitMinute:
		return t.Add(time.Duration(n) * time.Minute)
	case unitHour:
		return t.Add(time.Duration(n) * time.Hour)
	case unitDay:
		return t.AddDate(0, 0, n)
	case unitWeek:
		return t.AddDate(0, 0, 7*n)
	case unitMonth:
		return addMonths(t, n)
	case unitYear:
		return addMonths(t, 12*n)
	}
	return addMonths(t, 120*n)
}

// addMonths stays in the month: 31 March less one month is the end of February.
func addMonths(t time.Time, n int) time.Time {
	out := t.AddDate(0, n, 0)
	if out.Day() != t.Day() {
		out = out.AddDate(0, 0, -out.Day())
	}
	return out
}
