package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Repaired is a new blueprint, or why there is none.
type Repaired struct {
	Blueprint *blueprint.Blueprint // nil when there is none
	Kept      bool                 // the old one does as well
	URL       string
	How       string
	Changes   []string
	Reasons   []string
	Proof     induce.Proof
	Report    curlew.HealReport // of repairing by what a watch has seen
	Readings  []extract.ReadRecord
}

// RepairBlueprint learns anew how to read a page, and proves it on what is known: on the values
// that the caller gives, or on what the watch of a kept blueprint has seen.
func (a *App) RepairBlueprint(ctx context.Context, who auth.Identity, c RepairBlueprint) (Repaired, error) {
	c.Page = c.Page.placed()
	return remote(ctx, a.as(who), "repairBlueprint", c, func(ctx context.Context, e *remoteCall) (Repaired, error) {
		return e.repair(ctx, c)
	})
}

func (e *remoteCall) repair(ctx context.Context, t RepairBlueprint) (Repaired, error) {
	old, row, err := e.kept(ctx, t.RulesInput)
	if err != nil {
		return Repaired{}, err
	}
	compiled, err := extract.Compile(old)
	if err != nil {
		return Repaired{}, err
	}
	var seen seenEntities
	if t.ID != "" {
		if seen, err = e.seenBy(ctx, row); err != nil {
			return Repaired{}, err
		}
	}
	if t.Page.URL == "" {
		if t.Page.URL = cmp.Or(seen.watch.URL, row.TestURL, old.URL); t.Page.URL == "" {
			return Repaired{}, curlew.Permanent("bad_request", "the blueprint names no page: give one")
		}
	}
	if len(t.Known) == 0 && len(seen.entities) == 0 {
		return Repaired{}, curlew.Permanent("nothing_known",
			"no watch has seen anything by this blueprint: give known values, without them nothing can be proved")
	}
	web := e.web(t.Page)
	page, err := e.first(ctx, web, compiled, t.Page)
	if err != nil {
		return Repaired{}, err
	}
	options, err := pages.WatchOptions(ctx, e.a.i.Store.Org(e.org), seen.watch)
	if err != nil {
		return Repaired{}, err
	}
	if zone := zoneOf(t.Timezone); zone != nil {
		options.Zone = zone
	}
	job := repair{remoteCall: e, web: web, address: t.Page.URL, page: page, compiled: compiled, options: options, source: row.Source}
	if len(t.Known) > 0 {
		return job.byValues(ctx, t.Known)
	}
	return job.byEntities(ctx, seen)
}

// seenEntities are what a watch has seen by a blueprint.
type seenEntities struct {
	watch    curlew.Watch
	entities []curlew.Entity
	records  map[curlew.EntityID]curlew.Record
}

// mostSeen is enough to prove any list, and bounds what is read from the database.
const mostSeen = 500

// seenBy finds the watch of a blueprint that has seen most.
func (e *remoteCall) seenBy(ctx context.Context, row curlew.Blueprint) (seenEntities, error) {
	w := seenEntities{records: map[curlew.EntityID]curlew.Record{}}
	scope := e.a.i.Store.Org(e.org)
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: row.Source}, store.Window{Limit: 1000})
	if err != nil {
		return w, err
	}
	for _, watch := range watches {
		if watch.Blueprint != row.ID {
			continue
		}
		all, err := scope.Entities().Sighted(ctx, watch.ID)
		if err != nil {
			return w, err
		}
		if w.watch.ID == "" || len(all) > len(w.entities) {
			w.watch, w.entities = watch, all
		}
	}
	w.entities = w.entities[:min(len(w.entities), mostSeen)]
	for _, entity := range w.entities {
		if record, err := scope.Records().Get(ctx, entity.Record); err == nil {
			w.records[entity.ID] = record
		}
	}
	return w, nil
}

// repair is a blueprint on its way to a new one.
type repair struct {
	*remoteCall
	web      pages.PageSource
	address  string
	page     extract.Material
	compiled *extract.Compiled
	options  extract.ExtractOptions
	source   curlew.SourceID
}

// byValues proves a repair on values that the caller knows.
func (r repair) byValues(ctx context.Context, known []KnownValues) (Repaired, error) {
	old := r.compiled.Blueprint
	was := r.compiled.Apply(ctx, r.page, r.options.Applying())
	var past []induce.PastRecord
	for _, k := range known {
		past = append(past, induce.PastRecord{Now: r.page.Now, Fields: k})
	}
	pages := []induce.DatedPage{{Document: r.page.Document(), Now: r.page.Now}}
	healed, err := extract.Heal(ctx, induce.Case{Old: old, Past: past, Pages: pages})
	if err != nil && curlew.AsFault(err).Kind != curlew.KindPermanent {
		return Repaired{}, err
	}
	reasons := []string{}
	if err != nil {
		reasons = append(reasons, curlew.AsFault(err).Sentence)
		if healed, err = r.taught(ctx, past, known); err != nil {
			if !errors.Is(err, errNoTeacher) {
				reasons = append(reasons, "a model was asked: "+curlew.AsFault(err).Sentence)
			}
			return Repaired{URL: r.address, Reasons: reasons, Proof: healed.Proof}, ctx.Err()
		}
	}
	if was.Fault == nil && was.Fit.Fit == blueprint.FitWhole && !gains(healed.Proof) {
		return Repaired{Kept: true, URL: r.address, How: "the blueprint fits, and no other gives more of the known values", Proof: healed.Proof,
			Readings: was.Readings}, nil
	}
	inherit(&healed, old)
	trial, err := tried(ctx, healed.Blueprint, r.page, r.options.Applying())
	if err != nil {
		return Repaired{URL: r.address, Reasons: append(reasons, curlew.AsFault(err).Sentence), Proof: healed.Proof}, ctx.Err()
	}
	fresh := trial.Proposal.Blueprint
	return Repaired{Blueprint: fresh, URL: r.address, How: healed.How, Changes: blueprint.Diff(old, fresh), Proof: healed.Proof,
		Readings: trial.Proposal.Readings}, nil
}

// gains says whether a new blueprint gives more known values than the old one.
func gains(p induce.Proof) bool {
	before := 0
	for _, f := range p.Fields {
		before += f.Before
	}
	found, _ := p.Found()
	return found > before
}

// inherit gives a new blueprint of a list the ways to further pages that the old one had:
// known values prove nothing about them, and without them most of the list would be lost.
func inherit(h *induce.HealResult, old *blueprint.Blueprint) {
	b := *h.Blueprint
	if b.Page != curlew.PageList || old.Page != curlew.PageList {
		return
	}
	if b.Pagination == nil {
		b.Pagination = old.Pagination
	}
	if len(b.Follow) == 0 {
		b.Follow = old.Follow
	}
	if _, err := extract.Compile(&b); err != nil {
		return // what they lean on is gone
	}
	if len(b.Follow) > 0 || b.Pagination != nil {
		h.Proof.Notes = append(h.Proof.Notes, "pagination and links are taken from the old blueprint and were not verified")
	}
	h.Blueprint = &b
}

var errNoTeacher = errors.New("no model is configured")

// taught asks the model, and takes its rules when they give most of the known values.
func (r repair) taught(ctx context.Context, past []induce.PastRecord, known []KnownValues) (induce.HealResult, error) {
	teacher, err := r.teacher(r.source)
	if err != nil || teacher == nil {
		return induce.HealResult{}, cmp.Or(err, errNoTeacher)
	}
	b, err := teacher.Heal(ctx, r.compiled.Blueprint, past, r.page)
	if err != nil {
		return induce.HealResult{}, err
	}
	compiled, err := extract.Compile(b)
	if err != nil {
		return induce.HealResult{}, err
	}
	proof := foundAgain(compiled.Apply(ctx, r.page, r.options.Applying()).Readings, known)
	if found, all := proof.Found(); found*2 < all {
		return induce.HealResult{Proof: proof}, curlew.Permanent("not_healed", "its rules give %d of %d known values: that proves too little",
			found, all)
	}
	return induce.HealResult{Blueprint: b, Proof: proof, How: "written by a model, and compared with the page"}, nil
}

// byEntities proves a repair on what a watch has seen, as healing by itself does.
func (r repair) byEntities(ctx context.Context, w seenEntities) (Repaired, error) {
	teacher, err := r.teacher(r.source)
	if err != nil {
		return Repaired{}, err
	}
	m := heal.Repair{Address: r.address, Old: r.compiled, Known: w.entities, Seen: w.records, Page: r.page, Before: r.before(ctx),
		Proposing: onboard.Proposing{Web: r.web, Now: r.a.i.Now, Teacher: teacher, Options: r.options}}
	mended, err := m.Learn(ctx, curlew.HealPlan{Cause: "a repair was requested"})
	if ctx.Err() != nil {
		return Repaired{}, ctx.Err()
	}
	out := Repaired{URL: r.address, Kept: mended.Kept, Report: mended.Report, How: mended.Report.How, Changes: mended.Report.Changes}
	_ = json.Unmarshal(mended.Report.Proof, &out.Proof) // without one, the counts of entities are the proof
	if err != nil && curlew.AsFault(err).Kind != curlew.KindPermanent {
		return out, err
	}
	if err != nil {
		out.Reasons = []string{curlew.AsFault(err).Sentence}
		for _, step := range mended.Report.Timeline {
			if !step.Good {
				out.Reasons = append(out.Reasons, step.What)
			}
		}
		return out, nil
	}
	if mended.Kept {
		out.Readings = r.compiled.Apply(ctx, r.page, r.options.Applying()).Readings
		return out, nil
	}
	out.Blueprint, out.URL, out.Readings = mended.Proposal.Blueprint, mended.Proposal.URL, mended.Proposal.Readings
	return out, nil
}

// before is the page as it was when the blueprint still fitted, where it is archived.
func (r repair) before(ctx context.Context) *extract.Material {
	if r.a.i.Reading.Archive == nil {
		return nil
	}
	scope := r.a.i.Store.Org(r.org)
	page, err := scope.Pages().At(ctx, r.address, time.Time{})
	for range 3 { // the last checks may have seen the page as it is now
		if err != nil {
			return nil
		}
		past := &watch.Watching{Reader: r.a.i.Reading.Reader, Past: r.a.i.Reading.Archive}
		m, err := past.Material(ctx, page)
		if err == nil && r.compiled.Apply(ctx, m, r.options.Applying()).Fit.Fit == blueprint.FitWhole {
			return &m
		}
		page, err = scope.Pages().Before(ctx, page)
	}
	return nil
}
