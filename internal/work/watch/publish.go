package watch

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// The figures that runs of watches keep beside the common ones.
const (
	countAppeared    curlew.Counter = "appeared"
	countChanged     curlew.Counter = "changed"
	countDisappeared curlew.Counter = "disappeared"
	countMissing     curlew.Counter = "missing"
	countHeld        curlew.Counter = "held"
	countDrifted     curlew.Counter = "drifted" // pages whose template changed and whose records did not
)

// publish decides what the run has seen and writes it down: records, entities, changes,
// deliveries, the publication and the watch, in one transaction with the run's end.
func (r *checkStep) publish(ctx context.Context) (runs.Step, error) {
	o, prior, err := r.observe(ctx)
	if err != nil {
		return runs.Step{}, err
	}
	return r.publishSeen(ctx, o, prior)
}

func (r *checkStep) publishSeen(ctx context.Context, o publish.CheckResult, prior publish.Prior) (step runs.Step, err error) {
	if o.Probation, err = r.onProbation(ctx); err != nil {
		return runs.Step{}, err
	}
	plan := publish.Decide(prior, o, r.policy())
	plan.SoonAgain = plan.SoonAgain || len(r.lacking.fields) > 0 && !r.lacking.confirmed
	failpoint.Here(failpoint.PublishBefore)
	step = runs.Step{Progress: r.progress, Done: true, Log: plan.Notes, Counters: figures(o, plan),
		Told: []instrument.Happening{instrument.RecordsRead{N: int64(len(o.Seen))}}}
	step.Log = append(step.Log, noiseLog(r.options.Noise)...)
	step.Log = append(step.Log, runs.Info("%s: %s", curlew.CodeWords(plan.Publication.Decision), plan.Publication.Reason))
	if r.progress.Postponed > 0 {
		step.Log = append(step.Log, runs.Info("%d pages wait for the next run: a run fetches at most %d "+
			"(max_pages of the watch, else watch.max_pages)", r.progress.Postponed, r.maxPages()))
	}
	r.logNotes(&step)
	if err := r.drift(ctx, &step, o, plan); err != nil {
		return runs.Step{}, err
	}
	if r.pace, err = r.paceNow(ctx); err != nil {
		return runs.Step{}, err
	}
	step.Effect = func(ctx context.Context, w store.WriteScope) error { return r.keep(ctx, w, o, plan) }
	return step, nil
}

func (r *checkStep) policy() publish.ChangePolicy {
	p := publish.ChangePolicy{Ranked: r.watch.Settings.Ranked, RemovalShare: r.Defaults.RemovalShare, MissesToGo: 2,
		MissesApart: r.Defaults.ConfirmAfter / 2,
		StaleAfter:  time.Duration(r.watch.Settings.StaleDays) * 24 * time.Hour, ForceRepublish: r.plan.Force, Replay: r.plan.Archive,
		Hash: Hash}
	if share := r.watch.Settings.RemovalShare; share > 0 {
		p.RemovalShare = share
	}
	if r.plan.Archive {
		p.MissesToGo = math.MaxInt
	}
	return p
}

func figures(o publish.CheckResult, p publish.ChangeSet) curlew.Counters {
	f := p.Figures
	counters := curlew.Counters{curlew.CountParsed: int64(len(o.Seen)), countAppeared: int64(f.Appeared),
		countChanged:     int64(f.Changed + f.Moved),
		countDisappeared: int64(f.Disappeared), countMissing: int64(f.Missing), countHeld: int64(f.Held), countDrifted: 0}
	for _, note := range p.Notes {
		if note.Level == curlew.LogWarn {
			counters[curlew.CountWarnings]++
		}
	}
	return counters
}

// updates are the entities of the plan that changed with their new records, and all changes:
// those of the new entities first.
func (r *checkStep) updates(
	plan publish.ChangeSet, added []curlew.Entity,
) (updated []curlew.Entity, records []curlew.Record, changes []curlew.Change) {
	for i, n := range plan.New {
		if n.Change.Kind == "" {
			continue
		}
		n.Change.Entity = added[i].ID
		changes = append(changes, n.Change)
	}
	for _, u := range plan.Updated {
		if u.Record != nil {
			record := *u.Record
			record.ID = curlew.Mint[curlew.RecordID](r.Store.IDs())
			records = append(records, record)
			u.Entity.Record = record.ID
		}
		changes = append(changes, u.Changes...)
		updated = append(updated, u.Entity)
	}
	return updated, records, changes
}

// keep writes the plan down.
func (r *checkStep) keep(ctx context.Context, w store.WriteScope, o publish.CheckResult, plan publish.ChangeSet) error {
	if err := w.Pages().MarkPersonal(ctx, slices.Compact(r.notes.people)); err != nil {
		return err
	}
	entities, records, sightings := r.newcomers(plan)
	updated, newer, changes := r.updates(plan, entities)
	records = append(records, newer...)
	if err := w.Entities().SaveAll(ctx, updated); err != nil {
		return err
	}
	if err := w.Records().AddAll(ctx, records); err != nil {
		return err
	}
	if err := w.Entities().AddAll(ctx, entities); err != nil {
		return err
	}
	if err := w.Entities().KeepSightings(ctx, append(sightings, plan.Sightings...)); err != nil {
		return err
	}
	if !r.plan.Archive {
		if err := r.orphans(ctx, w, o); err != nil {
			return err
		}
		if err := w.Entities().SeenAgain(ctx, r.watch.ID, plan.SeenAgain, o.At); err != nil {
			return err
		}
		if err := w.Entities().SeenAt(ctx, seenAt(plan, o.At), o.At); err != nil {
			return err
		}
	}
	for _, alias := range plan.Aliases {
		if err := w.Entities().KeepAlias(ctx, alias); err != nil {
			return err
		}
	}
	if plan.Publication.Decision != curlew.SkipNoChange {
		plan.Publication.Run, plan.Publication.Scope = r.run.ID, r.urlScope()
		if _, err := w.Publications().Add(ctx, plan.Publication); err != nil {
			return err
		}
	}
	if err := r.Outbox.Tell(ctx, w, changes); err != nil {
		return err
	}
	return r.succeed(ctx, w, o, plan)
}

// seenAt are the entities that a check saw and whose sightings it has written down.
func seenAt(plan publish.ChangeSet, at time.Time) (seen []curlew.EntityID) {
	for _, s := range plan.Sightings {
		if s.SeenAt.Equal(at) {
			seen = append(seen, s.Entity)
		}
	}
	return seen
}

// orphans marks the addresses that a whole list no longer names as inactive, and says so.
func (r *checkStep) orphans(ctx context.Context, w store.WriteScope, o publish.CheckResult) error {
	if !o.Complete || len(r.compiled.Follow) == 0 {
		return nil
	}
	return runs.MarkOrphans(ctx, w, r.urlScope(), r.run)
}

// newcomers are the new entities with their ids, records and sightings.
func (r *checkStep) newcomers(plan publish.ChangeSet) (entities []curlew.Entity, records []curlew.Record, sightings []curlew.Sighting) {
	for _, n := range plan.New {
		n.Entity.ID, n.Record.ID = curlew.Mint[curlew.EntityID](r.Store.IDs()), curlew.Mint[curlew.RecordID](r.Store.IDs())
		n.Entity.Record, n.Sighting.Entity = n.Record.ID, n.Entity.ID
		entities, records, sightings = append(entities, n.Entity), append(records, n.Record), append(sightings, n.Sighting)
	}
	return entities, records, sightings
}

// succeed writes down how the watch stands after a run, and when the next one comes.
func (r *checkStep) succeed(ctx context.Context, w store.WriteScope, o publish.CheckResult, plan publish.ChangeSet) error {
	if r.plan.Archive {
		return r.replayed(ctx, w, o)
	}
	watch, err := w.Watches().Lock(ctx, r.watch.ID)
	if err != nil {
		return err
	}
	now := r.Wall()
	watch.LastRunAt, watch.LastError, watch.ConsecutiveFailures, watch.Held = &now, "", 0, plan.Hold
	watch.SnapshotHash, watch.RulesHash, watch.Fingerprint = o.SnapshotHash, o.RulesHash, r.structure
	if watch.Status == curlew.WatchError {
		watch.Status = curlew.WatchActive
		if err := r.tellRecovery(ctx, w, watch); err != nil {
			return err
		}
	}
	look := schedule.CheckOutcome{At: now, Changed: plan.Figures.Appeared+plan.Figures.Changed+plan.Figures.Moved+plan.Figures.Disappeared > 0,
		Missing: plan.SoonAgain, NextEventAt: plan.NextEventAt, Dated: o.Kind.Name == curlew.SchemaEvent,
		Requests: int(r.run.Counters[curlew.CountScraped] + r.run.Counters[curlew.CountSkipped])}
	if err := nextRun(&watch, look, now, r.pace); err != nil {
		return err
	}
	if o.Probation {
		r.checkOften(&watch, now)
	}
	if plan.SoonAgain {
		if soon := now.Add(r.Defaults.ConfirmAfter); watch.NextRunAt == nil || watch.NextRunAt.After(soon) {
			watch.NextRunAt = &soon
		}
	}
	watch.Rhythm.Over = r.over
	if len(r.compiled.Follow) > 0 {
		watch.Rhythm.Listed, watch.Rhythm.QuietSince = r.listedFields(), r.quietSince()
	}
	r.planNews(&watch, o, now)
	if err := r.after(ctx, w, o, plan.Unread, &watch); err != nil {
		return err
	}
	return w.Watches().Save(ctx, watch)
}

// after lets pages that lost fields with a new design, or that still show what is no longer found, be healed, and measures any other.
func (r *checkStep) after(ctx context.Context, w store.WriteScope, o publish.CheckResult, unread []string, watch *curlew.Watch) error {
	plan := curlew.HealPlan{Page: r.progress.List[0].Page, Partly: true, Shown: len(unread) > 0}
	switch {
	case plan.Shown:
		plan.Cause = "it no longer finds " + strings.Join(unread, ", ") + ", which the page still shows"
	case len(r.lost)+len(r.lacking.fields) == 0:
		return r.appraise(ctx, w, o, watch)
	case len(r.lost) == 0:
		return r.healDetails(ctx, w, *watch)
	case !o.Moved:
		return nil
	default:
		plan.Cause = "it no longer finds " + strings.Join(slices.Sorted(maps.Keys(r.lost)), ", ")
	}
	return r.Heal(ctx, w, *watch, plan)
}

// nextRun sets when a watch is visited next.
func nextRun(watch *curlew.Watch, look schedule.CheckOutcome, now time.Time, pace schedule.Pace) error {
	s, err := schedule.Parse(watch.Schedule)
	if err != nil {
		return err
	}
	if adaptive, ok := s.For(string(watch.ID)).Adaptive(); ok {
		watch.Rhythm = adaptive.Observe(watch.Rhythm, look)
	}
	return Reschedule(watch, now, pace)
}

// Failed writes down that a run of a watch failed, in the transaction that ends it.
// After a few failures in a row the breaker opens, and subscribers are told.
func (w Checker) Failed(ctx context.Context, s store.WriteScope, run curlew.Run, fault *curlew.Fault) error {
	var plan Plan
	if err := json.Unmarshal(run.Plan, &plan); err != nil {
		return nil // nobody can tell which watch it was
	}
	if plan.Archive {
		return nil // the site has nothing to do with it
	}
	watch, err := s.Watches().Lock(ctx, plan.Watch)
	if errors.Is(err, curlew.NotFound("", "")) {
		return nil // it was removed meanwhile
	}
	if err != nil {
		return err
	}
	now := w.Wall()
	watch.LastRunAt, watch.LastError = &now, fault.Sentence
	watch.ConsecutiveFailures++
	if err := nextRun(&watch, schedule.CheckOutcome{At: now, Failed: true}, now, 0); err != nil {
		return err
	}
	if err := endStreak(ctx, s, watch.Source); err != nil {
		return err
	}
	if errors.Is(fault, ErrUnfit) {
		var progress watchProgress
		_ = json.Unmarshal(run.Progress, &progress) // without it, there is no page to learn from
		if err := w.Heal(ctx, s, watch, curlew.HealPlan{Page: progress.UnfitPage, Cause: fault.Sentence}); err != nil {
			return err
		}
	}
	review := fault.Kind == curlew.KindRefused
	stops := (watch.ConsecutiveFailures >= w.Defaults.Failures || review) && !errors.Is(fault, fetch.ErrNoContact) // which no site has caused
	if stops && watch.Status == curlew.WatchActive {
		watch.Status, watch.NextRunAt = curlew.WatchError, nil
		change := curlew.Change{Source: watch.Source, Watch: watch.ID, Run: run.ID, OccurredAt: w.Now()}
		details := curlew.Values{"url": watch.URL, "name": watch.Name, "failures": watch.ConsecutiveFailures}
		if err := w.Outbox.TellFailure(ctx, s, change, fault, details); err != nil {
			return err
		}
	}
	return s.Watches().Save(ctx, watch)
}
