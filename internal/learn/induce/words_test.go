package induce

import (
	"testing"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

func TestWordListsAreWellFormed(t *testing.T) {
	lists, err := wordlist.Parse(wordsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"announce", "refusal"} {
		t.Run(name, func(t *testing.T) {
			for _, word := range lists.Of(name).Words {
				if key(word) != word {
					t.Errorf("%q is never met, texts have %q", word, key(word))
				}
			}
		})
	}
}
