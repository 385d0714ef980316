package queue

import (
	"context"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Handler does a job. What it returns decides how the attempt ends: nil ends it
// as succeeded, Later puts it back, an error goes through the policy. Its context
// ends early, with a cause, when the lease is lost, a stop is requested, the time
// is up or the worker shuts down.
type Handler func(ctx context.Context, lease *Lease) error

// WorkerOptions set up a worker. Handlers and Policy are needed.
type WorkerOptions struct {
	Name        string // unique among workers; in the records as who
	Handlers    map[string]Handler
	Policy      Policy
	Periodic    []Periodic
	Concurrency int           // jobs at once
	Lease       time.Duration // how long a job is ours without a sign of life
	Heartbeat   time.Duration // how often stop requests are looked for
	Timeout     time.Duration // of one attempt
	Grace       time.Duration // after the time-out, before the handler is given up
	Drain       time.Duration // the most that shutting down may take
	Poll        time.Duration // how often to look without being woken
	Log         *slog.Logger
	Observe     func(Observation)           // called after each attempt; may be nil
	May         func(context.Context) error // asked before jobs are claimed: none are while it fails; may be nil
}

// Observation is what a worker saw of one attempt.
type Observation struct {
	Kind  string
	To    State
	Crash bool
	Took  time.Duration
}

func (o WorkerOptions) withDefaults() WorkerOptions {
	o.Concurrency = orDefault(o.Concurrency, 8)
	o.Lease = orDefault(o.Lease, 8*time.Second)
	o.Heartbeat = orDefault(o.Heartbeat, 500*time.Millisecond)
	o.Timeout = orDefault(o.Timeout, time.Minute)
	o.Grace = orDefault(o.Grace, 5*time.Second)
	o.Drain = orDefault(o.Drain, 20*time.Second)
	o.Poll = orDefault(o.Poll, 500*time.Millisecond)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observe == nil {
		o.Observe = func(Observation) {}
	}
	if o.May == nil {
		o.May = func(context.Context) error { return nil }
	}
	return o
}

func orDefault[T int | time.Duration](value, fallback T) T {
	if value == 0 {
		return fallback
	}
	return value
}

// claimMost bounds one claim, so that its transaction stays short; claimWithin
// bounds how long a database that hangs can hold up a shutdown.
const (
	claimMost   = 500
	claimWithin = 4 * time.Second
)

// worker is the state of one Work call.
type worker struct {
	*Queue
	o        WorkerOptions
	kinds    []string
	draining chan struct{}
	settled  chan *task // succeeded, to be written together
	freed    *notifier
	idle     bool // the last claim found nothing

	mu      sync.Mutex
	running map[JobID]*task // until their end is durable
	failing sync.Map        // by what cannot be done, as it was logged last
}

// tell logs when something begins to fail, and when it works again: what is tried every second is not logged as often.
func (w *worker) tell(doing string, err error) {
	was, _ := w.failing.Swap(doing, err != nil)
	switch {
	case err != nil && was != true:
		w.o.Log.Warn("cannot "+doing+"; trying again", "error", err)
	case err == nil && was == true:
		w.o.Log.Info("can " + doing + " again")
	}
}

// Work claims and runs jobs until ctx ends. Then it claims nothing more, lets
// handlers come to a good place, interrupts and finally gives back the rest, at
// no cost in attempts, and returns within the drain time.
func (q *Queue) Work(ctx context.Context, o WorkerOptions) {
	o = o.withDefaults()
	w := &worker{Queue: q, o: o, kinds: slices.Sorted(maps.Keys(o.Handlers)), draining: make(chan struct{}),
		settled: make(chan *task, o.Concurrency+claimMost), freed: newNotifier(), running: map[JobID]*task{}}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var loops sync.WaitGroup
	for _, loop := range []func(context.Context){w.beat, w.maintain, w.listen, w.settle} {
		loops.Go(func() { loop(life) })
	}
	w.claimLoop(ctx, life)
	close(w.draining)
	w.drain(life)
	end()
	loops.Wait()
}

// claimLoop keeps the slots filled until ctx ends; the jobs live on life.
func (w *worker) claimLoop(ctx, life context.Context) {
	woken, unlisten := w.notifier.listen()
	defer unlisten()
	freed, unlistenFreed := w.freed.listen()
	defer unlistenFreed()
	for ctx.Err() == nil {
		wait := w.fill(ctx, life)
		select {
		case <-ctx.Done():
		case <-woken:
		case <-freed:
			w.gatherSlots(ctx)
		case <-time.After(wait):
		}
	}
}

// gatherSlots waits a moment when few slots are free: more will be, and one claim
// for many jobs costs little more than one for a few.
func (w *worker) gatherSlots(ctx context.Context) {
	if w.free() >= w.o.Concurrency/2 {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Millisecond):
	}
}

// fill claims as many jobs as there are free slots, and says how long to wait
// when nothing else happens.
func (w *worker) fill(ctx, life context.Context) time.Duration {
	if w.idle {
		if due, err := w.anyDue(ctx); err == nil && !due {
			return w.o.Poll
		}
		w.idle = false
	}
	for {
		free := w.free()
		if free <= 0 {
			return w.o.Poll
		}
		// On life, not on ctx: a claim that is cut off by the shutdown might have
		// been committed, and its jobs would wait for their lease to lapse.
		claiming, cancel := context.WithTimeout(life, claimWithin)
		var got claimed
		err := w.o.May(claiming)
		if err == nil {
			got, err = w.claim(claiming, w.o.Name, w.kinds, min(free, claimMost), w.o.Lease)
		}
		cancel()
		if err == nil || ctx.Err() == nil {
			w.tell("claim jobs", err)
		}
		if err != nil {
			return time.Second
		}
		for _, job := range got.jobs {
			w.start(life, job)
		}
		switch {
		case got.again && len(got.jobs) == 0: // another worker holds the limits' locks
			return 5*time.Millisecond + rand.N(15*time.Millisecond)
		case len(got.jobs) == 0 || ctx.Err() != nil:
			w.idle = true
			return w.o.Poll
		}
	}
}

// free says how many jobs may be claimed: a handler that is through makes room
// before its end is durable, but only so many ends may be under way.
func (w *worker) free() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	working := 0
	for _, t := range w.running {
		if !t.through {
			working++
		}
	}
	return min(w.o.Concurrency-working, w.o.Concurrency+claimMost-len(w.running))
}

func (w *worker) busy() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.running)
}

func (w *worker) tasks() []*task {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Values(w.running))
}

// release frees the slot of a task whose end is durable, or not ours to write.
func (w *worker) release(tasks ...*task) {
	w.mu.Lock()
	for _, t := range tasks {
		if w.running[t.lease.ID] == t {
			delete(w.running, t.lease.ID)
		}
	}
	w.mu.Unlock()
	w.freed.notify()
}

// drain empties the worker: half of the time for handlers to come to a good
// place by themselves, most of the rest for them to heed the interruption.
func (w *worker) drain(life context.Context) {
	last := 2 * time.Second // for giving back what is left
	if w.o.Drain <= 2*last {
		last = w.o.Drain / 4
	}
	if w.idleWithin(w.o.Drain / 2) {
		return
	}
	for _, t := range w.tasks() {
		t.cancel(ErrShutdown)
	}
	if w.idleWithin(w.o.Drain/2 - last) {
		return
	}
	ctx, cancel := context.WithTimeout(life, last)
	defer cancel()
	for _, t := range w.tasks() {
		if t.claimEnd() {
			w.o.Log.Warn("a job would not stop; it is given back", "kind", t.lease.Kind, "job", t.lease.ID)
			w.write(ctx, t, ending{to: Pending, why: ErrShutdown.Sentence, refund: true})
		}
	}
}

// idleWithin waits until no task is left, but not longer than the given time.
func (w *worker) idleWithin(most time.Duration) bool {
	freed, unlisten := w.freed.listen()
	defer unlisten()
	late := time.After(most)
	for w.busy() > 0 {
		select {
		case <-freed:
		case <-late:
			return w.busy() == 0
		}
	}
	return true
}
