package induce

import (
	_ "embed" // words

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

//go:embed tables/words.txt
var wordsFile string

var words = wordlist.Embedded(wordsFile)
