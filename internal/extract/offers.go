package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/recognise"
	"github.com/curlew-data/curlew/internal/read/structured"
)

// Offers is the blueprint for the data that the pages carry for machines, if any.
func Offers(ctx context.Context, kind curlew.Schema, pages []induce.DatedPage) []*blueprint.Blueprint {
	var samples []induce.LabelledPage
	for _, p := range pages {
		samples = append(samples, induce.LabelledPage{Document: p.Document, Now: p.Now})
	}
	if len(samples) == 0 {
		return nil
	}
	b, _, ok := FromData(ctx, kind, samples)
	if !ok {
		return nil
	}
	return []*blueprint.Blueprint{b}
}

// FromData takes the blueprint for the data that pages carry for machines, when all
// pages have entities in them.
func FromData(ctx context.Context, kind curlew.Schema, samples []induce.LabelledPage) (*blueprint.Blueprint, induce.Proof, bool) {
	var found []recognise.Recognition
	for _, f := range DataFindings(samples[0].Document, kind) {
		if f.Schema == kind.Name && f.Blueprint != nil {
			found = append(found, f)
		}
	}
	for _, f := range found {
		b := *f.Blueprint
		compiled, err := blueprint.Compile(&b)
		if err != nil || ctx.Err() != nil {
			continue
		}
		proof := induce.Proof{Pages: len(samples)}
		var pages [][]curlew.Draft
		for _, s := range samples {
			if drafts := compiled.Apply(blueprint.PageInput{Document: s.Document}).Drafts; len(drafts) > 0 {
				pages = append(pages, drafts)
				proof.Records += len(drafts)
			}
		}
		if len(pages) == len(samples) {
			b.Page, b.URL, b.Expect = f.Page, samples[0].Document.URL().String(), blueprint.ExpectationsOf(pages...)
			proof.Notes = append(proof.Notes, fmt.Sprintf("read from the page's data (%s)", b.Tier))
			return &b, proof, true
		}
	}
	return nil, induce.Proof{}, false
}

// DataFindings are the entities in a page's items, in the state of its scripts, or in
// the answer of an API.
func DataFindings(doc *dom.Document, kind curlew.Schema) []recognise.Recognition {
	if doc.IsJSON() {
		var value any
		decoder := json.NewDecoder(bytes.NewReader(doc.Body()))
		decoder.UseNumber()
		if decoder.Decode(&value) != nil {
			return nil
		}
		return recognise.FromJSON(value, "")
	}
	graph := structured.Read(doc)
	return append(recognise.FromGraph(graph, doc, kind), recognise.FromPage(graph, doc)...)
}
