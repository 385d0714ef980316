package events

import (
	"testing"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

func TestWordsFile(t *testing.T) {
	if _, err := wordlist.Parse(wordsFile); err != nil {
		t.Error(err)
	}
}
