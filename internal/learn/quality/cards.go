package quality

import (
	"fmt"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// findCards finds the parts of a page that show records which come from its data: the largest part
// around the name of each that has no other name in it. What it says may contradict the data.
func (c *judgedSample) findCards() {
	field := c.title()
	named := map[*judgedRecord]*html.Node{}
	names := map[*html.Node]int{} // how many names an element holds
	for _, x := range c.records {
		if len(x.scope) > 0 || len(x.views) == 0 {
			continue
		}
		node := x.views[0].soleBlock(padded(textOf(x.record, field)))
		if node == nil {
			continue
		}
		named[x] = node
		for n := node; n != nil; n = n.Parent {
			names[n]++
		}
	}
	if len(named) < fewest {
		return
	}
	for x, n := range named {
		for n.Parent != nil && names[n.Parent] == 1 {
			n = n.Parent
		}
		x.card = blocksOf(dom.Blocks(n))
	}
}

// soleBlock is the element of the only block with these words; nil where there is none or several.
func (v *view) soleBlock(words string) *html.Node {
	var found *html.Node
	for _, b := range v.blocks {
		if words == "" || b.words != words {
			continue
		}
		if found != nil {
			return nil
		}
		found = b.node
	}
	return found
}

// blocks are what the page shows of the record: its own part, or the card that bears its name.
func (x *judgedRecord) blocks() []block {
	if len(x.scope) > 0 {
		return x.scope
	}
	return x.card
}

// otherYear finds dates of data that the page shows in another year.
func (c *judgedSample) otherYear() *SystematicError {
	when, ok := dated[c.schemaOf()]
	if !ok {
		return nil
	}
	all := c.with(when.field)
	count, examples := matching(all, when.field, func(x *judgedRecord) bool {
		at, _, ok := moment(textOf(x.record, when.field))
		other := false
		for i := range x.card {
			b := &x.card[i]
			for _, f := range b.dates(x.views[0].options) {
				if f.Start.Month() == at.Month() && f.Start.Day() == at.Day() && writesYear(b.text[f.Begin:f.End]) {
					if f.Start.Year() == at.Year() {
						return false
					}
					other = true
				}
			}
		}
		return ok && other
	})
	if count < 2 || 2*count < len(all) {
		return nil
	}
	return &SystematicError{Code: Contradicted, Severity: SeverityError, Field: when.field, Count: count, Of: len(all), Examples: examples,
		Sentence:   fmt.Sprintf("%s is of another year than the page shows in %d of %d records", when.field, count, len(all)),
		Suggestion: "Read the days from what the page shows."}
}
