package onboard

import (
	"cmp"
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// ways lists what may do, the cheapest tier first; only what somebody named where
// somebody did.
func (l *Search) ways(ctx context.Context) ([]Way, error) {
	if l.Schema == curlew.SchemaPage {
		return []Way{{Address: l.Home.URL, Blueprint: l.asText(ctx)}}, nil
	}
	if l.Selector != "" {
		b, _, err := induce.Chosen(ctx, l.Options.KindOf(l.Schema), l.Home.Document(), l.Home.Now, l.Selector)
		if err != nil {
			return nil, err
		}
		l.Paged(ctx, b, l.Home.Document())
		return []Way{{Address: l.Home.URL, Blueprint: b}}, nil
	}
	var all []Way
	for _, b := range l.Also {
		own := *b
		if own.Page == curlew.PageList {
			l.Paged(ctx, &own, l.Home.Document())
		}
		all = append(all, Way{Address: l.Home.URL, Blueprint: &own})
	}
	all = append(all, l.fromSoftware()...)
	all = append(all, l.fromData(ctx)...)
	all = append(all, l.fromSight(ctx)...)
	all = append(all, l.fromReaders(ctx)...)
	all = append(all, l.single(ctx)...)
	return append(all, l.fromOthers(ctx)...), nil // last, so that of equals the page's own wins
}

// fromSoftware are the APIs and feeds that were found open.
func (l *Search) fromSoftware() []Way {
	var all []Way
	for _, f := range l.Report.Probes {
		if f.State != feasibility.ProbeOpen || f.Entities == 0 {
			continue
		}
		switch {
		case f.Blueprint != nil && f.Schema == l.Schema:
			address := cmp.Or(f.Blueprint.URL, f.Probe.URL) // scripts often carry the address of the second page
			all = append(all, Way{Address: address, Blueprint: f.Blueprint})
		case f.Blueprint == nil && (f.Schema == l.Schema || f.Schema == ""):
			all = append(all, Way{Address: f.Probe.URL, Blueprint: l.byReaders(curlew.PageList, curlew.TierAPI)})
		}
	}
	return all
}

func (l *Search) byReaders(page curlew.PageType, tier curlew.Tier) *blueprint.Blueprint {
	return blueprint.LeftToReaders(l.Options.KindOf(l.Schema), page, tier)
}

// fromData are the lists in the structured data of the page, or in the data that it is.
func (l *Search) fromData(ctx context.Context) []Way {
	doc := l.Home.Document()
	if extract.LooksLikeFeed(doc.Body()) {
		return []Way{{Address: l.Home.URL, Blueprint: l.byReaders(curlew.PageList, curlew.TierAPI)}}
	}
	if r := l.reading(); r != nil && r.Denied {
		return nil
	}
	var all []Way
	seen := map[*blueprint.Blueprint]bool{} // the entities of a graph share theirs
	for _, f := range extract.DataFindings(doc, l.Options.KindOf(l.Schema)) {
		if f.Schema != l.Schema || f.Blueprint == nil || f.Main || seen[f.Blueprint] {
			continue
		}
		seen[f.Blueprint] = true
		b := *f.Blueprint
		b.Page = curlew.PageList
		if b.Records == nil {
			continue
		}
		l.Paged(ctx, &b, doc)
		all = append(all, Way{Address: l.Home.URL, Blueprint: &b})
	}
	return all
}

// fromSight learns to read the list that the page shows.
func (l *Search) fromSight(ctx context.Context) []Way {
	if l.Home.Document().IsJSON() {
		return nil
	}
	b, known := l.Inspected.shown.rules(l.Schema)
	if !known {
		b = learnShown(ctx, l.Home, l.Options.KindOf(l.Schema))
	}
	if b == nil {
		return nil
	}
	l.Paged(ctx, b, l.Home.Document())
	return []Way{{Address: l.Home.URL, Blueprint: b}}
}

// learnShown writes rules for the list that a page shows; nil where there are none.
func learnShown(ctx context.Context, page extract.Material, kind curlew.Schema) *blueprint.Blueprint {
	drafts := induce.ReadPage(ctx, page.Document(), page.Now, kind, induce.DayRange{})
	b, _, err := induce.Learn(ctx, kind, []induce.Read{{Document: page.Document(), Now: page.Now, Drafts: drafts}})
	if err != nil {
		return nil
	}
	return b
}

// learning is a list that is learned while the site is asked for what else it has.
type learning struct {
	kind  curlew.SchemaName
	done  chan struct{}
	ended bool // by itself, not by a panic or its context
	found *blueprint.Blueprint
}

// learnBeside begins to learn the list that is most likely what the page is there for.
func learnBeside(ctx context.Context, found Inspected, kind curlew.Schema) *learning {
	l := &learning{kind: kind.Name, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		_ = guard.Read(guard.Teach, cmp.Or(found.Home.Archived, found.Home.URL), func() error { // whoever asks for it learns it again, and fails
			l.found = learnShown(ctx, found.Home, kind)
			l.ended = ctx.Err() == nil
			return nil
		})
	}()
	return l
}

// rules are a copy of those that were learned; nil where there are none. It tells false
// where nobody learned that kind to the end.
func (l *learning) rules(kind curlew.SchemaName) (*blueprint.Blueprint, bool) {
	if l == nil || l.kind != kind {
		return nil, false
	}
	<-l.done
	if l.found == nil {
		return nil, l.ended
	}
	b := *l.found
	return &b, l.ended
}

// Paged adds the further pages of a list that the page itself leads to.
func (l *Search) Paged(ctx context.Context, b *blueprint.Blueprint, doc *dom.Document) {
	if b.Pagination != nil || l.Report.Endless {
		return
	}
	switch p := feasibility.ReadPagination(ctx, doc); {
	case p.Onward() == "":
	case p.Kind == feasibility.PagesCalendar:
		b.Pagination = &blueprint.Pagination{Kind: "found", Most: monthsAhead}
	default:
		b.Pagination = &blueprint.Pagination{Kind: "found"}
	}
}

// monthsAhead is how far a calendar is read.
const monthsAhead = 3

// single reads the page as one thing, where it was read so.
func (l *Search) single(ctx context.Context) []Way {
	r := l.reading()
	if r == nil || !r.Single {
		return nil
	}
	if l.Schema != curlew.SchemaArticle || l.Options.Schema != "" {
		return []Way{{Address: l.Home.URL, Blueprint: l.byReaders(curlew.PageSingle, r.Tier)}}
	}
	o := l.Options
	o.Schema = l.Schema // not whatever could be an article
	e := extract.Extract(ctx, l.Home, o)
	if len(e.Readings) != 1 || !e.Readings[0].Main {
		return nil
	}
	return []Way{{Address: l.Home.URL, Blueprint: l.byReaders(curlew.PageSingle, e.Tier)}}
}
