package storefill

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// addRuns keeps some runs with all that came of them.
func (f *filler) addRuns(w store.WriteScope, from, to int) error {
	for n := from; n < to; n++ {
		f.at = f.Since.Add(time.Duration(float64(f.Span) * float64(n) / float64(f.Runs)))
		if err := f.addRun(w, n); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) addRun(w store.WriteScope, n int) error {
	p := f.somePlace()
	watch := p.source
	run := curlew.Run{ID: mint[curlew.RunID](f), Kind: kindOf(n), Scope: "source:" + string(watch),
		Plan: json.RawMessage(`{"trigger":"schedule"}`)}
	if _, err := w.Runs().AddAll(f.ctx, []curlew.Run{run}); err != nil {
		return err
	}
	var err error
	look := visit{place: p, run: run.ID, page: mint[curlew.PageID](f)}
	if len(p.watches) > 0 {
		look.watch = p.watches[f.chance.IntN(len(p.watches))]
	}
	if err = f.addPage(w, look); err == nil {
		err = f.addEntities(w, look, part(f.Entities, n, f.Runs))
	}
	if err == nil {
		err = f.addChanges(w, look, part(f.Entities, n, f.Runs), part(f.Changes, n, f.Runs))
	}
	if err == nil {
		err = f.publish(w, look)
	}
	if err == nil {
		err = w.Runs().AppendLog(f.ctx, run.ID, logLines...)
	}
	if err != nil {
		return err
	}
	run.State, run.Slices, run.Total, run.Counters, run.Summary = stateOf(n, f.Runs), 1, 12, counters, "12 pages read, 50 changes"
	if run.State == curlew.RunFailed {
		run.Fault = curlew.Temporary(curlew.ErrTimeout, "the site did not answer within 30 seconds")
	}
	return w.Runs().Save(f.ctx, run)
}

func kindOf(n int) curlew.RunKind {
	switch {
	case n%211 == 0:
		return curlew.RunHeal
	case n%97 == 0:
		return curlew.RunOnboard
	case n%53 == 0:
		return curlew.RunCrawl
	}
	return curlew.RunWatch
}

// stateOf leaves no run active, lest somebody works on it.
func stateOf(n, of int) curlew.RunState {
	switch {
	case n%101 == 0 && n < of/2: // the failed ones are old, the worst case for who looks for them
		return curlew.RunFailed
	case n%1009 == 0:
		return curlew.RunCancelled
	}
	return curlew.RunSucceeded
}

// visit is what a run looks at.
type visit struct {
	*place
	run   curlew.RunID
	watch curlew.WatchID
	page  curlew.PageID
}

func mint[ID curlew.Identifier](f *filler) ID { return curlew.Mint[ID](f.store.IDs()) }

func (f *filler) addPage(w store.WriteScope, v visit) error {
	address := "https://site.example/list?of=" + string(v.source)
	return w.Pages().Keep(f.ctx, curlew.Page{ID: v.page, Source: v.source, Run: v.run, URL: address, FinalURL: address, Status: 200,
		Outcome: curlew.OutcomeFetched,
		Adapter: "direct", ContentType: "text/html", Charset: "utf-8", Bytes: 48_000, Complete: true, Digest: string(v.page), TookMillis: 240,
		FetchedAt: f.at})
}

// addEntities keeps what a run has found for the first time.
func (f *filler) addEntities(w store.WriteScope, v visit, n int) error {
	records, entities, sightings := make([]curlew.Record, 0, n), make([]curlew.Entity, 0, n), make([]curlew.Sighting, 0, n)
	for range n {
		k := known{entity: mint[curlew.EntityID](f), record: mint[curlew.RecordID](f), n: len(v.known), price: 1000 + f.chance.IntN(9000)}
		fields, id, address := fieldsOf(v.schema, k, f.at), externalID(k), addressOf(v.source, k)
		records = append(records, curlew.Record{ID: k.record, Source: v.source, Run: v.run, Page: v.page, Blueprint: v.blueprint,
			Schema: v.schema, ExternalID: id,
			URL: address, Fields: fields, Provenance: evidenceOf(fields), Hash: "h" + id})
		entities = append(entities, curlew.Entity{ID: k.entity, Source: v.source, Schema: v.schema, ExternalID: id, URL: address,
			Status: f.statusOf(), Version: 1,
			Fields: fields, Hash: "h" + id, Record: k.record, FirstSeenAt: f.at, LastSeenAt: f.at})
		if v.watch != "" {
			sightings = append(sightings, curlew.Sighting{Watch: v.watch, Entity: k.entity, SeenAt: f.at, Position: k.n + 1})
		}
		v.known = append(v.known, k)
	}
	v.place.known = v.known
	if err := w.Records().AddAll(f.ctx, records); err != nil {
		return err
	}
	if err := w.Entities().AddAll(f.ctx, entities); err != nil {
		return err
	}
	return w.Entities().KeepSightings(f.ctx, sightings)
}

// statusOf makes a third of all entities history, and stale ones rare.
func (f *filler) statusOf() curlew.EntityStatus {
	switch x := f.chance.IntN(1000); {
	case x < 200:
		return curlew.EntityFinished
	case x < 330:
		return curlew.EntityRemoved
	case x < 332:
		return curlew.EntityStale
	}
	return curlew.EntityActive
}

// addChanges keeps what a run has to tell: the new entities, and that others changed.
func (f *filler) addChanges(w store.WriteScope, v visit, fresh, n int) error {
	if len(v.known) == 0 {
		return nil
	}
	changes := make([]curlew.Change, 0, n)
	for i := range n {
		at := f.chance.IntN(len(v.known))
		if i < fresh && i < len(v.known) {
			at = len(v.known) - 1 - i
		}
		k := &v.known[at]
		k.version++
		changes = append(changes, f.changeOf(v, k, len(changes)))
	}
	kept, err := w.Changes().AddAll(f.ctx, changes)
	if err != nil {
		return err
	}
	return f.put(w, kept)
}

func (f *filler) changeOf(v visit, k *known, n int) curlew.Change {
	c := curlew.Change{Kind: curlew.EntityAppeared, Source: v.source, Watch: v.watch, Entity: k.entity, Version: k.version, Run: v.run,
		OccurredAt: f.at}
	told := curlew.ChangePayload{Evidence: &curlew.ChangeProof{Page: v.page, URL: addressOf(v.source, *k), Blueprint: v.blueprint,
		Record: k.record}}
	if k.version > 1 {
		before := k.price
		k.price = 1000 + f.chance.IntN(9000)
		c.Kind, told.Changes = curlew.EntityChanged, []curlew.FieldChange{{Field: "price_min", Old: before, New: k.price}}
	}
	switch x := f.chance.IntN(20_000); { // some kinds are rare
	case k.version > 1 && x < 600:
		c.Kind, told.Changes, told.Reason = curlew.EntityDisappeared, nil, "missing in three complete checks"
	case k.version > 1 && x < 1500:
		c.Kind = curlew.PositionChanged
	case x == 1999 && n > 0:
		c = curlew.Change{Kind: curlew.QualityDropped, Source: v.source, Run: v.run, OccurredAt: f.at}
		told = curlew.ChangePayload{Reason: "the quality fell from 92 to 61"}
		k.version--
	}
	if c.Entity != "" {
		told.Entity = &curlew.EntityPicture{Schema: v.schema, ExternalID: externalID(*k), URL: addressOf(v.source, *k),
			Status: curlew.EntityActive,
			Fields: fieldsOf(v.schema, *k, f.at)}
	}
	c.Payload, _ = json.Marshal(told) // our own nouns always marshal
	return c
}

// settle writes the entities as their last changes left them.
func (f *filler) settle() error {
	for _, p := range f.sources {
		err := f.store.Write(f.ctx, f.org, func(w store.WriteScope) error {
			for _, k := range p.known {
				e, err := w.Entities().Get(f.ctx, k.entity)
				if err != nil {
					return err
				}
				e.Version, e.Fields, e.LastSeenAt = k.version, fieldsOf(p.schema, k, e.FirstSeenAt), f.at
				if err := w.Entities().Save(f.ctx, e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) publish(w store.WriteScope, v visit) error {
	kept, err := w.Publications().Add(f.ctx, curlew.Publication{Run: v.run, Scope: fmt.Sprintf("watch:%s%s", v.source, v.watch),
		Decision: curlew.PublishChanged,
		Class:    curlew.ContentChanged, SnapshotHash: string(v.run), NormalizedHash: string(v.run), EnvelopeHash: string(v.run),
		Supersedes: v.last[v.watch], Entities: len(v.known)})
	v.last[v.watch] = kept.ID
	return err
}
