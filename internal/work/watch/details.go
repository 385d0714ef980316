package watch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// sightings are how this watch saw its entities, by their external ids.
func (r *checkStep) sightings(ctx context.Context) (map[string]curlew.Sighting, error) {
	entities, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil {
		return nil, err
	}
	all, err := r.scope.Entities().Sightings(ctx, r.watch.ID)
	if err != nil {
		return nil, err
	}
	byEntity := make(map[curlew.EntityID]curlew.Sighting, len(all))
	for _, s := range all {
		byEntity[s.Entity] = s
	}
	known := make(map[string]curlew.Sighting, len(entities))
	for _, e := range entities {
		known[e.ExternalID] = byEntity[e.ID]
	}
	return known, nil
}

// planDetailChecks decides which missing entities' detail pages are looked at.
func (r *checkStep) planDetailChecks(ctx context.Context) (runs.Step, error) {
	r.progress.Phase, r.progress.Todo = phaseDetailChecks, nil
	known, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil {
		return runs.Step{}, err
	}
	if len(known) == 0 { // nothing can be missing
		r.progress.Phase = phasePublish
		return r.publish(ctx)
	}
	o, prior, err := r.observe(ctx)
	if err != nil {
		return runs.Step{}, err
	}
	for _, e := range publish.Missing(prior, o, r.policy()) {
		if e.URL != "" && !r.plan.Archive && len(r.progress.Todo) < r.maxPages() {
			r.progress.Todo = append(r.progress.Todo, pageTask{RequestSpec: extract.RequestSpec{URL: e.URL}, Entity: e.ID})
		}
	}
	if len(r.progress.Todo) == 0 {
		r.progress.Phase = phasePublish
		return r.publishSeen(ctx, o, prior)
	}
	return runs.Step{Progress: r.progress}, nil
}

// fetchNext asks for the next few pages of records, or of what is missing.
func (r *checkStep) fetchNext(ctx context.Context) (runs.Step, error) {
	if len(r.progress.Todo) == 0 {
		if r.progress.Phase == phaseDetails {
			return r.planDetailChecks(ctx)
		}
		r.progress.Phase = phasePublish
		return runs.Step{Progress: r.progress}, nil
	}
	n := politeBatch
	if d := r.watch.Settings.Delay; d != nil && *d == 0 || r.plan.Archive {
		n = quickBatch
	}
	batch := r.progress.Todo[:min(n, len(r.progress.Todo))]
	done, rest, err := r.askAll(ctx, batch)
	if err != nil {
		return runs.Step{}, err
	}
	for _, f := range done {
		if r.progress.Phase == phaseDetails {
			r.progress.Details = append(r.progress.Details, f.task)
		} else {
			r.progress.DetailChecks = append(r.progress.DetailChecks, f.task)
		}
	}
	asked := map[string]bool{}
	for _, f := range done {
		asked[f.task.Key()] = true
	}
	r.progress.Todo = slices.DeleteFunc(slices.Clone(r.progress.Todo), func(s pageTask) bool { return asked[s.Key()] })
	step := r.commit(done)
	step.Rest = rest
	return step, nil
}

// together is how many pages are asked for at once where nobody has to wait.
const together = 8

// askAll asks for some addresses. What its host has no time for comes later.
func (r *checkStep) askAll(ctx context.Context, batch []pageTask) ([]fetched, time.Duration, error) {
	type answer struct {
		fetched
		busy time.Duration
		err  error
	}
	answers := make([]answer, len(batch))
	slots := make(chan struct{}, together)
	var group sync.WaitGroup
	for i, s := range batch {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			a := &answers[i]
			a.task, a.page, a.busy, a.err = r.ask(ctx, s)
		})
	}
	group.Wait()
	var done []fetched
	var rest time.Duration
	for i, a := range answers {
		switch {
		case a.err != nil && ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case a.err != nil:
			fault := curlew.AsFault(a.err)
			if notOfSite(fault) || errors.Is(fault, robots.ErrForbidden) { // it newly forbids what was read so far
				return nil, 0, a.err
			}
			s := batch[i]
			s.Outcome, s.Why = curlew.OutcomeFailed, fault.Sentence
			done = append(done, fetched{task: s})
		case a.busy > 0:
			rest = max(rest, a.busy)
		default:
			done = append(done, a.fetched)
		}
	}
	return done, rest, nil
}

// readList reads the pages of the list again, from the archive.
func (r *checkStep) readList(ctx context.Context) (ListReading, error) {
	pages, err := r.pages(ctx, r.progress.List)
	if err != nil {
		return ListReading{}, err
	}
	var listPages []ListPage
	dropped := ""
	for _, s := range r.progress.List {
		listPage, err := r.readPage(ctx, r.compiled, pages[s.Page])
		if err != nil {
			return ListReading{}, err
		}
		end, err := r.endOf(ctx, listPages, listPage)
		if err != nil {
			return ListReading{}, err
		}
		if end {
			listPage.Applied.Fit = blueprint.FitReport{Fit: blueprint.FitPartly} // it has few records, as the last one does
		}
		listPages = append(listPages, listPage)
		r.note(listPage.Page, listPage.Applied.Readings)
		if dropped == "" {
			if dropped, err = r.dropsMore(ctx, listPage); err != nil {
				return ListReading{}, err
			}
		}
	}
	list := ReadList(r.compiled, listPages, r.progress.Ended, string(r.progress.Blueprint))
	r.over = list.Over
	if dropped != "" {
		list.Whole, list.Why = false, dropped
	}
	return list, nil
}

// observe puts together what the run has seen so far, and what was known before it.
func (r *checkStep) observe(ctx context.Context) (publish.CheckResult, publish.Prior, error) {
	r.notes = newReadNotes()
	o := publish.CheckResult{Run: r.run.ID, Watch: r.watch, Kind: r.compiled.Blueprint.Kind(), Blueprint: r.progress.Blueprint, At: r.Now(),
		RulesHash: r.rulesHash()}
	if err := r.learnNoise(ctx); err != nil {
		return o, publish.Prior{}, err
	}
	list, err := r.readList(ctx)
	if err != nil {
		return o, publish.Prior{}, err
	}
	if o.Complete, o.Why, err = r.whole(ctx, list); err != nil {
		return o, publish.Prior{}, err
	}
	if r.progress.Sitemap {
		maps.DeleteFunc(list.Lost, func(name string, _ bool) bool { return strings.HasPrefix(name, "slots.") })
	}
	r.lost, o.Lost = list.Lost, maps.Clone(list.Lost)
	o.Kind.AddDependents(o.Lost)
	known, err := r.sightings(ctx)
	if err != nil {
		return o, publish.Prior{}, err
	}
	details, err := r.readDetails(ctx, list)
	if err != nil {
		return o, publish.Prior{}, err
	}
	r.holdDetails(list, known, details)
	r.alike = r.saidAlike(list, known, details)
	if o.Seen, err = r.seeAll(ctx, list, known, details); err != nil {
		return o, publish.Prior{}, err
	}
	if o.DetailChecks, err = r.readDetailChecks(ctx); err != nil {
		return o, publish.Prior{}, err
	}
	if o.SnapshotHash, err = r.snapshot(ctx); err != nil {
		return o, publish.Prior{}, err
	}
	if err := r.fingerprint(ctx); err != nil {
		return o, publish.Prior{}, err
	}
	o.Moved = r.watch.Fingerprint != "" && r.watch.Fingerprint != r.structure
	prior, err := r.prior(ctx, o)
	if err == nil {
		err = r.asReadNow(ctx, &o, prior)
	}
	if err == nil {
		err = r.lookBack(ctx, &o, &prior)
	}
	return o, prior, err
}

// seeAll are the records as this run saw them.
func (r *checkStep) seeAll(
	ctx context.Context, list ListReading, known map[string]curlew.Sighting, details map[string]detail,
) (all []publish.SeenRecord, err error) {
	newer, err := r.newerThanDetails(ctx, list, known, details)
	for _, one := range list.Records {
		if r.progress.Sitemap && len(one.Leads) > 0 {
			one.Record = ofPage(one.Record)
		}
		seen, ok := r.see(one, known, details, newer)
		if ok {
			all = append(all, seen)
		} else if !seen.Unread && !seen.Record.Whole() {
			r.incomplete(one, seen.Record)
		}
	}
	return all, err
}

// ofPage is a record without what a sitemap says of its page: the day on which that changed is nothing of the thing.
func ofPage(record curlew.Record) curlew.Record {
	record.Fields, record.Provenance = maps.Clone(record.Fields), maps.Clone(record.Provenance)
	delete(record.Fields, "slots")
	maps.DeleteFunc(record.Provenance, func(name string, _ curlew.Evidence) bool { return strings.HasPrefix(name, "slots.") })
	return record
}

// see is one record as this run saw it, list and detail page together. A new one whose
// page could not be read waits for a later run: half of it now and the rest tomorrow
// would look like a change.
func (r *checkStep) see(
	one Listed, known map[string]curlew.Sighting, details map[string]detail, newer map[string]curlew.Values,
) (publish.SeenRecord, bool) {
	was, isKnown := known[one.Record.ExternalID]
	d, asked := details[one.Record.ExternalID]
	was.Detail, d.record = r.notListed(one, was.Detail), r.recordNotListed(one, d.record)
	seen := publish.SeenRecord{Record: one.Record, Text: one.Text, Position: one.Position, Listed: one.Hash,
		DetailAt: was.DetailAt, Detail: was.Detail, Keep: map[string]bool{}, Lost: map[string]bool{}}
	seen.Record.Source, seen.Record.Run, seen.Record.Blueprint = r.watch.Source, r.run.ID, r.progress.Blueprint
	seen.Unread, seen.Gone, seen.Held = asked && d.failed, d.gone && d.record == nil, d.held
	r.compare(one, was, d)
	switch {
	case asked && d.record != nil:
		seen.DetailAt, seen.DetailEvery = r.detailAt(was), r.detailRhythm(was, d)
		seen.Detail = &curlew.Draft{Schema: d.record.Schema, URL: d.record.URL, Fields: d.record.Fields, Provenance: d.record.Provenance}
		seen.Record = extract.Merge(seen.Record, *d.record)
		for _, name := range slices.Concat(d.lost, lostSince(was.Detail, d.record.Fields)) {
			seen.Lost[name] = true
		}
	case was.Detail != nil:
		seen.Newer = len(was.Detail.Fields) != len(known[one.Record.ExternalID].Detail.Fields)
		r.keepUnsaid(seen.Keep, one, was.Detail)
		if fields := newer[one.Record.ExternalID]; len(fields) > 0 {
			was.Detail = overlaid(*was.Detail, fields, one.Record)
			seen.Detail, seen.Newer = was.Detail, true
		}
		seen.Record = extract.Merge(seen.Record, curlew.Record{Fields: was.Detail.Fields, Provenance: was.Detail.Provenance, URL: was.Detail.URL})
		seen.Listed = again(one, was)
	case asked && (d.failed || d.gone && r.progress.Sitemap), !asked && len(one.Leads) > 0 && one.Leads[0].URL != "":
		if !isKnown {
			return seen, false
		}
		r.keepAll(seen.Keep)
	}
	seen.Record.Kind().AddDependents(seen.Keep)
	return seen, seen.Record.Whole()
}

// overlaid is what a detail page said, with some fields as the list says them.
func overlaid(detail curlew.Draft, fields curlew.Values, listed curlew.Record) *curlew.Draft {
	detail.Fields, detail.Provenance = maps.Clone(detail.Fields), maps.Clone(detail.Provenance)
	if detail.Provenance == nil {
		detail.Provenance = map[string]curlew.Evidence{}
	}
	for name, value := range fields {
		detail.Fields[name], detail.Provenance[name] = value, listed.Provenance[name]
	}
	return &detail
}

// again is the hash by which a record whose detail page was not read is asked for at the next check too, where the
// list says otherwise than when it was.
func again(one Listed, was curlew.Sighting) string {
	if len(one.Leads) > 0 && was.Listed != one.Hash {
		return ""
	}
	return one.Hash
}

// compare notes which of the pages of a record tell it otherwise than before.
func (r *checkStep) compare(one Listed, was curlew.Sighting, d detail) {
	id := one.Record.ExternalID
	if was.Listed != one.Hash {
		r.notes.differ[one.Page.ID] = append(r.notes.differ[one.Page.ID], id)
	}
	if d.record == nil || was.Detail != nil && Hash(was.Detail.Fields) == Hash(d.record.Fields) {
		return
	}
	for _, page := range d.pages {
		r.notes.differ[page] = append(r.notes.differ[page], id)
	}
}

// lostSince are the fields and slots that a detail page said before and does not say now.
func lostSince(before *curlew.Draft, now curlew.Values) (lost []string) {
	if before == nil {
		return nil
	}
	for name, value := range before.Fields {
		slots, _ := value.(map[string]any)
		for slot := range slots {
			if now.At(name+"."+slot) == nil {
				lost = append(lost, name+"."+slot)
			}
		}
		if now[name] == nil {
			lost = append(lost, name)
		}
	}
	return lost
}

// keepAll keeps every field that the record's detail page might tell.
func (r *checkStep) keepAll(keep map[string]bool) {
	for _, lead := range r.compiled.Follow {
		if lead.Compiled.Blueprint.ByReaders() {
			for _, f := range lead.Compiled.Blueprint.Kind().Fields {
				keep[f.Name] = true
			}
		}
		for name := range lead.Compiled.Blueprint.Fields {
			keep[name] = true
		}
	}
}

// readDetailChecks says what the detail pages of missing entities told.
func (r *checkStep) readDetailChecks(ctx context.Context) (map[curlew.EntityID]publish.DetailCheck, error) {
	looks := map[curlew.EntityID]publish.DetailCheck{}
	if len(r.progress.DetailChecks) == 0 {
		return looks, nil
	}
	pages, err := r.pages(ctx, r.progress.DetailChecks)
	if err != nil {
		return nil, err
	}
	for _, s := range r.progress.DetailChecks {
		page := pages[s.Page]
		if s.Page == "" || s.Outcome == curlew.OutcomeNotModified {
			page.Outcome = s.Outcome
		}
		looks[s.Entity], err = DetailCheckOf(page, func() (bool, error) {
			material, err := r.Watching.Material(ctx, page)
			if err != nil {
				return false, err
			}
			e, err := r.scope.Entities().Get(ctx, s.Entity)
			return err == nil && Shows(material, e), err
		})
		if err != nil {
			return nil, err
		}
	}
	return looks, nil
}
