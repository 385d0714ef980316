package events

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// resolveYears gives every date a year: from the heading or column above, from a
// link of the same entry, else for runs of neighbours together.
func (r *reader) resolveYears() {
	r.findHabit()
	above := map[int][]*date{}
	var order []int
	var run []*date
	flush := func() {
		r.resolveRun(run)
		run = nil
	}
	for _, d := range r.dates {
		if !d.yearless {
			continue
		}
		if year, ok := r.linkedYear(d); ok {
			d.setYear(year)
			d.yearless, d.how = false, "year from the address of a link"
			continue
		}
		c, ok := r.yearAbove(d.line)
		if ok {
			if _, known := above[c.line]; !known {
				order = append(order, c.line)
			}
			above[c.line] = append(above[c.line], d)
			continue
		}
		if len(run) > 0 && d.line-run[len(run)-1].line > 150 {
			flush()
		}
		run = append(run, d)
	}
	flush()
	for _, line := range order {
		r.resolveUnder(r.contextAt(line), above[line])
	}
	r.dates = slices.DeleteFunc(r.dates, func(d *date) bool { return d.yearless })
	r.index()
}

func (r *reader) contextAt(line int) context {
	c := r.contexts[r.contextBefore(line+1)]
	return c
}

// resolveUnder gives the dates under one heading its year. A season has two; a list
// that runs from December into January goes on in the next year. Weekdays may prove
// the heading wrong.
func (r *reader) resolveUnder(c context, all []*date) {
	offsets := make([]int, len(all)) // a list that begins anew is another list of that year
	base, best := c.year, -1<<30
	for _, year := range [...]int{c.year, c.year + 1, c.year - 1} {
		score := 0
		for i, d := range all {
			switch d.fits(c.yearOf(d, year, offsets[i])) {
			case fitsWell:
				score += 2
			case fitsNot:
				score -= 2
			}
		}
		if year == c.year {
			score += 3
		}
		if score > best {
			base, best = year, score
		}
	}
	for i, d := range all {
		year := c.yearOf(d, base, offsets[i])
		if d.fits(year) == fitsNot && d.fits(base) == fitsWell {
			year = base
		}
		d.setYear(year)
		d.yearless = false
		d.how = fmt.Sprintf("year from %q above", text.CutWords(r.lines[c.line].text, 60))
	}
}

func (c context) yearOf(d *date, base, offset int) int {
	if c.second > 0 {
		if d.start.Month() < time.July {
			return base + 1
		}
		return base
	}
	return base + offset
}

// fit is whether a weekday agrees with a year.
type fit int

const (
	fitsUnknown fit = iota
	fitsWell
	fitsNot
)

func (d *date) fits(year int) fit {
	if d.weekday < 0 {
		return fitsUnknown
	}
	t := time.Date(year, d.start.Month(), d.start.Day(), 0, 0, 0, 0, time.UTC)
	if int(t.Weekday()) == d.weekday {
		return fitsWell
	}
	return fitsNot
}

// quarter is how many days lists seldom leave out, so that a longer way back is the turn of
// the year.
const quarter = 90

// yearOffsets tells for a run of days without years how many years each lies after
// the first: an ascending list that falls back to January goes on in the next year.
func (r *reader) yearOffsets(all []*date) []int {
	offsets := make([]int, len(all))
	up, down := 0, 0
	for i := 1; i < len(all); i++ {
		switch gap := all[i].start.YearDay() - all[i-1].start.YearDay(); {
		case gap > quarter || gap < -quarter: // perhaps the turn of the year
		case gap > 0:
			up++
		case gap < 0:
			down++
		}
	}
	rising, falling := up > 3*down, down > 3*up
	titled := r.titled(all)
	for i := 1; i < len(all); i++ {
		offsets[i] = offsets[i-1]
		gap := all[i].start.YearDay() - all[i-1].start.YearDay()
		if r.inOtherColumn(all[i-1], all[i]) || !titled && r.beginsAnew(all[i-1], all[i]) {
			continue
		}
		if rising && gap < -quarter {
			offsets[i]++
		}
		if falling && gap > quarter {
			offsets[i]--
		}
	}
	return offsets
}

// titled says whether the headings between days are those of the entries: most days have
// one.
func (r *reader) titled(all []*date) bool {
	headed := 0
	for i := 1; i < len(all); i++ {
		if r.beginsAnew(all[i-1], all[i]) {
			headed++
		}
	}
	return headed*2 > len(all)-1
}

// inOtherColumn says whether the border of a column lies between two neighbours.
func (r *reader) inOtherColumn(a, b *date) bool {
	ac, bc := cellOf(r.lines[a.line].holder), cellOf(r.lines[b.line].holder)
	return ac != bc && (ac == nil || bc == nil || r.extentOf(ac).column != r.extentOf(bc).column)
}

// beginsAnew says whether another list begins between two neighbours: under a heading that is
// not just the next month.
func (r *reader) beginsAnew(a, b *date) bool {
	k := r.headingAfter(a.line + 1)
	if k >= len(r.headings) || r.headings[k].line >= b.line {
		return false
	}
	month, year := monthYear(r.lines[r.headings[k].line].text)
	return month == 0 || year > 0
}

// resolveRun chooses the years of neighbours together: weekdays first, then years
// written nearby or in the page's title, then what lies nearest to now.
func (r *reader) resolveRun(run []*date) {
	if len(run) == 0 {
		return
	}
	offsets := r.yearOffsets(run)
	nearby := r.yearsNearby(run)
	var years []int
	if !r.o.Now.IsZero() {
		for y := -4; y <= 2; y++ {
			years = append(years, r.o.Now.Year()+y)
		}
	}
	for year := range nearby {
		if !slices.Contains(years, year) {
			years = append(years, year)
		}
	}
	slices.Sort(years)
	best, base := -1e18, 0
	for _, year := range years {
		if score := r.scoreYear(run, offsets, year) + nearby[year] + r.habit.agrees(run, offsets, year); score > best {
			best, base = score, year
		}
	}
	if base == 0 {
		return
	}
	for i, d := range run {
		d.setYear(d.yearAmong(base, base+offsets[i], offsets))
		d.yearless = false
		d.how = "year from the neighbours, the weekday and the day of reading"
	}
}

// yearAmong is the year that a place in a run gives a date, unless its weekday says that it
// is out of order and of another year of the run.
func (d *date) yearAmong(base, year int, offsets []int) int {
	if d.fits(year) == fitsNot {
		for _, offset := range offsets {
			if d.fits(base+offset) == fitsWell {
				return base + offset
			}
		}
	}
	return year
}

func (r *reader) scoreYear(run []*date, offsets []int, year int) float64 {
	score := 0.0
	var first, last time.Time
	for i, d := range run {
		switch d.fits(year + offsets[i]) {
		case fitsWell:
			score += 3
		case fitsNot:
			score -= 3
		}
		t := time.Date(year+offsets[i], d.start.Month(), d.start.Day(), 0, 0, 0, 0, time.UTC)
		if first.IsZero() || t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	if r.o.Now.IsZero() {
		return score
	}
	// A list of what comes begins near now, an archive ends near it, a year's plan
	// holds it.
	begin, end := days(first, r.o.Now), days(last, r.o.Now)
	if near := min(abs(begin), abs(end)); begin <= 0 && end >= 0 {
		score -= near / 400
	} else if begin > 0 {
		score -= near / 120
	} else {
		score -= near / 90
	}
	return score
}

// habit is on which weekdays the page's days fall whose years are known.
type habit struct {
	counts [7]int
	total  int
}

// findHabit counts the weekdays of whole dates and of rules such as "third
// Wednesday of every month"; a rule counts as much as six dates.
func (r *reader) findHabit() {
	for _, d := range r.dates {
		if !d.yearless && d.stop.IsZero() && r.lines[d.line].zone != frame {
			r.habit.counts[d.start.Weekday()]++
			r.habit.total++
		}
	}
	for _, d := range r.rules {
		for day, name := range [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"} {
			if strings.Contains(d.rule, "BYDAY=") && strings.HasSuffix(d.rule, name) {
				r.habit.counts[day] += 6
				r.habit.total += 6
			}
		}
	}
}

// agrees weighs whether days without a weekday fall on the usual ones in a year, from
// about -6 to 6: days of one run move together, so that many say little more than
// four.
func (h habit) agrees(run []*date, offsets []int, year int) float64 {
	if h.total < 5 {
		return 0
	}
	sum, n := 0.0, 0
	for i, d := range run {
		if d.weekday >= 0 {
			continue
		}
		day := time.Date(year+offsets[i], d.start.Month(), d.start.Day(), 0, 0, 0, 0, time.UTC).Weekday()
		share := (float64(h.counts[day]) + 0.5) / (float64(h.total) + 3.5)
		sum += min(1.5, max(-1.5, math.Log(7*share)))
		n++
	}
	return sum / float64(max(1, n)) * float64(min(n, 4))
}

func days(t, since time.Time) float64 { return t.Sub(since).Hours() / 24 }

func abs(x float64) float64 { return max(x, -x) }

// yearsNearby weighs the years that are written near a run and in the title.
func (r *reader) yearsNearby(run []*date) map[int]float64 {
	found := map[int]float64{}
	first, last := run[0].line, run[len(run)-1].line
	list := r.listOf(run)
	for _, d := range r.dates {
		near := d.line >= max(list.first, first-30) && d.line < min(list.last, last+31)
		if near && !d.yearless && !r.stray(d) {
			found[d.start.Year()] = 1
		}
	}
	for _, text := range [...]string{r.title, r.doc.Title()} {
		if _, year := monthYear(text); year > 0 {
			found[year] = 2
		}
	}
	return found
}

// listOf is the smallest part of the page that holds a run of dates.
func (r *reader) listOf(run []*date) span {
	s, n := r.spanOf(r.lines[run[0].line].holder)
	for n != nil && s.last <= run[len(run)-1].line {
		s, n = r.spanOf(n.Parent)
	}
	return s
}

// linkedYear reads the year from the address of a link or document that belongs to
// the same small part of the page and names the same day.
func (r *reader) linkedYear(d *date) (int, bool) {
	n := d.node
	for range 3 {
		if n == nil || n.DataAtom == atom.Body {
			break
		}
		if s, ok := r.spans[n]; ok && (s.last-s.first > 6 || r.at[s.last]-r.at[s.first] > 3) {
			break
		}
		for link := range links(n, 8) {
			if year, ok := yearInAddress(dom.Attr(link, "href"), d.start); ok {
				return year, true
			}
		}
		n = n.Parent
	}
	return 0, false
}

// yearInAddress finds a date in an address that has the month and day of another.
func yearInAddress(address string, t time.Time) (int, bool) {
	if len(address) > 2000 {
		return 0, false
	}
	for _, at := range fourDigits().FindAllStringIndex(strings.Map(digitsAndDashes, address), 4) {
		digits := strings.Map(onlyDigits, address[max(0, at[0]-6):min(len(address), at[1]+6)])
		md := t.Format("0102")
		year := address[at[0]:at[1]]
		if strings.Contains(digits, year+md) || strings.Contains(digits, md+year) {
			return number(year), true
		}
	}
	return 0, false
}

func digitsAndDashes(c rune) rune {
	if c >= '0' && c <= '9' {
		return c
	}
	if c > 127 {
		return -1
	}
	return '-'
}

func onlyDigits(c rune) rune {
	if c >= '0' && c <= '9' {
		return c
	}
	return -1
}

// links yields the first links in an element.
func links(n *html.Node, most int) func(func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		left := most
		var walk func(*html.Node, int) bool
		walk = func(n *html.Node, depth int) bool {
			if n.DataAtom == atom.A && dom.HasAttr(n, "href") {
				if left--; !yield(n) || left <= 0 {
					return false
				}
			}
			for c := n.FirstChild; c != nil && depth < 40; c = c.NextSibling {
				if c.Type == html.ElementNode && !walk(c, depth+1) {
					return false
				}
			}
			return true
		}
		walk(n, 0)
	}
}
