package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"

	"curlew/internal/curlew"
	"curlew/internal/learn/feasibility"
	"curlew/internal/learn/induce"
	"curlew/internal/read/blueprint"
	"curlew/internal/read/dom"
	"curlew/internal/read/recognise"
	"curlew/internal/read/structured"
)

// ways lists what may do, the cheapest tier first; only what somebody named where
// somebody did.
func (l *looking) ways(ctx context.Context) ([]way, error) {
	if l.Selector != "" {
		b, _, err := induce.Chosen(l.schema, l.home.Document(), l.home.Now, l.Selector)
		if err != nil {
			return nil, err
		}
		l.paged(b, l.home.Document())
		return []way{{address: l.home.URL, b: b}}, nil
	}
	var all []way
	for _, b := range l.Also {
		own := *b
		if own.Page == curlew.PageList {
			l.paged(&own, l.home.Document())
		}
		all = append(all, way{address: l.home.URL, b: &own})
	}
	all = append(all, l.fromDoors()...)
	all = append(all, l.fromData()...)
	all = append(all, l.fromSight()...)
	all = append(all, l.single()...)
	return append(all, l.fromOthers()...), nil // last, so that of equals the page's own wins
}

// fromDoors are the APIs and feeds that were found open.
func (l *looking) fromDoors() []way {
	var all []way
	for _, f := range l.report.Probes {
		if f.State != feasibility.DoorOpen || f.Entities == 0 {
			continue
		}
		switch {
		case f.Blueprint != nil && f.Schema == l.schema:
			address := cmp.Or(f.Blueprint.URL, f.Probe.URL) // scripts often carry the address of the second page
			all = append(all, way{address: address, b: f.Blueprint})
		case f.Blueprint == nil && (f.Schema == l.schema || f.Schema == ""):
			all = append(all, way{address: f.Probe.URL, b: l.byReaders(curlew.PageList, curlew.TierAPI)})
		}
	}
	return all
}

func (l *looking) byReaders(page curlew.PageType, tier curlew.Tier) *blueprint.Blueprint {
	return &blueprint.Blueprint{Language: 1, Schema: l.schema, Page: page, Tier: tier, Records: &blueprint.Selector{Shape: blueprint.ShapeReaders},
		Fields: map[string]blueprint.FieldRules{}}
}

// fromData are the lists in data that the page carries for machines, or that it is.
func (l *looking) fromData() []way {
	doc := l.home.Document()
	if looksLikeFeed(doc.Body()) {
		return []way{{address: l.home.URL, b: l.byReaders(curlew.PageList, curlew.TierAPI)}}
	}
	var all []way
	seen := map[*blueprint.Blueprint]bool{} // the entities of a graph share theirs
	for _, f := range DataFindings(doc, l.schema) {
		if f.Schema != l.schema || f.Blueprint == nil || f.Main || seen[f.Blueprint] {
			continue
		}
		seen[f.Blueprint] = true
		b := *f.Blueprint
		b.Page = curlew.PageList
		if b.Records == nil {
			continue
		}
		l.paged(&b, doc)
		all = append(all, way{address: l.home.URL, b: &b})
	}
	return all
}

// DataFindings are the entities in a page's items, in the state of its scripts, or in
// the answer of an API.
func DataFindings(doc *dom.Document, schema curlew.SchemaName) []recognise.Recognition {
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
	return append(recognise.FromGraph(graph, doc, schema), recognise.FromPage(graph, doc)...)
}

// fromSight learns to read the list that the page shows.
func (l *looking) fromSight() []way {
	doc := l.home.Document()
	if doc.IsJSON() {
		return nil
	}
	drafts := induce.Look(doc, l.home.Now, l.schema, induce.DayRange{})
	b, _, err := induce.Learn(l.schema, []induce.Read{{Document: doc, Now: l.home.Now, Drafts: drafts}})
	if err != nil {
		return nil
	}
	l.paged(b, doc)
	return []way{{address: l.home.URL, b: b}}
}

// paged adds the further pages of a list that the page itself leads to.
func (l *looking) paged(b *blueprint.Blueprint, doc *dom.Document) {
	if b.Pagination != nil {
		return
	}
	switch p := feasibility.ReadPagination(doc); {
	case p.Onward() == "":
	case p.Kind == feasibility.PagesCalendar:
		b.Pagination = &blueprint.Pagination{Kind: "found", Most: monthsAhead}
	default:
		b.Pagination = &blueprint.Pagination{Kind: "found"}
	}
}

// monthsAhead is how far a calendar is read.
const monthsAhead = 3

// single reads the page as one thing.
func (l *looking) single() []way {
	e := Extract(l.home, ExtractOptions{Schema: l.schema, Asserted: l.Options.Schema != "", Zone: l.Options.Zone})
	if len(e.Readings) != 1 || !e.Readings[0].main {
		return nil
	}
	return []way{{address: l.home.URL, b: l.byReaders(curlew.PageSingle, e.Tier)}}
}
