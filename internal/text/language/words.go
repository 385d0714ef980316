package language

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"sync"
)

// profile is what the text of a language looks like: its small words and the
// letters beyond a–z (or beyond the common Cyrillic ones) that it writes with.
type profile struct {
	tag     string
	words   map[string]bool
	letters map[rune]bool
}

//go:embed languages.txt
var languagesFile string

// profiles are the languages by script.
type profiles struct {
	of       map[string][]*profile
	sharedBy map[string]int // in how many languages a small word occurs
}

// languages are read at first use.
var languages = sync.OnceValue(func() profiles {
	p, err := readLanguages(languagesFile)
	if err != nil {
		panic(err)
	}
	return p
})

// readLanguages reads a table of languages; the head of languages.txt tells how it is
// written.
func readLanguages(file string) (profiles, error) {
	all := profiles{of: map[string][]*profile{}, sharedBy: map[string]int{}}
	script := ""
	for line := range strings.Lines(strings.ReplaceAll(file, "~", "\u200c")) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0][0] == '#':
		case len(fields) == 1 && len(fields[0]) == len("[Latn]") && fields[0][0] == '[':
			script = strings.Trim(fields[0], "[]")
		case len(fields) > 2 && script != "":
			all.add(script, fields[0], strings.TrimSuffix(fields[1], "-"), fields[2:])
		default:
			return all, fmt.Errorf("language: %q is no line of languages", line)
		}
	}
	return all, nil
}

func (all profiles) add(script, tag, letters string, words []string) {
	p := &profile{tag: tag, words: map[string]bool{}, letters: map[rune]bool{}}
	for _, r := range letters {
		p.letters[r] = true
	}
	for _, w := range words {
		if !p.words[w] {
			p.words[w] = true
			all.sharedBy[w]++
		}
	}
	all.of[script] = append(all.of[script], p)
}

// rarity is 1 for a word of one language and falls with every language that
// shares it.
func rarity(word string) float64 { return 1 / math.Sqrt(float64(max(1, languages().sharedBy[word]))) }
