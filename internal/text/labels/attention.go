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
)

// ForMachines says whether a word in the name of a value tells that it changes by itself.
func ForMachines(word string) bool { return machines().Has(word) }

// DrawsAttention says whether a word is of something being read, answered or passed on.
func DrawsAttention(word string) bool {
	return slices.ContainsFunc(attention().Words, func(stem string) bool {
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
