package quality

import (
	_ "embed" // words
	"strings"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

//go:embed tables/words.txt
var wordsFile string

var words = wordlist.Embedded(wordsFile)

// hasWordOf says whether a word of a text stands in a list.
func hasWordOf(text, list string) bool {
	known := words().Of(list)
	for word := range strings.FieldsSeq(padded(text)) {
		if known.Has(word) {
			return true
		}
	}
	return false
}

// navigation says whether a folded text is the label of a button or menu.
func navigation(folded string) bool { return words().Of("navigation").Has(strings.TrimSpace(folded)) }
