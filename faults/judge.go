package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// work is a number of drills: each of its slices is one job, one step.
type work struct {
	runs, steps int
	pause       time.Duration
}

func (w work) jobs() int { return w.runs * w.steps }

// insert starts the drills through the real program.
func (t *target) insert(ctx context.Context, w work) error {
	return t.curlew(ctx, nil, "runs", "drill", "--slice", "1", "--count", fmt.Sprint(w.runs),
		"--steps", fmt.Sprint(w.steps), "--pause", w.pause.String())
}

// allRuns reads all runs of the installation.
func (t *target) allRuns(ctx context.Context) ([]curlew.Run, error) {
	return t.store.Org(curlew.DefaultOrg).Runs().List(ctx, store.RunFilter{}, store.Window{Limit: 100_000})
}

// ended says whether every run has ended. A database that is away just now has
// nothing to say.
func (t *target) ended(ctx context.Context) bool {
	runs, err := t.allRuns(ctx)
	if err != nil || len(runs) == 0 {
		return false
	}
	for _, run := range runs {
		if !run.State.Ended() {
			return false
		}
	}
	return true
}

// untilEnded waits for all runs to end, and in between lets something happen.
func (t *target) untilEnded(ctx context.Context, most time.Duration, meanwhile func() error) error {
	late := time.Now().Add(most)
	for !t.ended(ctx) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Now().After(late) {
			return fmt.Errorf("the runs did not end within %s", most)
		}
		if err := meanwhile(); err != nil {
			return err
		}
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// idle is a meanwhile in which nothing happens.
func idle(ctx context.Context) func() error {
	return func() error { wait(ctx, 200*time.Millisecond); return nil }
}

// judge counts what the drills were to do against what they did, and runs fsck
// as a user would.
func (t *target) judge(ctx context.Context, w work, did string) (*outcome, error) {
	o := &outcome{did: did, jobs: w.jobs()}
	runs, err := t.allRuns(ctx)
	if err != nil {
		return nil, err
	}
	quarantined := 0
	for _, run := range runs {
		steps := int(run.Counters[curlew.CountSteps])
		switch {
		case run.State == curlew.RunFailed && errors.Is(run.Fault, queue.ErrCrashed):
			quarantined++ // crashed three times in a row: quarantine is the promise
		case steps < w.steps || run.State != curlew.RunSucceeded:
			o.lost += max(1, w.steps-steps)
		case steps > w.steps:
			o.doubled += steps - w.steps
		}
	}
	if len(runs) != w.runs {
		o.lost += (w.runs - len(runs)) * w.steps
	}
	var report struct {
		Violations []curlew.Violation `json:"violations"`
	}
	if err := t.curlew(ctx, &report, "fsck"); err != nil {
		return nil, err
	}
	o.violations = len(report.Violations)
	if quarantined > 0 {
		o.note = fmt.Sprintf("%d quarantined", quarantined)
	}
	if o.lost+o.doubled > 0 {
		o.broken = append(o.broken, "work was lost or done twice")
	}
	for _, v := range report.Violations {
		o.broken = append(o.broken, v.Sentence)
	}
	return o, nil
}
