package queue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// task is a job in this worker's hands.
type task struct {
	lease   *Lease
	cancel  context.CancelCauseFunc
	began   time.Time
	renewed time.Time   // when the lease was last known to be ours; guarded by worker.mu
	through bool        // its handler succeeded, its end is not durable yet; guarded by worker.mu
	ended   atomic.Bool // somebody took it upon himself to write the end
}

// claimEnd makes the caller the one who writes the end of the task.
func (t *task) claimEnd() bool { return t.ended.CompareAndSwap(false, true) }

// start runs a claimed job in a goroutine of its own.
func (w *worker) start(life context.Context, job Job) {
	ctx, cancel := context.WithCancelCause(life)
	ctx, stopTimer := context.WithTimeoutCause(ctx, w.o.Timeout, ErrTimeout)
	now := time.Now()
	t := &task{cancel: cancel, began: now, renewed: now,
		lease: &Lease{Job: job, queue: w.Queue, who: w.o.Name, draining: w.draining}}
	w.mu.Lock()
	if old := w.running[job.ID]; old != nil {
		old.cancel(ErrLeaseLost) // we lost it and got it back; the old handler must not go on
	}
	w.running[job.ID] = t
	w.mu.Unlock()
	giveUp := time.AfterFunc(w.o.Timeout+w.o.Grace, func() { w.giveUp(life, t) })
	go func() {
		defer cancel(nil)
		defer stopTimer()
		defer giveUp.Stop()
		w.run(ctx, life, t)
	}()
}

// run calls the handler and sees to its end.
func (w *worker) run(ctx, life context.Context, t *task) {
	crash, err := w.call(ctx, t.lease)
	if !t.claimEnd() {
		return // given up meanwhile
	}
	cause := context.Cause(ctx)
	switch {
	case crash != nil:
		w.write(life, t, crashing(t.lease.Job, crash, w.o.Policy))
	case t.lease.completed:
		w.observe(t, ending{to: Succeeded})
		w.release(t)
	case errors.Is(cause, ErrLeaseLost) || errors.Is(err, ErrLeaseLost):
		// If nobody else took the job meanwhile, it goes back at no cost: it was
		// the database or this machine that stood still, not the job.
		w.write(life, t, ending{to: Pending, why: ErrLeaseLost.Sentence, refund: true})
	case err == nil:
		w.mu.Lock()
		t.through = true
		w.mu.Unlock()
		w.settled <- t
		w.freed.notify()
	default:
		if errors.Is(curlew.AsFault(err), curlew.ErrUnexpected) && ctx.Err() == nil { // its sentence may keep to itself what it was
			w.o.Log.Error("a job failed unexpectedly", "kind", t.lease.Kind, "job", t.lease.ID, "error", err)
		}
		w.write(life, t, asEnding(t.lease.Job, err, cause, w.o.Policy))
	}
}

// call shields the worker from a handler that panics.
func (w *worker) call(ctx context.Context, lease *Lease) (crash *curlew.Fault, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.o.Log.Error("a job panicked", "kind", lease.Kind, "job", lease.ID, "panic", p, "stack", string(debug.Stack()))
			crash = curlew.Temporary("panic", "the %s job panicked; the worker's log has the details", lease.Kind)
		}
	}()
	return nil, w.o.Handlers[lease.Kind](ctx, lease)
}

// giveUp ends the attempt of a handler that ignores the end of its time. Its
// goroutine may go on, but the fence keeps it from writing.
func (w *worker) giveUp(life context.Context, t *task) {
	if t.claimEnd() {
		w.o.Log.Error("a job did not heed its time-out and was given up", "kind", t.lease.Kind, "job", t.lease.ID)
		w.write(life, t, crashing(t.lease.Job, curlew.Temporary("stuck", "the %s job did not end when its time was up", t.lease.Kind),
			w.o.Policy))
	}
}

func (w *worker) lost(t *task) {
	w.o.Log.Warn("lost the lease on a job; another worker has it", "kind", t.lease.Kind, "job", t.lease.ID)
	w.release(t)
}

// write makes the end of one attempt durable, however long the database is away,
// unless somebody else takes the job first.
func (w *worker) write(ctx context.Context, t *task, e ending) {
	err := w.persist(ctx, func() error {
		return w.db.Write(ctx, func(tx *database.Tx) error {
			if e.to == Pending {
				tx.AfterCommit(w.notifier.notify)
			}
			return finish(ctx, tx, t.lease.Job, w.o.Name, e)
		})
	})
	switch {
	case errors.Is(err, ErrLeaseLost):
		w.lost(t)
		return
	case err != nil:
		w.o.Log.Error("could not record the end of a job; its lease will lapse", "job", t.lease.ID, "error", err)
	default:
		w.observe(t, e)
	}
	w.release(t)
}

// persist tries until the database takes it, the lease is lost or ctx ends.
func (w *worker) persist(ctx context.Context, try func() error) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := try()
		if errors.Is(err, ErrLeaseLost) {
			return err
		}
		if w.tell("record the end of jobs", err); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("gave up: %w", err)
		case <-time.After(wait):
		}
	}
}

// settleWait and settleEnough: the end of a job waits this long for company,
// unless it has that much of it already. One commit costs about as much as a
// hundred jobs in it.
const (
	settleWait   = 3 * time.Millisecond
	settleEnough = 100
)

// settle writes the ends of succeeded jobs together.
func (w *worker) settle(life context.Context) {
	for {
		select {
		case <-life.Done():
			return
		case t := <-w.settled:
			w.settleMany(life, w.gather(t))
		}
	}
}

func (w *worker) gather(first *task) []*task {
	many := []*task{first}
	late := time.NewTimer(settleWait)
	defer late.Stop()
	for len(many) < claimMost {
		if len(many) >= settleEnough && len(w.settled) == 0 {
			return many
		}
		select {
		case t := <-w.settled:
			many = append(many, t)
		case <-late.C:
			return many
		}
	}
	return many
}

func (w *worker) settleMany(ctx context.Context, many []*task) {
	jobs := make([]Job, len(many))
	for i, t := range many {
		jobs[i] = t.lease.Job
	}
	kept := map[JobID]bool{}
	err := w.persist(ctx, func() error {
		return w.db.Write(ctx, func(tx *database.Tx) error {
			ids, err := succeed(ctx, tx, jobs, w.o.Name)
			clear(kept)
			for _, id := range ids {
				kept[id] = true
			}
			return err
		})
	})
	for _, t := range many {
		if err == nil && kept[t.lease.ID] {
			w.observe(t, ending{to: Succeeded})
		} else if err == nil {
			w.o.Log.Warn("lost the lease on a job before its end was recorded", "job", t.lease.ID)
		}
	}
	w.release(many...)
}

func (w *worker) observe(t *task, e ending) {
	w.o.Observe(Observation{Kind: t.lease.Kind, To: e.to, Crash: e.crash, Took: time.Since(t.began)})
}
