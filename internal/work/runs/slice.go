package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sort"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// Slicer does the work of one kind of run, step by step. A step should take
// seconds, not minutes: what it did since the last commit is lost when the
// worker dies, and done again.
type Slicer interface {
	Step(ctx context.Context, run curlew.Run) (Step, error)
}

// FailureHandler is a slicer that has something to write down when a run of its kind fails,
// in the transaction that ends the run.
type FailureHandler interface {
	Failed(ctx context.Context, w store.WriteScope, run curlew.Run, fault *curlew.Fault) error
}

// Step is what came of one step. It is committed whole or not at all.
type Step struct {
	Progress any             // where the next step goes on; marshals to JSON
	Total    int64           // a better count of all steps, 0 to keep the old one
	Counters curlew.Counters // to be added
	Log      []curlew.LogLine
	Done     bool
	Rest     time.Duration // before the next step; a long one gives the worker back
	EndSlice bool          // give others a turn now
	Effect   func(ctx context.Context, w store.WriteScope) error
	Told     []instrument.Happening // counted once the step is kept

	began time.Time
}

// StepLimit is the most that a step should take: a slice begins none when less
// of its time is left, so that it ends in time itself.
const StepLimit = 25 * time.Second

// shortRest is the longest rest that a slice sits out instead of giving its
// worker back.
const shortRest = time.Second

// slice works on a run until its time is up, the run rests, ends or is halted,
// or the worker drains. The last commit brings the next slice with it.
func (j *Jobs) slice(ctx context.Context, lease *queue.Lease) error {
	var args sliceArgs
	if err := json.Unmarshal(lease.Args, &args); err != nil {
		return curlew.Permanent("bad_args", "the arguments of slice %d cannot be read", lease.ID).Because(err)
	}
	ctx, span := instrument.Begin(context.WithValue(ctx, slicing{}, true),
		instrument.Start{Name: "slice", Run: args.Run, Under: instrument.SpanRun})
	span.Note(slog.String("curlew.run", string(args.Run)), slog.String("curlew.kind", string(args.Kind)),
		slog.Int("curlew.attempt", lease.Attempt))
	err := j.work(ctx, lease, args)
	span.End(err)
	return err
}

func (j *Jobs) work(ctx context.Context, lease *queue.Lease, args sliceArgs) error {
	run, err := j.store.Org(lease.Org).Runs().Get(ctx, args.Run)
	if err != nil {
		return err
	}
	slicer, ok := j.o.Slicers[run.Kind]
	if !ok {
		return j.fail(ctx, lease, run, curlew.Permanent("unknown_run_kind", "unknown kind of run %q", run.Kind))
	}
	ctx = pages.WithCache(ctx)
	end := time.Now().Add(max(j.o.SliceLimit-StepLimit, j.o.SliceLimit/2))
	for run.State == curlew.RunPending || run.State == curlew.RunRunning {
		began := time.Now()
		step, err := slicer.Step(ctx, run)
		step.began = began
		if err != nil {
			return j.stepFailed(ctx, lease, run, err)
		}
		last := step.Done || step.EndSlice || step.Rest > shortRest || time.Now().After(end) || lease.Drained()
		if run, err = j.commit(ctx, lease, args, step, last); err != nil || last {
			return err
		}
		if err := rest(ctx, step.Rest); err != nil {
			return err
		}
	}
	return nil // paused or ended by somebody: no next slice
}

func rest(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// commit keeps a step under the lease: its effect, progress, figures and log
// lines, and if it is the last of the slice also the next slice and the end of
// this job.
func (j *Jobs) commit(ctx context.Context, lease *queue.Lease, args sliceArgs, step Step, last bool) (run curlew.Run, err error) {
	write := lease.Commit
	if last {
		write = lease.Complete
	}
	err = write(ctx, func(tx *database.Tx) error {
		w := j.store.Within(tx, lease.Org)
		run, err = j.save(ctx, w, args, step, last)
		if err != nil || !last || run.State != curlew.RunRunning {
			return err
		}
		return j.enqueue(ctx, w, run, args, step.Rest)
	})
	if err != nil {
		return run, err
	}
	for _, h := range step.Told {
		instrument.Tell(ctx, h)
	}
	if step.Done && run.Kind == curlew.RunWatch {
		failpoint.Here(failpoint.PublishAfter)
	}
	return run, nil
}

func (j *Jobs) save(ctx context.Context, w store.WriteScope, args sliceArgs, step Step, last bool) (curlew.Run, error) {
	id := args.Run
	run, err := w.Runs().Lock(ctx, id)
	if err != nil {
		return run, err
	}
	if run.State.Ended() {
		return run, curlew.Refused("run_ended", "the run %s is %s: nothing more is added to it", id, run.State)
	}
	if step.Effect != nil {
		if err := step.Effect(ctx, w); err != nil {
			return run, err
		}
	}
	if run.Progress, err = json.Marshal(step.Progress); err != nil {
		return run, fmt.Errorf("progress of a %s run: %w", run.Kind, err)
	}
	run.Counters = run.Counters.Plus(step.Counters)
	if step.Total > 0 {
		run.Total = step.Total
	}
	if last {
		run.Slices++
	}
	lines := step.Log
	if run.State == curlew.RunPending {
		run.State = curlew.RunRunning
	}
	if step.Done {
		run.State = curlew.RunSucceeded
		run.Summary = summary(run, "done")
		lines = append(lines, Info("%s", run.Summary))
		j.atEnd(ctx, w, run, args.LimitKey, step.began)
	}
	if err := w.Runs().Save(ctx, run); err != nil {
		return run, err
	}
	return run, w.Runs().AppendLog(ctx, id, lines...)
}

// stepFailed ends the run when its slice gets no further attempt. An
// interruption is no failure of the run.
func (j *Jobs) stepFailed(ctx context.Context, lease *queue.Lease, run curlew.Run, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), queue.ErrTimeout) {
		return err
	}
	fault := curlew.AsFault(err)
	if fault.Kind == curlew.KindTemporary && lease.Attempt < lease.MaxAttempts {
		ctx := context.WithoutCancel(ctx)
		_ = lease.Commit(ctx, func(tx *database.Tx) error { // the log is a courtesy
			return j.store.Within(tx, lease.Org).Runs().AppendLog(ctx, run.ID, curlew.LogLine{Level: curlew.LogWarn,
				Text: fmt.Sprintf("attempt %d of %d failed: %s", lease.Attempt, lease.MaxAttempts, fault.Sentence)})
		})
		return err
	}
	return j.fail(context.WithoutCancel(ctx), lease, run, fault)
}

// fail ends the run with a fault and hands the fault on, so that the job ends
// with it too.
func (j *Jobs) fail(ctx context.Context, lease *queue.Lease, run curlew.Run, fault *curlew.Fault) error {
	args, err := ArgsOf[sliceArgs](lease)
	if err != nil {
		return err
	}
	err = lease.Commit(ctx, func(tx *database.Tx) error {
		return j.endWith(ctx, j.store.Within(tx, lease.Org), run.ID, args.LimitKey, fault)
	})
	if err != nil {
		return err
	}
	return fault
}

// endWith marks a run as failed unless it has ended already.
func (j *Jobs) endWith(ctx context.Context, w store.WriteScope, id curlew.RunID, host string, fault *curlew.Fault) error {
	began := time.Now()
	run, err := w.Runs().Lock(ctx, id)
	if err != nil || run.State.Ended() {
		return err
	}
	run.State, run.Fault = curlew.RunFailed, fault
	run.Summary = summary(run, "failed: "+fault.Sentence)
	j.atEnd(ctx, w, run, host, began)
	if err := w.Runs().Save(ctx, run); err != nil {
		return err
	}
	if handler, ok := j.o.Slicers[run.Kind].(FailureHandler); ok {
		if err := handler.Failed(ctx, w, run, fault); err != nil {
			return err
		}
	}
	return w.Runs().AppendLog(ctx, id, failure("%s", run.Summary))
}

// summary is the one line that a run ends with.
func summary(run curlew.Run, outcome string) string {
	names := make([]string, 0, len(run.Counters))
	for name := range run.Counters {
		names = append(names, string(name))
	}
	sort.Strings(names)
	var figures strings.Builder
	for _, name := range names {
		fmt.Fprintf(&figures, ", %s=%d", name, run.Counters[curlew.Counter(name)])
	}
	name := run.Scope
	if !strings.HasPrefix(name, string(run.Kind)+":") {
		name = string(run.Kind) + " " + name
	}
	return fmt.Sprintf("%s: %s%s, slices=%d", name, outcome, figures.String(), run.Slices)
}
