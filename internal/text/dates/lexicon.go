package dates

import (
	_ "embed"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// kind is what a word can mean in a date.
type kind uint8

const (
	isMonth    kind = iota // 1 … 12
	isJalali               // month 1 … 12 of the Persian calendar
	isWeekday              // 0 Sunday … 6
	isWeekdays             // a plural: "Mondays"
	isUnit                 // see the units below
	isNumber               // a number word
	isRelative             // days from today
	isNow
	isAgo
	isIn
	isLater
	isNext
	isLast
	isThis
	isEvery
	isEach // frequency words: "daily", "weekly"
	isTo
	isFrom
	isUntil
	isAnd
	isAt    // before a time
	isOf    // between day, month and year
	isClock // after an hour: "Uhr", "h"
	isAM
	isPM
	isNoon
	isMidnight
	isYearMark
	isMonthMark
	isDayMark
	isMinuteMark
	isSecondMark
	isHourMark
	isSuffix // of ordinals
	isLabel  // "date:", "time:"
	isZone   // value: minutes from UTC
	isBuddhist
	isDay // part of day: "night"
)

const (
	unitSecond = iota
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitYear
)

// langs is a set of languages.
type langs uint64

type sense struct {
	kind  kind
	value int
	langs langs
}

// entry is what a word means, and the phrases that begin with it.
type entry struct {
	senses  []sense
	kinds   uint64 // bits of the kinds of its senses
	own     langs  // in which alone the word counts without its accents; 0 is any
	phrases []phrase
}

type lexicon struct {
	words   map[string]*entry
	codes   map[string]langs
	sorted  []string // names of months and weekdays, for unusual abbreviations
	longest int      // in letters, of the scripts without spaces
}

type phrase struct {
	rest  []string
	whole *entry
}

// wordsFile is how languages write dates; its head tells how to read it.
//
//go:embed words.txt
var wordsFile string

// dictionary is built at first use; it is never changed afterwards.
var dictionary = sync.OnceValue(func() *lexicon {
	l := &lexicon{longest: 1, words: map[string]*entry{}, codes: map[string]langs{}}
	bit := langs(0)
	for line := range strings.Lines(strings.ReplaceAll(wordsFile, "~", "\u200c")) { // joins words without joining their letters
		line = strings.TrimSpace(line)
		codes, opens := strings.CutPrefix(line, "[")
		switch {
		case opens:
			bit = max(1, bit<<1)
			for code := range strings.FieldsSeq(strings.TrimSuffix(codes, "]")) {
				l.codes[code] = bit
			}
		case line != "" && line[0] != '#':
			l.load(line, bit)
		}
	}
	for name, minutes := range zoneMinutes {
		l.add(name, sense{isZone, minutes, ^langs(0)})
	}
	l.finish()
	return l
})

// lineKinds are the kinds of lines: the first value, and the step from group to group.
var lineKinds = map[string]struct {
	kind        kind
	first, step int
}{
	"month": {isMonth, 1, 1}, "jalali": {isJalali, 1, 1}, "weekday": {isWeekday, 1, 1}, "weekdays": {isWeekdays, 1, 1},
	"unit": {isUnit, 0, 1}, "number": {isNumber, 1, 1}, "tens": {isNumber, 20, 10}, "relative": {isRelative, -2, 1}, "now": {isNow, 0, 0},
	"ago": {isAgo, 0, 0}, "before": {isAgo, 1, 0}, // only before the amount: "vor 3 Tagen"
	"in": {isIn, 0, 0}, "later": {isLater, 0, 0}, "next": {isNext, 0, 0}, "last": {isLast, 0, 0},
	"this": {isThis, 0, 0}, "every": {isEvery, 0, 0}, "each": {isEach, 0, 1}, "to": {isTo, 0, 0}, "from": {isFrom, 0, 0},
	"until": {isUntil, 0, 0}, "and": {isAnd, 0, 0}, "at": {isAt, 0, 0}, "of": {isOf, 0, 0}, "clock": {isClock, 0, 0},
	"am": {isAM, 0, 0}, "pm": {isPM, 0, 0}, "noon": {isNoon, 0, 0}, "midnight": {isMidnight, 0, 0},
	"mark":   {isYearMark, 0, 0}, // year|month|day|hour|minute|second
	"suffix": {isSuffix, 0, 0}, "label": {isLabel, 0, 0}, "buddhist": {isBuddhist, 0, 0}, "part": {isDay, 0, 0},
}

var markKinds = []kind{isYearMark, isMonthMark, isDayMark, isHourMark, isMinuteMark, isSecondMark}

func (l *lexicon) load(line string, bit langs) {
	key, rest, _ := strings.Cut(line, " ")
	k, ok := lineKinds[key]
	if !ok {
		panic("dates: unknown line " + strconv.Quote(line))
	}
	for g, group := range strings.Split(rest, "|") {
		s := sense{k.kind, k.first + g*k.step, bit}
		switch k.kind {
		case isWeekday, isWeekdays:
			s.value = (g + 1) % 7 // tables begin on Monday
		case isYearMark:
			s.kind = markKinds[g]
		}
		for word := range strings.SplitSeq(group, ",") {
			word, own := strings.CutPrefix(strings.TrimSpace(word), "!")
			if word != "" {
				l.add(word, s)
			}
			if own {
				l.entry(foldText(word)).own = bit
			}
		}
	}
}

func (l *lexicon) add(word string, s sense) {
	word = strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(word))
	key := foldText(word)
	if first, _ := utf8.DecodeRuneInString(key); unspaced(first) {
		key = word
		l.longest = max(l.longest, utf8.RuneCountInString(key))
	} else if parts := strings.Fields(key); len(parts) > 1 {
		l.addPhrase(parts, s)
		return
	}
	l.entry(key).add(s)
}

func (l *lexicon) addPhrase(parts []string, s sense) {
	first := l.entry(parts[0])
	for _, p := range first.phrases {
		if strings.Join(p.rest, " ") == strings.Join(parts[1:], " ") {
			p.whole.add(s)
			return
		}
	}
	whole := &entry{}
	whole.add(s)
	first.phrases = append(first.phrases, phrase{parts[1:], whole})
}

func (l *lexicon) entry(key string) *entry {
	e := l.words[key]
	if e == nil {
		e = &entry{}
		l.words[key] = e
	}
	return e
}

func (e *entry) add(s sense) {
	e.kinds |= 1 << s.kind
	for i := range e.senses {
		if e.senses[i].kind == s.kind && e.senses[i].value == s.value {
			e.senses[i].langs |= s.langs
			return
		}
	}
	e.senses = append(e.senses, s)
}

func (l *lexicon) finish() {
	for word, e := range l.words {
		list := e.phrases
		sort.SliceStable(list, func(a, b int) bool { return len(list[a].rest) > len(list[b].rest) })
		if e.kinds&(1<<isMonth|1<<isWeekday) != 0 {
			l.sorted = append(l.sorted, word)
		}
	}
	sort.Strings(l.sorted)
}

func (l *lexicon) lookup(folded []byte) *entry { return l.words[string(folded)] }

// unknown is the entry of words that the dictionary does not have.
var unknown = &entry{}
