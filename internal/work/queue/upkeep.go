package queue

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// beat looks for stop requests with each heartbeat and renews the leases three
// times in their length.
func (w *worker) beat(life context.Context) {
	ticker := time.NewTicker(w.o.Heartbeat)
	defer ticker.Stop()
	renewed := time.Now()
	for {
		select {
		case <-life.Done():
			return
		case now := <-ticker.C:
			renew := now.Sub(renewed) >= w.o.Lease/3
			if w.beatOnce(life, renew) && renew {
				renewed = now
			}
		}
	}
}

// beatOnce reports whether the database answered. Without an answer, a task
// whose lease must have run out is told so: somebody else may hold it.
func (w *worker) beatOnce(life context.Context, renew bool) bool {
	began := time.Now()
	tasks := w.tasks()
	jobs := make([]Job, len(tasks))
	for i, t := range tasks {
		jobs[i] = t.lease.Job
	}
	ctx, cancel := context.WithTimeout(life, w.o.Lease/2)
	defer cancel()
	pulses, err := w.heartbeat(ctx, jobs, renew, w.o.Lease)
	if err != nil {
		w.dropLapsed(tasks, began)
		return false
	}
	alive := make(map[JobID]pulse, len(pulses))
	for _, p := range pulses {
		alive[p.id] = p
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range tasks {
		p, ok := alive[t.lease.ID]
		switch {
		case !ok && !t.ended.Load() && !t.lease.completing.Load():
			t.cancel(ErrLeaseLost)
		case p.stopBy != "":
			t.cancel(fmt.Errorf("stop requested by %s: %w", p.stopBy, ErrStopped))
		}
		if ok && renew {
			t.renewed = began
		}
	}
	return true
}

func (w *worker) dropLapsed(tasks []*task, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range tasks {
		if now.Sub(t.renewed) > w.o.Lease {
			t.cancel(ErrLeaseLost)
		}
	}
}

// maintain takes back the jobs of dead workers and turns ticks into jobs, about
// once a second. Every worker does; the database sees to it that it happens once.
func (w *worker) maintain(life context.Context) {
	for {
		select {
		case <-life.Done():
			return
		case <-time.After(800*time.Millisecond + rand.N(400*time.Millisecond)):
		}
		n, err := w.Rescue(life, w.o.Name, w.o.Policy, w.held()...)
		if life.Err() != nil {
			return
		}
		if w.tell("search for lapsed leases", err); n > 0 {
			w.o.Log.Info("took back the jobs of a worker that went away", "jobs", n)
		}
		select {
		case <-w.draining:
			continue
		default:
		}
		if _, err := w.Tick(life, w.o.Periodic); life.Err() == nil {
			w.tell("schedule periodic jobs", err)
		}
	}
}

func (w *worker) held() []JobID {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.running))
}

const woken = "be woken by the database, and polls"

// listen turns Postgres notifications into those of the notifier. Without them, on
// SQLite and behind some poolers, polling finds what other processes insert.
func (w *worker) listen(life context.Context) {
	for life.Err() == nil && w.db.Listens() {
		err := w.db.Listen(life, channel, func() {
			w.tell(woken, nil)
			w.notifier.notify()
		}, func(string) { w.notifier.notify() })
		if life.Err() == nil {
			w.tell(woken, err)
		}
		select {
		case <-life.Done():
		case <-time.After(time.Second):
		}
	}
}
