package events

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
)

func isWordRune(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// result makes drafts of the entries.
func (r *reader) result() []curlew.Draft {
	drafts := make([]curlew.Draft, len(r.entries))
	for i, e := range r.entries {
		drafts[i] = r.draft(e)
	}
	r.anchors(drafts)
	return drafts
}

// drafting is one draft in the making.
type drafting struct {
	*reader
	entry *entry
	draft *curlew.Draft
}

// put sets a field with its evidence; empty values are left out.
func (w *drafting) put(field, value string, p proof) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	w.draft.Fields[field] = value
	path := ""
	if p.node != nil {
		path = w.doc.Path(p.node)
	}
	w.draft.Provenance[field] = curlew.Evidence{
		Tier: curlew.TierHTML, Rule: p.rule, Node: path, Text: text.CutWords(p.text, 500), Confidence: p.sure,
	}
}

func (r *reader) draft(e *entry) curlew.Draft {
	d := curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{}, Provenance: map[string]curlew.Evidence{}, Text: r.entryText(e)}
	if e.node != nil {
		d.Node = r.doc.Path(e.node)
	}
	w := &drafting{r, e, &d}
	w.putTitle()
	w.putTimes()
	w.putPlace()
	w.putState()
	w.putLink()
	w.putPrice()
	w.putPerformers()
	w.putDescription()
	d.Confidence = min(1, 0.5*r.confidence+0.5*e.date.sure)
	return d
}

// entryText is the whole visible text of an entry.
func (r *reader) entryText(e *entry) string {
	if e.begin > 0 || e.end > 0 {
		text := r.lines[e.span.first].text
		if e.end > 0 {
			text = text[:e.end]
		}
		return strings.TrimSpace(text[e.begin:])
	}
	return r.text(e.span)
}

func (w *drafting) putTitle() {
	t := w.entry.title
	p := proof{text: t.text, rule: t.rule, sure: 0.8}
	if t.line >= 0 {
		p.node, p.text = w.lines[t.line].holder, w.lines[t.line].text
	}
	if t.inherited {
		p.sure = 0.5
	}
	w.put("title", t.text, p)
}

// putTimes writes start and end in full, whatever part the page leaves to headings.
func (w *drafting) putTimes() {
	d, c := w.entry.date, w.entry.own
	p := proof{d.node, d.text, "the date as written", d.sure}
	if d.how != "" {
		p.rule += ", " + d.how
	}
	if standing := w.standingClock(); c == nil && !d.hasClock && standing != nil {
		c = standing
		p.rule += ", the time from a sentence for all entries"
		p.text += " … " + text.CutWords(w.lines[c.line].text, 200)
	} else if c != nil && c.line >= 0 && (c.line != d.line || c.begin >= d.end) {
		p.text += " … " + text.CutWords(w.lines[c.line].text, 200)
		p.rule += ", the time from the entry"
	}
	t := times{d.start, d.stop, d.hasClock, d.hasStopClock}
	t.setClock(c, w.entry.clock != nil)
	if t.known && w.meansAfternoon(t.start.Hour(), w.clockText(c)) {
		t.toAfternoon()
		p.rule += ", in the afternoon as meetings are"
	}
	w.put("starts_at", dates.Format(t.start, t.known, false), p)
	if t.ends() {
		w.put("ends_at", dates.Format(t.stop, t.stopKnown, false), p)
	}
}

// times are the start and the end of an entry, and whether their time of day is known;
// stop is zero when there is none.
type times struct {
	start, stop      time.Time
	known, stopKnown bool
}

// setClock gives a day its time. The end that stands with the time wins over that of
// the day where both end on one day, and always where the time is that of one item.
func (t *times) setClock(c *clock, item bool) {
	if c == nil {
		return
	}
	t.start, t.known = at(t.start, c.Hour, c.Minute), true
	switch {
	case c.End && (item || t.stop.IsZero() || sameDay(t.stop, t.start)):
		t.stop, t.stopKnown = at(t.start, c.EndHour, c.EndMinute), true
		if !t.stop.After(t.start) {
			t.stop = t.stop.AddDate(0, 0, 1)
		}
	case item && !sameDay(t.stop, t.start):
		t.stop = time.Time{}
	}
}

// ends says whether there is an end to tell.
func (t *times) ends() bool {
	return !t.stop.IsZero() && !t.stop.Before(t.start) && (t.stopKnown || !sameDay(t.stop, t.start))
}

// toAfternoon moves times that were written without their half of the day.
func (t *times) toAfternoon() {
	t.start = t.start.Add(12 * time.Hour)
	if t.stopKnown && t.stop.Hour() < 12 && sameDay(t.start, t.stop) {
		t.stop = t.stop.Add(12 * time.Hour)
	}
}

func at(day time.Time, hour, minute int) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), hour, minute, 0, 0, day.Location())
}

// standingClock is the time for all entries; it holds for single days only.
func (w *drafting) standingClock() *clock {
	if s := nearest(forDay(w.standing.clocks, w.entry.date.start.Weekday()), w.entry.span.first); s != nil {
		return s.clock
	}
	return nil
}

func (w *drafting) putPlace() {
	p, ok := w.ownPlace(w.entry)
	if t := w.entry.title; t.place != "" && t.line >= 0 {
		p, ok = place{name: t.place, line: t.line, text: w.lines[t.line].text}, true
	}
	rule, sure := "the place in the entry", 0.7
	for i := 0; !ok && i < len(w.entry.doubles); i++ {
		p, ok = w.ownPlace(w.entry.doubles[i])
	}
	if !ok {
		s := nearest(w.standing.places, w.entry.span.first)
		if s == nil {
			return
		}
		p, rule, sure = s.place, "the place from a sentence for all entries", 0.6
	}
	if w.entry.title.text == p.name {
		return
	}
	from := proof{w.lines[p.line].holder, p.text, rule, sure}
	w.put("venue_name", p.name, from)
	w.put("venue_address", p.address, from)
	w.put("city", p.city, from)
}

func (w *drafting) putState() {
	s := text.CutWords(w.draft.Text, 1000)
	for _, other := range w.entry.doubles {
		s += "\n" + text.CutWords(w.entryText(other), 300)
	}
	if value, written := statusOf(s); value != "" {
		w.put("status", value, proof{w.entry.node, written, "a word in the entry", 0.8})
	}
}

// putLink takes the link of the title, else the first that is no document.
func (w *drafting) putLink() {
	var spare *html.Node
	for i := w.entry.span.first; i < w.entry.span.last; i++ {
		for _, p := range w.lines[i].pieces {
			if i == w.entry.span.first && (p.end <= w.entry.begin || w.entry.end > 0 && p.begin >= w.entry.end) {
				continue
			}
			a := linkAround(p.node)
			if a == nil {
				continue
			}
			if i == w.entry.title.line {
				w.putAddress(a, "the link of the title")
				return
			}
			if spare == nil {
				spare = a
			}
		}
	}
	if spare != nil {
		w.putAddress(spare, "the entry's first link")
	}
}

func (w *drafting) putAddress(a *html.Node, rule string) {
	href := strings.TrimSpace(dom.Attr(a, "href"))
	for _, begin := range [...]string{"#", "javascript:", "mailto:", "tel:"} {
		if href == "" || strings.HasPrefix(href, begin) {
			return
		}
	}
	address := w.doc.Resolve(href)
	w.put("url", address, proof{a, href, rule, 0.7})
	w.draft.URL = address
}

func linkAround(n *html.Node) *html.Node {
	for steps := 0; n != nil && steps < 5; n, steps = n.Parent, steps+1 {
		if n.Type == html.ElementNode && n.Data == "a" && dom.HasAttr(n, "href") {
			return n
		}
	}
	return nil
}

func (w *drafting) putPrice() {
	if len(w.draft.Text) > 2000 {
		return
	}
	for i := w.entry.span.first; i < w.entry.span.last; i++ {
		line := w.withoutDates(i, w.lines[i].text) // a year before a currency is no amount
		for _, p := range money.Find(line) {
			if roundOrRoom().MatchString(line[p.Begin:p.End]) && !w.pricedByLetter() {
				continue
			}
			w.put("price_min", p.Amount, proof{w.entry.node, p.Amount, "a price in the entry", 0.6})
			w.put("currency", p.Currency, proof{w.entry.node, p.Currency, "the price's currency", 0.6})
			return
		}
	}
}

// roundOrRoom is a whole number after one letter: "R2", "R 204".
var roundOrRoom = text.Pattern(`^[A-Z]\s?\d{1,3}$`)

// pricedByLetter says whether a letter is the currency of the page: most entries have a number after it.
func (w *drafting) pricedByLetter() bool {
	if w.lettered == nil {
		n := 0
		for _, e := range w.entries {
			text := w.page.text(e.span)
			if slices.ContainsFunc(money.Find(text), func(p money.Price) bool { return roundOrRoom().MatchString(text[p.Begin:p.End]) }) {
				n++
			}
		}
		is := n*2 > len(w.entries)
		w.lettered = &is
	}
	return *w.lettered
}

// putDescription is what the entry says beyond its other fields.
func (w *drafting) putDescription() {
	var out []string
	size := 0
	for i := w.entry.span.first; i < w.entry.span.last && size < 5000; i++ {
		text := w.lines[i].text
		if i == w.entry.title.line || wordCount(w.bare(i)) < 6 || strings.Contains(w.draft.Provenance["performers"].Text, text) {
			continue
		}
		out = append(out, text)
		size += len(text)
	}
	text := strings.Join(out, "\n")
	w.put("description", text, proof{w.entry.node, text, "the entry's running text", 0.6})
}

// recurring is the last resort of pages without dates: a rule such as "second
// Tuesday of each month".
func (r *reader) recurring() []curlew.Draft {
	if r.confidence > 0 && r.confidence < 0.3 {
		return nil
	}
	for _, d := range r.rules {
		l := &r.lines[d.line]
		if l.zone == frame || !eventWords().in(l.text+" "+r.title) || cueBefore().MatchString(l.text[:d.begin]) {
			continue
		}
		e := &entry{date: d, node: l.holder, span: span{d.line, d.line + 1}}
		e.title = r.inherit(e)
		e.own = r.ownClock(e)
		r.confidence = 0.4
		draft := r.draft(e)
		w := &drafting{r, e, &draft}
		w.put("recurrence", d.rule, proof{d.node, d.text, "a rule in words", 0.6})
		draft.Provenance["starts_at"] = curlew.Evidence{Tier: curlew.TierHTML, Node: r.doc.Path(l.holder), Text: d.text, Confidence: 0.4,
			Rule: fmt.Sprintf("the first day by the rule %q", d.text)}
		return []curlew.Draft{draft}
	}
	return nil
}
