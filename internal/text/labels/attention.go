package labels

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

//go:embed attention.txt
var attentionFile string

var (
	passing   = wordlist.Embedded(attentionFile)
	attention = wordlist.Named(passing, "attention")
	machines  = wordlist.Named(passing, "machines")
	audience  = wordlist.Named(passing, "audience")
	inexact   = wordlist.Named(passing, "inexact")
)

// ForMachines says whether a word in the name of a value tells that it changes by itself.
func ForMachines(word string) bool { return machines().Has(word) }

// Inexact says whether a word makes an age less exact, and nothing else: "about", "less than".
func Inexact(word string) bool { return inexact().Has(word) }

// DrawsAttention says whether a word is of something being read, answered or passed on, or of those who do so.
func DrawsAttention(word string) bool {
	return audience().Has(word) || slices.ContainsFunc(attention().Words, func(stem string) bool {
		if first, _ := utf8.DecodeRuneInString(stem); text.Unspaced(first) {
			return strings.Contains(word, stem)
		}
		return strings.HasPrefix(word, stem)
	})
}

// CountsAttention says whether a text tells how often something was read, answered or passed on:
// "89 comments".
func CountsAttention(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && slices.ContainsFunc(text.Words(s), DrawsAttention)
}

// Bounds of a text that counts visitors: its words, and those from the number to who they are.
const (
	mostCounting = 9
	mostBetween  = 3
)

// CountsVisitors says whether all that a text tells is how many people look at a page: "113 visitors", "12 people are looking at
// this", "Visitors: 113".
func CountsVisitors(s string) bool {
	words := text.Words(s)
	if len(words) < 2 || len(words) > mostCounting {
		return false
	}
	number := 0
	for number < len(words) && strings.ContainsFunc(words[number], unicode.IsDigit) { // "1,249" is two
		number++
	}
	if number == 0 {
		return audience().Has(words[0]) && !strings.ContainsFunc(strings.Join(words[1:], ""), unicode.IsLetter)
	}
	return slices.ContainsFunc(words[number:min(len(words), number+mostBetween+1)], audience().Has)
}
