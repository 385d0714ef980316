// Package wrapper reads detail pages that carry no structured data. Pages of one
// kind share a template: what recurs at equivalent places of all of them is its text,
// what differs there are values. It aligns pages, finds these slots, and names them
// in the terms of a schema by their labels, their types, their markup and their
// distance from the headline.
//
// It writes no rules: where its values stand on the pages, others learn how to find
// them again. It looks at two pages or more, or at one of which some values are known.
package wrapper

import (
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
	"golang.org/x/net/html"
)

// SamplePage is one page of a kind.
type SamplePage struct {
	Document *dom.Document
	Now      time.Time           // the day of reading, for dates without a year; zero: unknown
	Known    map[string][]string // values that are known to be on it, from its list; may be nil
}

// SlotValue is what one page has in a slot.
type SlotValue struct {
	Text string
	Node *html.Node // the text node or, of attributes, the element
}

// Slot is an equivalent place of several pages.
type Slot struct {
	Label    string       // what the pages call it; "" when they do not
	Attr     string       // "src" or "href" where the value is an attribute
	Values   []SlotValue  // by page; an empty text where a page has none
	Type     regions.Type // of the values
	Constant bool         // all pages have the same: template text, unless its label says otherwise

	after  int  // mean distance in texts from the headline; negative before it
	heads  int  // 1 to 6 when the values are headings; 0 otherwise
	aside  bool // in a menu, a footer, a form
	titled float64
	hints  []string
}

// Bounds of what is looked at.
const (
	maxPages  = 16
	maxLeaves = 20_000 // texts of one page
	maxSlots  = 4_000
)

// Align finds the slots of pages of one kind, those with labels first, each in
// reading order. There are none once the context has ended.
func Align(ctx context.Context, pages []SamplePage) []Slot {
	pages = pages[:min(len(pages), maxPages)]
	var views []*view
	for _, p := range pages {
		if ctx.Err() != nil {
			return nil
		}
		views = append(views, read(p))
	}
	t := learnTemplate(views)
	var slots []Slot
	for _, g := range t.groups() {
		if ctx.Err() != nil {
			return nil
		}
		slots = append(slots, t.slot(g))
	}
	return slots
}

// filled are the texts that a slot has.
func (s Slot) filled() []string {
	var all []string
	for _, v := range s.Values {
		if v.Text != "" {
			all = append(all, v.Text)
		}
	}
	return all
}

func optionsOf(p SamplePage) dates.Options {
	tag := p.Document.Language()
	return dates.Options{Now: p.Now, Lang: language.Primary(tag)}
}

func allSame(texts []string) bool {
	return !slices.ContainsFunc(texts, func(t string) bool { return text.Fold(text.Collapse(t)) != text.Fold(text.Collapse(texts[0])) })
}
