package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Stretch is a part of a text that stayed, went or came.
type Stretch struct {
	Is   Turn
	Text string
}

// Turn is what became of a part of a text.
type Turn string

const (
	Stayed  Turn = ""
	Dropped Turn = "dropped"
	Added   Turn = "added"
)

// How much of a difference is shown, in characters: around what differs, of each part
// that differs, and of all such parts.
const aroundDiff, mostStretch, mostDiffer = 32, 90, 220

// mostCompared bounds how many words are compared with one another where two texts
// neither begin nor end alike: the work grows with its square.
const mostCompared = 200

// lastingShare is how much of the longer text must have stayed for its words to be worth
// showing one by one; texts with less in common are shown whole, one after the other.
const lastingShare = .3

// token is a word or a sign, and whether a space stands before it.
type token struct {
	text   string
	spaced bool
}

// hunk is a run of tokens that met the same fate.
type hunk struct {
	is     Turn
	tokens []token
}

// WordDiff marks the words that went and those that came, with a few around them. It
// is nil for texts that have little in common.
func WordDiff(before, after string) []Stretch {
	before, after, alike := narrowed(before, after)
	a, b := tokens(before), tokens(after)
	first := 0
	for first < min(len(a), len(b)) && a[first].text == b[first].text {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && a[len(a)-1-last].text == b[len(b)-1-last].text {
		last++
	}
	hunks := append([]hunk{{Stayed, b[:first]}}, compare(a[first:len(a)-last], b[first:len(b)-last])...)
	hunks = joined(append(hunks, hunk{Stayed, b[len(b)-last:]}))
	lasting := alike
	for _, h := range hunks {
		if h.is == Stayed {
			lasting += len(written(h.tokens))
		}
	}
	if float64(lasting) < lastingShare*float64(alike+max(len(before), len(after))) {
		return nil
	}
	return shownParts(hunks)
}

// Of long texts so many bytes that are alike are kept on both sides of what differs, and
// so many are looked at.
const keptAlike, mostLooked = 400, 6000

// narrowed leaves out of two texts what both begin and end with, except near to where
// they differ, and says how much that was. It keeps what follows cheap on any text.
func narrowed(before, after string) (a, b string, alike int) {
	a, b = before, after
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	if from := atRune(a, first-keptAlike); from > 0 {
		a, b, alike = a[from:], b[from:], from
	}
	last := 0
	for last < min(len(a), len(b)) && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	if drop := last - keptAlike; drop > 0 {
		for drop > 0 && !utf8.RuneStart(a[len(a)-drop]) {
			drop--
		}
		a, b, alike = a[:len(a)-drop], b[:len(b)-drop], alike+drop
	}
	return a[:atRune(a, mostLooked)], b[:atRune(b, mostLooked)], alike
}

// atRune is the place of the sign that a byte belongs to.
func atRune(text string, at int) int {
	at = max(0, min(at, len(text)))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// mostToken is where a word without end is cut, so that a difference deep in it shows.
const mostToken = 40

// joins says whether a sign is part of the one before it: an accent, or joined by U+200D.
func joins(previous, r rune) bool { return unicode.IsMark(r) || r == '\u200d' || previous == '\u200d' }

// tokens takes a text apart into words and signs. What belongs to the sign before it,
// such as an accent, is never torn off.
func tokens(text string) []token {
	var all []token
	spaced, inWord, from, size := false, false, 0, 0
	var previous rune
	for at, r := range text {
		if unicode.IsSpace(r) {
			spaced, inWord = true, false
			continue
		}
		after := at + max(1, utf8.RuneLen(r))
		clings := len(all) > 0 && !spaced && joins(previous, r)
		letter, alone := unicode.IsLetter(r) || unicode.IsDigit(r), Unspaced(r)
		goesOn := inWord && size < mostToken && !alone && (letter || bridges(r, text[min(after, len(text)):]))
		if !clings && !goesOn {
			opens := len(all) == 0 && !alone // what stands first may be told beside what stood there
			all, from, size, inWord = append(all, token{spaced: spaced || opens}), at, 0, letter && !alone
		}
		all[len(all)-1].text = text[from:min(after, len(text))]
		spaced, previous = false, r
		size++
	}
	return all
}

// bridges says that a sign stands within a word or a number: don't, 12.50, e-mail.
func bridges(r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune("'’.,:-_/", r) && (unicode.IsLetter(next) || unicode.IsDigit(next))
}

// longestCommon is, for every place in both texts, the length of the longest row of words
// that both have from there on: a table with a row of len(b)+1 for each word of a.
func longestCommon(a, b []token) []uint16 {
	wide := len(b) + 1
	longest := make([]uint16, (len(a)+1)*wide)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].text == b[j].text {
				longest[i*wide+j] = longest[(i+1)*wide+j+1] + 1
			} else {
				longest[i*wide+j] = max(longest[(i+1)*wide+j], longest[i*wide+j+1])
			}
		}
	}
	return longest
}

// compare finds the longest row of words that both have. What is too long for that was
// replaced as a whole.
func compare(a, b []token) []hunk {
	if len(a) == 0 || len(b) == 0 || len(a) > mostCompared || len(b) > mostCompared {
		return []hunk{{Dropped, a}, {Added, b}}
	}
	wide, longest := len(b)+1, longestCommon(a, b)
	var hunks []hunk
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i].text == b[j].text:
			hunks = append(hunks, hunk{Stayed, b[j : j+1]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[(i+1)*wide+j] >= longest[i*wide+j+1]:
			hunks = append(hunks, hunk{Dropped, a[i : i+1]})
			i++
		default:
			hunks = append(hunks, hunk{Added, b[j : j+1]})
			j++
		}
	}
	return hunks
}

// fewLasting is how many words in common between two changes read worse than one change:
// an "of the" that stayed tells nobody anything.
const fewLasting = 2

// joined puts neighbours of the same fate together: all that went at a place before all
// that came there.
func joined(hunks []hunk) []hunk {
	var all []hunk
	var gone, come, lasting []token
	changed := func() bool { return len(gone)+len(come) > 0 }
	flush := func() {
		for _, h := range []hunk{{Dropped, gone}, {Added, come}} {
			if len(h.tokens) > 0 {
				all = append(all, h)
			}
		}
		gone, come = nil, nil
	}
	for _, h := range hunks {
		if h.is == Stayed {
			lasting = append(lasting, h.tokens...)
			continue
		}
		if changed() && len(lasting) <= fewLasting {
			gone, come = append(gone, lasting...), append(come, lasting...)
		} else if len(lasting) > 0 {
			flush()
			all = append(all, hunk{Stayed, lasting})
		}
		lasting = nil
		if h.is == Dropped {
			gone = append(gone, h.tokens...)
		} else {
			come = append(come, h.tokens...)
		}
	}
	flush()
	if len(lasting) > 0 {
		all = append(all, hunk{Stayed, lasting})
	}
	return all
}

// shownParts are the parts that a page shows, shortened between words.
func shownParts(hunks []hunk) []Stretch {
	var all []Stretch
	shown, left := 0, 0
	for i, h := range hunks {
		switch {
		case h.is != Stayed && shown >= mostDiffer:
			left++
			continue
		case h.is == Stayed && shown >= mostDiffer && i < len(hunks)-1:
			continue
		}
		text := written(h.tokens)
		if h.is == Stayed {
			text = beside(h.tokens, i == 0, i == len(hunks)-1)
		} else {
			text = ShortenWords(text, mostStretch)
			shown += utf8.RuneCountInString(text)
		}
		if len(all) > 0 && h.tokens[0].spaced {
			all = append(all, Stretch{Stayed, " "})
		}
		all = append(all, Stretch{h.is, text})
	}
	if left > 0 {
		all = append(all, Stretch{Stayed, fmt.Sprintf(" … and %s", Plural(left, "more change", "more changes"))})
	}
	return all
}

// leastLeftOut is how many characters must be left out for that to be worth a sign.
const leastLeftOut = 16

// beside is what stands around what differs: of what stayed only the ends that touch it.
func beside(all []token, opens, ends bool) string {
	var head, tail int
	for size := 0; !opens && head < len(all) && size < aroundDiff; head++ {
		size += utf8.RuneCountInString(all[head].text) + 1
	}
	for size := 0; !ends && tail < len(all)-head && size < aroundDiff; tail++ {
		size += utf8.RuneCountInString(all[len(all)-1-tail].text) + 1
	}
	if utf8.RuneCountInString(written(all[head:len(all)-tail])) < leastLeftOut {
		return ShortenWords(written(all), 4*aroundDiff)
	}
	return strings.TrimSpace(written(all[:head]) + " … " + written(all[len(all)-tail:]))
}

// written puts tokens together again.
func written(all []token) string {
	var text strings.Builder
	for i, t := range all {
		if t.spaced && i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(t.text)
	}
	return text.String()
}

// ShortenWords cuts a text between two words, where that loses little.
func ShortenWords(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	cut := most - 1
	for at := cut; at > most*2/3; at-- {
		if unicode.IsSpace(runes[at]) {
			return strings.TrimRightFunc(string(runes[:at]), unicode.IsSpace) + " …"
		}
	}
	for cut > 0 && unicode.IsMark(runes[cut]) {
		cut--
	}
	return string(runes[:cut]) + "…"
}

// MarkedDiff is a difference as plain text, with [-what went-] and {+what came+}; "" for
// texts that have little in common.
func MarkedDiff(before, after string) string {
	var all strings.Builder
	for _, s := range WordDiff(before, after) {
		switch s.Is {
		case Dropped:
			all.WriteString("[-" + s.Text + "-]")
		case Added:
			all.WriteString("{+" + s.Text + "+}")
		default:
			all.WriteString(s.Text)
		}
	}
	return all.String()
}

// DiffSides are two texts cut down to where they differ, with a few words around that; ok
// is false for texts that have little in common.
func DiffSides(before, after string) (old, now string, ok bool) {
	parts := WordDiff(before, after)
	for i, s := range parts {
		next := Stayed
		if i+1 < len(parts) && s.Text == " " {
			next = parts[i+1].Is // the space before it goes with it
		}
		if s.Is != Added && next != Added {
			old += s.Text
		}
		if s.Is != Dropped && next != Dropped {
			now += s.Text
		}
	}
	return Collapse(old), Collapse(now), len(parts) > 0
}
