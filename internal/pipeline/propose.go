package pipeline

import (
	"context"
	"math"
	"slices"
	"time"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
	"curlew/internal/fetch"
	"curlew/internal/understand"
)

// Proposing looks at a page and proposes how to watch it.
type Proposing struct {
	Web     Web
	Now     func() time.Time
	Options ExtractOptions    // Schema "" finds out
	Step    func(what string) // told before each request; nil for nobody
}

// Proposal is a way to watch a page: what to ask for, how to read it, and what that
// gives.
type Proposal struct {
	URL       string // to be watched
	Schema    curlew.SchemaName
	Tier      curlew.Tier
	Blueprint *blueprint.Blueprint
	Records   int       // on the first page
	Sample    []Reading // list and own pages together
	Worth     float64   // for comparing
	Report    understand.Report
	Others    []Proposal // ways that would do too, the best first
}

// samplePages is how many own pages of records are looked at.
const samplePages = 3

// Propose asks for the page, what it links to and the doors that its software may
// have, lets every tier try, and takes the way that brings most.
func (p Proposing) Propose(ctx context.Context, address string) (Proposal, error) {
	web := &remembering{Web: p.Web, results: map[string]*fetch.Result{}}
	inspection := Inspection{Web: web, Now: p.Now(), Options: p.Options, Step: p.Step}
	report, err := inspection.Inspect(ctx, address)
	if err != nil {
		return Proposal{}, err
	}
	schema := p.Options.Schema
	if schema == "" {
		schema = report.Schema
	}
	if schema == "" {
		return Proposal{Report: report}, curlew.Permanent("not_feasible", "%s", report.Reason)
	}
	look := &looking{Proposing: p, web: web, schema: schema, report: report}
	if look.home, err = look.material(ctx, Ask{URL: address}); err != nil {
		return Proposal{Report: report}, err
	}
	var all []Proposal
	for _, way := range look.ways(ctx) {
		if proposal, ok := look.try(ctx, way); ok {
			proposal.Report = report
			all = append(all, proposal)
		}
	}
	if len(all) == 0 {
		return Proposal{Report: report}, curlew.Permanent("not_feasible", "no way was found to read %s entries from %s: %s", schema, address, report.Reason)
	}
	slices.SortStableFunc(all, func(a, b Proposal) int { return compareFloat(b.Worth, a.Worth) })
	best := all[0]
	best.Others = all[1:]
	return best, nil
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// looking is one page on its way to a proposal.
type looking struct {
	Proposing
	web    *remembering
	schema curlew.SchemaName
	report understand.Report
	home   Material
}

// way is an address and a blueprint for it that may do.
type way struct {
	address string
	ask     Ask
	b       *blueprint.Blueprint
}

func (l *looking) material(ctx context.Context, ask Ask) (Material, error) {
	request := fetch.Request{URL: ask.URL, Method: ask.Method, Body: ask.Body}
	if len(ask.Body) > 0 {
		request.ContentType = "application/json"
	}
	if l.Step != nil {
		l.Step(ask.URL)
	}
	result, err := l.web.Fetch(ctx, request)
	if err != nil {
		return Material{}, err
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		return Material{}, curlew.Permanent("not_fetched", "%s was not fetched: %s", ask.URL, outcome(result.Page))
	}
	return MaterialOf(result, l.Now()), nil
}

// try reads the first page of a way, and some of the pages that its records lead to.
func (l *looking) try(ctx context.Context, w way) (Proposal, bool) {
	recipe, err := NewRecipe(w.b)
	if err != nil {
		return Proposal{}, false
	}
	first := recipe.First(w.address)
	material, err := l.material(ctx, first)
	if err != nil {
		return Proposal{}, false
	}
	options := ApplyOptions{Zone: l.Options.Zone, AllowPersonal: l.Options.AllowPersonal}
	applied := recipe.Apply(material, options)
	if applied.Fault != nil || len(applied.Readings) == 0 {
		return Proposal{}, false
	}
	b := *w.b
	b.URL, b.Expect = w.address, recipe.Expect(applied.Readings)
	b.Expect.Ended = Ended(material.Body)
	details := l.follow(ctx, &b, applied.Readings, options)
	sample := sampleOf(applied.Readings, details)
	if len(sample) == 0 {
		return Proposal{}, false
	}
	if _, err := NewRecipe(&b); err != nil {
		return Proposal{}, false
	}
	p := Proposal{URL: w.address, Schema: l.schema, Tier: b.Tier, Blueprint: &b, Records: len(applied.Readings), Sample: sample}
	p.Worth = worthOf(p)
	return p, true
}

// details are what own pages of records say, by the record's place in the list.
type details map[int]curlew.Record

// follow looks whether the own pages of records say more than the list does, and if
// so adds them to the blueprint.
func (l *looking) follow(ctx context.Context, b *blueprint.Blueprint, readings []Reading, o ApplyOptions) details {
	if b.Page != curlew.PageList || len(b.Follow) > 0 {
		return nil
	}
	own := &blueprint.Blueprint{Language: 1, Schema: l.schema, Page: curlew.PageSingle, Tier: curlew.TierStructured,
		Records: &blueprint.Selector{Shape: blueprint.ShapeReaders}, Fields: map[string]blueprint.Field{}, Context: b.Context}
	recipe, err := NewRecipe(own)
	if err != nil {
		return nil
	}
	found := details{}
	more := 0
	var learned [][]Reading
	for _, i := range spread(readings, l.home.URL) {
		material, err := l.material(ctx, Ask{URL: addressIn(readings[i].Record, "url")})
		if err != nil {
			continue
		}
		applied := recipe.Apply(material, o)
		record := recipe.Detail(readings[i].Record, applied)
		if record == nil || !sameThing(readings[i].Record, *record) {
			continue
		}
		found[i] = *record
		learned = append(learned, applied.Readings)
		for name := range record.Fields {
			if _, has := readings[i].Record.Fields[name]; !has {
				more++
			}
		}
	}
	if len(found) == 0 || more < len(found) || len(found)*2 < len(spread(readings, l.home.URL)) {
		return nil
	}
	own.Expect = recipe.Expect(learned...)
	own.Expect.Records = nil
	b.Follow = []blueprint.Follow{{Field: "url", With: own}}
	return found
}

// spread picks some records with pages of their own, from all over the list.
func spread(readings []Reading, home string) []int {
	var all []int
	seen := map[string]bool{home: true}
	for i, r := range readings {
		address := addressIn(r.Record, "url")
		if address != "" && !seen[address] {
			seen[address] = true
			all = append(all, i)
		}
	}
	if len(all) <= samplePages {
		return all
	}
	return []int{all[0], all[len(all)/2], all[len(all)-1]}
}

// sameThing says whether an own page speaks of the record that led to it: they share
// a name, or one holds the other.
func sameThing(listed, own curlew.Record) bool {
	for _, field := range []string{"title", "name"} {
		a, _ := listed.Fields[field].(string)
		b, _ := own.Fields[field].(string)
		if a == "" || b == "" {
			continue
		}
		a, b = bare(a), bare(b)
		return a == b || len(a) > 5 && contains(b, a) || len(b) > 5 && contains(a, b)
	}
	return true
}

// sampleOf is what records look like in the end.
func sampleOf(readings []Reading, own details) []Reading {
	var with, without []Reading
	for i, r := range readings {
		if record, ok := own[i]; ok {
			r.Record = Merge(r.Record, record)
		}
		if !curlew.Whole(r.Record.Schema, r.Record.Fields) {
			continue
		}
		if _, ok := own[i]; ok {
			with = append(with, r)
		} else {
			without = append(without, r)
		}
	}
	all := slices.Concat(with, without)
	return all[:min(len(all), samplePages)]
}

// steadiness is how likely a tier is to outlive the next redesign.
var steadiness = map[curlew.Tier]float64{curlew.TierStructured: 1, curlew.TierAPI: 1, curlew.TierBundle: 0.9, curlew.TierHTML: 0.8}

// worthOf compares ways: how much a record tells, how many there are, and how long it
// will last.
func worthOf(p Proposal) float64 {
	fields := 0.0
	for _, r := range p.Sample {
		fields += float64(len(r.Record.Fields))
	}
	return fields / float64(len(p.Sample)) * math.Log2(2+float64(p.Records)) * steadiness[p.Tier]
}
