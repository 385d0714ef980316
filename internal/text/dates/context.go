package dates

import (
	"regexp"
	"strings"
	"time"
)

// OrderOf decides the order of day and month from all numeric dates on a page:
// one 23/04 settles it for all. Evidence on both sides settles nothing unless
// one side has far more.
func OrderOf(texts []string) Order {
	day, month := 0, 0
	for _, text := range texts {
		p := newParser(text, Options{}, false)
		for i := range p.toks {
			a, b, ok := p.slashed(i)
			switch {
			case !ok:
			case a > 12 && a <= 31 && b >= 1 && b <= 12:
				day++
			case b > 12 && b <= 31 && a >= 1 && a <= 12:
				month++
			}
		}
		p.done()
	}
	switch {
	case day > 4*month:
		return DayFirst
	case month > 4*day:
		return MonthFirst
	}
	return OrderUnknown
}

// OrderOn decides the order of day and month on a page, of which texts are the lines: by
// all of its dates, else by weekdays beside them, else by where the site is. It is sure of
// the first two. The language may name a region: "en-GB".
func OrderOn(texts []string, o Options, host string) (order Order, sure bool) {
	var numeric []string
	for _, text := range texts {
		if len(text) < longestDated && strings.ContainsAny(text, "/.-") && strings.ContainsAny(text, "0123456789") {
			numeric = append(numeric, text)
		}
	}
	if order := OrderOf(numeric); order != OrderUnknown {
		return order, true
	}
	tag := o.Lang
	o.Lang, _, _ = strings.Cut(strings.ToLower(tag), "-")
	if order := orderByWeekday(numeric, o); order != OrderUnknown {
		return order, true
	}
	return orderByRegion(tag, host), false
}

// longestDated is the length of a line that may be that of a date, and not of a paragraph.
const longestDated = 400

func orderByWeekday(texts []string, o Options) Order {
	score := 0
	for _, text := range texts[:min(len(texts), 200)] {
		for _, order := range [...]Order{DayFirst, MonthFirst} {
			o.Order = order
			for _, f := range Find(text, o) {
				if f.Confidence < 0.93 || !numericDate.MatchString(text[f.Begin:f.End]) {
					continue
				}
				if order == DayFirst {
					score--
				} else {
					score++
				}
			}
		}
	}
	switch {
	case score > 1:
		return MonthFirst
	case score < -1:
		return DayFirst
	}
	return OrderUnknown
}

var numericDate = regexp.MustCompile(`\d[/.-]\d`)

// orderByRegion: in English the month comes first in the United States and the Philippines,
// elsewhere in East Asia.
func orderByRegion(lang, host string) Order {
	primary, region, _ := strings.Cut(strings.ToLower(lang), "-")
	switch primary {
	case "en", "":
	case "ja", "zh", "ko":
		return MonthFirst
	default:
		return DayFirst
	}
	tail := host[strings.LastIndexByte(host, '.')+1:]
	switch {
	case region == "us" || region == "ph" || tail == "us" || tail == "gov":
		return MonthFirst
	case len(region) == 2 || len(tail) == 2:
		return DayFirst
	}
	return MonthFirst
}

// slashed reads the first two of three numbers with one mark between them.
func (p *parser) slashed(i int) (a, b int, ok bool) {
	a, ad, ok1 := p.number(i)
	b, bd, ok2 := p.number(i + 2)
	_, cd, ok3 := p.number(i + 4)
	m := p.mark(i + 1)
	if !ok1 || !ok2 || !ok3 || p.mark(i+3) != m {
		return 0, 0, false
	}
	if !p.marked(i+1, "/.-") || p.unfit(i) || p.adjoined(i, i+4) {
		return 0, 0, false
	}
	alone := len(p.toks) == 5 // and no part of a telephone number
	ofYear := cd == 4 || cd == 2 && (m != '-' || alone)
	return a, b, ad <= 2 && bd <= 2 && ofYear
}

// MonthYear reads the month and the year of a heading: "Events 2026", "April
// 2026", "Spring 2025–2026" (the first year). What is not written is 0.
func MonthYear(text string, o Options) (month, year int) {
	if len(text) > 1000 {
		return 0, 0
	}
	p := newParser(text, o, false)
	defer p.done()
	p.agree(0)
	for i := range p.toks {
		if month == 0 {
			month = p.headingMonth(i)
		}
		if year == 0 {
			year = p.headingYear(i)
		}
	}
	return month, year
}

// headingMonth is the month that is named at i, or 0.
func (p *parser) headingMonth(i int) int {
	if v, ok := p.sense(i, isMonth); ok && !p.verbMay(i) {
		return v
	}
	n, ok := p.markedMonth(i)
	if !ok {
		return 0
	}
	return n
}

// headingYear is the year of four digits at i, or 0.
func (p *parser) headingYear(i int) int {
	n, digits, _ := p.number(i)
	if digits != 4 || n < 1900 || n > 2100 {
		return 0
	}
	if p.unfit(i) || p.clockFollows(i+1) {
		return 0
	}
	return n
}

// Clock is a time of day; End tells whether it has an end.
type Clock struct {
	Hour, Minute       int
	End                bool
	EndHour, EndMinute int
}

// TimeOnly finds the first time of day in a text, with its end: "Doors 19:30",
// "7–9 pm", "19 Uhr".
func TimeOnly(text string, o Options) (Clock, bool) {
	if len(text) > 10000 {
		text = text[:10000]
	}
	p := newParser(text, o, false)
	defer p.done()
	for i := range p.toks {
		if t := &p.toks[i]; t.kind == tokenMark || t.kind == tokenWord && len(t.senses) == 0 {
			continue
		}
		p.agree(i)
		m := newMoment()
		announced := p.is(i-1, isAt) || p.mark(i-1) == '.' && p.is(i-2, isAt)
		if _, ok := p.timeAt(i, &m, announced && (p.plainHour(i+1) && p.hourly(i) || p.dotMinutes(i))); ok {
			return Clock{m.hour, m.minute, m.hasEnd, m.endHour, m.endMin}, true
		}
	}
	return Clock{}, false
}

// dotMinutes sees the minutes of "kl. 11.00".
func (p *parser) dotMinutes(i int) bool {
	m, digits, ok := p.number(i + 2)
	return p.mark(i+1) == '.' && p.tight(i+1) && ok && digits == 2 && m < 60
}

// hourly: "kl. 19" is a time, "at 10 places" is not: something must end there.
func (p *parser) hourly(i int) bool {
	t := p.tok(i + 1)
	return t == nil || t.kind == tokenMark && t.mark != '-' && t.mark != '%'
}

// Weekday reads the name of a weekday that is the whole text.
func Weekday(text string, o Options) (time.Weekday, bool) {
	if len(text) > 100 {
		return 0, false
	}
	p := newParser(text, o, true)
	defer p.done()
	for i := range p.toks {
		p.agree(i)
		v, ok := p.sense(i, isWeekday)
		if !ok {
			v, ok = p.sense(i, isWeekdays)
		}
		if ok {
			return time.Weekday(v), p.leftover(Occurrence{Begin: p.toks[i].begin, End: p.toks[i].end}) == 0
		}
	}
	return 0, false
}
