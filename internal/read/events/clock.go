package events

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// clock is a time of day that stands apart from the date.
type clock struct {
	dates.Clock
	line, begin, end int
}

// timeText is a time as it is written, for finding where it stands; dates.TimeOnly
// says what it means.
var timeText = text.Pattern(timeExpression)

const timeExpression = `(?i)\b(?:[01]?\d|2[0-3])(?:[.:][0-5]\d)?\s*uhr\b|\b\d{1,2}(?:\s?[:.]\s?\d\d|:)?\s?[ap]\.?\s?m\b\.?|` +
	`\b\d{1,2}:\d\d\s?[ap]\b|\b(?:[01]?\d|2[0-3])[:h][0-5]\d\b|\b(?:noon|midnight)\b|` +
	`\b(?:[01]?\d|2[0-3])(?-i:\s?h|H)(?:\s?[0-5]\d)?\b|\bkl\.?\s?(?:[01]?\d|2[0-3])\.[0-5]\d\b`

var doorsBefore = text.Pattern(`(?i)(?:doors?|einlass|portes|puertas|drzwi|deuren|until|till|ends?|by|before|adjourn\w*|` +
	`prior to|no later than|bis)\W*(?:open|ab|at|s)?\W*(?:at)?\W*$`)

// hourBefore is the first hour of "6–9pm", which only the second makes a time.
var hourBefore = text.Pattern(`(?i)(?:^|[\s(|,;:@])` + firstHour + `\s?(?:-|–|—|to|till|until|bis|à)\s?$`)

// firstHour is an hour of the day, with its minutes or without.
const firstHour = `([01]?\d|2[0-3])(?:[:.][0-5]\d)?`

// timeCut is a time and all that belongs to it where it is cut out of a text: "ab 9 Uhr", "14–20 Uhr".
var timeCut = text.Pattern(`(?i)(?:\b(?:ab|um|von)\s+)?(?:\b` + firstHour + `\s?(?:-|–|—|to|bis|à)\s?)?(?:` + timeExpression + `)`)

// rangeFrom is where a time begins that is the end of a range: at the hour before it, unless
// that is part of a date, as in "May 5 - 7pm", or "pm" counts no such hours.
func (r *reader) rangeFrom(i, begin, from, to int) int {
	at, text := max(begin, from-12), r.lines[i].text
	m := hourBefore().FindStringSubmatchIndex(text[at:from])
	if m == nil {
		return from
	}
	first := at + m[2]
	if hour, _ := strconv.Atoi(text[first : at+m[3]]); (hour == 0 || hour > 12) && halfOfDay().MatchString(text[from:to]) {
		return from
	}
	for _, d := range r.dates[r.at[i]:r.at[i+1]] {
		if first >= d.begin && first < d.end {
			return from
		}
	}
	return first
}

// clockIn finds the time of an entry in its lines, the opening of doors and ends
// left aside where there is another.
func (r *reader) clockIn(s span) *clock {
	var spare *clock
	for i := s.first; i < s.last && i < s.first+60; i++ {
		text := r.lines[i].text
		if !mayHoldTime(text) {
			continue
		}
		c, doors := r.clockOn(i, 0, len(text))
		if c != nil && !doors {
			return c
		}
		if spare == nil {
			spare = c
		}
	}
	return spare
}

// clockOn finds the first time in a part of a line.
func (r *reader) clockOn(i, begin, end int) (found *clock, doors bool) {
	text := r.lines[i].text[:end]
	if end-begin > 2000 {
		text = text[:begin+2000]
	}
	for _, m := range timeText().FindAllStringIndex(text[begin:], 4) {
		from, to := r.rangeFrom(i, begin, begin+m[0], begin+m[1]), begin+m[1]
		rest := text[from:min(len(text), to+24)]
		if last := text[to-1]; last == 'p' || last == 'a' || last == 'P' || last == 'A' { // "1:30p"
			rest = text[from:to] + "m" + text[to:min(len(text), to+24)]
		}
		c, ok := r.timeOnly(rest)
		if !ok || lasting().MatchString(text[from:to]) {
			continue
		}
		k := &clock{Clock: c, line: i, begin: from, end: to}
		if !doorsBefore().MatchString(text[max(begin, from-24):from]) {
			return k, false
		}
		if found == nil {
			found = k
		}
	}
	return found, found != nil
}

// lasting is how long something takes: "1h47", "2 h 05". Hardly anything begins at such an hour.
var lasting = text.Pattern(`(?i)^[0-3]\s?h\s?[0-5]\d$`)

var spacedHour = text.Pattern(`(\d) h (\d\d)\b`)

// timeOnly reads a time, also with spaces around the mark of hours: "10 h 30".
// Lines are asked several times, and pages write few different times.
func (r *reader) timeOnly(text string) (dates.Clock, bool) {
	key := timing{text, r.order}
	if t, known := r.timings[key]; known {
		return t.clock, t.ok
	}
	var t timed
	t.clock, t.ok = dates.TimeOnly(spacedHour().ReplaceAllString(text, "${1}h$2"), r.options())
	if r.timings == nil {
		r.timings = map[timing]timed{}
	}
	if len(text) <= mostTiming {
		r.timings[key] = t
	}
	return t.clock, t.ok
}

// mostTiming is the length up to which a text is likely to come again.
const mostTiming = 40

// timing is a text in which a time was looked for, and in what order dates were then
// thought to be.
type timing struct {
	text  string
	order dates.Order
}

type timed struct {
	clock dates.Clock
	ok    bool
}

// ownClock is the time of an entry: of its date, of the item, else the first in its
// lines.
func (r *reader) ownClock(e *entry) *clock {
	if e.clock != nil {
		return e.clock
	}
	if e.date.hasClock {
		return nil
	}
	for _, d := range e.also {
		if d.hasClock {
			c := &clock{line: d.line, begin: d.begin, end: d.end}
			c.Hour, c.Minute = d.start.Hour(), d.start.Minute()
			if d.hasStopClock && sameDay(d.start, d.stop) {
				c.End, c.EndHour, c.EndMinute = true, d.stop.Hour(), d.stop.Minute()
			}
			return c
		}
	}
	if e.begin > 0 || e.end > 0 {
		end := e.end
		if end == 0 {
			end = len(r.lines[e.span.first].text)
		}
		c, _ := r.clockOn(e.span.first, e.begin, end)
		return c
	}
	return r.clockIn(e.span)
}

func sameDay(a, b time.Time) bool { return a.Year() == b.Year() && a.YearDay() == b.YearDay() }

// clockText is the time of an entry as the page writes it.
func (w *drafting) clockText(c *clock) string {
	if c == nil {
		return w.entry.date.text
	}
	line := w.lines[c.line].text
	return line[c.begin:min(len(line), c.end+4)]
}

var (
	halfOfDay   = text.Pattern(`(?i)\d\s?[ap]\.?\s?m?\b|morning|noon|night`)
	wholeDay    = text.Pattern(`\b(?:0\d|1[3-9]|2[0-3])[:.][0-5]\d\b`)
	bodyMeeting = text.Pattern(`(?i)\b(?:meetings?|council|board|committee|commission|hearing)\b`)
)

// meansAfternoon tells the hours from one to six of meetings whose half of the day is not
// written, on English pages that nowhere count to 24: no body meets at 3 in the night.
func (w *drafting) meansAfternoon(hour int, written string) bool {
	if hour < 1 || hour > 6 || w.primary != "en" || halfOfDay().MatchString(written) || wholeDay().MatchString(written) {
		return false
	}
	if !bodyMeeting().MatchString(w.entry.title.text + " " + w.title) {
		return false
	}
	if w.countsTo24 == nil {
		is := slices.ContainsFunc(w.lines, func(l line) bool { return len(l.text) < 600 && wholeDay().MatchString(l.text) })
		w.countsTo24 = &is
	}
	return !*w.countsTo24
}

// standing is what the page says once for all entries.
type standing struct {
	clocks []saying
	places []saying
}

// saying is one sentence with a time or a place for all, or for some weekdays.
type saying struct {
	line  int
	clock *clock
	place place
	score int
	days  []time.Weekday
}

var (
	heldWords  = phrases("held words")
	otherHours = phrases("other hours")
)

// generalWords tell a sentence about all entries even where it seems to belong to one.
var generalWords = phrases("general words")

// findStanding looks for sentences outside of the entries that give a time or a
// place for all of them.
func (r *reader) findStanding() {
	inside := make([]bool, len(r.lines))
	for _, e := range r.entries {
		for i := e.span.first; i < e.span.last; i++ {
			inside[i] = true
		}
	}
	left := maxSayings
	for i := range r.lines {
		l := &r.lines[i]
		if l.zone == frame || len(l.text) > 3000 || len(l.text) < 4 {
			continue
		}
		if inside[i] && !generalWords().in(l.text) {
			continue
		}
		if left--; left < 0 {
			break
		}
		r.readSaying(i)
	}
	if len(r.standing.clocks) == 0 {
		r.onlyClock(inside)
	}
}

// maxSayings is how many lines outside of the entries are looked at.
const maxSayings = 4000

// onlyClock takes the one time that the page gives: outside of the entries, or in several of
// them. What a single entry says is its own, unless they are meetings of one body; a time
// beside weekdays is that of an office.
func (r *reader) onlyClock(inside []bool) {
	var only *clock
	said := 0
	for i := range r.lines[:min(len(r.lines), 4*maxSayings)] {
		c := r.clockFor(i)
		if c == nil || !inside[i] && r.namesDay(i) {
			continue // a day that is none of an entry: today, the last change
		}
		if only != nil && (only.Hour != c.Hour || only.Minute != c.Minute) {
			return
		}
		only = c
		if said++; !inside[i] && !daySpan().MatchString(r.lines[i].text) {
			said++
		}
	}
	if said > 1 || said == 1 && bodyMeeting().MatchString(r.title+" "+r.doc.Title()) {
		r.standing.clocks = append(r.standing.clocks, saying{line: only.line, clock: only})
	}
}

// clockFor is the time that a line may give for entries; nil for none.
func (r *reader) clockFor(i int) *clock {
	l := &r.lines[i]
	if l.zone == frame || len(l.text) > 600 || !mayHoldTime(l.text) || !timeText().MatchString(l.text) {
		return nil
	}
	c, doors := r.clockOn(i, 0, len(l.text))
	if doors || otherHours().in(l.text) || c != nil && toTheSecond().MatchString(l.text[c.end:]) {
		return nil
	}
	return c
}

// toTheSecond goes on with a time that a machine wrote, such as when the page was made.
var toTheSecond = text.Pattern(`^:[0-5]\d\b`)

// namesDay says whether a line has a day of the month.
func (r *reader) namesDay(i int) bool {
	return slices.ContainsFunc(dates.Find(r.lines[i].text, r.options()), func(d dates.Occurrence) bool {
		return d.Relative == dates.Absolute && strings.ContainsAny(r.lines[i].text[d.Begin:d.End], "0123456789")
	})
}

// daySpan is a span of weekdays as offices are open: "Mo–Fr", "Monday to Friday".
var daySpan = text.Pattern(`(?i)\b\p{L}{2,10}\.?\s?(?:-|–|—|to|bis|à|a|do)\s?\p{L}{2,10}\.?,?:?\s*(?:from|ab|von|de)?\s*\d{1,2}[:.h ]`)

// mayHoldTime is a quick look before the pattern: one or two digits before a mark of
// hours, or a word for twelve.
func mayHoldTime(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		begin := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		rest := strings.TrimLeft(text[i:], " \u00a0")
		if i-begin <= 2 && rest != "" && strings.IndexByte(":.hHaApPuU", rest[0]) >= 0 {
			return true
		}
	}
	return strings.Contains(text, "oon") || strings.Contains(text, "OON") || strings.Contains(text, "idnight")
}

func (r *reader) readSaying(i int) {
	text := r.lines[i].text
	if !mayHoldTime(text) && len(text) < 24 && !labelAlone().MatchString(text) || !strings.ContainsFunc(text, unicode.IsLetter) {
		return
	}
	held := heldWords().in(text)
	score := 0
	if held {
		score += 2
	}
	if generalWords().in(text) {
		score += 2
	}
	if otherHours().in(text) {
		score -= 2
	}
	if r.lines[i].level > 0 {
		score++
	}
	if score > 0 && (hasDigits(text) || strings.Contains(strings.ToLower(text), "noon")) {
		r.sayClocks(i, score)
	}
	if p, ok := r.sayingPlace(i, held); ok {
		r.standing.places = append(r.standing.places, saying{line: i, place: p, score: score})
	}
}

var sentenceEnd = text.Pattern(`[.;!]\s+\p{Lu}`)

// sayClocks reads the times that the sentences of a line give for all, each with the
// weekdays that it names.
func (r *reader) sayClocks(i, score int) {
	text, begin := r.lines[i].text, 0
	ends := append(sentenceEnd().FindAllStringIndex(text, 8), []int{len(text) - 1, len(text)})
	said := len(r.standing.clocks)
	for _, m := range ends {
		end := m[0] + 1
		c, doors := r.clockOn(i, begin, end)
		if c == nil || doors {
			continue // the next sentence may go on with it: "7 p.m. In winter …"
		}
		days := r.weekdaysIn(text[begin:end])
		if len(r.standing.clocks) == said || len(days) > 0 {
			r.standing.clocks = append(r.standing.clocks, saying{line: i, clock: c, score: score, days: days})
		}
		begin = end
	}
}

// weekdaysIn are the weekdays that a sentence names: "Saturdays".
func (r *reader) weekdaysIn(sentence string) (days []time.Weekday) {
	for _, word := range strings.FieldsFunc(sentence, func(c rune) bool { return !unicode.IsLetter(c) }) {
		if len(word) < 6 || len(days) == 7 {
			continue
		}
		if day, ok := dates.Weekday(word, r.options()); ok {
			days = append(days, day)
		}
	}
	return days
}

// forDay are the sayings that hold for a weekday: those that name it, else those that name
// none, else all.
func forDay(all []saying, day time.Weekday) []saying {
	if !slices.ContainsFunc(all, func(s saying) bool { return len(s.days) > 0 }) {
		return all
	}
	var naming, open []saying
	for _, s := range all {
		switch {
		case slices.Contains(s.days, day):
			naming = append(naming, s)
		case len(s.days) == 0:
			open = append(open, s)
		}
	}
	switch {
	case len(naming) > 0:
		return naming
	case len(open) > 0:
		return open
	}
	return all
}

// sayingPlace is the place that a line gives for all: in a sentence about what is
// held, after a label, or as a block of lines under one.
func (r *reader) sayingPlace(i int, held bool) (place, bool) {
	text := r.lines[i].text
	if m := placeLabel().FindStringIndex(text); m != nil && strings.TrimSpace(text[m[1]:]) != "" {
		return r.asPlace(strings.TrimSpace(text[m[1]:]), i), true
	}
	if labelAlone().MatchString(text) && i+1 < len(r.lines) {
		return r.placeBlock(i + 1)
	}
	if held {
		return r.placeIn(span{i, min(i+4, len(r.lines))}, true)
	}
	return place{}, false
}

// nearest chooses the saying for an entry: the one above it, of the best score
// among near ones, else the first below.
func nearest(all []saying, line int) *saying {
	var best *saying
	for i := range all {
		s := &all[i]
		if s.line > line && best != nil {
			break
		}
		near := s.line <= line && line-s.line < 60
		if best == nil || s.score >= best.score || near && s.score+2 > best.score {
			best = s
		}
		if s.line > line {
			break
		}
	}
	return best
}
