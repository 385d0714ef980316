package events

import (
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// homeWords and guestWords mark the two sides of a fixture, in classes and heads of columns.
var (
	homeWords  = wordlist.Named(vocabulary, "home words")
	guestWords = wordlist.Named(vocabulary, "guest words")
	// versus stands alone between two sides: "v", or the score.
	versus = text.Pattern(`(?i)^(?:v|vs\.?|\d{1,3}\s?[-–]\s?\d{1,3})$`)
)

const bySides = "the two sides of a fixture"

// titleBySides calls a fixture after both sides.
func (r *reader) titleBySides(e *entry) (named, bool) {
	home, guest := -1, -1
	for i := e.span.first; i < e.span.last; i++ {
		switch {
		case r.marked(i, e, homeWords()) && home < 0:
			home = i
		case r.marked(i, e, guestWords()) && guest < 0:
			guest = i
		case i > e.span.first && i+1 < e.span.last && versus().MatchString(r.lines[i].text):
			home, guest = i-1, i+1
		}
	}
	if home < 0 || guest < 0 || !r.isSide(home, e) || !r.isSide(guest, e) {
		return named{}, false
	}
	return named{text: r.part(e, home) + " – " + r.part(e, guest), line: home, rule: bySides}, true
}

// isSide tells a line that may name one side of a fixture.
func (r *reader) isSide(i int, e *entry) bool {
	text := r.part(e, i)
	return goodTitle(text) && len(text) <= 60 && text == r.lines[i].text && !r.placeMarked(i, e)
}
