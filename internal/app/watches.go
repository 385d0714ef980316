package app

import (
	"context"
	"time"

	"curlew/internal/change/schedule"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
	"curlew/internal/work/runs"
)

type tenantWatches struct{ tenant }

// List lists watches.
func (t tenantWatches) List(ctx context.Context, f rest.WatchFilter, w rest.Window) ([]curlew.Watch, error) {
	return t.scope.Watches().List(ctx, store.WatchFilter{Source: f.Source, Status: f.Status}, store.Window(w))
}

// Get returns one.
func (t tenantWatches) Get(ctx context.Context, id curlew.WatchID) (curlew.Watch, error) {
	return t.scope.Watches().Get(ctx, id)
}

// Add watches an address by a blueprint that is there. It is due now.
func (t tenantWatches) Add(ctx context.Context, n rest.NewWatch) (watch curlew.Watch, err error) {
	b, err := t.scope.Blueprints().Get(ctx, n.Blueprint)
	if err != nil {
		return watch, err
	}
	source, err := t.scope.Sources().Get(ctx, b.Source)
	if err != nil {
		return watch, err
	}
	if err := sameSite(n.URL, source.BaseURL); err != nil {
		return watch, err
	}
	now := time.Now()
	watch = curlew.Watch{Source: b.Source, Blueprint: b.ID, URL: n.URL, Name: curlew.NameOf(n.URL), Schedule: "adaptive", Status: curlew.WatchActive, NextRunAt: &now}
	if err := t.apply(&watch, n.WatchEdit); err != nil {
		return watch, err
	}
	err = t.write(ctx, func(w store.WriteScope) error {
		if _, err := w.Sources().Lock(ctx, b.Source); err != nil { // of two who add the same, the second finds the first
			return err
		}
		if err := t.watched(ctx, w, watch, b.Schema); err != nil {
			return err
		}
		watch, err = w.Watches().Add(ctx, watch)
		return err
	})
	return watch, err
}

// sameSite refuses an address that the source of a blueprint does not have.
func sameSite(address, base string) error {
	own, err := curlew.SiteOf(address)
	if err != nil {
		return rest.Invalid("/url", err)
	}
	if !isSite(own, base) {
		return rest.Invalid("/url", curlew.Permanent("other_site", "%s is another site than that of the blueprint, %s: propose it as a candidate", own, base))
	}
	return nil
}

// isSite says whether a site is that of an address, however that is written.
func isSite(site, address string) bool {
	own, err := curlew.SiteOf(address)
	return err == nil && own == site
}

// watched refuses to watch an address for the same thing twice.
func (t tenantWatches) watched(ctx context.Context, w store.WriteScope, watch curlew.Watch, schema curlew.SchemaName) error {
	others, err := w.Watches().List(ctx, store.WatchFilter{Source: watch.Source}, store.Window{Limit: 100_000})
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.URL != watch.URL {
			continue
		}
		b, err := w.Blueprints().Get(ctx, other.Blueprint)
		if err != nil {
			return err
		}
		if b.Schema == schema {
			return curlew.Permanent("watched_already", "%s watches %s already: edit it, or remove it first", other.ID, other.URL)
		}
	}
	return nil
}

// rhythm is a schedule in its one spelling, unless it is too short for this installation.
func (t tenant) rhythm(text string) (string, error) {
	s, err := schedule.Parse(text)
	if err == nil {
		err = s.Check(t.i.Config.Watch.Shortest)
	}
	if err != nil {
		return "", err
	}
	return s.String(), nil
}

// apply writes what was said into a watch.
func (t tenantWatches) apply(w *curlew.Watch, e rest.WatchEdit) error {
	if e.Schedule != nil {
		when, err := t.rhythm(*e.Schedule)
		if err != nil {
			return rest.Invalid("/schedule", err)
		}
		w.Schedule = when
	}
	if e.Timezone != nil {
		if err := knownZone(*e.Timezone); err != nil {
			return err
		}
		w.Settings.Zone = *e.Timezone
	}
	set(&w.Name, e.Name)
	set(&w.Settings.Ranked, e.Ranked)
	set(&w.Settings.StaleDays, e.StaleDays)
	set(&w.Settings.MaxPages, e.MaxPages)
	set(&w.Settings.RemovalShare, e.RemovalShare)
	if e.Delay != nil {
		w.Settings.Delay = e.Delay
	}
	return nil
}

// Edit changes a watch.
func (t tenantWatches) Edit(ctx context.Context, id curlew.WatchID, p rest.WatchPatch) (curlew.Watch, error) {
	return t.i.Jobs.EditWatch(ctx, t.org(), id, func(w *curlew.Watch) error {
		if p.URL != nil && *p.URL != w.URL {
			if err := sameSite(*p.URL, w.URL); err != nil {
				return err
			}
			w.URL = *p.URL
		}
		return t.apply(w, p.WatchEdit)
	})
}

// Remove forgets a watch.
func (t tenantWatches) Remove(ctx context.Context, id curlew.WatchID) error {
	return t.i.Jobs.RemoveWatch(ctx, t.org(), id)
}

// Steer pauses and resumes a watch, and lets it remove what is missing.
func (t tenantWatches) Steer(ctx context.Context, id curlew.WatchID, s rest.WatchStep) (curlew.Watch, error) {
	switch s {
	case rest.PauseWatch:
		return t.i.Jobs.PauseWatch(ctx, t.org(), id)
	case rest.ResumeWatch:
		return t.i.Jobs.ResumeWatch(ctx, t.org(), id)
	default:
		return t.i.Jobs.AcceptRemoval(ctx, t.org(), id)
	}
}

// Trigger starts a run.
func (t tenantWatches) Trigger(ctx context.Context, id curlew.WatchID, how rest.Trigger) (curlew.Run, error) {
	plan := runs.WatchPlan{Trigger: "manual", Force: how.Force, Archive: how.Archive}
	if how.Archive {
		plan.Trigger = "replay"
	}
	return t.i.Jobs.Visit(ctx, t.org(), id, plan)
}
