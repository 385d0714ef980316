// Package regions finds the data regions of a page and cuts them into records:
// lists, cards, table rows, headings with what follows them, definition lists,
// lines of text. It ranks the regions, aligns what their records hold into slots,
// and says what each slot seems to be.
//
// It looks at one page, asks nobody and keeps nothing. It does not know schemas
// beyond item: what an event or a product is, others decide.
package regions

import (
	"context"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// Options are what the page does not say itself.
type Options struct {
	Dates dates.Options // for recognising dates
	Most  int           // how many regions are given; 0 means 12
}

// Kind is what a record of a region is made of.
type Kind string

const (
	Nodes      Kind = "nodes"      // one element: a list entry, a card
	Rows       Kind = "rows"       // one row of a table
	Cells      Kind = "cells"      // one cell of a calendar
	Groups     Kind = "groups"     // an element and the siblings after it
	Between    Kind = "between"    // what stands between separators
	Lines      Kind = "lines"      // a line of text, parted by br
	Paragraphs Kind = "paragraphs" // lines of text, parted by empty ones
)

// Region is a part of a page that repeats a structure.
type Region struct {
	Kind     Kind
	Records  []ListRecord
	Features Features

	page *survey
	runs []run
}

// ListRecord is one entry of a region.
type ListRecord struct {
	Nodes   []*html.Node // siblings, in document order; rarely more than one
	Text    string       // the whole visible text, a line per block
	Heading string       // the nearest heading above that is not a record's own

	nearest string // the last of the headings above, where these are several
}

// Regions are the data regions of a page, the main list first. There are none once the context has ended.
func Regions(ctx context.Context, d *dom.Document, o Options) []Region {
	if d.IsJSON() {
		return nil
	}
	page := look(d)
	ranked := page.ranked(ctx)
	most := o.Most
	if most <= 0 {
		most = defaultMost
	}
	return page.regions(ctx, ranked[:min(len(ranked), most)])
}

// ranked are the candidates of a page, the best first.
func (s *survey) ranked(ctx context.Context) []candidate {
	return s.withSingles(s.withoutFacts(s.rank(ctx, s.candidates(ctx))))
}

// Main is the main list of a page, and the lists beside it that rank about the
// same, in the order of the ranking. It is empty when nothing on the page repeats, and once the
// context has ended.
func Main(ctx context.Context, d *dom.Document, o Options) []Region {
	if d.IsJSON() {
		return nil
	}
	page := look(d)
	return page.regions(ctx, peers(page.ranked(ctx), margin))
}

// Chosen is the region of elements that somebody chose as the records of a page, in the
// order of the page; those inside of others, and those that show nothing, are left out.
func Chosen(d *dom.Document, nodes []*html.Node) Region {
	wanted := make(map[*html.Node]bool, len(nodes))
	for _, n := range nodes {
		wanted[n] = true
	}
	page, c := look(d), candidate{kind: Nodes}
	for i := int32(0); i < int32(len(page.flat)); {
		if !wanted[page.flat[i].node] {
			i++
			continue
		}
		c.runs = append(c.runs, page.whole(i))
		i = page.flat[i].end
	}
	if len(c.runs) == 0 {
		return Region{Kind: Nodes}
	}
	if page.flat[c.runs[0].from].node.Data == "tr" {
		c.kind = Rows
	}
	return page.region(c)
}

const defaultMost = 12

func (s *survey) regions(ctx context.Context, chosen []candidate) []Region {
	regions := make([]Region, len(chosen))
	for i, c := range chosen {
		if ctx.Err() != nil {
			return nil
		}
		regions[i] = s.region(c)
	}
	return regions
}
