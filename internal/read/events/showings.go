package events

import (
	"slices"

	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// mostWeek is how many days a programme tells at once: "18 to 24 November".
const mostWeek = 31 * 24

// daysOfRange are the days that leave their month to a range of days above them: "Wed 18" under
// "18 to 24 November 2026". The range is then no entry.
func (r *reader) daysOfRange() []*date {
	var found []*date
	var over *date
	at := 0
	told := map[*date]int{}
	for i := range r.lines {
		for ; at < len(r.dates) && r.dates[at].line < i; at++ {
			if d := r.dates[at]; !d.yearless && d.stop.After(d.start) && d.stop.Sub(d.start).Hours() <= mostWeek {
				over = d
			}
		}
		text := r.lines[i].text
		if over == nil || r.at[i] < r.at[i+1] || len(text) > 300 || !hasDigits(text[:min(24, len(text))]) || len(found) > maxDates {
			continue
		}
		if d := r.dayInRange(i, over); d != nil {
			found = append(found, d)
			told[over]++
		}
	}
	r.dates = slices.DeleteFunc(r.dates, func(d *date) bool { return told[d] > 1 })
	return slices.DeleteFunc(found, func(d *date) bool { return told[d.of] < 2 })
}

// dayInRange is the day that a line begins with, if the range has one of its weekday.
func (r *reader) dayInRange(i int, over *date) *date {
	w, named := r.dayWithWeekday(r.lines[i].text)
	if !named || w.last > 0 {
		return nil
	}
	for day := over.start; !day.After(over.stop); day = day.AddDate(0, 0, 1) {
		if day.Day() != w.first || int(day.Weekday()) != w.weekday {
			continue
		}
		d := r.dayOf(i, context{line: over.line, month: int(day.Month()), year: day.Year()}, w)
		d.of = over
		return d
	}
	return nil
}

// splitShowings cuts an entry whose hours stand in elements of their own, all of one make and
// with nothing else in them, into one entry each: the showings of a film on one day.
func (r *reader) splitShowings(e *entry) []*entry {
	if e.date.hasClock || e.span.last != e.span.first+1 || e.begin > 0 || e.end > 0 {
		return nil
	}
	l := &r.lines[e.span.first]
	var parts []*entry
	var first *html.Node
	for _, p := range l.pieces {
		n := p.node.Parent
		c, ok := dates.TimeOnly(l.text[p.begin:p.end], r.options())
		if n == l.holder || !ok || p.begin < e.date.end {
			continue
		}
		if first == nil {
			first = n
		}
		if makeOf(n) != makeOf(first) || n.Parent != first.Parent || c.End {
			return nil
		}
		parts = append(parts, &entry{date: e.date, node: e.node, span: e.span, shape: e.shape, begin: p.begin, end: p.end,
			clock: &clock{Clock: c, line: e.span.first, begin: p.begin, end: p.end}})
	}
	return parts
}

// titleByCard is the heading of the card that a day of a programme stands in: a film above its days.
func (r *reader) titleByCard(e *entry) (named, bool) {
	if e.date.of == nil || e.shape == shapeLines || e.node == nil {
		return named{}, false
	}
	for n, steps := e.node.Parent, 0; n != nil && steps < 6; n, steps = n.Parent, steps+1 {
		s, ok := r.spans[n]
		if !ok || !isPart(n) || !r.twin(n, next) && !r.twin(n, previous) {
			continue
		}
		for i := s.first; i < e.span.first; i++ {
			if level := r.lines[i].level; level > 0 && level < 7 && !r.isContext(i) && r.at[i] == r.at[i+1] {
				return named{text: trimTitle(r.lines[i].text), line: i, rule: "the heading of its card"}, true
			}
		}
		return named{}, false
	}
	return named{}, false
}
