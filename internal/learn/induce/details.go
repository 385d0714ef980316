package induce

import (
	"context"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/wrapper"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// Details learns pages of one record each: from two or more of a site, or from one
// and what its list tells of it. Values come from comparing the pages with each other;
// known ones count as they are. It is a failure when the pages do not say what their
// records are called. It stops when the context ends.
func Details(ctx context.Context, kind curlew.Schema, pages []LabelledPage) (*blueprint.Blueprint, Proof, error) {
	var all []wrapper.SamplePage
	for _, p := range pages {
		all = append(all, wrapper.SamplePage{Document: p.Document, Now: p.Now, Known: p.Fields})
	}
	name := kind.Title
	read := wrapper.Read(ctx, kind, all)
	if ctx.Err() != nil {
		return nil, Proof{}, ctx.Err()
	}
	var known []LabelledPage
	for i, fields := range read {
		if len(fields[name]) == 0 {
			return nil, Proof{}, curlew.Permanent("no_details",
				"the name of the record of page %d was not found: give another page of the same kind, or known values", i+1)
		}
		known = append(known, LabelledPage{Document: pages[i].Document, Now: pages[i].Now, Fields: fields})
	}
	b, p, err := FewShot(ctx, kind, known)
	if err != nil {
		return nil, p, err
	}
	if _, has := b.Fields[name]; !has {
		return nil, p, curlew.Permanent("no_details", "no rule finds the %s of these pages again", name)
	}
	p.Notes = append(p.Notes, "the values are those in which these pages differ, named by their labels and places")
	return b, p, nil
}

// learnDetails learns what Details does, of pages that nobody said are such; nil when
// they are not: when their headlines stand inside of the records of a list, or do not
// differ.
func learnDetails(ctx context.Context, kind curlew.Schema, pages []Read) (*blueprint.Blueprint, Proof) {
	if len(pages) < 2 || kind.Title == "" {
		return nil, Proof{}
	}
	var all []wrapper.SamplePage
	var known []LabelledPage
	for _, p := range pages {
		if p.Document.IsJSON() {
			return nil, Proof{}
		}
		all = append(all, wrapper.SamplePage{Document: p.Document, Now: p.Now})
		known = append(known, LabelledPage{Document: p.Document, Now: p.Now})
	}
	slot, ok := wrapper.Headline(ctx, kind, all)
	if !ok {
		return nil, Proof{}
	}
	for i, v := range slot.Values {
		if pages[i].lists(v.Node) {
			return nil, Proof{}
		}
	}
	b, p, err := Details(ctx, kind, known)
	if err != nil {
		return nil, Proof{}
	}
	return b, p
}

// lists says whether a node stands in one of several records of a page. Two are often
// the thing itself and what is advertised beside it.
func (p Read) lists(n *html.Node) bool {
	if len(p.Drafts) < 3 {
		return false
	}
	return slices.ContainsFunc(p.Drafts, func(d curlew.Draft) bool {
		at := p.Document.At(d.Node)
		return at != nil && dom.Within(n, at)
	})
}
