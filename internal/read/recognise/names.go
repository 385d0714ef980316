package recognise

import (
	_ "embed"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// synonyms turn the words of keys, in the languages that sites are written in, into
// the few words that the tables below are written in. What a word means is settled
// by the values under it: "data" is Polish for a date only where dates stand.
var synonyms = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for canonical, list := range wordlist.Embedded(synonymsFile)() {
		table[canonical] = canonical
		for _, word := range list.Words {
			table[word] = canonical
		}
	}
	return table
})

//go:embed synonyms.txt
var synonymsFile string

// noise are words that say nothing about which field a key holds: wrappers, formats
// and the kind of the thing itself.
var noise = wordlist.Named(words, "noise")

// formats are keys under which the same value stands in several forms.
var formats = wordlist.Named(words, "formats")

//go:embed words.txt
var wordsFile string

// words are those in the names around values.
var words = wordlist.Embedded(wordsFile)

// tokens cuts a key into lower-case words: startDate, start_date, StartDate,
// start-date and "Start date" are the same two.
func tokens(key string) []string {
	var all []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	runes := []rune(key)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case i > 0 && opensWord(runes, i):
			flush()
		}
		word.WriteRune(unicode.ToLower(r))
		if len(all) > 12 {
			break
		}
	}
	flush()
	return all
}

// opensWord tells the capital that begins a word in startDate, and in URLPath.
func opensWord(runes []rune, i int) bool {
	before := runes[i-1]
	switch {
	case !unicode.IsUpper(runes[i]):
		return false
	case unicode.IsLower(before), unicode.IsDigit(before):
		return true
	}
	return unicode.IsUpper(before) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// glued are the words that keys run together without a mark, longest first.
var glued = []string{"start", "begin", "end", "venue", "event", "image", "price", "city", "title", "name", "url", "date", "time"}

// unglue cuts "startdate" and "venuename" in two.
func unglue(word string) []string {
	if _, known := synonyms()[word]; known || utf8.RuneCountInString(word) < 6 {
		return []string{word}
	}
	for _, head := range glued {
		rest, ok := strings.CutPrefix(word, head)
		if !ok || rest == "" {
			continue
		}
		if _, known := synonyms()[rest]; known {
			return []string{head, rest}
		}
	}
	return []string{word}
}

// meaning is a path of keys in canonical words, without noise and repetition:
// ["venue", "address", "city"] and "venueCity" both say where.
func meaning(keys []string) string {
	var said []string
	for _, key := range keys {
		if key == "_source" || formats().Has(key) && len(said) > 0 { // {"title": {"text": …, "html": …}}
			continue
		}
		for _, word := range canonicalWords(key) {
			if len(said) == 0 || said[len(said)-1] != word {
				said = append(said, word)
			}
		}
	}
	return strings.Join(said, " ")
}

// canonicalWords are the words of a key in canonical form, without noise. Few keys make up most data, so that what they
// mean is kept.
func canonicalWords(key string) []string {
	if known, ok := keyWords.Load(key); ok {
		return known.([]string)
	}
	var all []string
	for _, token := range tokens(key) {
		for _, word := range unglue(token) {
			if canonical, ok := synonyms()[word]; ok {
				word = canonical
			} else if noise().Has(word) {
				continue
			}
			all = append(all, word)
		}
	}
	if len(key) <= longestKept && keptWords.Add(1) <= mostKept {
		keyWords.Store(key, all)
	}
	return all
}

// Bounds of the keys whose words are kept.
const (
	longestKept = 40
	mostKept    = 20_000
)

var (
	keyWords  sync.Map // the words of keys
	keptWords atomic.Int64
)
