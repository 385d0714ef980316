package events

import (
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// eventWords speak of what is held, textWords of what is written.
var (
	eventWords = phrases("event words")
	textWords  = phrases("text words")
)

// judge merges entries that say the same, and decides how sure it is that these
// are entries at all.
func (r *reader) judge() {
	r.entries = slices.DeleteFunc(r.entries, func(e *entry) bool { return e.span.last <= e.span.first })
	r.merge()
}

// merge removes doubles: copies for narrow screens, schedule and archive that list
// the same days. Entries of one day stay apart when both have titles or times of
// their own that differ.
func (r *reader) merge() {
	byDay := map[string][]*entry{}
	kept := r.entries[:0]
	for _, e := range r.entries {
		e.title = r.name(e)
		e.own = r.ownClock(e)
		day := e.date.day()
		double := false
		for _, other := range byDay[day] {
			if r.same(e, other) {
				r.absorb(other, e)
				double = true
				break
			}
		}
		if !double && len(byDay[day]) < 200 {
			byDay[day] = append(byDay[day], e)
			kept = append(kept, e)
		}
	}
	r.entries = kept
}

func (r *reader) same(a, b *entry) bool {
	if at, bt := r.minutes(a), r.minutes(b); at >= 0 && bt >= 0 && at != bt {
		return false
	}
	if a.title.inherited || b.title.inherited {
		return !a.title.otherPanel(b.title) && !r.otherBodies(a.title, b.title)
	}
	if siblings(a, b) { // one list does not say the same twice, unless in two rooms at once or by ids of their own
		if countedApart(a.node, b.node) {
			return false
		}
		if p, q := r.roomOf(a), r.roomOf(b); p != "" && q != "" && p != q {
			return false
		}
		return covers(a.title.text, b.title.text, documentWords()) && covers(b.title.text, a.title.text, documentWords())
	}
	return alike(a.title.text, b.title.text)
}

// otherPanel tells the titles of two panels: two bodies that meet on one day.
func (n named) otherPanel(other named) bool {
	return n.inherited && other.inherited && n.panel && other.panel && n.text != other.text
}

// otherBodies tells two headings of one rank that name different bodies: both meet, and
// neither is only another word for the schedule or the documents of the other.
func (r *reader) otherBodies(a, b named) bool {
	if !a.inherited || !b.inherited || a.line < 0 || b.line < 0 || a.line == b.line {
		return false
	}
	rank := r.lines[a.line].level
	return rank > 0 && rank < 7 && rank == r.lines[b.line].level && !alike(a.text, b.text) &&
		eventWords().in(a.text) && eventWords().in(b.text)
}

// roomOf is the place of an entry as it says itself.
func (r *reader) roomOf(e *entry) string {
	p, ok := r.ownPlace(e)
	if !ok {
		return ""
	}
	return text.Phrase(p.name + " " + p.address)
}

func siblings(a, b *entry) bool {
	return a.node != nil && b.node != nil && a.node != b.node && a.node.Parent == b.node.Parent && makeOf(a.node) == makeOf(b.node)
}

// minutes is the time of an entry in minutes, -1 when it has none.
func (r *reader) minutes(e *entry) int {
	switch {
	case e.own != nil:
		return e.own.Hour*60 + e.own.Minute
	case e.date.hasClock:
		return e.date.start.Hour()*60 + e.date.start.Minute()
	}
	return -1
}

// alike compares two titles by the words that tell one entry from another: those of
// one must all be in the other. "Regular Meeting" and "Board Agenda" tell nothing
// apart, "Committee on Roads" and "Committee on Parks" do.
func alike(a, b string) bool {
	return covers(a, b, genericWords(), documentWords()) || covers(b, a, genericWords(), documentWords())
}

// covers says whether a text has all words of another, but for some.
func covers(s, other string, but ...*wordlist.List) bool {
	have := strings.Fields(text.Phrase(s))
	for _, w := range strings.Fields(text.Phrase(other)) {
		if !slices.ContainsFunc(but, func(list *wordlist.List) bool { return list.Has(w) }) && !slices.Contains(have, w) {
			return false
		}
	}
	return true
}

// absorb lets the entry that is kept take what only the other has.
func (r *reader) absorb(kept, other *entry) {
	if r.minutes(kept) < 0 && r.minutes(other) >= 0 {
		if other.own != nil {
			kept.own = other.own
		} else {
			kept.date = other.date
		}
	}
	if kept.title.inherited && !other.title.inherited {
		kept.title = other.title
	}
	if len(kept.doubles) < 8 {
		kept.doubles = append(kept.doubles, other)
	}
}

// drop leaves out entries that the caller did not ask for, and everything when the
// page looks like something else.
func (r *reader) drop() {
	r.confidence = r.confidenceOf()
	if r.confidence < 0.3 {
		r.entries = nil
		return
	}
	r.entries = slices.DeleteFunc(r.entries, func(e *entry) bool {
		end := e.date.start
		if e.date.stop.After(end) {
			end = e.date.stop
		}
		return !r.o.Since.IsZero() && end.Before(r.o.Since) || !r.o.Until.IsZero() && e.date.start.After(r.o.Until)
	})
}

// confidenceOf weighs what tells entries from the days of texts: times, weekdays,
// days to come, documents of meetings, and what the page calls itself.
func (r *reader) confidenceOf() float64 {
	n := float64(len(r.entries))
	if n == 0 {
		return 0
	}
	clocks, weekdays, ahead, worded, ranges := 0.0, 0.0, 0.0, 0.0, 0.0
	past := r.allPast()
	for _, e := range r.entries {
		if r.minutes(e) >= 0 && !(past && r.clockUnshown(e)) {
			clocks++
		}
		if e.date.weekday >= 0 {
			weekdays++
		}
		end := e.date.start
		if e.date.stop.After(end) {
			end = e.date.stop
			ranges++
		}
		if !r.o.Now.IsZero() && end.After(r.o.Now.AddDate(0, 0, -2)) {
			ahead++
		}
		if eventWords().in(text.CutWords(r.entryText(e), 400)) {
			worded++
		}
	}
	score := 0.35*clocks/n + 0.25*weekdays/n + 0.3*ahead/n + 0.25*worded/n + 0.15*ranges/n
	head := r.title + " " + r.doc.Title()
	for _, e := range r.entries[:min(len(r.entries), 3)] {
		head += " " + r.inherit(e).text
	}
	if eventWords().in(head) {
		score += 0.3
	}
	if textWords().in(head) {
		score -= 0.3
	}
	if n >= 3 {
		score += 0.1
	}
	return min(1, max(0, score))
}

// clockUnshown says whether only an attribute tells the time of an entry.
func (r *reader) clockUnshown(e *entry) bool { return e.own == nil && e.date.unshown }

// allPast says whether nothing is later than the day of reading. Hours that only attributes
// tell are then as likely those at which something was written.
func (r *reader) allPast() bool {
	return !r.o.Now.IsZero() && !slices.ContainsFunc(r.entries, func(e *entry) bool {
		return e.date.day() > r.o.Now.Format(time.DateOnly) || e.date.stop.After(r.o.Now)
	})
}
