package induce

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// learnQuiet writes a blueprint for pages that say of themselves that events belong
// there and that have none to read today: a season is over, or the dates stand in
// documents. The reader of dated entries looks there from now on, and what is known of
// the events from elsewhere can heal it later. It gives nil for all other pages.
func learnQuiet(indexes []*pageIndex) (*blueprint.Blueprint, Proof) {
	if len(indexes) == 0 {
		return nil, Proof{}
	}
	for _, s := range indexes {
		if !s.announces() {
			return nil, Proof{}
		}
	}
	b := datedBlueprint("", nil)
	b.URL = indexes[0].doc.URL().String()
	b.Expect = &blueprint.Expect{Records: &blueprint.Range{}}
	const note = "the pages announce events and have none to read today; the reader of dated entries will find them"
	return b, Proof{Pages: len(indexes), Notes: []string{note}}
}

// announces says whether the title or a main heading of a page names dated entries.
func (s *pageIndex) announces() bool {
	titles := []string{s.doc.Title()}
	for _, h := range s.doc.Headings() {
		if h.Level <= 2 {
			titles = append(titles, h.Text)
		}
	}
	return slices.ContainsFunc(titles, func(title string) bool {
		text := key(title)
		return len(text) <= 200 && slices.ContainsFunc(words().Of("announce").Words, func(word string) bool { return startsWord(text, word) })
	})
}

// startsWord says whether a word of a text begins so.
func startsWord(text, word string) bool {
	at := strings.Index(text, word)
	if at <= 0 {
		return at == 0
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return !unicode.IsLetter(before)
}
