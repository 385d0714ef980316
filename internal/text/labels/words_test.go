package labels

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// TestWordsFile: the lists are well formed, and every phrase is written as labels are
// looked up.
func TestWordsFile(t *testing.T) {
	lists, err := wordlist.Parse(wordsFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range lists {
		for _, phrase := range list.Words {
			if n := len(Words(phrase)); n == 0 || n > maxWords || phrase != strings.ToLower(phrase) {
				t.Errorf("%s: %q is never found", name, phrase)
			}
		}
	}
}
