package events

import (
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func monthYear(text string) (month, year int) { return dates.MonthYear(text, dates.Options{}) }

// completeDays reads days that have no month of their own but stand under one, and
// weekdays that stand in the line or cell beside their date.
func (r *reader) completeDays() {
	more := slices.Concat(r.daysUnderMonths(), r.calendarDays(), r.daysInRows(), r.daysInMonthRows())
	r.dates = append(r.dates, more...)
	r.sortDates()
	r.dates = append(r.dates, r.daysOfRange()...)
	r.sortDates()
	for _, d := range r.dates {
		for _, k := range [...]int{d.line - 1, d.lastLine + 1} {
			if d.weekday < 0 {
				d.weekday = r.weekdayBeside(d, k)
			}
		}
	}
}

// daysUnderMonths are the days that stand under a month: with a weekday, or rising.
func (r *reader) daysUnderMonths() []*date {
	var more []*date
	bare := map[int][]*date{} // by the line of the month
	for i := range r.lines {
		text := r.lines[i].text
		if r.at[i] < r.at[i+1] || len(text) > 300 || !hasDigits(text[:min(24, len(text))]) {
			continue
		}
		if len(more) > maxDates {
			break
		}
		d, named := r.dayUnderMonth(i)
		if d == nil {
			continue
		}
		if named {
			more = append(more, d)
			continue
		}
		if c, ok := r.monthAbove(i); ok {
			bare[c.line] = append(bare[c.line], d)
		}
	}
	for _, all := range bare {
		if risingDays(all) {
			more = append(more, all...)
		}
	}
	return more
}

// daysInRows are the further days in rows of tables that begin with a month: "May", "12",
// "26". The first of them was read with the month.
func (r *reader) daysInRows() []*date {
	var more []*date
	for _, d := range slices.Clone(r.dates) {
		cell := cellOf(r.lines[d.lastLine].holder)
		if cell == nil || d.lastLine != d.line+1 || !dayAlone(r.lines[d.lastLine].text) || len(more) > maxDates {
			continue
		}
		month, year := monthYear(r.lines[d.line].text)
		last := d.start.Day()
		for next := cell.NextSibling; next != nil && month > 0; next = next.NextSibling {
			s, ok := r.spans[next]
			if !ok || next.DataAtom != atom.Td {
				continue
			}
			text := r.lines[s.first].text
			day := number(strings.TrimRight(text, ".stndrh"))
			if s.last != s.first+1 || !dayAlone(text) || day <= last || r.at[s.first] < r.at[s.last] {
				break
			}
			last = day
			if one := r.monthDate(s.first, context{line: d.line, month: month, year: year}, day, 0, -1); one != nil {
				one.end, one.text = len(text), text
				more = append(more, one)
			}
		}
	}
	return more
}

// weekdayBeside is the weekday that is all of a line near a date; -1 when there is none.
func (r *reader) weekdayBeside(d *date, k int) int {
	if k < 0 || k >= len(r.lines) || len(r.lines[k].text) > 14 || !r.near(min(k, d.line), max(k, d.lastLine)) {
		return -1
	}
	day, ok := dates.Weekday(r.lines[k].text, r.options())
	if !ok {
		return -1
	}
	return int(day)
}

var (
	weekdayFirst = text.Pattern(`^(\pL{2,12})\.?,?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th|\.)?(?:\s*(?:-|–|—|to|through|bis|` +
		`do)\s*(?:(\pL{2,12})\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|\.)?)?(?:[^\d:/\pL%]|$)`)
	dayFirst = text.Pattern(`^(\d{1,2})(?:st|nd|rd|th|\.)?,?\s+(\pL{2,12})\.?(?:[^\d:/\pL%]|$)`)
	bareDay  = text.Pattern(`^(\d{1,2})(?:(?:st|nd|rd|th)(?:\W|$)|\s+[-–—:]\s|$)`)
)

// writtenDay is a day without a month as it is written at the beginning of a line.
type writtenDay struct {
	first, last int // last is 0 when the day is no range
	weekday     int // -1 when none is written
	end         int
}

// dayWithWeekday reads "Wed 18", "Wed 18 – Sun 22", "18 Wed".
func (r *reader) dayWithWeekday(text string) (writtenDay, bool) {
	if m := weekdayFirst().FindStringSubmatchIndex(text); m != nil {
		if day, ok := dates.Weekday(text[m[2]:m[3]], r.options()); ok {
			w := writtenDay{first: number(text[m[4]:m[5]]), weekday: int(day), end: m[5]}
			if m[8] >= 0 {
				w.last, w.end = number(text[m[8]:m[9]]), m[9]
			}
			return w, true
		}
	} else if m := dayFirst().FindStringSubmatchIndex(text); m != nil {
		if day, ok := dates.Weekday(text[m[4]:m[5]], r.options()); ok {
			return writtenDay{first: number(text[m[2]:m[3]]), weekday: int(day), end: m[5]}, true
		}
	}
	return writtenDay{}, false
}

// dayUnderMonth reads a day with its weekday, and without one "18th" or "18 – …".
func (r *reader) dayUnderMonth(i int) (d *date, named bool) {
	text := r.lines[i].text
	w, named := r.dayWithWeekday(text)
	if !named {
		m := bareDay().FindStringSubmatchIndex(text)
		if m == nil || m[1] == m[3] && cellOf(r.lines[i].holder) != nil { // see calendarDays
			return nil, false
		}
		w = writtenDay{first: number(text[m[2]:m[3]]), weekday: -1, end: m[3]}
	}
	if w.first < 1 || w.first > 31 {
		return nil, false
	}
	c, ok := r.monthAbove(i)
	if !ok || i-c.line > 800 || !named && i-c.line > 60 {
		return nil, false
	}
	return r.dayOf(i, c, w), named
}

// dayOf makes a date of a written day and its month.
func (r *reader) dayOf(i int, c context, w writtenDay) *date {
	d := r.monthDate(i, c, w.first, w.last, w.weekday)
	if d != nil {
		d.end, d.text = w.end, strings.TrimRight(r.lines[i].text[:w.end], " ")
	}
	return d
}

// monthDate makes a date of a day and the month above it.
func (r *reader) monthDate(i int, c context, first, last, weekday int) *date {
	year := c.year
	d := &date{line: i, lastLine: i, weekday: weekday, sure: 0.8, node: r.lines[i].holder}
	if year == 0 {
		d.yearless, year = true, sentinel
	}
	d.start = time.Date(year, time.Month(c.month), first, 0, 0, 0, 0, time.UTC)
	if d.start.Day() != first {
		return nil
	}
	if last > 0 && last <= 31 && last != first {
		month := c.month
		if last < first {
			month++
		}
		d.stop = time.Date(year, time.Month(month), last, 0, 0, 0, 0, time.UTC)
	}
	d.how = "month from \"" + text.CutWords(r.lines[c.line].text, 60) + "\" above"
	return d
}

// risingDays says whether days without a weekday run on under one month, as days
// do and other numbers hardly.
func risingDays(all []*date) bool {
	if len(all) == 1 {
		return strings.TrimSpace(all[0].text) != ""
	}
	for i := 1; i < len(all); i++ {
		if all[i].start.Day() < all[i-1].start.Day() {
			return false
		}
	}
	return true
}

// calendarDays reads the cells of month sheets: tables with a number in most cells.
// Days with nothing but their number are empty.
func (r *reader) calendarDays() []*date {
	tables := map[*html.Node][]*html.Node{}
	var order []*html.Node
	for i := range r.lines {
		l := &r.lines[i]
		cell := cellOf(l.holder)
		if cell == nil || cell.DataAtom != atom.Td || !dayAlone(l.text) || r.spans[cell].first != i {
			continue
		}
		table := tableOf(cell)
		if len(tables[table]) == 0 {
			order = append(order, table)
		}
		tables[table] = append(tables[table], cell)
	}
	var found []*date
	for _, table := range order {
		if cells := tables[table]; len(cells) >= 27 && len(cells) <= 42 {
			found = append(found, r.sheet(cells)...)
		}
	}
	return found
}

func (r *reader) sheet(cells []*html.Node) []*date {
	first := r.spans[cells[0]].first
	k := r.contextBefore(first)
	if k < 0 || r.contexts[k].month == 0 || first-r.contexts[k].line > 40 {
		return nil
	}
	c := r.contexts[k]
	var found []*date
	previous, started, over := 0, false, false
	for _, cell := range cells {
		s := r.spans[cell]
		day := number(r.lines[s.first].text)
		if day == 1 {
			over = started
			started = true
		}
		if !started || over || day < previous && day != 1 {
			continue
		}
		previous = day
		if s.last-s.first < 2 || r.at[s.first] < r.at[s.last] {
			continue
		}
		if d := r.monthDate(s.first, c, day, 0, -1); d != nil {
			d.end, d.text = len(r.lines[s.first].text), r.lines[s.first].text
			found = append(found, d)
		}
	}
	return found
}

// sheetItems cuts a day of a month's sheet that holds several elements of one make, and nothing
// else but its number.
func (r *reader) sheetItems(e *entry) []*entry {
	if e.node == nil || e.node.DataAtom != atom.Td || e.date.hasClock || !dayAlone(r.lines[e.date.line].text) {
		return nil
	}
	rest := span{e.date.lastLine + 1, e.span.last}
	items := r.partsOf(e.node, rest)
	for len(items) == 1 {
		items = r.partsOf(items[0], rest)
	}
	var parts []*entry
	for _, n := range items {
		if makeOf(n) != makeOf(items[0]) || makeOf(n) == "div." || r.substance(r.spans[n]) < 1 {
			return nil
		}
		parts = append(parts, &entry{date: e.date, node: n, span: r.spans[n]})
	}
	return parts
}

// partsOf are the elements right in another that together hold some lines; none where a line
// stands outside of them.
func (r *reader) partsOf(n *html.Node, lines span) (parts []*html.Node) {
	at := lines.first
	for c := range n.ChildNodes() {
		if s, ok := r.spans[c]; ok && s.first == at && s.last <= lines.last {
			parts, at = append(parts, c), s.last
		}
	}
	if at < lines.last {
		return nil
	}
	return parts
}
