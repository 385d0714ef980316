package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// NewRun is a run to be started.
type NewRun struct {
	Kind     curlew.RunKind
	Scope    string // one active run per scope
	Plan     any    // marshals to JSON; the slicer of the kind reads it
	Total    int64  // steps, where they are known
	Priority curlew.Priority
	LimitKey string // a host, for the limit of jobs per host
	After    time.Duration
}

// Start keeps a run and its first slice, in one transaction.
func (j *Jobs) Start(ctx context.Context, org curlew.OrgID, n NewRun) (run curlew.Run, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		run, err = j.StartWithin(ctx, w, n)
		return err
	})
	return run, err
}

// StartWithin is Start in the transaction of whatever causes the run.
func (j *Jobs) StartWithin(ctx context.Context, w store.WriteScope, n NewRun) (curlew.Run, error) {
	plan, err := json.Marshal(n.Plan)
	if err != nil {
		return curlew.Run{}, fmt.Errorf("plan of a %s run: %w", n.Kind, err)
	}
	run, err := w.Runs().Add(ctx, curlew.Run{Kind: n.Kind, Scope: n.Scope, Plan: plan, Total: n.Total})
	if err != nil {
		return curlew.Run{}, err
	}
	submitted(ctx, w, n.Kind, plan, n.Priority)
	return run, j.enqueue(ctx, w, run, sliceArgs{Priority: n.Priority, LimitKey: n.LimitKey}, n.After)
}

// onceAttempts is how often a slice of a run is tried that another run asked for.
const onceAttempts = 2

// StartOnce starts a run in the transaction that found out that it is needed, unless one
// of its scope is active.
func StartOnce(ctx context.Context, w store.WriteScope, q *queue.Queue, n NewRun, after time.Duration) error {
	n.After = after
	_, err := StartAll(ctx, w, q, onceAttempts, []NewRun{n})
	return err
}

// StartAll starts those runs of whose scope none is active, and returns them. Their first
// slices are tried so often.
func StartAll(ctx context.Context, w store.WriteScope, q *queue.Queue, attempts int, all []NewRun) (started []NewRun, err error) {
	kept, by := make([]curlew.Run, 0, len(all)), make(map[curlew.RunID]NewRun, len(all))
	for _, n := range all {
		plan, err := json.Marshal(n.Plan)
		if err != nil {
			return nil, fmt.Errorf("plan of a %s run: %w", n.Kind, err)
		}
		run := curlew.Run{ID: curlew.Mint[curlew.RunID](w.IDs()), Kind: n.Kind, Scope: n.Scope, Plan: plan, Total: n.Total}
		kept, by[run.ID] = append(kept, run), n
	}
	added, err := w.Runs().AddAll(ctx, kept)
	if err != nil || len(added) == 0 {
		return nil, err
	}
	slices.Sort(added)
	jobs := make([]queue.NewJob, 0, len(added))
	for _, id := range added {
		n := by[id]
		started = append(started, n)
		submitted(ctx, w, n.Kind, nil, n.Priority)
		args := sliceArgs{Run: id, Kind: n.Kind, LimitKey: n.LimitKey, Priority: n.Priority}
		jobs = append(jobs, args.job(w.Org(), 0, attempts, n.After))
	}
	_, err = q.Insert(ctx, w.Tx, jobs...)
	return started, err
}

// sliceArgs travel from slice to slice.
type sliceArgs struct {
	Run      curlew.RunID    `json:"run_id"`
	Kind     curlew.RunKind  `json:"kind"`
	Priority curlew.Priority `json:"priority,omitempty"`
	LimitKey string          `json:"limit_key,omitempty"`
}

// job is the slice of a run that comes after so many others.
func (a sliceArgs) job(org curlew.OrgID, slices, attempts int, after time.Duration) queue.NewJob {
	return queue.NewJob{Org: org, Kind: KindSlice, Args: a, After: after, Priority: a.Priority, LimitKey: a.LimitKey, Subject: string(a.Run),
		MaxAttempts: attempts, UniqueKey: fmt.Sprintf("%s:%d", a.Run, slices)}
}

// enqueue inserts the next slice of a run. The unique key sees to it that a run
// has one slice at a time, whatever happens.
func (j *Jobs) enqueue(ctx context.Context, w store.WriteScope, run curlew.Run, args sliceArgs, after time.Duration) error {
	args.Run, args.Kind = run.ID, run.Kind
	ids, err := j.queue.Insert(ctx, w.Tx, args.job(w.Org(), run.Slices, j.o.MaxAttempts, after))
	if err == nil && ids[0] == 0 {
		return ErrStillEnding
	}
	return err
}

// ErrStillEnding means that the slice which was interrupted has not ended yet.
var ErrStillEnding = curlew.Temporary("still_ending", "the last slice of this run is still coming to its end: try again in a moment")

// Pause lets a run rest where it is, until it is resumed.
func (j *Jobs) Pause(ctx context.Context, org curlew.OrgID, id curlew.RunID, who string) error {
	return j.halt(ctx, org, id, who, curlew.RunPaused)
}

// Stop ends a run for good.
func (j *Jobs) Stop(ctx context.Context, org curlew.OrgID, id curlew.RunID, who string) error {
	return j.halt(ctx, org, id, who, curlew.RunCancelled)
}

// halt moves a run to a state without slices and asks its slice to end.
func (j *Jobs) halt(ctx context.Context, org curlew.OrgID, id curlew.RunID, who string, to curlew.RunState) error {
	word := map[curlew.RunState]string{curlew.RunPaused: "paused", curlew.RunCancelled: "stopped"}[to]
	return j.store.Write(ctx, org, func(w store.WriteScope) error {
		run, err := w.Runs().Lock(ctx, id)
		if err != nil {
			return err
		}
		if err := run.State.Move(to); err != nil {
			return err
		}
		run.State = to
		if to.Ended() {
			run.Summary = summary(run, word+" by "+who)
			j.atEnd(ctx, w, run, "", time.Now())
		}
		if err := w.Runs().Save(ctx, run); err != nil {
			return err
		}
		if err := w.Runs().AppendLog(ctx, id, Info("%s by %s", word, who)); err != nil {
			return err
		}
		return j.queue.StopSubject(ctx, w.Tx, org, string(id), queue.By{Who: who, Why: word})
	})
}

// Resume resumes a paused run. The slice that was interrupted may need a
// moment to end; Resume waits for it, for a few seconds at most.
func (j *Jobs) Resume(ctx context.Context, org curlew.OrgID, id curlew.RunID, who string) error {
	patience := time.After(5 * time.Second)
	for {
		err := j.ResumeOnce(ctx, org, id, who)
		if !errors.Is(err, ErrStillEnding) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience:
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// ResumeOnce resumes a paused run, unless its last slice is still ending.
func (j *Jobs) ResumeOnce(ctx context.Context, org curlew.OrgID, id curlew.RunID, who string) error {
	return j.store.Write(ctx, org, func(w store.WriteScope) error {
		run, err := w.Runs().Lock(ctx, id)
		if err != nil {
			return err
		}
		if err := run.State.Move(curlew.RunPending); err != nil {
			return err
		}
		last, err := j.queue.BySubject(ctx, org, string(id), 1)
		if err != nil {
			return err
		}
		var args sliceArgs
		if len(last) > 0 {
			if !last[0].State.Finished() {
				return ErrStillEnding
			}
			if err := json.Unmarshal(last[0].Args, &args); err != nil {
				return err
			}
		}
		run.State = curlew.RunPending
		if err := w.Runs().Save(ctx, run); err != nil {
			return err
		}
		if err := w.Runs().AppendLog(ctx, id, Info("resumed by %s", who)); err != nil {
			return err
		}
		return j.enqueue(ctx, w, run, args, 0)
	})
}

// Clear forgets the ended runs of an org and returns how many.
func (j *Jobs) Clear(ctx context.Context, org curlew.OrgID) (n int64, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		n, err = w.Runs().Clear(ctx, 0, math.MaxInt32)
		return err
	})
	return n, err
}

func Info(format string, args ...any) curlew.LogLine {
	return curlew.LogLine{Level: curlew.LogInfo, Text: fmt.Sprintf(format, args...)}
}

// mostOrphans bounds the lines about addresses that are not found any more.
const mostOrphans = 10

// MarkOrphans makes the URLs of a scope inactive that a run did not find any more, and says so in its log.
func MarkOrphans(ctx context.Context, w store.WriteScope, scope string, run curlew.Run) error {
	gone, err := w.URLs().Orphans(ctx, scope, run)
	if err != nil || len(gone) == 0 {
		return err
	}
	lines := []curlew.LogLine{Info("%s not found any more", curlew.Counted(len(gone), "URL"))}
	for _, u := range gone[:min(len(gone), mostOrphans)] {
		lines = append(lines, Info("orphan: %s", u))
	}
	return w.Runs().AppendLog(ctx, run.ID, lines...)
}

func failure(format string, args ...any) curlew.LogLine {
	return curlew.LogLine{Level: curlew.LogError, Text: fmt.Sprintf(format, args...)}
}

// HostOf is the host of an address, for the limit of jobs per host.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
