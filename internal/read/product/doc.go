// Package product reads the fields of a single entity from what its page shows, where
// the structured data are silent or contradict what people see.
//
// It knows shops by how they are built, never by their names: a heading, a price
// near it, a button, labels with codes. What the page merely offers beside its
// subject (cards of other products, baskets, menus) is left alone. Each kind of
// entity is one reader over the same layout; products are the first.
package product

import (
	_ "embed"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

//go:embed words.txt
var wordsFile string

// words are those by which pages of shops tell what is what.
var words = wordlist.Embedded(wordsFile)

// PageDraft is what a page shows of its subject.
type PageDraft struct {
	curlew.Draft
	// Preferred are the fields for which what people see must win over what the
	// page says to machines.
	Preferred map[string]bool
}

// say keeps a value with where it was read.
func (r *PageDraft) say(field string, value any, e curlew.Evidence) {
	e.Tier = curlew.TierHTML
	r.Fields[field] = value
	r.Provenance[field] = e
}

// insist keeps a value that wins over what is known.
func (r *PageDraft) insist(field string, value any, e curlew.Evidence) {
	r.say(field, value, e)
	r.Preferred[field] = true
}
