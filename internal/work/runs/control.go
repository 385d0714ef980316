package runs

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
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

// AddWatch keeps a source, a blueprint, which becomes the active one, a watch and its
// first run, all in one transaction.
func (j *Jobs) AddWatch(ctx context.Context, org curlew.OrgID, n NewWatch) (added AddedWatch, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		added = AddedWatch{}
		if added.Source, err = w.Sources().At(ctx, n.Source.BaseURL); err != nil {
			if !errors.Is(err, curlew.ErrNotFound) {
				return err
			}
			if added.Source, err = w.Sources().Add(ctx, n.Source); err != nil {
				return err
			}
		}
		n.Blueprint.Source, n.Watch.Source = added.Source.ID, added.Source.ID
		if err := WatchedAlready(ctx, w.Scope, PlaceOf(n.Watch, n.Blueprint), ""); err != nil {
			return err
		}
		b, err := w.Blueprints().AddLine(ctx, n.Blueprint)
		if err != nil {
			return err
		}
		if added.Blueprint, err = w.Blueprints().Activate(ctx, b.ID); err != nil {
			return err
		}
		n.Watch.Blueprint = b.ID
		if added.Watch, err = w.Watches().Add(ctx, n.Watch); err != nil {
			return err
		}
		return j.firstRun(ctx, w, &added, n.Visit)
	})
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
func (j *Jobs) firstRun(ctx context.Context, w store.WriteScope, added *AddedWatch, visit bool) (err error) {
	by := time.Duration(0)
	if visit {
		n, err := watchRun(added.Watch, WatchPlan{Watch: added.Watch.ID, Trigger: "manual"})
		if err != nil {
			return err
		}
		run, err := j.startWithin(ctx, w, n)
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

// EditWatch changes a watch. A new schedule counts from now.
func (j *Jobs) EditWatch(
	ctx context.Context, org curlew.OrgID, id curlew.WatchID, edit func(*curlew.Watch) error,
) (watch curlew.Watch, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		if watch, err = w.Watches().Lock(ctx, id); err != nil {
			return err
		}
		was := watch.Schedule
		if err := edit(&watch); err != nil {
			return err
		}
		if watch.Schedule != was && watch.Status == curlew.WatchActive {
			if err := Reschedule(&watch, time.Now(), 0); err != nil {
				return err
			}
		}
		return w.Watches().Save(ctx, watch)
	})
	return watch, err
}

// PauseWatch lets a watch rest until it is resumed. A run that is under way ends.
func (j *Jobs) PauseWatch(ctx context.Context, org curlew.OrgID, id curlew.WatchID) (curlew.Watch, error) {
	return j.EditWatch(ctx, org, id, func(w *curlew.Watch) error {
		w.Status = curlew.WatchPaused
		return nil
	})
}

// ResumeWatch lets a watch that rests, or whose breaker opened, look again, now.
func (j *Jobs) ResumeWatch(ctx context.Context, org curlew.OrgID, id curlew.WatchID) (curlew.Watch, error) {
	return j.EditWatch(ctx, org, id, func(w *curlew.Watch) error {
		now := time.Now()
		w.Status, w.ConsecutiveFailures, w.LastError, w.NextRunAt = curlew.WatchActive, 0, "", &now
		return nil
	})
}

// AcceptRemoval says that what is missing and held for review is gone indeed: the next
// run, which is due now, removes it.
func (j *Jobs) AcceptRemoval(ctx context.Context, org curlew.OrgID, id curlew.WatchID) (curlew.Watch, error) {
	return j.EditWatch(ctx, org, id, func(w *curlew.Watch) error {
		if w.Held == nil {
			return curlew.Permanent("nothing_held", "%s holds nothing back: there is nothing to accept", id)
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

// RemoveWatch forgets a watch, but for one that is being visited: its run would not
// know what to do.
func (j *Jobs) RemoveWatch(ctx context.Context, org curlew.OrgID, id curlew.WatchID) error {
	return j.store.Write(ctx, org, func(w store.WriteScope) error {
		watch, err := w.Watches().Lock(ctx, id)
		if err != nil {
			return err
		}
		run, err := w.Runs().Active(ctx, sourceScope(watch.Source))
		if err == nil && PlanOf(run).Watch == id {
			return curlew.Refused("run_active", "its run %s is %s: wait for it, or stop it first with \"curlew runs stop %s\"", run.ID, run.State,
				run.ID)
		}
		if err != nil && !errors.Is(err, curlew.ErrNotFound) {
			return err
		}
		return w.Watches().Remove(ctx, id)
	})
}

// sourceScope is the scope of all runs that read a source.
func sourceScope(id curlew.SourceID) string { return "source:" + string(id) }

// ActivateBlueprint makes a version the active one, and lets the watches that read by
// another version of it follow; only one of them, if it is named.
func (j *Jobs) ActivateBlueprint(
	ctx context.Context, org curlew.OrgID, id curlew.BlueprintID, only curlew.WatchID,
) (b curlew.Blueprint, moved []curlew.Watch, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		b, moved, err = activateWithin(ctx, w, id, only)
		return err
	})
	return b, moved, err
}

// AddVersion keeps a blueprint as the next version of its source, schema and page type,
// makes it the active one, and lets the watches follow, all in one transaction.
func (j *Jobs) AddVersion(ctx context.Context, org curlew.OrgID, n curlew.Blueprint) (b curlew.Blueprint, moved []curlew.Watch, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		if _, err := w.Sources().Lock(ctx, n.Source); err != nil {
			return err
		}
		kept, err := w.Blueprints().Add(ctx, n)
		if err != nil {
			return err
		}
		b, moved, err = activateWithin(ctx, w, kept.ID, "")
		return err
	})
	return b, moved, err
}

func activateWithin(
	ctx context.Context, w store.WriteScope, id curlew.BlueprintID, only curlew.WatchID,
) (b curlew.Blueprint, moved []curlew.Watch, err error) {
	if b, err = w.Blueprints().Activate(ctx, id); err != nil {
		return b, nil, err
	}
	watches, err := Followers(ctx, w.Scope, b, only)
	if err != nil {
		return b, nil, err
	}
	for _, watch := range watches {
		if watch, err = w.Watches().Lock(ctx, watch.ID); err != nil {
			return b, nil, err
		}
		watch.Blueprint = b.ID
		if err := w.Watches().Save(ctx, watch); err != nil {
			return b, nil, err
		}
		moved = append(moved, watch)
	}
	return b, moved, nil
}

// Followers are the watches that read by another version of a blueprint, or the one of
// them that is named.
func Followers(ctx context.Context, scope store.Scope, b curlew.Blueprint, only curlew.WatchID) ([]curlew.Watch, error) {
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: b.Source}, store.Window{Limit: 100_000})
	if err != nil {
		return nil, err
	}
	var all []curlew.Watch
	for _, watch := range watches {
		if watch.Blueprint == b.ID || only != "" && watch.ID != only {
			continue
		}
		had, err := scope.Blueprints().Get(ctx, watch.Blueprint)
		if err != nil {
			return nil, err
		}
		if had.SameLine(b) {
			all = append(all, watch)
		}
	}
	return all, nil
}

// Replay sends deliveries again, and returns how many.
func (j *Jobs) Replay(
	ctx context.Context, org curlew.OrgID, subscription curlew.SubscriptionID, what ...store.ReplayOf,
) (n int64, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		n = 0
		for _, one := range what {
			some, err := w.Deliveries().Replay(ctx, one)
			if err != nil {
				return err
			}
			n += some
		}
		return j.wakeSender(ctx, w, subscription)
	})
	return n, err
}

// ResumeSubscription lets a subscription that rests, or that was disabled, receive
// again, what waits for it first.
func (j *Jobs) ResumeSubscription(ctx context.Context, org curlew.OrgID, id curlew.SubscriptionID) (sub curlew.Subscription, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		if sub, err = w.Subscriptions().Lock(ctx, id); err != nil {
			return err
		}
		if err := (deliver.Rules{PlainHTTP: true}).CheckTarget(sub.Channel, sub.Target); err != nil {
			return err // nobody is left to receive it
		}
		sub.Status = curlew.SubscriptionActive
		sub.Health = curlew.EndpointHealth{LastSuccessAt: sub.Health.LastSuccessAt, NextDigestAt: sub.Health.NextDigestAt}
		if err := w.Subscriptions().Save(ctx, sub); err != nil {
			return err
		}
		return j.wakeSender(ctx, w, id)
	})
	return sub, err
}

func (j *Jobs) wakeSender(ctx context.Context, w store.WriteScope, id curlew.SubscriptionID) error {
	due, err := w.Deliveries().Due(ctx, id)
	for _, to := range due {
		if _, err := j.queue.Insert(ctx, w.Tx, DeliverJob(w.Org(), to)); err != nil {
			return err
		}
	}
	return err
}
