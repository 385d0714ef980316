package events

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pair is a date and the one right after it that may be its end.
type pair struct {
	first, last *date
	dashed      bool
	make        string
}

// joinRanges makes one date of a first and a last day that stand in elements of
// their own: with a dash between them, or where every card of the page has two.
func (r *reader) joinRanges() {
	r.joinUntil()
	pairs, ordered, broken := r.pairs(), map[string]int{}, map[string]bool{}
	for _, p := range pairs {
		if p.last.start.Before(p.first.start) {
			broken[p.make] = true
		} else {
			ordered[p.make]++
		}
	}
	ends := map[*date]bool{}
	for _, p := range pairs {
		sure := p.dashed || ordered[p.make] >= 2 && !broken[p.make]
		if !sure || ends[p.first] || p.last.start.Before(p.first.start) {
			continue
		}
		ends[p.last] = true
		if !sameDay(p.first.start, p.last.start) {
			p.first.stop, p.first.hasStopClock = p.last.start, p.last.hasClock
		}
		p.first.lastLine = max(p.first.lastLine, p.last.lastLine)
		p.first.text += " – " + p.last.text
	}
	if len(ends) > 0 {
		r.dates = slices.DeleteFunc(r.dates, func(d *date) bool { return ends[d] })
		r.index()
	}
}

var (
	untilWord = text.Pattern(`(?i)(?:^|[^\pL\d])(?:until|till|through|thru|fino al?|bis(?: zum)?|jusqu['’]au|hasta(?: el)?|(?:a[żž] )?do(?: dnia)?|` +
		`tot(?: en met)?|t/m|t\.?\s?o\.?\s?m\.?|até|till och med|fram till|til og med|frem til|til|până (?:la|pe)|έως|μέχρι(?: τις)?|до|iki|līdz|kuni|fins al|` +
		`ends|closes|slutar|slutter|endet(?: am)?|eindigt(?: op)?|sluit(?: op)?|se termine(?: le)?|termina(?: el)?|finaliza(?: el)?|scade(?: il)?|` +
		`kończy się|končí|päättyy)\s*$`)
	fromWord = text.Pattern(`(?i)(?:\b(?:from|since|dal|del|ab|seit|vom|dès le|depuis le|du|desde(?: el)?|od|vanaf|från|desde|` +
		`a partir de)\s*|\(\s*)$`)
)

// untilEnds says whether a text ends in "until"; a weekday of the page's language is none.
func (r *reader) untilEnds(text string) bool {
	word := strings.TrimLeft(untilWord().FindString(text), " ,.:(")
	_, weekday := dates.Weekday(word, r.options())
	return word != "" && (!weekday || len(strings.Fields(word)) > 1)
}

// joinUntil reads ranges that are written backwards: "until 8 May (from 22 February)".
func (r *reader) joinUntil() {
	starts := map[*date]bool{}
	for i := 1; i < len(r.dates); i++ {
		a, b := r.dates[i-1], r.dates[i]
		if a.line != b.line || a.lastLine != a.line || b.begin < a.end {
			continue
		}
		if !b.start.Before(a.start) || !a.stop.IsZero() || !b.stop.IsZero() {
			continue
		}
		text := r.lines[a.line].text
		if r.untilEnds(text[max(0, a.begin-24):a.begin]) && fromWord().MatchString(text[a.end:b.begin]) {
			a.stop, a.hasStopClock, a.start, a.hasClock = a.start, a.hasClock, b.start, b.hasClock
			a.text, a.end = text[a.begin:b.end], b.end
			starts[b] = true
		}
	}
	if len(starts) > 0 {
		r.dates = slices.DeleteFunc(r.dates, func(d *date) bool { return starts[d] })
		r.index()
	}
}

// pairs finds neighbours that are nothing but dates in an element that holds just
// these two.
func (r *reader) pairs() []pair {
	var all []pair
	for i := 1; i < len(r.dates); i++ {
		a, b := r.dates[i-1], r.dates[i]
		dashed, ok := r.neighbours(a, b)
		if !ok {
			continue
		}
		s, n := r.spanOf(r.lines[a.line].holder)
		for n != nil && s.last <= b.line {
			s, n = r.spanOf(n.Parent)
		}
		if n == nil || len(r.within(s)) != 2 {
			continue
		}
		described := n.DataAtom == atom.Tr && r.substance(s) > 0
		if dashed || described || !listed(r.lines[a.line].holder) {
			all = append(all, pair{a, b, dashed, makeOf(n)})
		}
	}
	return all
}

// neighbours tells two dates on lines of their own that may be the ends of one range,
// and whether a dash stands on the line between them.
func (r *reader) neighbours(a, b *date) (dashed, ok bool) {
	dashed = b.line-a.lastLine == 2 && isDash(r.lines[a.lastLine+1].text)
	if !dashed && (a.single || b.line-a.lastLine != 1) || !a.stop.IsZero() {
		return false, false
	}
	return dashed, r.dateOnly(a.line) && r.dateOnly(b.line) && days(b.start, a.start) <= 800
}

func (r *reader) dateOnly(i int) bool { return !hasLetters(r.withoutDates(i, r.lines[i].text)) }

func isDash(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "-", "–", "—", "to", "through", "until", "bis", "do", "au", "al", "a", "t/m", "till", "til":
		return true
	}
	return false
}

// listed elements are entries of their own even when they are bare dates.
func listed(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Li, atom.P, atom.Tr, atom.Td, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Dd:
		return true
	}
	return false
}
