// Package search says by which words a thing is found: it cuts text into words, compares
// letters without case and diacritics, and keeps the words of a few dozen things as a
// sheet that can be searched. It keeps nothing itself, and it knows no language: no
// stems, no synonyms, no spelling mistakes.
package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"curlew/internal/text"

	"golang.org/x/text/unicode/norm"
)

// Bounds of what is made of a text. What is longer is cut, in texts and in queries alike.
const (
	longest = 32   // bytes of a word
	gram    = 4    // characters that a word of an unspaced script has at most
	mostIn  = 1000 // bytes of a text that are read
)

// In cuts a text into words, in their order. Scripts that put no spaces between words
// give one at each character, so that a query finds its characters wherever they stand.
func In(s string) []string {
	var all []string
	for _, run := range runs(s) {
		if !unspaced(firstOf(run)) {
			all = append(all, text.CutBytes(run, longest))
			if rest, ok := withoutArticle(run); ok {
				all = append(all, text.CutBytes(rest, longest))
			}
			continue
		}
		all = append(all, grams(run, false)...)
	}
	return all
}

// runs are the longest parts of a text, folded, that lie between separators or between
// scripts with and without spaces.
func runs(s string) []string {
	folded := unaccented(s)
	var all []string
	begin := -1
	for at, r := range folded {
		switch {
		case !text.InWord(r):
			if begin >= 0 {
				all = append(all, folded[begin:at])
			}
			begin = -1
		case begin < 0:
			begin = at
		case r >= utf8.RuneSelf && unicode.Is(unicode.M, r):
		case unspaced(r) != unspaced(firstOf(folded[begin:])):
			all = append(all, folded[begin:at])
			begin = at
		}
	}
	if begin >= 0 {
		all = append(all, folded[begin:])
	}
	return all
}

func firstOf(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// unspaced says whether a character is of a script whose words stand together. Korean
// has spaces, but joins what people look for: 시립미술관 is a kind of 미술관.
func unspaced(r rune) bool { return text.Unspaced(r) || r > 0x10ff && unicode.Is(unicode.Hangul, r) }

// grams are the parts of a run of an unspaced script, one from each character on. A
// query needs the whole ones only: what begins later is in them.
func grams(run string, whole bool) []string {
	letters := []rune(run)
	var all []string
	for i, r := range letters {
		if whole && i > 0 && i+gram > len(letters) {
			break
		}
		if !unicode.Is(unicode.M, r) {
			all = append(all, string(letters[i:min(i+gram, len(letters))]))
		}
	}
	return all
}

// withoutArticle is an Arabic word without the article that is written together with it,
// if what is left is a word.
func withoutArticle(word string) (string, bool) {
	rest, ok := strings.CutPrefix(word, "ال")
	return rest, ok && utf8.RuneCountInString(rest) > 2
}

// unaccented writes letters without case and diacritics, and digits of all scripts alike. The
// marks of scripts in which they are vowels stay.
func unaccented(s string) string {
	s = text.CutBytes(s, mostIn)
	if text.IsASCII(s) {
		return strings.ToLower(s)
	}
	var out strings.Builder
	bare := true // whether marks are dropped here
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r < utf8.RuneSelf:
			bare = true
			out.WriteRune(unicode.ToLower(r))
		case r == 'ـ' || unicode.Is(unicode.Cf, r): // stretches a word, or is not seen at all
		case unicode.Is(unicode.M, r):
			if !bare {
				out.WriteRune(r)
			}
		default:
			bare = !unicode.IsLetter(r) ||
				unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Hebrew, unicode.Arabic)
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
