// Package search says by which words a thing is found: it cuts text into words, compares
// letters without case and diacritics, and keeps the words of a few dozen things as a
// block that can be searched. It keeps nothing itself, and it knows no language: no
// stems, no synonyms, no spelling mistakes.
package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
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
	folded := text.Unaccented(text.CutBytes(s, mostIn))
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
