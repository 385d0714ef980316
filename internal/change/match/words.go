package match

import (
	_ "embed"
	"math"
	"strings"
	"sync"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/text/unicode/norm"
)

//go:embed words.txt
var wordsFile string

var lists = wordlist.Embedded(wordsFile)

// written leads from other ways to write a word to the one that is compared.
var written = sync.OnceValue(func() map[string]string {
	one := map[string]string{}
	for name, list := range lists() {
		if word, ok := strings.CutPrefix(name, "as "); ok {
			for _, other := range list.Words {
				one[other] = word
			}
		}
	}
	return one
})

// measured is a number with its unit, "8dbi" or "2.7inch", which are two words.
var measured = text.Pattern(`^(\d+(?:\.\d+)?)(\pL{1,5})$`)

// apostrophes do not separate words.
var apostrophes = strings.NewReplacer("'", "", "’", "", "`", "")

// wordsOf cuts a text into words and numbers. Decimals stay whole, units are parted from
// their numbers, and scripts without spaces are cut into characters.
func wordsOf(s string) []string {
	var words []string
	runes := []rune(norm.NFD.String(apostrophes.Replace(text.Unaccented(s)))) // the weights were fitted on letters and their marks
	for i := 0; i < len(runes); {
		if !text.InWord(runes[i]) {
			i++
			continue
		}
		if text.Unspaced(runes[i]) {
			words = append(words, string(runes[i]))
			i++
			continue
		}
		end := i + 1
		for end < len(runes) && (text.InWord(runes[end]) && !text.Unspaced(runes[end]) || isPoint(runes, end)) {
			end++
		}
		words = appendWord(words, string(runes[i:end]))
		i = end
	}
	return words
}

// isPoint says whether a full stop stands between two digits.
func isPoint(runes []rune, at int) bool {
	return runes[at] == '.' && at+1 < len(runes) && unicode.IsDigit(runes[at-1]) && unicode.IsDigit(runes[at+1])
}

func appendWord(words []string, word string) []string {
	if word == "s" { // what is left of a genitive
		return words
	}
	if parts := measured().FindStringSubmatch(word); parts != nil {
		return append(words, trimZeros(parts[1]), parts[2])
	}
	if one, ok := written()[word]; ok {
		return append(words, one)
	}
	return append(words, trimZeros(word))
}

// trimZeros writes 3.0 and 3 in one way.
func trimZeros(word string) string {
	if strings.Contains(word, ".") {
		return strings.TrimRight(strings.TrimRight(word, "0"), ".")
	}
	return word
}

// rarity knows how much a word says: much if few records have it.
type rarity struct {
	records float64
	count   map[string]float64
}

// assumed is how many records of the world stand beside those that are given, so that one
// pair alone can be judged; common is the share of them that have a word of the shipped list.
const (
	assumed = 200
	common  = 0.03
)

func rarityOf(all []*prepared) *rarity {
	r := &rarity{records: float64(len(all)) + assumed, count: map[string]float64{}}
	for _, p := range all {
		for word := range p.all {
			r.count[word]++
		}
		for _, f := range p.fields {
			r.count[f.value()]++
		}
	}
	return r
}

// weight is 0 to 1: 1 is a word that no other record has.
func (r *rarity) weight(word string) float64 {
	n := max(1, r.count[word])
	if lists().Of("common").Has(word) {
		n += assumed * common
	}
	return max(0.02, math.Log(r.records/n)/math.Log(r.records))
}
