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
		if digits > 2 || n < 1 || n > 31 || p.minutesAfter(i+1) {
			return 0, i, false
		}
		return n, p.daySuffix(i + 1), true
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

// minutesAfter sees the minutes of a time behind its hour.
func (p *parser) minutesAfter(i int) bool {
	_, _, ok := p.number(i + 1)
	return ok && p.mark(i) == ':' && p.glued(i+1)
}

// daySuffix passes over what makes a number a day: "24日", "1st", "1º", "1-го".
func (p *parser) daySuffix(i int) int {
	if p.is(i, isDayMark) || p.marked(i, "º°") {
		return i + 1
	}
	if p.is(i, isSuffix) && !p.is(i, isMonth) && (p.glued(i) || p.lenient) {
		return i + 1
	}
	if p.mark(i) == '-' && p.tight(i) && p.is(i+1, isSuffix) {
		return i + 2
	}
	return i
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
	if p.marked(j, "-/") && p.tight(j) {
		j++
	}
	if p.mark(j) == '(' && p.is(j+1, isWeekday) && p.mark(j+2) == ')' { // "12 (Mon) May"
		j += 3
	}
	next, ok := p.monthAt(j, m)
	if !ok {
		return i, false
	}
	m.day, m.lastDay = day, last
	return p.yearAt(next, m), p.possible(m) && (last == 0 || last > day)
}

// lastDay reads the last day of "12–14 May", "12 and 13 May", "12., 13. und 14. Mai".
func (p *parser) lastDay(day, j int) (int, int) {
	k := p.skip(j, 2)
	if second, after, ok := p.dayAt(k); ok && p.mark(k-1) == ',' && second == day+1 {
		if last, next := p.lastDay(second, after); last > 0 {
			return last, next
		}
	}
	joined := p.is(k, isAnd) || p.marked(k, "&+/")
	if !joined && p.mark(k) != '-' && !p.is(k, isTo) {
		return 0, j
	}
	k = p.skip(k+1, 2, isOf)
	if p.is(k, isWeekday) {
		k = p.skip(k+1, 2)
	}
	last, next, ok := p.lastDayAt(k)
	if !ok || last <= day || joined && last != day+1 {
		return 0, j
	}
	// The month must follow, or it was something else.
	if p.isAny(p.skip(next, 3, isOf), isMonth, isJalali, isMonthMark) {
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
	if p.mark(k) == '-' && p.tight(k) {
		k++
	}
	if day, j, ok := p.dayAt(k); ok && !p.clockFollows(j) && (p.lenient || p.toks[k].kind == tokenNumber) {
		return p.monthDay(k, day, j, m)
	}
	if p.dayBefore(i) { // "31 February 2026" is no month of February
		return i, false
	}
	end := p.yearAt(next, m)
	if m.year == 0 && !p.lenient && (m.weekday < 0 || m.day <= 0) {
		m.month = 0
		return i, false
	}
	return end, true
}

// monthDay takes the day at i, which ends before next, behind the month that was read;
// "'26" is the year.
func (p *parser) monthDay(i, day, next int, m *moment) (int, bool) {
	if n, isYear := p.yearOnly(i, m); isYear && p.mark(i-1) == '\'' {
		m.year, m.shortYear = n, true
		return i + 1, true
	}
	m.day = day
	if after, last := p.closingDay(day, next); last > 0 {
		m.lastDay, next = last, after
	}
	return p.yearAt(next, m), p.possible(m)
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
	if !ok || last <= day || joined && last != day+1 {
		return j, 0
	}
	if p.clockFollows(next) {
		return j, 0
	}
	if after := p.skip(next, 2, isOf); p.is(after, isMonth) && !p.glued(next) && p.mark(next) != ',' {
		return j, 0 // "May 12 – 14 June"
	}
	return next, last
}

// clockFollows tells that the number before i was an hour.
func (p *parser) clockFollows(i int) bool {
	if p.marked(i, ":.") && p.tight(i) {
		_, digits, ok := p.number(i + 1)
		return ok && digits == 2
	}
	return p.is(i, isClock) && !p.is(i, isMonth) || p.isAny(i, isAM, isPM, isHourMark)
}

// yearAt reads a year after day and month when one is written.
func (p *parser) yearAt(i int, m *moment) int {
	if m.year > 0 {
		return i
	}
	j := p.yearMarks(i)
	if p.is(j, isBuddhist) {
		m.buddhist = true
		j = p.skip(j+1, 2)
	}
	n, digits, ok := p.number(j)
	if !ok || p.otherLine(j, m) {
		return i
	}
	switch {
	case digits == 4 && p.fullYearAt(j, m):
		m.year = n
	case digits == 2 && !p.clockFollows(j+1) && p.shortYearAt(j):
		m.year, m.shortYear = n, true
	default:
		return i
	}
	p.calendarYear(m)
	j++
	if p.is(j, isYearMark) || p.is(j, isOf) && p.glued(j) {
		return p.passDot(j + 1)
	}
	return j
}

// yearMarks passes over what stands between a month and its year.
func (p *parser) yearMarks(i int) int {
	j := p.skip(i, 3, isOf, isYearMark)
	if p.mark(j) == '(' && p.lenient || p.marked(j, "-/") && p.tight(j) {
		j++
	}
	return j
}

// fullYearAt tells whether four digits can be a year here.
func (p *parser) fullYearAt(i int, m *moment) bool {
	n, _, _ := p.number(i)
	if n < 1000 || n > 2999 || p.militaryFollows(i) {
		return false
	}
	return p.lenient || m.jalali || yearOfText(n) || n > 2400
}

// yearOfText: "14 juillet 1789" in running text has its year, "3 May 1830" rather an hour and "3 May 1500 runners" neither.
func yearOfText(n int) bool {
	hour := n%15 == 0 && n%100 < 60
	return n >= 1900 && n <= 2100 || n > 1600 && n < 1900 && !hour
}

// otherLine tells a year on another line that does not belong to the date: it does
// only when it stands alone on the next one, otherwise it begins a heading.
func (p *parser) otherLine(i int, m *moment) bool {
	lines := p.toks[i].lines
	if p.lenient || lines == 0 {
		return false
	}
	return lines > 1 || m.day == 0 || !p.endsLine(i)
}

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
	n, digits, _ := p.number(i)
	if digits != 4 || n < 1000 || n > 2999 {
		return i, false
	}
	if m.year > 0 || p.unfit(i) {
		return i, false
	}
	j := p.skip(i+1, 4, isOf, isYearMark)
	if p.marked(j, "-/") {
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
	}
	month, ok := p.markedMonth(j)
	if before := p.pref&dictionary().codes["vi"] != 0; before || !ok { // the mark stands before the number
		return p.vietnamese(i, j, probe, m)
	}
	probe.month = month
	if day, next, ok := p.dayAt(j + 2); ok {
		probe.day = day
		if last, end := p.markedLast(day, next); last > 0 {
			probe.lastDay, next = last, end
		}
		*m = probe
		p.calendarYear(m)
		return next, p.possible(m)
	}
	if probe.year > 0 || p.lenient && (m.day != 0 || !p.is(i, isDayMark)) {
		*m = probe
		return j + 2, true
	}
	return i, false
}

// markedMonth reads the number of a month with its mark: "4月".
func (p *parser) markedMonth(i int) (int, bool) {
	n, digits, ok := p.number(i)
	if !ok || digits > 2 || !p.is(i+1, isMonthMark) {
		return 0, false
	}
	return n, n >= 1 && n <= 12
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
