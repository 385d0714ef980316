package dates

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// find reads all dates from the tokens.
func (p *parser) find() []Occurrence {
	var out []Occurrence
	after := -1 // the token behind a day and its hour
	for i := 0; i < len(p.toks); {
		if !p.opens(i) {
			i++
			continue
		}
		if _, next, further := p.clockAt(i, false); further && i == after { // of the day before it: "Fri 20 Nov 14:30 20:15"
			i, after = next, next
			continue
		}
		d, begin, end, ok := p.rangeAt(i)
		if !ok || end <= i {
			i++
			continue
		}
		out = append(out, Occurrence{Date: d, Begin: p.toks[begin].begin, End: p.toks[end-1].end})
		if _, _, first := p.clockAt(begin, false); d.TimeKnown && !first {
			after = end
		}
		i = end
	}
	return out
}

// opens tells tokens with which a date can begin.
func (p *parser) opens(i int) bool {
	t := &p.toks[i]
	switch t.kind {
	case tokenNumber:
		return p.numberOpens(i)
	case tokenMark:
		return false
	}
	switch {
	case len(t.senses) == 0:
		return p.lenient && i == 0
	case t.kinds&strong != 0:
		return true
	}
	return t.kinds&weak != 0 && p.soon(i+1)
}

// strong kinds can begin a date whatever follows; weak ones are everyday words
// ("a", "in", "last") and need a number or another date word close by.
const (
	strong = 1<<isMonth | 1<<isJalali | 1<<isWeekday | 1<<isWeekdays | 1<<isRelative | 1<<isNoon | 1<<isMidnight
	weak   = 1<<isNumber | 1<<isNow | 1<<isAgo | 1<<isIn | 1<<isNext | 1<<isLast | 1<<isThis | 1<<isEvery | 1<<isEach |
		1<<isFrom | 1<<isAM | 1<<isPM | 1<<isDayMark | 1<<isUnit | 1<<isAt
	telling = strong | 1<<isUnit | 1<<isAM | 1<<isPM | 1<<isClock | 1<<isAgo | 1<<isMonthMark |
		1<<isYearMark | 1<<isHourMark | 1<<isNext | 1<<isLast
)

// soon sees a number or a telling word within a few tokens.
func (p *parser) soon(i int) bool {
	if p.lenient {
		return true
	}
	for j := i; j < len(p.toks) && j < i+4; j++ {
		if p.toks[j].kind == tokenNumber || p.toks[j].kinds&telling != 0 {
			return true
		}
	}
	return false
}

// numberOpens: a number begins a date when a telling word or another number
// is near.
func (p *parser) numberOpens(i int) bool {
	if p.toks[i].digits > 8 {
		return false
	}
	if p.toks[i].digits == 8 {
		return true
	}
	return p.soon(i + 1)
}

// Parse reads a text that is a date and little else.
func Parse(text string, o Options) (Date, bool) {
	if len(text) > 1000 {
		text = strings.ToValidUTF8(text[:1000], "")
	}
	trimmed := strings.TrimSpace(text)
	if d, ok := timestamp(trimmed); ok {
		return d, true
	}
	p := newParser(trimmed, o, true)
	defer p.done()
	found := p.find()
	if len(found) == 0 {
		return Date{}, false
	}
	best := p.merge(found)
	rest := p.leftover(best)
	// A weekday or a time alone says little: beside other words it may be
	// anything.
	if rest > 8 || rest > 0 && best.Confidence <= 0.6 && best.Recurrence == "" {
		return Date{}, false
	}
	best.Confidence *= 1 - 0.06*float64(rest)
	return best.Date, true
}

// merge picks the most telling date of a text and gives it the time of another
// part when it has none.
func (p *parser) merge(found []Occurrence) Occurrence {
	best := found[0]
	for _, f := range found[1:] {
		if f.Confidence > best.Confidence+0.05 {
			best = f
		}
	}
	return best
}

// leftover counts the words and numbers outside a date.
func (p *parser) leftover(f Occurrence) int {
	n := 0
	for i, t := range p.toks {
		inside := t.begin >= f.Begin && t.end <= f.End
		if inside || t.kind == tokenMark || p.isAny(i, isOf, isLabel, isAt, isYearMark) {
			continue
		}
		n++
		if t.kind == tokenNumber {
			n++
		}
	}
	return n
}

// lastStamped is the last year of which seconds are believed.
const lastStamped = 2060

// timestamp reads seconds or milliseconds since 1970.
func timestamp(text string) (Date, bool) {
	if len(text) != 10 && len(text) != 13 {
		return Date{}, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return Date{}, false
	}
	if len(text) == 10 {
		n *= 1000
	}
	t := time.UnixMilli(n).UTC()
	if t.Year() > lastStamped { // the number of a book, a phone
		return Date{}, false
	}
	return Date{Start: t, TimeKnown: true, ZoneKnown: true, Confidence: 0.8}, true
}

// maxText bounds the text that Find reads: what lies behind is not looked at.
const maxText = 4 << 20

// Find finds all dates in a text, in order, not overlapping.
func Find(text string, o Options) []Occurrence {
	if len(text) > maxText {
		text = text[:maxText]
	}
	p := newParser("", o, false)
	defer p.done()
	var out []Occurrence
	for at := 0; at < len(text); {
		end := at + chunkEnd(text[at:])
		p.text, p.agreed = text[at:end], 0
		p.toks = tokeniseInto(p.text, p.lang, p.toks[:0])
		for _, f := range p.find() {
			f.Begin += at
			f.End += at
			out = append(out, f)
		}
		at = end
	}
	return out
}

// chunk is how much of a long text is read at once, to bound the memory.
const chunk = 64 << 10

// chunkEnd cuts a long text where a date hardly runs on: after a paragraph, a
// sentence, a line, a word.
func chunkEnd(text string) int {
	if len(text) <= chunk {
		return len(text)
	}
	for _, cut := range []string{"\n\n", ". ", "\n", " "} {
		if at := strings.LastIndex(text[chunk/2:chunk], cut); at >= 0 {
			return chunk/2 + at + len(cut)
		}
	}
	end := chunk
	for end > chunk-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}
