package induce

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// Chosen learns the records that somebody names by a CSS selector: what repeats in them
// become fields. The records are what the selector matches, and nothing else. It stops when
// the context ends.
func Chosen(
	ctx context.Context, kind curlew.Schema, doc *dom.Document, now time.Time, css string,
) (*blueprint.Blueprint, Proof, error) {
	s := newPageIndex(ctx, doc, now)
	if doc.IsJSON() {
		return nil, Proof{}, curlew.Permanent("no_page", "a selector chooses elements of a page, and this is data")
	}
	selector := blueprint.Selector{CSS: css}
	matched, err := blueprint.NewRuleTester(&selector, s.page())
	if err != nil {
		return nil, Proof{}, curlew.Permanent("bad_selector", "“%s” is not a CSS selector: write one such as li.event or table tr", css)
	}
	var nodes []*html.Node
	for i := range matched.Records() {
		if n := matched.Element(i); n != nil {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 0 {
		return nil, Proof{}, curlew.Permanent("selector_empty", "nothing on the page matches the selector “%s”", css)
	}
	all := chosenEntries(kind, s, nodes)
	if ctx.Err() != nil {
		return nil, Proof{}, ctx.Err()
	}
	if len(all) == 0 {
		return nil, Proof{}, curlew.Permanent("selector_empty", "the elements that the selector “%s” matches have no text", css)
	}
	b, proof, _ := learnFields(kind, listing{selector: selector}, all, len(nodes))
	if ctx.Err() != nil {
		return nil, proof, ctx.Err()
	}
	if b == nil || lacks(b) != "" {
		return nil, proof, curlew.Permanent("not_learned",
			"what the selector “%s” matches does not have what every record of the schema %s needs: choose elements that hold a whole entry each",
			css, kind.Name)
	}
	return b, proof, nil
}

// chosenEntries reads chosen elements as records: what repeats in them, and where
// dates stand in them, what the reader of dated entries makes of those.
func chosenEntries(kind curlew.Schema, s *pageIndex, nodes []*html.Node) []entry {
	o := regions.Options{Dates: dates.Options{Now: s.dates.Now, Lang: s.dates.Lang}}
	region := regions.Chosen(s.doc, nodes)
	dated := map[*html.Node]curlew.Draft{}
	if kind.Name == curlew.SchemaEvent {
		dated = aloneIn(s.doc, ReadPage(s.ctx, s.doc, s.dates.Now, kind, DayRange{}), nodes)
	}
	var all []entry
	drafts := InSchema(regions.Drafts(s.ctx, s.doc, region, o), kind)
	for i, d := range drafts[:min(len(drafts), maxEntries)] {
		n := region.Records[i].Nodes[0]
		fields := draftValues(kind, d)
		for name, values := range draftValues(kind, dated[n]) {
			fields[name] = values
		}
		all = append(all, entry{index: s, node: n, roots: []*html.Node{n}, text: d.Text, fields: fields})
	}
	return all
}

// aloneIn are the drafts that stand alone in one of some elements, by that element.
func aloneIn(doc *dom.Document, drafts []curlew.Draft, nodes []*html.Node) map[*html.Node]curlew.Draft {
	in, many, chosen := map[*html.Node]curlew.Draft{}, map[*html.Node]bool{}, map[*html.Node]bool{}
	for _, n := range nodes {
		chosen[n] = true
	}
	for _, d := range drafts {
		for n := doc.At(d.Node); n != nil; n = n.Parent {
			if !chosen[n] {
				continue
			}
			if _, twice := in[n]; twice {
				many[n] = true
			}
			in[n] = d
			break
		}
	}
	for n := range many {
		delete(in, n)
	}
	return in
}
