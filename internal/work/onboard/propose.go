package onboard

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// ErrRobotsDisallowed is the code of a page that robots.txt does not allow to be read.
const ErrRobotsDisallowed curlew.Code = "robots_disallowed"

// Proposing looks at a page and proposes how to watch it.
type Proposing struct {
	Web     pages.PageSource
	Now     func() time.Time
	Options extract.ExtractOptions // Schema "" finds out
	Step    func(what string)      // summaryOf before each request; nil for nobody

	Inspected *Inspected // what an analysis read of the page; nil reads it now

	Selector string // of the records, where somebody named it; no other way is tried then

	Also    []*blueprint.Blueprint // further ways to read the page that others suggest
	Priors  []*blueprint.Blueprint // of similar sources: they are tried, and win only by what they bring
	Teacher Teacher                // asked when nothing else does; nil for nobody

	// Recall gives what is known from before of a record, as a page shows it; nil for
	// nothing.
	Recall func(r curlew.Record, shows func(text string) bool) map[string][]string
}

// Proposal is a way to watch a page: what to ask for, how to read it, and what that
// gives.
type Proposal struct {
	URL       string // to be watched
	Schema    curlew.SchemaName
	Tier      curlew.Tier
	Blueprint *blueprint.Blueprint
	Records   int                  // on the first page
	Total     int                  // on all pages, as far as can be seen
	Over      string               // that the first page may have more records than are read
	Readings  []extract.ReadRecord // of the first page of the list alone
	Sample    []extract.ReadRecord // list and detail pages together
	Worth     float64              // for comparing
	Report    feasibility.Report
	Others    []Proposal // ways that would do too, the best first
	Prior     bool       // as a similar source is read
	Sure      float64    // how likely these are the records that the page is there for, from 0 to 1

	Search *Search              // what was seen on the way
	readBy *blueprint.Blueprint // that gave Readings
	onWord bool                 // it was changed on a model's word alone
}

// samplePages is how many detail pages of records are looked at.
const samplePages = 3

// Propose asks for the page, what it links to and the endpoints that its software may
// have, lets every tier try, and takes the reading with the most records.
func (p Proposing) Propose(ctx context.Context, address string) (Proposal, error) {
	web := pages.Cached(ctx, p.Web)
	if p.Inspected == nil {
		found, err := Inspection{Web: web, Now: p.Now(), Options: p.Options, Step: p.Step}.Inspect(ctx, address)
		if err != nil {
			return Proposal{}, err
		}
		p.Inspected = &found
	}
	report := p.Inspected.Report
	switch {
	case !report.Robots.Allowed:
		return Proposal{Report: report}, curlew.Refused(ErrRobotsDisallowed, "%s", report.Reason)
	case p.Inspected.Home.Body == nil:
		return Proposal{Report: report}, curlew.Permanent(curlew.ErrNotFeasible, "%s", report.Reason)
	}
	look := &Search{Proposing: p, Web: web, Report: report, Home: p.Inspected.Home, Readings: p.Inspected.Readings,
		ready: map[*fetch.Capture]extract.Material{}}
	if look.Schema = look.kind(); look.Schema == "" {
		return Proposal{Report: report, Search: look}, curlew.Permanent(curlew.ErrNotFeasible, "%s", report.Reason)
	}
	if p, ok := look.specific(ctx, address); ok {
		return p, nil
	}
	proposal, err := look.propose(ctx, address)
	if err == nil || p.Options.Schema != "" || p.Selector != "" {
		return proposal, err
	}
	for _, r := range look.Readings { // what else the page can be read as
		of := *look
		of.Schema = r.Schema
		if next, fault := of.propose(ctx, address); fault == nil {
			return next, nil
		}
	}
	return proposal, err
}

// propose tries the ways to read the kind that was chosen, and takes the one that brings
// most.
func (l *Search) propose(ctx context.Context, address string) (Proposal, error) {
	ways, err := l.ways(ctx)
	if err != nil {
		return Proposal{Report: l.Report, Search: l}, err
	}
	var all []Proposal
	for _, way := range ways {
		if proposal, ok := l.Try(ctx, way); ok {
			proposal.Report = l.Report
			all = append(all, proposal)
		}
	}
	all = l.proven(all)
	if len(all) == 0 && l.Selector != "" {
		return Proposal{Report: l.Report, Search: l}, curlew.Permanent(curlew.ErrNotFeasible,
			"nothing that could be read of %s is in %s: check the selector, or leave it out", address, l.Selector)
	}
	if len(all) == 0 {
		return Proposal{Report: l.Report, Search: l}, curlew.Permanent(curlew.ErrNotFeasible,
			"found no blueprint that reads %s entries from %s: %s", l.Schema, address, l.Report.Reason)
	}
	most := fullest(all, l.Home.URL)
	for i := range all {
		all[i].Worth = worthOf(all[i], most)
	}
	slices.SortStableFunc(all, func(a, b Proposal) int { return cmp.Compare(b.Worth, a.Worth) })
	best := all[0]
	best.Others = all[1:]
	return best, nil
}

// Search is one page on its way to a proposal.
type Search struct {
	Proposing
	Web      *pages.Cache
	Schema   curlew.SchemaName
	Report   feasibility.Report
	Home     extract.Material
	Readings []extract.Reading   // of the page, the best first
	Model    extract.ModelReader // reads what is left to a model; nil for nobody
	shell    bool                // detail pages are drawn to look like the list

	ready map[*fetch.Capture]extract.Material // pages that were parsed before
}

// Way is an address and a blueprint for it that may do.
type Way struct {
	Address   string
	Blueprint *blueprint.Blueprint
	prior     bool
}

func (l *Search) Material(ctx context.Context, ask extract.RequestSpec) (extract.Material, error) {
	if ask.URL == l.Home.URL && ask.Method == "" && len(ask.Body) == 0 {
		return l.Home, nil
	}
	request := fetch.PageRequest{URL: ask.URL, Method: ask.Method, Body: ask.Body}
	if len(ask.Body) > 0 {
		request.ContentType = "application/json"
	}
	if l.Step != nil {
		l.Step(ask.URL)
	}
	result, err := l.Web.Fetch(ctx, request)
	if err != nil {
		return extract.Material{}, err
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		return extract.Material{}, curlew.Permanent("not_fetched", "%s was not fetched: %s", ask.URL, result.Page.OutcomeWords())
	}
	m, known := l.ready[result]
	if !known {
		m = pages.MaterialOf(result, l.Now()).Ready()
		if l.ready != nil {
			l.ready[result] = m
		}
	}
	return m, nil
}

// Try reads the first page of a way, and some of the pages that its records lead to.
func (l *Search) Try(ctx context.Context, w Way) (Proposal, bool) {
	recipe, err := extract.Compile(w.Blueprint)
	if err != nil {
		return Proposal{}, false
	}
	first := recipe.First(w.Address)
	material, err := l.Material(ctx, first)
	if err != nil {
		return Proposal{}, false
	}
	options := l.Options.Applying()
	options.Model = l.Model
	applied := recipe.Apply(ctx, material, options)
	empty := applied.Whole() && len(applied.Readings) == 0 && l.emptyFeed() // only time will tell what to expect of it
	if applied.Fault != nil || len(applied.Readings) == 0 && !empty {
		return Proposal{}, false
	}
	b := *w.Blueprint
	b.URL = w.Address
	if !empty {
		b.Expect = recipe.Expect(applied.Readings)
		b.Expect.Ended = extract.Ended(material)
	}
	if order, sure := material.Document().DateOrder(l.Now()); sure { // the page may tell it today only
		b.SetDateOrder(order)
	}
	details := l.follow(ctx, &b, applied.Readings, options)
	sample := sampleOf(applied.Readings, details)
	if len(sample) == 0 && !empty {
		return Proposal{}, false
	}
	if _, err := extract.Compile(&b); err != nil {
		return Proposal{}, false
	}
	p := Proposal{
		Search: l, Prior: w.prior, Sure: l.sure(), URL: w.Address, Schema: l.Schema, Tier: b.Tier, Blueprint: &b, readBy: &b,
		Readings: applied.Readings, Records: len(applied.Readings), Sample: sample, Over: applied.Over,
	}
	p.Total = l.totalOf(ctx, material, recipe, applied)
	return p, true
}

// steadiness is how likely a tier is to outlive the next redesign.
var steadiness = map[curlew.Tier]float64{curlew.TierStructured: 1, curlew.TierAPI: 1, curlew.TierBundle: 0.9, curlew.TierHTML: 0.8}

// worthOf compares ways: how much a record tells, how many of the records that there
// are it brings, and how long it will last.
func worthOf(p Proposal, all int) float64 {
	fields := 0.0
	for _, r := range p.Sample {
		fields += float64(len(r.Record.Fields))
	}
	complete := min(1, float64(p.Total)/float64(max(1, all)))
	return fields / float64(max(1, len(p.Sample))) * complete * steadiness[p.Tier]
}

// fullest is how many records there are to bring: as many as the page's own list has
// with all of its pages, or where it has none, the longest one.
func fullest(all []Proposal, home string) int {
	own, most := 0, 0
	for _, p := range all {
		if p.URL == home && p.Blueprint.Page == curlew.PageList {
			own = max(own, p.Total)
		}
		most = max(most, p.Total)
	}
	return cmp.Or(own, most)
}

// totalOf estimates how many records all pages of a list have, from its first.
func (l *Search) totalOf(ctx context.Context, m extract.Material, r *extract.Compiled, first extract.Applied) int {
	n := len(first.Readings)
	p := r.Blueprint.Pagination
	switch {
	case p == nil || p.Kind == "none":
		return n
	case first.Onward.Total > 0 && extract.CountsPages(p.Total):
		return n * min(first.Onward.Total, extract.MostPages)
	case first.Onward.Total > n:
		return first.Onward.Total
	case p.Kind == "found" && !m.Document().IsJSON():
		pages := feasibility.ReadPagination(ctx, m.Document())
		if pages.Count == 0 && pages.Onward() != "" {
			return n * fewPages // it goes on, and does not say how far
		}
		return n * max(1, min(pages.Count, extract.MostPages))
	}
	return n
}

// fewPages is how many pages a list is believed to have that does not say.
const fewPages = 3

// Without is a way that no longer reads some fields; ok is false where it cannot do
// without them, or does not read them by rules of its own.
func (p Proposal) Without(fields []string) (Proposal, bool) {
	b, ok := p.Blueprint.Without(fields)
	if !ok {
		return p, false
	}
	_, err := extract.Compile(b)
	return p.by(b), err == nil
}

// by is the same way with other rules: of a field that these leave out nothing is shown.
func (p Proposal) by(b *blueprint.Blueprint) Proposal {
	p.Sample = slices.Clone(p.Sample)
	for i := range p.Sample {
		fields := maps.Clone(p.Sample[i].Record.Fields)
		maps.DeleteFunc(fields, func(name string, _ any) bool {
			_, was := p.Blueprint.Fields[name]
			_, is := b.Fields[name]
			return was && !is
		})
		p.Sample[i].Record.Fields = fields
	}
	p.Blueprint = b
	return p
}

// besides keeps the first proposal and its other ways as those of the one of them that was better.
func (p *Proposal) besides(first Proposal) {
	i := slices.IndexFunc(first.Others, func(o Proposal) bool { return o.Blueprint == p.Blueprint })
	if i >= 0 {
		p.Others = append([]Proposal{first}, slices.Delete(slices.Clone(first.Others), i, i+1)...)
	}
}
