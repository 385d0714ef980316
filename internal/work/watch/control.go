package watch

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// NewWatch is a watch to be added, with its source and its blueprint.
type NewWatch struct {
	Source    curlew.Source    // that of the same base address is taken where there is one
	Blueprint curlew.Blueprint // without source
	Watch     curlew.Watch     // without source and blueprint
	Visit     bool             // begin the first run at once; otherwise it is due now
}

// AddedWatch is what came of it.
type AddedWatch struct {
	Source    curlew.Source    `json:"source"`
	Blueprint curlew.Blueprint `json:"blueprint"`
	Watch     curlew.Watch     `json:"watch"`
	Run       *curlew.Run      `json:"run,omitempty"` // the first one, where it was begun
}

// Add keeps a source, a blueprint, which becomes the active one, a watch and its first run.
func Add(ctx context.Context, jobs *runs.Jobs, w store.WriteScope, n NewWatch) (added AddedWatch, err error) {
	if added.Source, err = w.Sources().At(ctx, n.Source.BaseURL); err != nil {
		if !errors.Is(err, curlew.ErrNotFound) {
			return added, err
		}
		if added.Source, err = w.Sources().Add(ctx, n.Source); err != nil {
			return added, err
		}
	}
	n.Blueprint.Source, n.Watch.Source = added.Source.ID, added.Source.ID
	if err := WatchedAlready(ctx, w.Scope, PlaceOf(n.Watch, n.Blueprint), ""); err != nil {
		return added, err
	}
	b, err := w.Blueprints().AddLine(ctx, n.Blueprint)
	if err != nil {
		return added, err
	}
	if added.Blueprint, err = w.Blueprints().Activate(ctx, b.ID); err != nil {
		return added, err
	}
	n.Watch.Blueprint = b.ID
	if added.Watch, err = w.Watches().Add(ctx, n.Watch); err != nil {
		return added, err
	}
	err = firstRun(ctx, jobs, w, &added, n.Visit)
	return added, err
}

// Place is what a watch is of: things of a kind at an address, and of a page's text a part.
type Place struct {
	URL    string
	Kind   curlew.SchemaName // "" for any
	Region string            // of the kind page
}

// PlaceOf is what a watch by a blueprint is of.
func PlaceOf(w curlew.Watch, b curlew.Blueprint) Place { return Place{w.URL, b.Schema, b.Region()} }

// WatchedAlready refuses to watch a place twice; the watch that moves there is not in its own way. A slash at the end makes no
// other address, and the feed that is read in the place of a page is the page.
func WatchedAlready(ctx context.Context, s store.Scope, p Place, moves curlew.WatchID) error {
	addresses := []string{strings.TrimSuffix(p.URL, "/"), strings.TrimSuffix(p.URL, "/") + "/"}
	c, err := s.Candidates().At(ctx, p.URL)
	if err == nil && c.Watch != "" {
		var instead curlew.Watch
		if instead, err = s.Watches().Get(ctx, c.Watch); err == nil {
			addresses = append(addresses, instead.URL)
		}
	}
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return err
	}
	for _, address := range addresses {
		watches, err := s.Watches().List(ctx, store.WatchFilter{URL: address}, store.Window{Limit: 1000})
		if err != nil {
			return err
		}
		for _, w := range watches {
			b, err := s.Blueprints().Get(ctx, w.Blueprint)
			if err != nil {
				return err
			}
			if w.ID != moves && (p.Kind == "" || b.Schema == p.Kind && b.Region() == p.Region) {
				return curlew.Refused(curlew.ErrWatchedAlready, "%s is watched already, by %s of the source %s", w.URL, w.ID, w.Source).
					About(string(w.ID))
			}
		}
	}
	return nil
}

// firstRun begins the first run of a watch; while its source is being read by another
// one, the watch is due.
func firstRun(ctx context.Context, jobs *runs.Jobs, w store.WriteScope, added *AddedWatch, visit bool) (err error) {
	by := time.Duration(0)
	if visit {
		n, err := newRun(added.Watch, Plan{Watch: added.Watch.ID, Trigger: "manual"})
		if err != nil {
			return err
		}
		run, err := jobs.StartWithin(ctx, w, n)
		switch {
		case err == nil:
			added.Run, by = &run, putOff
		case !errors.Is(err, curlew.ErrRunActive):
			return err
		}
	}
	if err := w.Watches().PutOff(ctx, []curlew.WatchID{added.Watch.ID}, by); err != nil {
		return err
	}
	added.Watch, err = w.Watches().Get(ctx, added.Watch.ID)
	return err
}

// Edit changes a watch. A new schedule counts from now.
func Edit(ctx context.Context, w store.WriteScope, id curlew.WatchID, edit func(*curlew.Watch) error) (curlew.Watch, error) {
	watch, err := w.Watches().Lock(ctx, id)
	if err != nil {
		return watch, err
	}
	was := watch.Schedule
	if err := edit(&watch); err != nil {
		return watch, err
	}
	if watch.Schedule != was && watch.Status == curlew.WatchActive {
		if err := Reschedule(&watch, time.Now(), 0); err != nil {
			return watch, err
		}
	}
	return watch, w.Watches().Save(ctx, watch)
}

// Pause lets a watch rest until it is resumed. A run that is under way ends.
func Pause(ctx context.Context, w store.WriteScope, id curlew.WatchID) (curlew.Watch, error) {
	return Edit(ctx, w, id, func(w *curlew.Watch) error {
		w.Status = curlew.WatchPaused
		return nil
	})
}

// Resume lets a watch that rests, or whose breaker opened, be checked again, now.
func Resume(ctx context.Context, w store.WriteScope, id curlew.WatchID) (curlew.Watch, error) {
	return Edit(ctx, w, id, func(w *curlew.Watch) error {
		now := time.Now()
		w.Status, w.ConsecutiveFailures, w.LastError, w.NextRunAt = curlew.WatchActive, 0, "", &now
		return nil
	})
}

// AcceptRemoval says that what is missing and held for review is gone indeed: the next
// run, which is due now, removes it.
func AcceptRemoval(ctx context.Context, w store.WriteScope, id curlew.WatchID) (curlew.Watch, error) {
	return Edit(ctx, w, id, func(w *curlew.Watch) error {
		if w.Held == nil {
			return curlew.Permanent("nothing_held", "%s has no removals waiting for review", id)
		}
		held, now := *w.Held, time.Now()
		held.Accepted = true
		w.Held = &held
		if w.Status == curlew.WatchActive {
			w.NextRunAt = &now
		}
		return nil
	})
}

// Remove forgets a watch, but for one that is being visited: its run would not know what
// to do.
func Remove(ctx context.Context, w store.WriteScope, id curlew.WatchID) error {
	watch, err := w.Watches().Lock(ctx, id)
	if err != nil {
		return err
	}
	run, err := w.Runs().Active(ctx, ScopeOf(watch.Source))
	if err == nil && PlanOf(run).Watch == id {
		return curlew.Refused("run_active", "its run %s is %s: wait for it, or stop it first with \"curlew runs stop %s\"", run.ID, run.State,
			run.ID)
	}
	if err := curlew.IgnoreNotFound(err); err != nil {
		return err
	}
	return w.Watches().Remove(ctx, id)
}
