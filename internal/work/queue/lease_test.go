package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

func TestAKilledWorkersJobRunsAgain(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{})[0]
		claimOne(t, q, "killed", 50*time.Millisecond) // and never heard of again
		work(t, q, map[string]Handler{"task": succeedAtOnce})
		waitFor(t, q, id, Succeeded)
		if got := path(t, q, id); got != "pending running pending running succeeded" {
			t.Errorf("moves: %s", got)
		}
		if job := get(t, q, id); job.Crashes != 1 {
			t.Errorf("crashes: %d", job.Crashes)
		}
	})
}

func TestAStopRequestSurvivesTheWorker(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{})[0]
		claimOne(t, q, "killed", 50*time.Millisecond)
		if err := q.Stop(t.Context(), acme, id, "ada", ""); err != nil {
			t.Fatal(err)
		}
		work(t, q, map[string]Handler{"task": succeedAtOnce})
		waitFor(t, q, id, Cancelled)
	})
}

func TestAZombieCannotWrite(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{})[0]
		zombie := claimOne(t, q, "zombie", time.Millisecond)
		eventually.True(t, "the lease lapses", func() bool { n, _ := q.Rescue(t.Context(), "rescuer", retryQuickly); return n == 1 })
		heir := claimOne(t, q, "heir", time.Minute)
		wrote := func(*database.Tx) error { t.Error("the zombie got to write"); return nil }
		if err := zombie.Commit(t.Context(), wrote); !errors.Is(err, ErrLeaseLost) {
			t.Errorf("commit: %v", err)
		}
		if err := zombie.Complete(t.Context(), wrote); !errors.Is(err, ErrLeaseLost) {
			t.Errorf("complete: %v", err)
		}
		err := q.db.Write(t.Context(), func(tx *database.Tx) error {
			ids, err := succeed(t.Context(), tx, []Job{zombie.Job}, "zombie")
			if len(ids) > 0 {
				t.Error("the zombie recorded a success")
			}
			return errors.Join(err, finish(t.Context(), tx, zombie.Job, "zombie", ending{to: Failed}))
		})
		if !errors.Is(err, ErrLeaseLost) {
			t.Errorf("finish: %v", err)
		}
		if err := heir.Complete(t.Context(), func(*database.Tx) error { return nil }); err != nil {
			t.Errorf("the heir: %v", err)
		}
		if got := path(t, q, id); got != "pending running pending running succeeded" {
			t.Errorf("moves: %s", got)
		}
	})
}

func TestALapsedLeaseThatNobodyTookCannotWriteEither(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		insert(t, q, NewJob{})
		late := claimOne(t, q, "late", time.Millisecond)
		eventually.True(t, "the lease lapses", func() bool { lapsed, _ := q.anyLapsed(t.Context(), "[]"); return lapsed })
		err := late.Commit(t.Context(), func(*database.Tx) error { return nil })
		if !errors.Is(err, ErrLeaseLost) {
			t.Errorf("commit: %v", err)
		}
	})
}

func TestHeartbeatsKeepALongJob(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{})[0]
		handler, release := held(id)
		work(t, q, map[string]Handler{"task": handler}, func(o *WorkerOptions) { o.Lease = 3 * time.Second })
		until := *waitFor(t, q, id, Running).LeaseUntil
		for range 2 {
			eventually.True(t, "the lease is renewed", func() bool { return get(t, q, id).LeaseUntil.After(until) })
			until = *get(t, q, id).LeaseUntil
		}
		release()
		if job := waitFor(t, q, id, Succeeded); job.Attempt != 1 || job.Crashes != 0 {
			t.Errorf("it took %d attempts and %d crashes", job.Attempt, job.Crashes)
		}
	})
}

// held handles one job until it is released, and others at once.
func held(id JobID) (handler Handler, release func()) {
	end := make(chan struct{})
	return func(ctx context.Context, l *Lease) error {
		if l.ID != id {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-end:
			return nil
		}
	}, func() { close(end) }
}

// Here the worker that lost the job gets it back itself, which must not hide the
// loss from the first handler.
func TestALostLeaseEndsTheHandlersContext(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{})[0]
		causes := make(chan error, 1)
		var calls atomic.Int64
		work(t, q, map[string]Handler{"task": func(ctx context.Context, _ *Lease) error {
			if calls.Add(1) > 1 {
				return nil
			}
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return ctx.Err()
		}})
		waitFor(t, q, id, Running)
		err := q.db.Write(t.Context(), func(tx *database.Tx) error { // as a rescuer would, had we been frozen
			job, err := lockJob(t.Context(), tx, acme, id)
			if err != nil {
				return err
			}
			return finish(t.Context(), tx, job, "rescuer", ending{to: Pending})
		})
		if err != nil {
			t.Fatal(err)
		}
		if cause := <-causes; !errors.Is(cause, ErrLeaseLost) {
			t.Errorf("cause: %v", cause)
		}
		waitFor(t, q, id, Succeeded)
	})
}

func TestEffectAndEndAreOne(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		insert(t, q, NewJob{})
		lease := claimOne(t, q, "w", time.Minute)
		boom := errors.New("boom")
		err := lease.Complete(t.Context(), func(tx *database.Tx) error {
			if _, err := q.Insert(t.Context(), tx, NewJob{Org: acme, Kind: "next"}); err != nil {
				return err
			}
			return boom
		})
		if !errors.Is(err, boom) || get(t, q, lease.ID).State != Running {
			t.Errorf("error %v, job %s", err, get(t, q, lease.ID).State)
		}
		err = lease.Complete(t.Context(), func(tx *database.Tx) error {
			_, err := q.Insert(t.Context(), tx, NewJob{Org: acme, Kind: "next"})
			return err
		})
		if depth, _ := q.Depth(t.Context()); err != nil || depth.Waiting != 1 || get(t, q, lease.ID).State != Succeeded {
			t.Errorf("error %v, %d waiting, job %s", err, depth.Waiting, get(t, q, lease.ID).State)
		}
	})
}

func TestTwoWorkersNeverRunOneJobAtOnce(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		const jobs, workers = 600, 8
		var batch []NewJob
		for range jobs {
			batch = append(batch, NewJob{})
		}
		insert(t, q, batch...)
		var mu sync.Mutex
		runs := map[JobID]int{}
		handler := func(_ context.Context, l *Lease) error {
			mu.Lock()
			defer mu.Unlock()
			runs[l.ID]++
			return nil
		}
		for i := range workers {
			work(t, q, map[string]Handler{"task": handler}, many(i))
		}
		eventually.True(t, "all jobs are done", func() bool { d, _ := q.Depth(t.Context()); return d.Waiting+d.Running == 0 })
		mu.Lock()
		defer mu.Unlock()
		for id, n := range runs {
			if n != 1 {
				t.Errorf("job %d ran %d times", id, n)
			}
		}
		if len(runs) != jobs {
			t.Errorf("%d of %d jobs ran", len(runs), jobs)
		}
	})
}

func TestATickIsOneJobWhateverTheNumberOfSchedulers(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		const schedulers, ticks = 4, 20
		step := 10 * time.Millisecond
		periodic := []Periodic{{Name: "tidy", Job: NewJob{Org: acme, Kind: "tidy"}, Next: Every(step)}}
		var group sync.WaitGroup
		var inserted atomic.Int64
		for range schedulers {
			group.Go(func() {
				for inserted.Load() < ticks {
					n, err := q.Tick(t.Context(), periodic)
					if err != nil {
						t.Error(err)
						return
					}
					inserted.Add(int64(n))
				}
			})
		}
		group.Wait()
		schedules, err := q.Schedules(t.Context(), acme)
		depth, _ := q.Depth(t.Context())
		if err != nil || len(schedules) != 1 || schedules[0].Ticks != depth.Waiting || depth.Waiting != inserted.Load() {
			t.Errorf("%d jobs for ticks %+v, error %v", depth.Waiting, schedules, err)
		}
	})
}

func TestAMissedTickIsMadeUpForOnce(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		periodic := []Periodic{{Name: "tidy", Job: NewJob{Org: acme, Kind: "tidy"}, Next: Every(time.Hour)}}
		if n, err := q.Tick(t.Context(), periodic); n != 0 || err != nil {
			t.Fatalf("registered with %d jobs, error %v", n, err)
		}
		err := q.db.Write(t.Context(), func(tx *database.Tx) error { // nobody was there for three days
			_, err := tx.Exec(t.Context(), `UPDATE job_schedules SET next_at = next_at - ?`, (72 * time.Hour).Microseconds())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{1, 0} {
			t.Run(fmt.Sprint(want), func(t *testing.T) {
				if n, err := q.Tick(t.Context(), periodic); n != want || err != nil {
					t.Errorf("look %d: %d jobs, error %v", i+1, n, err)
				}
			})
		}
	})
}

func TestAWorkerOutlastsADatabaseThatIsAway(t *testing.T) {
	var log bytes.Buffer
	w := &worker{o: WorkerOptions{Log: slog.New(slog.NewTextHandler(&log, nil))}.withDefaults()}
	tries := 0
	err := w.persist(t.Context(), func() error {
		if tries++; tries < 3 {
			return curlew.Temporary("database_unavailable", "away")
		}
		return nil
	})
	if err != nil || tries != 3 {
		t.Errorf("%d tries, error %v", tries, err)
	}
	if strings.Count(log.String(), "cannot record the end of jobs") != 1 || strings.Count(log.String(), "can record the end of jobs again") != 1 {
		t.Errorf("an outage is logged when it begins and when it ends, and not in between: %s", &log)
	}
}

func TestAWorkerDoesNotRescueFromItself(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		orphan := insert(t, q, NewJob{})[0]
		claimOne(t, q, "killed", time.Hour)
		id := insert(t, q, NewJob{})[0]
		handler, release := held(id)
		work(t, q, map[string]Handler{"task": handler}, func(o *WorkerOptions) { o.Lease = time.Hour }) // so that it does not renew meanwhile
		waitFor(t, q, id, Running)
		err := q.db.Write(t.Context(), func(tx *database.Tx) error { // as if the disk had stood still for long
			_, err := tx.Exec(t.Context(), `UPDATE jobs SET lease_until = 1`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, q, orphan, Succeeded) // so lapsed leases were looked for
		if job := get(t, q, id); job.State != Running {
			t.Errorf("the job is %s although its worker lives", job.State)
		}
		release()
		if job := waitFor(t, q, id, Succeeded); job.Crashes != 0 || job.Attempt != 1 {
			t.Errorf("%d crashes, %d attempts", job.Crashes, job.Attempt)
		}
	})
}
