package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// How watches are started: so often it is looked who is due, so many at a time; one
// that vanishes in its run is due again after a while.
const (
	tickEvery = 5 * time.Second
	tickBatch = 500
	tickMost  = 20 * time.Second
	putOff    = time.Hour
)

// tick starts the runs of watches whose time has come. One whose source is being read
// stays due.
func (j *Jobs) tick(ctx context.Context, _ *queue.Lease) error {
	for end := time.Now().Add(tickMost); time.Now().Before(end); {
		paused, err := j.queue.PausedOrgs(ctx)
		if err != nil {
			return err
		}
		due, err := j.store.DueWatches(ctx, tickBatch, paused...)
		if err != nil || len(due) == 0 {
			return err
		}
		started := 0
		for org, watches := range byOrg(due) {
			n, err := j.startDue(ctx, org, watches)
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
func (j *Jobs) startDue(ctx context.Context, org curlew.OrgID, watches []curlew.Watch) (started int, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		runs := map[curlew.RunID]curlew.Watch{}
		var all []curlew.Run
		taken := map[curlew.SourceID]bool{}
		for _, watch := range watches {
			if taken[watch.Source] {
				continue
			}
			taken[watch.Source] = true
			plan := WatchPlan{Watch: watch.ID, Trigger: "schedule"}
			if n := watch.Rhythm.News; n != nil && n.PeekAt.Equal(*watch.NextRunAt) {
				plan.Trigger = TriggerNews
			}
			n, err := watchRun(watch, plan)
			if err != nil {
				return err
			}
			run := curlew.Run{ID: curlew.Mint[curlew.RunID](j.store.IDs()), Kind: n.Kind, Scope: n.Scope, Plan: n.Plan.(json.RawMessage)}
			runs[run.ID] = watch
			all = append(all, run)
		}
		added, err := w.Runs().AddAll(ctx, all)
		if err != nil {
			return err
		}
		slices.Sort(added)
		started = len(added)
		return j.enqueueAll(ctx, w, added, runs)
	})
	return started, err
}

func (j *Jobs) enqueueAll(ctx context.Context, w store.WriteScope, added []curlew.RunID, runs map[curlew.RunID]curlew.Watch) error {
	var slicesOf []queue.NewJob
	ids := map[curlew.WatchID]bool{}
	for _, id := range added {
		watch := runs[id]
		ids[watch.ID] = true
		submitted(ctx, w, curlew.RunWatch, nil, 0)
		args := sliceArgs{Run: id, Kind: curlew.RunWatch, LimitKey: HostOf(watch.URL)}
		slicesOf = append(slicesOf, args.job(w.Org(), 0, j.o.MaxAttempts, 0))
	}
	failpoint.Here(failpoint.TickInside)
	if _, err := j.queue.Insert(ctx, w.Tx, slicesOf...); err != nil {
		return err
	}
	return w.Watches().PutOff(ctx, slices.Sorted(maps.Keys(ids)), putOff)
}

// watchRun is the run of a watch. A source is read by one run at a time.
func watchRun(watch curlew.Watch, plan WatchPlan) (NewRun, error) {
	raw, err := json.Marshal(plan)
	if err != nil {
		return NewRun{}, fmt.Errorf("plan of a watch: %w", err)
	}
	return NewRun{Kind: curlew.RunWatch, Scope: sourceScope(watch.Source), Plan: json.RawMessage(raw), LimitKey: HostOf(watch.URL)}, nil
}

// Visit starts a run of a watch now.
func (j *Jobs) Visit(ctx context.Context, org curlew.OrgID, id curlew.WatchID, plan WatchPlan) (curlew.Run, error) {
	watch, err := j.store.Org(org).Watches().Get(ctx, id)
	if err != nil {
		return curlew.Run{}, err
	}
	plan.Watch = id
	n, err := watchRun(watch, plan)
	if err != nil {
		return curlew.Run{}, err
	}
	return j.Start(ctx, org, n)
}

func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
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
