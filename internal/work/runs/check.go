package runs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Check looks for broken invariants of the store, of the queue, and between the two.
func (j *Jobs) Check(ctx context.Context) ([]curlew.Violation, error) {
	found, err := j.store.Check(ctx)
	if err != nil {
		return nil, err
	}
	ofQueue, err := j.queue.Check(ctx)
	if err != nil {
		return nil, err
	}
	found = append(found, ofQueue...)
	orgs, err := j.store.Orgs(ctx)
	if err != nil {
		return nil, err
	}
	strangers, err := j.checkOrgs(ctx, orgs)
	if err != nil {
		return nil, err
	}
	found = append(found, strangers...)
	for _, org := range orgs {
		some, err := j.checkRuns(ctx, org.ID)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

// checkOrgs: every job belongs to an org that exists.
func (j *Jobs) checkOrgs(ctx context.Context, orgs []curlew.Org) ([]curlew.Violation, error) {
	withJobs, err := j.queue.Orgs(ctx)
	if err != nil {
		return nil, err
	}
	var found []curlew.Violation
	for _, id := range withJobs {
		if !slices.ContainsFunc(orgs, func(o curlew.Org) bool { return o.ID == id }) {
			found = append(found, curlew.Violation{Invariant: "I4", Org: id, Ref: string(id),
				Sentence: fmt.Sprintf("there are jobs of the org %q, which does not exist", id)})
		}
	}
	return found, nil
}

// checkRuns: a run that goes on has a slice that waits or runs; any other has
// none. The sweep is given its time.
func (j *Jobs) checkRuns(ctx context.Context, org curlew.OrgID) ([]curlew.Violation, error) {
	var found []curlew.Violation
	scope := j.store.Org(org)
	for after := ""; ; {
		runs, err := scope.Runs().List(ctx, store.RunFilter{}, store.Window{After: after, Limit: 1000})
		if err != nil || len(runs) == 0 {
			return found, err
		}
		for _, run := range runs {
			v, err := j.checkRun(ctx, run)
			if err != nil {
				return nil, err
			}
			found = append(found, v...)
		}
		after = string(runs[len(runs)-1].ID)
	}
}

func (j *Jobs) checkRun(ctx context.Context, run curlew.Run) ([]curlew.Violation, error) {
	last, err := j.queue.BySubject(ctx, run.Org, string(run.ID), 1)
	if err != nil {
		return nil, err
	}
	goesOn := run.State == curlew.RunPending || run.State == curlew.RunRunning
	alive := len(last) > 0 && !last[0].State.Finished()
	stopping := alive && last[0].StopBy != ""
	violation := func(sentence string) []curlew.Violation {
		return []curlew.Violation{{Invariant: "D4", Org: run.Org, Ref: string(run.ID), Sentence: sentence}}
	}
	switch {
	case goesOn && !alive && (len(last) == 0 || time.Since(*last[0].FinishedAt) > orphanAge+time.Minute):
		return violation(fmt.Sprintf("run %s is %s but has no slice that would carry it on", run.ID, run.State)), nil
	case !goesOn && alive && !stopping:
		return violation(fmt.Sprintf("run %s is %s but a slice of it is %s", run.ID, run.State, last[0].State)), nil
	}
	return nil, nil
}
