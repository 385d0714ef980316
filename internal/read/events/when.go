package events

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// date is one date on the page, as far as it is written.
type date struct {
	line       int // where it begins
	begin, end int // in that line
	lastLine   int // where it ends, of dates written over several lines
	node       *html.Node
	text       string

	start, stop  time.Time // stop is zero when there is none
	hasClock     bool      // of start
	unshown      bool      // its clock stands in an attribute alone
	hasStopClock bool
	yearless     bool
	weekday      int    // -1 when none is written
	single       bool   // it is the end of no range
	rule         string // a recurrence
	how          string // how what is not written was completed, in words
	sure         float64
	moved        bool  // it stood on another day before
	of           *date // the range that gave its month
}

func (d *date) day() string { return d.start.Format(time.DateOnly) }

// sentinel is the year that dates takes for those without one, far from any that
// people write. With a weekday it may move by a year.
const sentinel = 2096

func isSentinel(year int) bool { return year >= sentinel-4 && year <= sentinel+4 }

func (r *reader) options() dates.Options {
	return dates.Options{Now: r.o.Now, Lang: r.primary, Year: sentinel, Order: r.order}
}

// maxDates bounds the work on a page: what lies behind is not read.
const maxDates = 5000

func (r *reader) findDates() {
	r.primary = language.Primary(r.lang)
	r.order, _ = r.doc.DateOrder(r.o.Now)
	for i := range r.lines {
		l := &r.lines[i]
		if !hasDigits(l.text) || len(l.text) > 20_000 {
			continue
		}
		if len(r.dates) > maxDates {
			break
		}
		r.findOn(i)
		r.addShort(i)
	}
	r.sortDates()
	r.dates = append(r.dates, r.spannedDays()...)
	r.joinBadges()
	r.readTimeElements()
	r.sortDates()
}

// findOn finds the dates of a line. Where days of one month follow each other,
// reading goes on after the last, so that "8 and 29, March 5" is no 29 March.
func (r *reader) findOn(i int) {
	text := joinYear(r.lines[i].text)
	for from, rounds := 0, 0; rounds < 20; rounds++ {
		again := false
		for _, f := range dates.Find(text[from:], r.options()) {
			f.Begin, f.End = f.Begin+from, f.End+from
			if end := r.addFound(i, f); end > f.End {
				from, again = end, true
				break
			}
		}
		if !again {
			return
		}
	}
}

// apart is a day and a month in numbers with the year set apart: "02.03 2026".
var apart = text.Pattern(`\b\d{1,2}[./]\d{1,2} (?:19|20)\d\d\b`)

// joinYear closes such gaps; no offset moves.
func joinYear(text string) string {
	if len(text) > 400 || !strings.ContainsAny(text, "./") || !apart().MatchString(text) {
		return text
	}
	return apart().ReplaceAllStringFunc(text, func(m string) string {
		mark := m[strings.IndexAny(m, "./")]
		return strings.Replace(m, " ", string(mark), 1)
	})
}

var slashed = text.Pattern(`\d[/.-]\d`)

// addFound keeps what dates found on a line if it is a day, and tells where the
// further days after it end.
func (r *reader) addFound(i int, f dates.Occurrence) int {
	l := &r.lines[i]
	written := l.text[f.Begin:f.End]
	d := &date{line: i, lastLine: i, begin: f.Begin, end: f.End, text: written, weekday: -1, sure: f.Confidence,
		start: f.Start, stop: f.Date.End, hasClock: f.TimeKnown, hasStopClock: f.EndTime, rule: f.Recurrence}
	d.node = l.nodeAt(f.Begin)
	if !d.stop.IsZero() && movedFrom().MatchString(l.text[max(0, f.Begin-40):f.Begin]) { // "postponed from 1 to 8 December"
		d.start, d.hasClock, d.stop, d.hasStopClock, d.moved = d.stop, d.hasStopClock || d.hasClock, time.Time{}, false, true
	}
	if f.Recurrence != "" {
		r.rules = append(r.rules, d)
		return f.End
	}
	if f.Confidence <= 0.6 && wholeMonth(f) && !dayWritten(written) {
		return f.End // a heading
	}
	d.yearless = isSentinel(f.Start.Year())
	if !d.yearless && !yearWritten(written, f.Start.Year()) {
		return f.End // "Friday 8 pm", "tomorrow": relative to a day that nobody knows
	}
	if !d.yearless && !r.plausible(f.Start) {
		return f.End
	}
	d.weekday = weekdayIn(written, r.options())
	r.dates = append(r.dates, d)
	if d.yearless && d.yearAfter(l) {
		return d.end
	}
	return r.addFurther(d, l)
}

// movedFrom stands before the day on which something was to be, and that on which it is.
var movedFrom = text.Pattern(`(?i)\b(?:(?:postponed|rescheduled|moved|changed) from|verlegt von|verschoben von|reporté du|przeniesione z)\s*(?:the\s+)?$`)

// wholeMonth tells a range from the first day of a month to the last of one.
func wholeMonth(f dates.Occurrence) bool {
	return !f.Date.End.IsZero() && f.Start.Day() == 1 && f.Date.End.AddDate(0, 0, 1).Day() == 1
}

// trailing is a year right after a day and a month: "Feb. 8, 2018: Agenda".
var trailing = text.Pattern(`^[,.]?\s?((?:19|20)\d\d):?(?:[^\d:/.-]|$)`)

// yearAfter takes the year that stands right after a date.
func (d *date) yearAfter(l *line) bool {
	m := trailing().FindStringSubmatchIndex(l.text[d.end:])
	if m == nil || slashed().MatchString(d.text) {
		return false
	}
	d.setYear(number(l.text[d.end+m[2] : d.end+m[3]]))
	d.end += m[3]
	d.text, d.yearless = l.text[d.begin:d.end], false
	return true
}

// plausible: entries are planned a few years ahead and kept for some decades.
func (r *reader) plausible(t time.Time) bool {
	if r.o.Now.IsZero() {
		return t.Year() >= 1990 && t.Year() <= 2080
	}
	return t.Year() >= r.o.Now.Year()-25 && t.Year() <= r.o.Now.Year()+6
}

var twoDigits = text.Pattern(`\d+`)

func dayWritten(s string) bool {
	return slices.ContainsFunc(twoDigits().FindAllString(s, -1), func(n string) bool { return len(n) <= 2 })
}

// yearWritten says whether a text holds a year, in two or four digits.
func yearWritten(s string, year int) bool {
	four := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006")
	return strings.Contains(s, four) || strings.Contains(s, four[2:]) || !asciiDigits(s)
}

func asciiDigits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsDigit(r) && r > unicode.MaxASCII }) < 0
}

// weekdayIn finds the weekday that a date is written with.
func weekdayIn(written string, o dates.Options) int {
	begin := -1
	for i, c := range written + " " {
		if unicode.IsLetter(c) {
			if begin < 0 {
				begin = i
			}
			continue
		}
		if begin >= 0 && i-begin >= 2 {
			if day, ok := dates.Weekday(written[begin:i], o); ok {
				return int(day)
			}
		}
		begin = -1
	}
	return -1
}

// further days of one month after the first: "January 8, 22 and 29, 2019".
var further = text.Pattern(`^(?:\s*(?:,|&|and|und|et|y|e|i|og|och|en|\+)\s*)+(\d{1,2})(?:st|nd|rd|th|\.)?((?:\s*,?\s*(?:19|` +
	`20)\d\d)?)(?:\D|$)`)

func (r *reader) addFurther(d *date, l *line) int {
	if d.hasClock || !d.stop.IsZero() || slashed().MatchString(d.text) {
		return d.end
	}
	previous, at := d, d.end
	for range 12 {
		m := further().FindStringSubmatchIndex(l.text[at:])
		if m == nil {
			return at
		}
		day := number(l.text[at+m[2] : at+m[3]])
		dated := m[4] < m[5]
		if day <= previous.start.Day() || day > 31 || !dated && countsOther(l.text[at+max(m[3], m[5]):]) {
			return at
		}
		next := *d
		next.begin, next.end = at+m[2], at+max(m[3], m[5])
		next.text = l.text[next.begin:next.end]
		next.weekday = -1
		next.start = time.Date(d.start.Year(), d.start.Month(), day, 0, 0, 0, 0, d.start.Location())
		if next.start.Month() != d.start.Month() {
			return at
		}
		if dated {
			year := number(strings.Trim(l.text[at+m[4]:at+m[5]], " ,"))
			r.setYearBack(d, &next, year)
		}
		r.dates = append(r.dates, &next)
		previous, at = &next, next.end
	}
	return at
}

// countsOther tells by what follows a number that it is no day: a time, an amount, or
// how many of something.
func countsOther(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return rest != "" && strings.ContainsAny(rest[:1], ":/%$") || startsWithWord(rest)
}

// setYearBack gives the year at the end of a run of days to all of them.
func (r *reader) setYearBack(first, last *date, year int) {
	for i := len(r.dates) - 1; i >= 0 && r.dates[i].line == first.line && r.dates[i].begin >= first.begin; i-- {
		r.dates[i].setYear(year)
		r.dates[i].yearless = false
	}
	last.setYear(year)
	last.yearless = false
}

// startsWithWord: "22 attendees" is no day, "22 and 29" is.
func startsWithWord(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	switch strings.ToLower(strings.Trim(word, ",.&-–—:;()")) {
	case "", "and", "und", "et", "y", "e", "i", "at", "um", "agenda", "minutes", "og", "och", "en":
		return false
	}
	return unicode.IsLetter([]rune(word)[0])
}

func number(s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 100_000 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// short dates are too brief for running text but clear where they are a line's
// whole beginning: "1/8", "3-14-18".
var short = text.Pattern(`^\W*(?:[A-Za-z]{2,9}\.?,? )?(\d{1,2})([/.-])(\d{1,2})(?:([/.-])(\d{4}|\d{2}))?(?:\D|$)`)

func (r *reader) addShort(i int) {
	l := &r.lines[i]
	if len(l.text) > 120 || len(r.dates) > 0 && r.dates[len(r.dates)-1].line == i {
		return
	}
	m := short().FindStringSubmatchIndex(l.text)
	if m == nil {
		return
	}
	dated := m[8] >= 0
	fits := !dated && l.text[m[4]] == '/' && mostly(l.text, m[7])
	if dated {
		fits = l.text[m[8]] == l.text[m[4]]
	}
	month, day, ok := r.monthDay(number(l.text[m[2]:m[3]]), number(l.text[m[6]:m[7]]))
	if !fits || !ok {
		return
	}
	d := &date{line: i, lastLine: i, begin: m[2], end: m[7], weekday: -1, sure: 0.6, yearless: !dated}
	year := sentinel
	if dated {
		d.end, year = m[11], number(l.text[m[10]:m[11]])
		if year < 100 {
			year += 2000
		}
	}
	d.start = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if d.start.Day() != day || dated && !r.plausible(d.start) {
		return
	}
	d.text, d.node = l.text[d.begin:d.end], l.nodeAt(d.begin)
	r.dates = append(r.dates, d)
}

// monthDay puts two numbers into the order of the page; ok is false when they cannot be
// month and day.
func (r *reader) monthDay(a, b int) (month, day int, ok bool) {
	if r.order == dates.DayFirst || r.order == dates.OrderUnknown && a > 12 {
		a, b = b, a
	}
	return a, b, a >= 1 && a <= 12 && b >= 1 && b <= 31
}

// mostly says whether a line is little more than what ends at an offset, or goes on
// with a dash or a weekday as lists of days do.
func mostly(text string, end int) bool {
	rest := strings.TrimSpace(text[end:])
	return len(rest) <= 3 || strings.ContainsAny(rest[:1], ":,(|–—-")
}

// nodeAt is the element that holds the text at an offset of a line.
func (l *line) nodeAt(offset int) *html.Node {
	for _, p := range l.pieces {
		if offset < p.end {
			return p.node.Parent
		}
	}
	return l.holder
}

// readTimeElements lets <time datetime> say what its text leaves out.
func (r *reader) readTimeElements() {
	for _, d := range r.dates {
		exact, ok := r.timeElement(d)
		if !ok {
			continue
		}
		if d.yearless {
			d.setYear(exact.Start.Year())
			d.yearless, d.how = false, "year from the time element"
		}
		timed := exact.TimeKnown && exact.Start.Hour()+exact.Start.Minute() > 0
		if timed && !d.hasClock && d.stop.IsZero() && exact.Start.Day() == d.start.Day() {
			d.start, d.hasClock, d.unshown = exact.Start, true, true
		}
	}
}

// timeElement is what the time element around a date says, where it is the same day.
func (r *reader) timeElement(d *date) (dates.Date, bool) {
	if d.node == nil || d.node.DataAtom != atom.Time {
		return dates.Date{}, false
	}
	value := dom.Attr(d.node, "datetime")
	if len(value) < 10 || len(value) > 40 {
		return dates.Date{}, false
	}
	exact, ok := dates.Parse(value, dates.Options{})
	if !ok || exact.Start.Month() != d.start.Month() {
		return dates.Date{}, false
	}
	return exact, exact.ZoneKnown || exact.Start.Day() == d.start.Day()
}

// setYear moves a date to a year; the end moves along.
func (d *date) setYear(year int) {
	delta := year - d.start.Year()
	if delta == 0 {
		return
	}
	d.start = d.start.AddDate(delta, 0, 0)
	if !d.stop.IsZero() {
		d.stop = d.stop.AddDate(delta, 0, 0)
	}
}
