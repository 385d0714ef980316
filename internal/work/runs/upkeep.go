package runs

import (
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// orphanAge is how long a run may be without a slice before the sweep ends it.
const orphanAge = 10 * time.Second

// sweep ends runs that lost their slice: its job crashed into quarantine, say.
// Without this their scope would be blocked for ever. Then it makes up for words that
// entities lack.
func (j *Jobs) sweep(ctx context.Context, _ *queue.Lease) error {
	going, err := j.store.GoingRuns(ctx)
	if err != nil {
		return err
	}
	sliced, err := j.queue.Subjects(ctx)
	if err != nil {
		return err
	}
	paused, err := j.queue.PausedOrgs(ctx)
	if err != nil {
		return err
	}
	for _, run := range going {
		if slices.Contains(paused, run.Org) || sliced[queue.Subject{Org: run.Org, About: string(run.ID)}] {
			continue
		}
		if err := j.sweepRun(ctx, run); err != nil {
			return err
		}
	}
	return j.giveWords(ctx, paused)
}

// Entities get missing words in short transactions, for a few seconds at a time: others
// want to write too, and the next sweep goes on.
const (
	wordsBatch = 200
	wordsTime  = 3 * time.Second
)

// giveWords makes entities findable that were there before there was a search.
func (j *Jobs) giveWords(ctx context.Context, paused []curlew.OrgID) error {
	orgs, err := j.store.OrgsWithoutWords(ctx)
	if err != nil {
		return err
	}
	orgs = slices.DeleteFunc(orgs, func(org curlew.OrgID) bool { return slices.Contains(paused, org) })
	until := time.Now().Add(wordsTime)
	for _, org := range orgs {
		for n := wordsBatch; n == wordsBatch && time.Now().Before(until); {
			err := j.store.Write(ctx, org, func(w store.WriteScope) (err error) {
				n, err = w.Entities().IndexMissing(ctx, wordsBatch)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *Jobs) sweepRun(ctx context.Context, run curlew.Run) error {
	last, err := j.queue.BySubject(ctx, run.Org, string(run.ID), 1)
	if err != nil {
		return err
	}
	fault := curlew.Permanent("slice_lost", "the run has no slice any more")
	if len(last) > 0 {
		job := last[0]
		if !job.State.Finished() || time.Since(*job.FinishedAt) < orphanAge {
			return nil
		}
		if job.Fault != nil {
			fault = job.Fault
		}
	}
	j.o.Log.WarnContext(ctx, "ended a run that had lost its slice", "run", run.ID, "fault", fault.Code)
	return j.store.Write(ctx, run.Org, func(w store.WriteScope) error { return j.endWith(ctx, w, run.ID, "", fault) })
}

// pruneBatch bounds one deletion, so that its transaction stays short.
const pruneBatch = 1000

// keepUpkeep is how long jobs of the installation itself are kept that succeeded: there are 40,000 a day, whatever it watches.
const keepUpkeep = time.Hour

// prune forgets finished jobs, ended runs with their logs, and deliveries, that are older than they are to be kept.
func (j *Jobs) prune(ctx context.Context, _ *queue.Lease) error {
	err := inBatches(func() (int64, error) { return j.queue.Prune(ctx, j.o.KeepJobs, pruneBatch) })
	if err != nil {
		return err
	}
	err = inBatches(func() (int64, error) {
		return j.queue.PruneSucceeded(ctx, curlew.SystemOrg, min(keepUpkeep, j.o.KeepJobs), pruneBatch)
	})
	if err != nil {
		return err
	}
	orgs, err := j.store.Orgs(ctx)
	if err != nil {
		return err
	}
	paused, err := j.queue.PausedOrgs(ctx)
	if err != nil {
		return err
	}
	for _, org := range orgs {
		if slices.Contains(paused, org.ID) {
			continue
		}
		if err := j.pruneOrg(ctx, org.ID); err != nil {
			return err
		}
	}
	if j.o.Upkeep == nil {
		return nil
	}
	return j.o.Upkeep(ctx)
}

func (j *Jobs) pruneOrg(ctx context.Context, org curlew.OrgID) error {
	forgets := []func(store.WriteScope) (int64, error){
		func(w store.WriteScope) (int64, error) { return w.Runs().Clear(ctx, j.o.KeepRuns, pruneBatch) },
	}
	if j.o.KeepDeliveries > 0 {
		forgets = append(forgets, func(w store.WriteScope) (int64, error) {
			return w.Deliveries().Forget(ctx, time.Now().Add(-j.o.KeepDeliveries), pruneBatch)
		})
	}
	for _, forget := range forgets {
		err := inBatches(func() (n int64, err error) {
			err = j.store.Write(ctx, org, func(w store.WriteScope) error {
				n, err = forget(w)
				return err
			})
			return n, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inBatches forgets until a batch is not full.
func inBatches(forget func() (int64, error)) error {
	for n := int64(pruneBatch); n == pruneBatch; {
		var err error
		if n, err = forget(); err != nil {
			return err
		}
	}
	return nil
}
