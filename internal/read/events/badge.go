package events

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// dayPattern is a line that is nothing but the number of a day.
var dayPattern = text.Pattern(`^(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.|,)?$`)

func dayAlone(text string) bool {
	return text != "" && len(text) <= 4 && text[0] >= '0' && text[0] <= '9' && dayPattern().MatchString(text)
}

// dayMonth is a day and a month in numbers, the year on the next line.
var dayMonth = text.Pattern(`^\d{1,2}([./-])\d{1,2}\.?$`)

// joinBadges reads dates whose parts stand in lines of their own, as on the leaf of
// a calendar: "Mar" above "12", "Thu" above "12" above "March 2026".
func (r *reader) joinBadges() {
	taken := map[int]bool{}
	for _, d := range r.dates {
		taken[d.line] = true
	}
	for i := range r.lines {
		if taken[i] {
			continue
		}
		if text := r.lines[i].text; dayAlone(text) {
			r.joinBadge(i, taken)
		} else if dayMonth().MatchString(text) && i+1 < len(r.lines) && bareYear(r.lines[i+1].text) && r.near(i, i+1) {
			joined := strings.TrimRight(text, ".") + dayMonth().FindStringSubmatch(text)[1] + r.lines[i+1].text
			if found := dates.Find(joined, r.options()); len(found) == 1 {
				r.addBadge(i, i+1, joined, found[0])
			}
		}
	}
}

// windows are the lines before and after the day that may belong to it, longest first.
var windows = [...]span{{2, 1}, {1, 2}, {0, 3}, {2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}}

func (r *reader) joinBadge(i int, taken map[int]bool) {
	for _, w := range windows {
		first, last := i-w.first, i+w.last
		if first < 0 || last >= len(r.lines) || !r.near(first, last) || r.acrossRows(first, last) {
			continue
		}
		joined, fits := r.badgeText(i, first, last, taken)
		if !fits {
			continue
		}
		found := dates.Find(joined, r.options())
		if len(found) != 1 || found[0].Begin > 0 || found[0].End < len(joined)-1 {
			continue
		}
		if found[0].Recurrence != "" || found[0].Confidence <= 0.5 {
			continue
		}
		r.addBadge(first, last, joined, found[0])
		for k := first; k <= last; k++ {
			taken[k] = true
		}
		return
	}
}

// badgeText joins short lines around the day at i; fits is false when they can be no
// parts of one date.
func (r *reader) badgeText(i, first, last int, taken map[int]bool) (joined string, fits bool) {
	for k := first; k <= last; k++ {
		text := r.lines[k].text
		if taken[k] || utf8.RuneCountInString(text) > 12 || k != i && dayAlone(text) {
			return "", false
		}
		joined += text + " "
	}
	return strings.TrimSpace(joined), true
}

// acrossRows says whether lines stand in different rows of a table that has several
// cells in a row: the parts of a date do not.
func (r *reader) acrossRows(first, last int) bool {
	a, b := cellOf(r.lines[first].holder), cellOf(r.lines[last].holder)
	if a == nil || b == nil || a.Parent == b.Parent || tableOf(a) != tableOf(b) {
		return false
	}
	return !r.extentOf(a).alone || !r.extentOf(b).alone
}

func (r *reader) addBadge(first, last int, joined string, f dates.Occurrence) {
	d := &date{line: first, lastLine: last, end: len(r.lines[first].text), text: joined, sure: f.Confidence,
		start: f.Start, stop: f.Date.End, hasClock: f.TimeKnown, hasStopClock: f.EndTime, node: r.lines[first].holder}
	d.yearless = isSentinel(f.Start.Year())
	d.weekday = weekdayIn(joined, r.options())
	if d.yearless || r.plausible(f.Start) {
		r.dates = append(r.dates, d)
	}
}

// near says whether two lines stand in one small part of the page.
func (r *reader) near(first, last int) bool {
	n := r.lines[first].holder
	for range 4 {
		if n == nil {
			return false
		}
		if s, ok := r.spans[n]; ok && s.last > last {
			return s.last-s.first <= 40
		}
		n = n.Parent
	}
	return false
}

// sortDates puts the dates in the order of the page and keeps for every line where
// its dates begin.
func (r *reader) sortDates() {
	slices.SortStableFunc(r.dates, func(a, b *date) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.begin, b.begin))
	})
	r.index()
}

func (r *reader) index() {
	r.at = make([]int, len(r.lines)+1)
	k := 0
	for i := range r.at {
		for k < len(r.dates) && r.dates[k].line < i {
			k++
		}
		r.at[i] = k
	}
}

// within are the dates in a run of lines.
func (r *reader) within(s span) []*date { return r.dates[r.at[s.first]:r.at[s.last]] }

// spanOf is the run of lines of an element, or of the nearest that has one.
func (r *reader) spanOf(n *html.Node) (span, *html.Node) {
	for ; n != nil; n = n.Parent {
		if s, ok := r.spans[n]; ok {
			return s, n
		}
	}
	return span{0, len(r.lines)}, nil
}
