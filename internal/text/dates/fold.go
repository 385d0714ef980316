package dates

import (
	"strings"
	"sync"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
)

// fold gives a letter as it is looked up, or "" when it carries no sound: accents, vowel signs that Arabic and Hebrew leave
// out, joiners.
func fold(r rune) string {
	if folded := commonFolds(); int(r) < len(folded) {
		return folded[r]
	}
	return text.Unaccented(string(r))
}

// commonFolds are the folds of all alphabets and of punctuation.
var commonFolds = sync.OnceValue(func() []string {
	folds := make([]string, 0x2100)
	for r := range folds {
		folds[r] = strings.Map(withoutNukta, text.Unaccented(string(rune(r))))
	}
	return folds
})

// withoutNukta drops the dot below of Indic scripts, which is often left out.
func withoutNukta(r rune) rune {
	if r == 0x93c || r == 0x9bc || r == 0xa3c {
		return -1
	}
	return r
}

// foldText folds every letter of s.
func foldText(s string) string {
	var out strings.Builder
	for _, r := range s {
		out.WriteString(fold(r))
	}
	return out.String()
}

// digitOf reads a decimal digit of any script.
func digitOf(r rune) (int64, bool) {
	if r < 0x80 {
		return int64(r - '0'), r >= '0' && r <= '9'
	}
	if !unicode.IsDigit(r) {
		return 0, false
	}
	// Digits of a script stand in a row that begins with its zero.
	n := int64(0)
	for n < 9 && unicode.IsDigit(r-1) {
		r--
		n++
		if n == 9 {
			break
		}
	}
	return n, true
}

// unspaced tells the scripts that are written without spaces, or with endings
// glued to the word: words there are found by the longest match.
func unspaced(r rune) bool { return text.Unspaced(r) || r >= 0xac00 && r <= 0xd7af }
