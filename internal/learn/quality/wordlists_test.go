package quality

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

func TestWordListsAreWellFormedAndFolded(t *testing.T) {
	lists, err := wordlist.Parse(wordsFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range lists {
		for _, word := range list.Words {
			if folded := strings.TrimSpace(padded(word)); folded != word {
				t.Errorf("%s: %q is never met, texts have %q", name, word, folded)
			}
		}
	}
	for _, field := range swappable {
		lists.Of("field " + field)
	}
}
