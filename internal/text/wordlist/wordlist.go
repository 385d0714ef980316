// Package wordlist reads lists of words that a package keeps in an embedded file, so
// that tables of words can be extended without touching code.
package wordlist

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Lists are the lists of one file by name.
type Lists map[string]*List

// List is words in the order of their file.
type List struct {
	Words []string
	set   map[string]struct{}
}

// Parse reads a file of lines "name: word, word, …". A list goes on where its name
// stands again; a line that begins with # is a comment. A word may hold spaces and
// stands in a list once.
func Parse(file string) (Lists, error) {
	lists := Lists{}
	number := 0
	for line := range strings.Lines(file) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, words, ok := strings.Cut(line, ": ")
		if !ok || name == "" {
			return nil, fmt.Errorf("line %d: want \"name: word, word\", got %q", number, line)
		}
		if err := lists.add(name, words); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return lists, nil
}

func (l Lists) add(name, words string) error {
	list := l[name]
	if list == nil {
		list = &List{set: map[string]struct{}{}}
		l[name] = list
	}
	for word := range strings.SplitSeq(words, ",") {
		word = strings.TrimSpace(word)
		if word == "" || list.Has(word) {
			return fmt.Errorf("the word %q of %q is empty or stands there already", word, name)
		}
		list.Words = append(list.Words, word)
		list.set[word] = struct{}{}
	}
	return nil
}

// Embedded gives the lists of a file that is compiled into the program, read at the
// first call. It panics on a file that Parse refuses.
func Embedded(file string) func() Lists {
	return sync.OnceValue(func() Lists {
		lists, err := Parse(file)
		if err != nil {
			panic("embedded word list: " + err.Error())
		}
		return lists
	})
}

// Named gives one of the lists of a file, found at the first call. It panics where the
// file has no such list.
func Named(lists func() Lists, name string) func() *List {
	return sync.OnceValue(func() *List { return lists().Of(name) })
}

// Of is the list of a name. It panics where the file has no such list.
func (l Lists) Of(name string) *List {
	list, ok := l[name]
	if !ok {
		panic("no word list " + name)
	}
	return list
}

// Has says whether a word stands in the list.
func (l *List) Has(word string) bool {
	_, ok := l.set[word]
	return ok
}

// In says whether a text holds one of the words.
func (l *List) In(text string) bool {
	return slices.ContainsFunc(l.Words, func(word string) bool { return strings.Contains(text, word) })
}
