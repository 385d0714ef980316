package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold writes spellings that people take for the same in one way: letters of either
// case and of any width, composed or not. Combining marks stay, as in many scripts they
// are vowels. White space and punctuation stay too; see Words.
func Fold(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	s = norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD"))
	out := make([]byte, 0, len(s)+8)
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r |= 0x20
			}
			out = append(out, byte(r))
		case r == 'ß' || r == 'ẞ':
			out = append(out, "ss"...)
		default: // by way of the upper case, in which Σ is one letter
			out = utf8.AppendRune(out, unicode.ToLower(unicode.ToUpper(r)))
		}
	}
	return norm.NFKC.String(string(out)) // a small letter may compose where its capital does not
}

// Phrase is the folded words of a text with one space between two.
func Phrase(s string) string {
	s = Fold(s)
	out := make([]byte, 0, len(s))
	space := false
	for _, r := range s {
		switch {
		case InWord(r):
			if space && len(out) > 0 {
				out = append(out, ' ')
			}
			space = false
			out = utf8.AppendRune(out, r)
		case !withinWord(r):
			space = true
		}
	}
	return string(out)
}

// withinWord says whether a character parts no word: apostrophes, and what is not seen.
func withinWord(r rune) bool {
	return r == '\'' || r == '’' || r >= utf8.RuneSelf && unicode.Is(unicode.Cf, r)
}

// Words are the folded words of a text, without punctuation.
func Words(s string) []string { return strings.Fields(Phrase(s)) }

// Letters is a folded text without anything that typesetting adds: only its letters,
// marks and digits.
func Letters(s string) string { return strings.ReplaceAll(Phrase(s), " ", "") }

// OnlyMarks says whether a text is empty or nothing but punctuation, as "-:-" is until a match is played.
func OnlyMarks(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPunct(r) && !unicode.IsSpace(r) })
}

// InWord says whether a character is a part of words: a letter, a combining mark or a
// digit.
func InWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// IsASCII says whether a text has no character beyond ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
