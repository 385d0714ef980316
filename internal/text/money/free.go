package money

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

//go:embed words.txt
var wordsFile string

// words are those beside amounts that say what these are.
var words = wordlist.Embedded(wordsFile)

// freeAtStart reads a text that begins by saying free: "Free", "Free – $20".
func freeAtStart(text string) (Price, bool) {
	trimmed := strings.TrimLeftFunc(text, isBlank)
	begin := len(text) - len(trimmed)
	for _, word := range words().Of("free").Words {
		if !hasFold(trimmed, word) {
			continue
		}
		rest := strings.TrimLeftFunc(trimmed[len(word):], isBlank)
		r, _ := utf8.DecodeRuneInString(rest)
		if rest == "" || !unicode.IsLetter(r) && digit(r) < 0 && !isSign(r) {
			return Price{Amount: "0", Free: true, Begin: begin, End: begin + len(word)}, true
		}
	}
	return Price{}, false
}

// freeAnywhere reads a short text that says free somewhere and names no amount.
func freeAnywhere(text string) (Price, bool) {
	if len(text) > 200 {
		return Price{}, false
	}
	for at := range text {
		if previous, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 && (unicode.IsLetter(previous) || previous == '-') {
			continue
		}
		for _, word := range words().Of("free").Words {
			if !hasFold(text[at:], word) {
				continue
			}
			r, _ := utf8.DecodeRuneInString(text[at+len(word):])
			if !unicode.IsLetter(r) {
				return Price{Amount: "0", Free: true, Begin: at, End: at + len(word)}, true
			}
		}
	}
	return Price{}, false
}

// IsFree tells whether a short text says that something costs nothing.
func IsFree(text string) bool {
	p, ok := Parse(text, "")
	return ok && p.Free
}

// hasFold is strings.HasPrefix without regard to case, for words whose cases have
// the same length.
func hasFold(text, word string) bool {
	return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word)
}

func isSign(r rune) bool { return unicode.Is(unicode.Sc, r) }

// threshold tells a text that names the sum from which something else is free:
// "Free shipping on orders $49+".
func threshold(text string) bool {
	if len(text) > 200 {
		return false
	}
	lower := strings.ToLower(text)
	for _, word := range words().Of("free").Words {
		at := strings.Index(lower, word)
		if at < 0 {
			continue
		}
		rest := strings.TrimLeftFunc(lower[at+len(word):], isBlank)
		for _, b := range words().Of("besides").Words {
			if strings.HasPrefix(rest, b) && !amountBefore(lower[:at]) {
				return true
			}
		}
	}
	return false
}

func amountBefore(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return digit(r) >= 0 })
}
