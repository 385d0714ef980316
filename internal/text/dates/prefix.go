package dates

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// prefixSense reads unusual abbreviations of months and weekdays: a beginning of
// two letters or more that names the same month in every language that has it.
func (p *parser) prefixSense(i int, k kind) (int, bool) {
	t := p.tok(i)
	if t == nil || t.kind != tokenWord {
		return 0, false
	}
	for _, s := range t.senses {
		if s.kind != isNumber && s.kind != isUnit && s.kind != isSuffix {
			return 0, false
		}
	}
	word := foldText(p.text[t.begin:t.end])
	if utf8.RuneCountInString(word) < 2 || len(word) > 24 {
		return 0, false
	}
	return dictionary().startingWith(word, k, p.lang)
}

// startingWith is the one value that words beginning with a prefix have as k, in a
// language or in any.
func (l *lexicon) startingWith(prefix string, k kind, lang langs) (value int, found bool) {
	for at := sort.SearchStrings(l.sorted, prefix); at < len(l.sorted) && strings.HasPrefix(l.sorted[at], prefix); at++ {
		for _, s := range l.words[l.sorted[at]].senses {
			if s.kind != k || lang != 0 && s.langs&lang == 0 {
				continue
			}
			if found && s.value != value {
				return 0, false
			}
			value, found = s.value, true
		}
	}
	return value, found
}

// letterDay reads the one-letter weekdays of Romance calendars before a time.
func (p *parser) letterDay(i int) (int, bool) {
	t := p.tok(i)
	if t == nil || t.kind != tokenWord || t.end-t.begin != 1 || i != 0 {
		return 0, false
	}
	if _, ok := p.clockNumbers(i + 1); !ok {
		return 0, false
	}
	day := strings.IndexByte("dl.xjvs", p.text[t.begin]|0x20)
	return day, day >= 0 && day != 2
}
