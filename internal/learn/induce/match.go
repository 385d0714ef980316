package induce

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

// Match is how a known value was found on a page.
type Match string

const (
	MatchExact      Match = "exact"      // letter by letter
	MatchNormalised Match = "normalised" // in other case, spaces or punctuation; a date or a price in another spelling
	MatchFuzzy      Match = "fuzzy"      // most of its words: shortened, extended, in another order, or mistyped
	MatchGone       Match = "gone"       // nowhere
)

// When two texts are taken for the same although they differ. Both are strict: a
// title that is merely similar belongs to another record.
const (
	leastCommon = 0.7 // twice the common words by all words of both
	leastLetter = 6   // letters of the shorter text, at least
	mostTyped   = 8   // one mistyped letter in so many is forgiven
	maxFuzzy    = 300 // bytes of a text that is compared word by word
)

// found is where and how a known value stands on a page.
type found struct {
	how  Match
	text string // as it stands there, of fuzzy matches
}

// find looks for a value on the page, first as it is, then in other spellings, then by
// most of its words.
func (s *pageIndex) find(v value) found {
	if places := s.places(v, nil); len(places) > 0 {
		for _, p := range places {
			if p.text != nil && strings.Contains(p.text.text, text.Collapse(v.text)) {
				return found{how: MatchExact}
			}
		}
		return found{how: MatchNormalised}
	}
	if !v.wordy() {
		return found{how: MatchGone}
	}
	if text, same := s.nearText(v); text != "" {
		if same {
			return found{MatchNormalised, text}
		}
		return found{MatchFuzzy, text}
	}
	return found{how: MatchGone}
}

// wordy says whether a value is made of words, and enough of them to be recognised by
// most.
func (v value) wordy() bool {
	return !v.typed() && len(v.key) <= maxFuzzy && !strings.Contains(v.key, "://") && letters(v.key) >= leastLetter
}

func letters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// nearText is the one text of the page that is the value by most of its words, and
// whether it has exactly these words; "" when there is none, or several that differ.
func (s *pageIndex) nearText(v value) (given string, same bool) {
	want := text.Words(v.key)
	best, second := 0.0, 0.0
	for _, at := range s.withWords(want) {
		l := &s.texts[at]
		like := alikeWords(want, text.Words(l.key))
		switch {
		case like > best:
			if key(given) != l.key {
				second = best
			}
			best, given = like, l.text
		case l.key != key(given):
			second = max(second, like)
		}
	}
	if best < leastCommon || second >= best {
		return "", false
	}
	return given, best == 1
}

// withWords are the shown texts that share a word with others, by an index that is
// made once.
func (s *pageIndex) withWords(words []string) []int {
	if s.byWord == nil {
		s.byWord = map[string][]int{}
		for _, at := range s.shown {
			l := &s.texts[at]
			if l.key == "" || len(l.key) > maxFuzzy {
				continue
			}
			for _, w := range uniqueWords(text.Words(l.key)) {
				s.byWord[w] = append(s.byWord[w], at)
			}
		}
	}
	var all []int
	for _, w := range uniqueWords(words) {
		if hits := s.byWord[w]; len(hits) <= maxSharing {
			all = append(all, hits...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// maxSharing is in how many texts a word may stand to say anything.
const maxSharing = 400

func uniqueWords(words []string) []string {
	out := slices.Clone(words)
	slices.Sort(out)
	return slices.Compact(out)
}

// alikeWords is how many words two texts share, in any order; 1 when all. A number that
// only one of them has makes them different: "Session 2025" is not "Session 2026". A
// text that begins the other (cut off, or with a suffix) counts as most of it.
func alikeWords(a, b []string) float64 {
	left := slices.Clone(b)
	common := 0
	for _, w := range a {
		at := slices.IndexFunc(left, func(o string) bool { return o == w || mistyped(o, w) })
		if at >= 0 {
			left = slices.Delete(left, at, at+1)
			common++
			continue
		}
		if hasDigit(w) {
			return 0
		}
	}
	if slices.ContainsFunc(left, hasDigit) {
		return 0
	}
	if slices.Equal(a, b) {
		return 1
	}
	like := 2 * float64(common) / float64(max(1, len(a)+len(b)))
	if n := min(len(a), len(b)); n >= 3 && common == n && 2*n >= max(len(a), len(b)) {
		like = max(like, leastCommon)
	}
	return min(like, 0.99)
}

func hasDigit(w string) bool { return strings.ContainsAny(w, "0123456789") }

// mistyped says whether two words differ by a letter or two: bounded edit distance.
func mistyped(a, b string) bool {
	if hasDigit(a) || hasDigit(b) || a[0] != b[0] {
		return false
	}
	allowed := min(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) / mostTyped
	return allowed > 0 && text.Distance(a, b) <= min(allowed, 2)
}
