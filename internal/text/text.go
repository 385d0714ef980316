// Package text has one meaning for each small question about text: whether two
// spellings are one (Fold, Words, SameURL), how a text is laid out (Collapse) and how
// it is cut (Clip, OneLine, CutBytes). It knows no language and reads no meaning; dates, money
// and languages are in the packages below it.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Collapse makes every run of white space one space, and takes it off both ends.
func Collapse(s string) string {
	if IsCollapsed(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// IsCollapsed tells cheaply that Collapse would change nothing. It says false of texts
// beyond ASCII, whose white space it does not know.
func IsCollapsed(s string) bool {
	space := true // the first must be none
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return s == "" || !space
}

// Clip shortens a text to at most so many characters, of which the last then is an
// ellipsis. A letter keeps its combining marks or goes with them.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	count, end := 0, 0 // end is where a text with an ellipsis would end
	for i, r := range s {
		if count < most && !unicode.IsMark(r) {
			end = i
		}
		if count++; count > most {
			return strings.TrimRightFunc(s[:end], unicode.IsSpace) + "…"
		}
	}
	return s
}

// OneLine makes a foreign text fit for a line on a screen: no characters that steer a terminal or turn the direction, at
// most so many in all.
func OneLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, CutBytes(s, 8*most+64))
	return Clip(Collapse(s), most)
}

// CutBytes keeps at most so many bytes of a text, and whole characters.
func CutBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// CutWords keeps at most so many bytes of a text: whole words, unless one of them is
// longer than half of that.
func CutWords(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if at := strings.LastIndexByte(s[:most], ' '); at >= most/2 {
		return s[:at]
	}
	return CutBytes(s, most)
}

// Set is a list of words, parted by white space, as a set.
func Set(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// Plural counts things: "1 page", "2 pages".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Unspaced says whether a character is of a script that puts no spaces between words:
// Chinese, Japanese, Thai, Lao, Khmer, Burmese.
func Unspaced(r rune) bool {
	switch {
	case r < 0xe00:
		return false
	case r <= 0xeff: // Thai, Lao
		return r != '฿'
	case r >= 0x1000 && r <= 0x109f, // Burmese
		r >= 0x1780 && r <= 0x17ff,             // Khmer
		r >= 0x3005 && r <= 0x3007,             // 々 〆 〇
		r >= 0x3041 && r <= 0x30ff && r != '・', // Kana
		r >= 0x31f0 && r <= 0x31ff,             // Kana for Ainu
		r >= 0x3400 && r <= 0x9fff,             // Han
		r >= 0xf900 && r <= 0xfaff,             // Han, for compatibility
		r >= 0xff66 && r <= 0xff9f,             // Kana of half width
		r >= 0x20000 && r <= 0x3ffff:           // Han, the rare ones
		return true
	}
	return false
}

// Digits are the digits of a text and nothing else.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}
