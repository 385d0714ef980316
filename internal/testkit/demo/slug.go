package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var plainLetters = strings.NewReplacer(
	"ą", "a", "ć", "c", "ę", "e", "ł", "l", "ń", "n", "ó", "o", "ś", "s", "ź", "z", "ż", "z",
	"ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "à", "a", "á", "a", "â", "a", "ç", "c", "é", "e", "è", "e", "ê", "e",
	"ë", "e", "í", "i", "ì", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ô", "o", "ú", "u", "ù", "u", "û", "u",
	"ø", "o", "å", "a", "æ", "ae", "œ", "oe", "č", "c", "š", "s", "ž", "z",
)

// slug makes the part of a URL that people can read.
func slug(text string) string {
	var out strings.Builder
	gap := false
	for _, r := range plainLetters.Replace(strings.ToLower(text)) {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = out.Len() > 0
			continue
		}
		if gap {
			out.WriteByte('-')
			gap = false
		}
		out.WriteRune(r)
	}
	if out.Len() == 0 {
		return "n-a"
	}
	return out.String()
}

// unslug makes a heading of it again.
func unslug(text string) string {
	words := strings.ReplaceAll(text, "-", " ")
	first, size := utf8.DecodeRuneInString(words)
	if size == 0 {
		return words
	}
	return string(unicode.ToUpper(first)) + words[size:]
}
