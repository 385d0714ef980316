package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Unaccented writes letters without case and diacritics, and digits of all scripts alike. The
// marks of scripts in which they are vowels stay.
func Unaccented(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	var out strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r < utf8.RuneSelf:
			out.WriteRune(unicode.ToLower(r))
		case r == 'ـ' || unicode.Is(unicode.Cf, r) || isAccent(r): // stretches a word, is not seen at all, or is left out
		default:
			r = unicode.ToLower(r)
			if as, ok := transliterated[r]; ok {
				out.WriteString(as)
				continue
			}
			out.WriteRune(digit(r))
		}
	}
	return norm.NFC.String(out.String())
}

// isAccent says whether a character is a mark of a script that is read without them. Those of kana and of Vedic Sanskrit
// make other letters.
func isAccent(r rune) bool {
	if !unicode.Is(unicode.M, r) || r == 0x3099 || r == 0x309a || r == 0x951 || r == 0x952 {
		return false
	}
	return unicode.In(r, unicode.Inherited, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic)
}

// transliterated are letters that Unicode does not decompose into a letter and a mark,
// as people write them who lack them on their keyboard.
var transliterated = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'ħ': "h", 'ı': "i", 'þ': "th", 'ŧ': "t", 'ŋ': "n", 'ĸ': "k",
	'ƒ': "f", 'ɓ': "b", 'ɗ': "d", 'ƙ': "k", 'ƴ': "y", 'ɛ': "e", 'ɔ': "o", 'ə': "e",
	'ς': "σ", 'ѣ': "е", 'ґ': "г",
	'ٱ': "ا", 'ى': "ي", 'ی': "ي", 'ة': "ه", 'ک': "ك", 'ھ': "ه", 'ہ': "ه",
}

// digit writes a digit of any script as one of ASCII. Unicode keeps those of a script
// together, from zero on.
func digit(r rune) rune {
	if r < utf8.RuneSelf || !unicode.Is(unicode.Nd, r) {
		return r
	}
	for _, script := range unicode.Nd.R16 {
		if rune(script.Lo) <= r && r <= rune(script.Hi) {
			return '0' + (r-rune(script.Lo))%10
		}
	}
	for _, script := range unicode.Nd.R32 {
		if rune(script.Lo) <= r && r <= rune(script.Hi) {
			return '0' + (r-rune(script.Lo))%10
		}
	}
	return r
}
