package dates

import (
	"strconv"
	"strings"
	"time"
)

// find reads all dates from the tokens.
func (p *parser) find() []Found {
	var out []Found
	for i := 0; i < len(p.toks); {
		if !p.opens(i) {
			i++
			continue
		}
		d, begin, end, ok := p.rangeAt(i)
		if !ok || end <= i {
			i++
			continue
		}
		out = append(out, Found{Date: d, Begin: p.toks[begin].begin, End: p.toks[end-1].end})
		i = end
	}
	return out
}

// opens tells tokens with which a date can begin.
func (p *parser) opens(i int) bool {
	t := &p.toks[i]
	switch t.kind {
	case tokenNumber:
		return t.digits <= 8
	case tokenMark:
		return false
	}
	if len(t.senses) == 0 {
		return p.lenient && i == 0
	}
	for _, s := range t.senses {
		switch s.kind {
		case isMonth, isJalali, isWeekday, isWeekdays, isNumber, isRelative, isNow, isAgo, isIn, isNext, isLast, isThis,
			isEvery, isEach, isFrom, isNoon, isMidnight, isAM, isPM, isDayMark, isUnit, isAt:
			return true
		}
	}
	return false
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
func (p *parser) merge(found []Found) Found {
	best := found[0]
	for _, f := range found[1:] {
		if f.Confidence > best.Confidence+0.05 {
			best = f
		}
	}
	return best
}

// leftover counts the words and numbers outside a date.
func (p *parser) leftover(f Found) int {
	n := 0
	for i, t := range p.toks {
		if t.begin >= f.Begin && t.end <= f.End || t.kind == tokenMark || p.is(i, isOf) || p.is(i, isLabel) || p.is(i, isAt) || p.is(i, isYearMark) {
			continue
		}
		n++
		if t.kind == tokenNumber {
			n++
		}
	}
	return n
}

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
	return Date{Start: t, TimeKnown: true, ZoneKnown: true, Confidence: 0.8}, true
}

// maxText bounds the text that Find reads.
const maxText = 10 << 20

// Find finds all dates in a text, in order, not overlapping.
func Find(text string, o Options) []Found {
	if len(text) > maxText {
		text = text[:maxText]
	}
	return newParser(text, o, false).find()
}
