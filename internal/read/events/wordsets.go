package events

import (
	_ "embed"

	"github.com/curlew-data/curlew/internal/text/wordlist"
)

//go:embed words.txt
var wordsFile string

// vocabulary are the words by which pages speak of events, by what they say.
var vocabulary = wordlist.Embedded(wordsFile)

// documentWords name what belongs to an entry without naming it.
var documentWords = wordlist.Named(vocabulary, "document words")

// genericWords make no title by themselves.
var genericWords = wordlist.Named(vocabulary, "generic words")

// kindWords say what sort of entry or paper it is, which names none: "Regular
// Meeting", "Resolution(s)", "File size: 1 MB".
var kindWords = wordlist.Named(vocabulary, "kind words")
