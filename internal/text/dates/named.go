package dates

// namedAt reads dates with the name of a month, in any of the usual orders.
func (p *parser) namedAt(i int, m *moment) (int, bool) {
	if m.month > 0 || m.relative {
		return i, false
	}
	if next, ok := p.yearFirst(i, m); ok {
		return next, true
	}
	if next, ok := p.markedAt(i, m); ok {
		return next, true
	}
	if next, ok := p.dayMonthAt(i, m); ok {
		return next, true
	}
	return p.monthDayAt(i, m)
}

// monthAt reads the name of a month.
func (p *parser) monthAt(i int, m *moment) (int, bool) {
	if v, ok := p.sense(i, isMonth); ok && !p.verbMay(i) && !p.foreign(i, isMonth) {
		m.month = v
		return i + 1, true
	}
	if v, ok := p.sense(i, isJalali); ok {
		m.month, m.jalali = v, true
		return i + 1, true
	}
	if p.lenient {
		if v, ok := p.prefixSense(i, isMonth); ok {
			m.month = v
			return i + 1, true
		}
	}
	return i, false
}

// foreign tells abbreviations of another language than that of the page, which
// are rather words of this one: German "Sie" is no Polish August. English ones
// are at home everywhere.
func (p *parser) foreign(i int, k kind) bool {
	t := p.tok(i)
	if p.lenient || p.lang == 0 || t.end-t.begin > 3 || p.means(i, k) {
		return false
	}
	for _, s := range t.senses {
		if s.kind == k && s.langs&dictionary().codes["en"] != 0 {
			return false
		}
	}
	return true
}

// verbMay tells English words that are months only with a capital letter.
func (p *parser) verbMay(i int) bool {
	t := p.tok(i)
	if t.capital || p.lenient {
		return false
	}
	switch p.text[t.begin:t.end] {
	case "may", "march", "mar", "dec", "sept", "jan", "set", "out", "ago":
		return p.lang == dictionary().codes["en"] || p.lang == 0
	}
	return false
}

// dayAt reads a day of the month: "1", "1st", "1er", "first", "twenty second".
func (p *parser) dayAt(i int) (day, next int, ok bool) {
	if p.unfit(i) {
		return 0, i, false
	}
	return p.lastDayAt(i)
}

// lastDayAt reads a day where a dash may stand directly before it.
func (p *parser) lastDayAt(i int) (day, next int, ok bool) {
	if n, digits, isNum := p.number(i); isNum {
		if digits > 2 || n < 1 || n > 31 {
			return 0, i, false
		}
		next = i + 1
		if p.is(next, isDayMark) {
			return n, next + 1, true
		}
		if p.is(next, isSuffix) && (p.glued(next) || p.lenient) && !p.is(next, isMonth) || p.mark(next) == 'º' || p.mark(next) == '°' {
			return n, next + 1, true
		}
		if p.mark(next) == '-' && p.glued(next) && p.glued(next+1) && p.is(next+1, isSuffix) { // "1-го"
			return n, next + 2, true
		}
		if _, _, minutes := p.number(next + 1); minutes && p.mark(next) == ':' && p.glued(next+1) {
			return 0, i, false
		}
		return n, next, true
	}
	v, isWord := p.sense(i, isNumber)
	if !isWord || p.article(i) {
		return 0, i, false
	}
	if unit, ok := p.sense(i+1, isNumber); ok && v%10 == 0 && v >= 20 && unit < 10 {
		return v + unit, i + 2, v+unit <= 31
	}
	return v, i + 1, v <= 31
}

// article tells short number words, which are articles more often than days:
// "an April evening", "un mai".
func (p *parser) article(i int) bool {
	t := p.tok(i)
	if p.text[t.begin] >= 0x80 {
		return false
	}
	return t.end-t.begin <= 2 || !p.lenient && t.end-t.begin < 5
}

func (p *parser) dayMonthAt(i int, m *moment) (int, bool) {
	day, j, ok := p.dayAt(i)
	if !ok {
		return i, false
	}
	last, j := p.lastDay(day, j)
	j = p.skip(j, 3, isOf)
	if p.mark(j) == '-' || p.mark(j) == '/' {
		if p.glued(j) && p.glued(j+1) {
			j++
		}
	}
	if p.mark(j) == '(' { // "12 (Mon) May"
		if p.is(j+1, isWeekday) && p.mark(j+2) == ')' {
			j += 3
		}
	}
	next, ok := p.monthAt(j, m)
	if !ok {
		return i, false
	}
	m.day, m.lastDay = day, last
	return p.yearAt(next, m), p.possible(m) && (last == 0 || last > day)
}

// lastDay reads the second day of "12–14 May", "12 and 13 May", "12. bis 14. Mai".
func (p *parser) lastDay(day, j int) (int, int) {
	k := p.skip(j, 2)
	if p.mark(k) != '-' && p.mark(k) != '/' && p.mark(k) != '&' && p.mark(k) != '+' && !p.is(k, isTo) && !p.is(k, isAnd) {
		return 0, j
	}
	joined := p.is(k, isAnd) || p.mark(k) == '&' || p.mark(k) == '+' || p.mark(k) == '/'
	k = p.skip(k+1, 2, isOf)
	if p.is(k, isWeekday) {
		k = p.skip(k+1, 2)
	}
	last, next, ok := p.lastDayAt(k)
	if !ok || last <= day || joined && last != day+1 {
		return 0, j
	}
	// The month must follow, or it was something else.
	after := p.skip(next, 3, isOf)
	if p.is(after, isMonth) || p.is(after, isJalali) || p.is(after, isMonthMark) {
		return last, next
	}
	return 0, j
}

func (p *parser) monthDayAt(i int, m *moment) (int, bool) {
	next, ok := p.monthAt(i, m)
	if !ok {
		return i, false
	}
	k := p.skip(next, 2, isOf)
	if p.mark(k) == ')' && p.lenient {
		k++
	}
	if p.mark(k) == '-' && p.glued(k) && p.glued(k+1) {
		k++
	}
	if day, j, ok := p.dayAt(k); ok && !p.clockFollows(j) && (p.lenient || p.toks[k].kind == tokenNumber) {
		if n, isYear := p.yearOnly(k, m); isYear && p.mark(k-1) == '\'' {
			m.year, m.shortYear = n, true
			return k + 1, true
		}
		m.day = day
		if j2, last := p.closingDay(day, j); last > 0 {
			m.lastDay, j = last, j2
		}
		return p.yearAt(j, m), p.possible(m)
	}
	if p.dayBefore(i) { // "31 February 2026" is no month of February
		return i, false
	}
	end := p.yearAt(next, m)
	if m.year == 0 && !p.lenient && !(m.weekday >= 0 && m.day > 0) {
		m.month = 0
		return i, false
	}
	return end, true
}

// dayBefore sees a day directly before a month.
func (p *parser) dayBefore(i int) bool {
	for n := 0; n < 3 && (p.is(i-1, isOf) || p.is(i-1, isSuffix) || p.mark(i-1) == '.'); n++ {
		i--
	}
	_, digits, ok := p.number(i - 1)
	return ok && digits <= 2 && p.mark(i-2) != ':'
}

func (p *parser) yearOnly(i int, m *moment) (int, bool) {
	n, digits, ok := p.number(i)
	return n, ok && digits == 2 && m.year == 0
}

// closingDay reads the end of "May 12–14" and "May 12 & 13".
func (p *parser) closingDay(day, j int) (int, int) {
	k := p.skip(j, 1)
	joined := p.mark(k) == '&' || p.is(k, isAnd)
	if p.mark(k) != '-' && !p.is(k, isTo) && !joined {
		return j, 0
	}
	k++
	if p.is(k, isWeekday) {
		k = p.skip(k+1, 2)
	}
	last, next, ok := p.lastDayAt(k)
	if !ok || last <= day || p.clockFollows(next) || joined && last != day+1 {
		return j, 0
	}
	if after := p.skip(next, 2, isOf); p.is(after, isMonth) && !p.glued(next) && p.mark(next) != ',' {
		return j, 0 // "May 12 – 14 June"
	}
	return next, last
}

// clockFollows tells that the number before i was an hour.
func (p *parser) clockFollows(i int) bool {
	if p.mark(i) == ':' && p.glued(i) && p.glued(i+1) {
		_, digits, ok := p.number(i + 1)
		return ok && digits == 2
	}
	if p.mark(i) == '.' && p.glued(i) && p.glued(i+1) {
		_, digits, ok := p.number(i + 1)
		return ok && digits == 2
	}
	return p.is(i, isClock) && !p.is(i, isMonth) || p.is(i, isAM) || p.is(i, isPM) || p.is(i, isHourMark)
}

// yearAt reads a year after day and month when one is written.
func (p *parser) yearAt(i int, m *moment) int {
	if m.year > 0 {
		return i
	}
	j := p.skip(i, 3, isOf, isYearMark)
	if p.mark(j) == '-' || p.mark(j) == '/' || p.mark(j) == '(' && p.lenient {
		if p.mark(j) == '(' || p.glued(j) && p.glued(j+1) {
			j++
		}
	}
	if p.is(j, isBuddhist) {
		m.buddhist = true
		j = p.skip(j+1, 2)
	}
	n, digits, ok := p.number(j)
	if !ok || p.tok(j).lines > 1 && !p.lenient || p.startsLine(j) && (m.day == 0 || !p.endsLine(j)) {
		return i
	}
	switch {
	case digits == 4 && n >= 1000 && n <= 2999 && !p.militaryFollows(j) && (p.lenient || n >= 1900 && n <= 2100 || m.jalali || n > 2400):
		m.year = n
	case digits == 2 && !p.clockFollows(j+1) && p.shortYearAt(j):
		m.year, m.shortYear = n, true
	default:
		return i
	}
	p.calendarYear(m)
	j++
	if p.is(j, isYearMark) || p.is(j, isOf) && p.glued(j) {
		j++
		if p.mark(j) == '.' && p.glued(j) {
			j++
		}
	}
	return j
}

// startsLine and endsLine: a year on the next line belongs to a date only when
// it stands there alone, otherwise it begins a heading.
func (p *parser) startsLine(i int) bool { return !p.lenient && p.toks[i].lines > 0 }

func (p *parser) endsLine(i int) bool {
	t := p.tok(i + 1)
	return t == nil || t.lines > 0 || t.kind == tokenMark
}

// militaryFollows: "8 May 1930 hrs" has no year, "8 May 2018: a walk" has one.
func (p *parser) militaryFollows(i int) bool {
	if _, _, ok := p.militaryAt(i); ok {
		return true
	}
	_, _, ok := p.number(i + 2)
	return ok && p.mark(i+1) == ':' && p.glued(i+1) && p.glued(i+2)
}

// shortYearAt tells whether two digits can be a year here: in running text
// only with an apostrophe or between dashes.
func (p *parser) shortYearAt(j int) bool {
	if p.mark(j-1) == '\'' || p.mark(j-1) == '-' && p.glued(j-1) || p.mark(j-1) == '/' {
		return true
	}
	return p.lenient && p.mark(j+1) != '-' && !p.is(j+1, isTo)
}

// yearFirst reads "2026 május 8", "2026, 8 mai", "2026. gada 8. maijs".
func (p *parser) yearFirst(i int, m *moment) (int, bool) {
	n, digits, ok := p.number(i)
	if !ok || digits != 4 || p.unfit(i) || m.year > 0 || n < 1000 || n > 2999 {
		return i, false
	}
	j := p.skip(i+1, 4, isOf, isYearMark)
	if p.mark(j) == '-' || p.mark(j) == '/' {
		j++
	}
	if t := p.tok(j); t == nil || t.lines > 0 && !p.lenient {
		return i, false // a year of its own: a heading
	}
	probe := *m
	probe.year = n
	p.calendarYear(&probe)
	if next, ok := p.dayMonthAt(j, &probe); ok && probe.day > 0 {
		*m = probe
		return next, true
	}
	probe = *m
	probe.year = n
	if next, ok := p.monthDayAt(j, &probe); ok && (probe.day > 0 || p.lenient) {
		p.calendarYear(&probe)
		*m = probe
		return p.skip(next, 1), true
	}
	return i, false
}

// markedAt reads dates whose parts carry marks: "2026年4月24日", "2026년 4월 24일",
// "ngày 8 tháng 1 năm 2015".
func (p *parser) markedAt(i int, m *moment) (int, bool) {
	probe := *m
	j := i
	if p.is(j, isDayMark) {
		j++
	}
	n, digits, ok := p.number(j)
	if !ok {
		return i, false
	}
	if digits <= 4 && p.is(j+1, isYearMark) && !p.is(j+1, isMonthMark) {
		probe.year, probe.shortYear = n, digits <= 2
		j += 2
		if n, digits, ok = p.number(j); !ok {
			return i, false
		}
	}
	before := p.pref&dictionary().codes["vi"] != 0 // the mark stands before the number
	if digits <= 2 && p.is(j+1, isMonthMark) && n >= 1 && n <= 12 && !before {
		if d, next, ok := p.dayAt(j + 2); ok {
			probe.month, probe.day = n, d
			if last, end := p.markedLast(d, next); last > 0 {
				probe.lastDay, next = last, end
			}
			*m = probe
			p.calendarYear(m)
			return next, p.possible(m)
		}
		if m.day == 0 && digits <= 2 && probe.year == 0 && p.is(i, isDayMark) {
			return i, false
		}
		if p.lenient || probe.year > 0 {
			probe.month = n
			*m = probe
			return j + 2, true
		}
		return i, false
	}
	return p.vietnamese(i, j, probe, m)
}

// vietnamese reads a day before a marked month: "8 tháng 1 năm 2015".
func (p *parser) vietnamese(i, j int, probe moment, m *moment) (int, bool) {
	day, digits, ok := p.number(j)
	if !ok || digits > 2 || !p.is(j+1, isMonthMark) {
		return i, false
	}
	month, md, ok := p.number(j + 2)
	if !ok || md > 2 || month < 1 || month > 12 {
		return i, false
	}
	probe.day, probe.month = day, month
	*m = probe
	return p.yearAt(j+3, m), p.possible(m)
}

func (p *parser) markedLast(day, j int) (int, int) {
	if p.mark(j) != '-' && !p.is(j, isTo) {
		return 0, j
	}
	last, next, ok := p.lastDayAt(j + 1)
	if !ok || last <= day || !p.is(next-1, isDayMark) {
		return 0, j
	}
	return last, next
}
