package dates

import (
	"math/bits"
	"strings"
	"sync"
	"time"
)

// parser reads tokens. It never looks more than a few tokens ahead, so that the
// time it takes grows with the length of the text.
type parser struct {
	text    string
	toks    []token
	o       Options
	lenient bool  // the text is a date and little else
	lang    langs // of Options.Lang
	agreed  int   // the token for which pref holds, plus one
	pref    langs // languages that all words of the current date share
}

// moment is a date and a time as far as they are written.
type moment struct {
	year, month, day int  // 0: not written
	lastDay          int  // of "12–14 May"
	shortYear        bool // two digits
	weekday          int  // -1: not written
	jalali           bool
	buddhist         bool

	numeric   bool // day and month are numbers
	swappable bool // and could be the other way round
	undecided bool // and nothing decided

	base     time.Time // of relative words; complete
	relative bool
	span     bool // base lies so many units from now
	exact    bool // and has a time of day

	hasTime         bool
	hour, minute    int
	second, nanos   int
	endHour, endMin int
	hasEnd          bool
	zone            *time.Location
	rule            string
	weekdays        int // bits of the weekdays of a recurrence
	begin, end      int // tokens
	bare            bool
}

func newMoment() moment { return moment{weekday: -1} }

func (m *moment) hasDate() bool {
	return m.month > 0 && m.day > 0 || m.relative
}

func (m *moment) empty() bool {
	written := m.month != 0 || m.day != 0 || m.year != 0
	return !written && m.weekday < 0 && !m.relative && !m.hasTime && m.rule == ""
}

// namesDay tells that a day is said in any way: by date, by rule or by weekday.
func (m *moment) namesDay() bool {
	return m.hasDate() || m.rule != "" || m.weekday >= 0
}

func newParser(text string, o Options, lenient bool) *parser {
	p := parsers.Get().(*parser)
	lang := dictionary().codes[primarySubtag(o.Lang)]
	*p = parser{text: text, toks: tokeniseInto(text, lang, p.toks[:0]), o: o, lenient: lenient, lang: lang}
	return p
}

// parsers are those that are done: texts with dates are many and short, and nothing
// that is found refers to the tokens.
var parsers = sync.Pool{New: func() any { return &parser{toks: make([]token, 0, 64)} }}

// done gives the parser's memory back. It must not be used afterwards.
func (p *parser) done() {
	if cap(p.toks) <= mostKept {
		*p = parser{toks: p.toks[:0]}
		parsers.Put(p)
	}
}

// mostKept is for how many tokens memory is kept.
const mostKept = 4096

func primarySubtag(tag string) string {
	for i := 0; i < len(tag); i++ {
		if tag[i] == '-' || tag[i] == '_' {
			tag = tag[:i]
			break
		}
	}
	tag = foldText(tag)
	switch tag {
	case "no", "nn":
		return "nb"
	case "iw":
		return "he"
	case "fil":
		return "tl"
	}
	return tag
}

func (p *parser) tok(i int) *token {
	if i < 0 || i >= len(p.toks) {
		return nil
	}
	return &p.toks[i]
}

// mark returns the mark at i, or 0 when there is none.
func (p *parser) mark(i int) rune {
	if i < 0 || i >= len(p.toks) || p.toks[i].kind != tokenMark {
		return 0
	}
	return p.toks[i].mark
}

// marked tells that one of some marks stands at i.
func (p *parser) marked(i int, marks string) bool {
	m := p.mark(i)
	return m != 0 && strings.ContainsRune(marks, m)
}

// number returns the number at i, or false.
func (p *parser) number(i int) (n, digits int, ok bool) {
	if i < 0 || i >= len(p.toks) || p.toks[i].kind != tokenNumber || p.toks[i].digits > 16 {
		return 0, 0, false
	}
	return int(p.toks[i].value), p.toks[i].digits, true
}

// glued tells that no white space stands before the token at i.
func (p *parser) glued(i int) bool {
	return i > 0 && i < len(p.toks) && !p.toks[i].space
}

// tight tells that no white space stands around the token at i, and one follows.
func (p *parser) tight(i int) bool { return p.glued(i) && p.glued(i+1) }

// passDot passes over the dot of an abbreviation.
func (p *parser) passDot(i int) int {
	if p.mark(i) == '.' && p.glued(i) {
		return i + 1
	}
	return i
}

// sense returns the value of the word at i as k: in the language of the date
// when it is known, else in the first language that has it.
func (p *parser) sense(i int, k kind) (int, bool) {
	if i < 0 || i >= len(p.toks) || p.toks[i].kinds&(1<<k) == 0 {
		return 0, false
	}
	for _, want := range [...]langs{p.lang & p.pref, p.lang, p.pref, ^langs(0)} {
		if want == 0 {
			continue
		}
		known := false
		for _, s := range p.toks[i].senses {
			if s.langs&want == 0 {
				continue
			}
			if s.kind == k {
				return s.value, true
			}
			known = true
		}
		if known && distinct(k) { // a word of this language that means something else
			return 0, false
		}
	}
	return 0, false
}

// distinct tells the kinds that are not borrowed from another language when the
// word means something in the language of the date.
func distinct(k kind) bool {
	switch k {
	case isMonth, isJalali, isWeekday, isNumber, isAM, isPM, isNoon, isMidnight, isNow:
		return true
	}
	return false
}

func (p *parser) is(i int, k kind) bool {
	_, ok := p.sense(i, k)
	return ok
}

// isAny tells that the word at i is one of some kinds.
func (p *parser) isAny(i int, kinds ...kind) bool {
	for _, k := range kinds {
		if p.is(i, k) {
			return true
		}
	}
	return false
}

// agree finds the languages that know the most words near i.
func (p *parser) agree(i int) {
	if p.agreed == i+1 {
		return
	}
	p.agreed = i + 1
	var votes [64]uint8
	most := uint8(0)
	for j := max(0, i-4); j < len(p.toks) && j < i+12; j++ {
		named, other := p.toks[j].languages()
		for set := named | other; set != 0; set &= set - 1 {
			bit := bits.TrailingZeros64(uint64(set))
			votes[bit]++
			if named&(1<<bit) != 0 && p.toks[j].end-p.toks[j].begin > 1 {
				votes[bit]++
			}
			most = max(most, votes[bit])
		}
	}
	p.pref = 0
	for bit, n := range votes {
		if n == most {
			p.pref |= 1 << bit
		}
	}
}

// languages are those that have a word: as a name or a word of time, or as another.
func (e *entry) languages() (named, other langs) {
	for _, s := range e.senses {
		switch s.kind {
		case isZone:
		case isMonth, isWeekday, isRelative, isAgo:
			named |= s.langs
		default:
			other |= s.langs
		}
	}
	return named, other
}

// skip passes over words of the given kinds, dots and commas: at most n tokens.
func (p *parser) skip(i, n int, kinds ...kind) int {
	for ; n > 0; n-- {
		if !p.marked(i, ".,'") && (!p.isAny(i, kinds...) || p.is(i, isMonth)) {
			return i
		}
		i++
	}
	return i
}

// numbers are those of a date and the mark between them.
type numbers struct {
	begin, last int // the tokens of the first and the last
	mark        rune
	n, digits   [3]int
}
