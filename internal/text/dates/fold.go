package dates

import (
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
)

// latin maps accented letters to the plain ones that people type instead.
// Marks of scripts in which they are vowels (Devanagari, Thai …) are not touched.
var latin = foldTable(
	"aàáâãäåāăąạảấầẩẫậắằẳẵặ", "cçćĉċč", "dďđḍ", "eèéêëēĕėęěẹẻẽếềểễệə",
	"gĝğġģ", "hĥħḥ", "iìíîïĩīĭįıịỉ", "jĵ", "kķ", "lĺļľŀł", "nñńņňŋ",
	"oòóôõöøōŏőơọỏốồổỗộớờởỡợ", "rŕŗř", "sśŝşšșṣ", "tţťŧțṭ",
	"uùúûüũūŭůűųưụủứừửữự", "wŵ", "yýÿŷỳỵỷỹ", "zźżž", "αά", "εέ", "ηή", "ιίϊΐ", "οό",
	"υύϋΰ", "ωώ", "σς", "еёѐ", "иѝ", "гґ", "اأإآٱ", "يىی", "كک", "هة", "\u09af\u09df", "\u09a1\u09dc",
	"\u09a2\u09dd", "\u092b\u095e", "\u091c\u095b", "\u0915\u0958", "\u0a2b\u0a5e", "\u0a38\u0a36",
)

func foldTable(groups ...string) map[rune]rune {
	table := map[rune]rune{}
	for _, g := range groups {
		var to rune
		for i, r := range g {
			if i == 0 {
				to = r
			} else {
				table[r] = to
			}
		}
	}
	return table
}

// fold gives the letter by which r is looked up, or 0 when it carries no sound:
// combining accents, Arabic vowel signs, joiners.
func fold(r rune) rune {
	if r < 0x80 {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	switch {
	case r == 0x93c, r == 0x9bc, r == 0xa3c, // the dot below of Indic scripts is often left out
		r >= 0x300 && r <= 0x36f, r >= 0x64b && r <= 0x65f, r == 0x670, r == 0x640,
		r >= 0x200b && r <= 0x200f, r == 0xad, r >= 0x591 && r <= 0x5c7, r == 0xfeff:
		return 0
	}
	r = unicode.ToLower(r)
	if to, ok := latin[r]; ok {
		return to
	}
	return r
}

// foldText folds every letter of s.
func foldText(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if f := fold(r); f != 0 {
			out = append(out, f)
		}
	}
	return string(out)
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
