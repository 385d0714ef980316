package events

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// lexicon is a set of words and phrases, by their first word. It is looked up word by
// word, which takes a tenth of the time of a pattern with as many alternatives, and
// knows the letters of all languages.
type lexicon map[string][][]string

// phrases gives the lexicon of a list of words and phrases, made at the first call.
func phrases(list string) func() lexicon {
	return sync.OnceValue(func() lexicon { return lexiconOf(vocabulary().Of(list)) })
}

func lexiconOf(list *wordlist.List) lexicon {
	l := lexicon{}
	for _, phrase := range list.Words {
		if all := strings.Fields(text.Phrase(phrase)); len(all) > 0 {
			l[all[0]] = append(l[all[0]], all[1:])
		}
	}
	return l
}

// in says whether a text holds a word or phrase of the lexicon.
func (l lexicon) in(text string) bool {
	begin, _ := l.find(text, 0)
	return begin >= 0
}

// find is where the first word or phrase stands in a text from an offset on; -1 when
// there is none.
func (l lexicon) find(text string, from int) (begin, end int) {
	for {
		begin, end = nextWord(text, from)
		if begin < 0 {
			return -1, -1
		}
		for _, rest := range l.lookUp(text[begin:end]) {
			if last, ok := followedBy(text, end, rest); ok {
				return begin, last
			}
		}
		from = end
	}
}

// lookUp finds the phrases that begin with a word in whatever case, without making
// garbage of the many words that begin none.
func (l lexicon) lookUp(word string) [][]string {
	var lower [24]byte
	if len(word) > len(lower) {
		return nil
	}
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return l[strings.ToLower(word)]
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return l[string(lower[:len(word)])]
}

// followedBy says whether words follow an offset with no more than a space, a hyphen
// or an apostrophe between them, and where they end.
func followedBy(text string, at int, words []string) (int, bool) {
	for _, word := range words {
		begin, end := nextWord(text, at)
		if begin < 0 || begin-at > 3 || !strings.EqualFold(text[begin:end], word) {
			return 0, false
		}
		at = end
	}
	return at, true
}

// nextWord is the next run of letters and digits.
func nextWord(text string, from int) (begin, end int) {
	begin = -1
	for i := from; i < len(text); {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		word := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf && isWordRune(c)
		switch {
		case word && begin < 0:
			begin = i
		case !word && begin >= 0:
			return begin, i
		}
		i += size
	}
	if begin < 0 {
		return -1, -1
	}
	return begin, len(text)
}
