package watch

import (
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// How watches are started: so many at a time; one that vanishes in its run is due again
// after a while.
const (
	tickBatch = 500
	tickMost  = 20 * time.Second
	putOff    = time.Hour
)

// Starter starts the checks of watches whose time has come.
type Starter struct {
	Store    *store.Store
	Queue    *queue.Queue
	Attempts int // at one slice
}

// Handlers are the handlers of its kind of job.
func (s Starter) Handlers() map[string]queue.Handler {
	return map[string]queue.Handler{runs.KindTick: s.tick}
}

// tick starts the runs of watches whose time has come. One whose source is being read
// stays due.
func (s Starter) tick(ctx context.Context, _ *queue.Lease) error {
	for end := time.Now().Add(tickMost); time.Now().Before(end); {
		paused, err := s.Queue.PausedOrgs(ctx)
		if err != nil {
			return err
		}
		due, err := s.Store.DueWatches(ctx, tickBatch, paused...)
		if err != nil || len(due) == 0 {
			return err
		}
		started := 0
		for org, watches := range byOrg(due) {
			n, err := s.startDue(ctx, org, watches)
			if err != nil {
				return err
			}
			started += n
		}
		failpoint.Here(failpoint.TickAfter)
		if started == 0 || len(due) < tickBatch {
			return nil
		}
	}
	return nil
}

func byOrg(watches []curlew.Watch) map[curlew.OrgID][]curlew.Watch {
	all := map[curlew.OrgID][]curlew.Watch{}
	for _, w := range watches {
		all[w.Org] = append(all[w.Org], w)
	}
	return all
}

// startDue starts runs and their first slices in one transaction.
func (s Starter) startDue(ctx context.Context, org curlew.OrgID, watches []curlew.Watch) (started int, err error) {
	err = s.Store.Write(ctx, org, func(w store.WriteScope) error {
		ids := map[string]curlew.WatchID{} // by scope, of which one starts
		var all []runs.NewRun
		for _, watch := range watches {
			plan := Plan{Watch: watch.ID, Trigger: "schedule"}
			if n := watch.Rhythm.News; n != nil && n.PeekAt.Equal(*watch.NextRunAt) {
				plan.Trigger = TriggerNews
			}
			n, err := newRun(watch, plan)
			if err != nil {
				return err
			}
			if _, taken := ids[n.Scope]; !taken {
				ids[n.Scope] = watch.ID
				all = append(all, n)
			}
		}
		began, err := runs.StartAll(ctx, w, s.Queue, s.Attempts, all)
		if err != nil {
			return err
		}
		failpoint.Here(failpoint.TickInside)
		started = len(began)
		var off []curlew.WatchID
		for _, n := range began {
			off = append(off, ids[n.Scope])
		}
		slices.Sort(off)
		return w.Watches().PutOff(ctx, off, putOff)
	})
	return started, err
}

// Reschedule sets when a watch is visited next, by what is known already, at a pace where
// it is adaptive.
func Reschedule(watch *curlew.Watch, now time.Time, pace schedule.Pace) error {
	s, err := schedule.Parse(watch.Schedule)
	if err != nil {
		return err
	}
	s = s.For(string(watch.ID))
	next := s.Next(now)
	if adaptive, ok := s.Adaptive(); ok {
		next, _ = adaptive.Next(watch.Rhythm, now, pace)
	}
	watch.NextRunAt = &next
	return nil
}
