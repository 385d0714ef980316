package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

func succeedAtOnce(context.Context, *Lease) error { return nil }

func TestAJobExistsExactlyWhenItsTransactionCommits(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		var id JobID
		boom := errors.New("boom")
		err := q.db.Write(t.Context(), func(tx *database.Tx) error {
			ids, err := q.Insert(t.Context(), tx, NewJob{Org: acme, Kind: "task"})
			if err != nil {
				return err
			}
			id = ids[0]
			return boom
		})
		if !errors.Is(err, boom) {
			t.Fatal(err)
		}
		if _, err := q.Get(t.Context(), acme, id); err == nil {
			t.Error("the job of a rolled-back transaction exists")
		}
	})
}

func TestAJobRunsOnceAndItsMovesAreRecorded(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{Args: map[string]int{"n": 7}, Subject: "run_1"})[0]
		work(t, q, map[string]Handler{"task": func(_ context.Context, l *Lease) error {
			if string(l.Args) != `{"n":7}` {
				t.Errorf("arguments arrived as %s", l.Args)
			}
			return nil
		}})
		job := waitFor(t, q, id, Succeeded)
		if got := path(t, q, id); got != "pending running succeeded" {
			t.Errorf("moves: %s", got)
		}
		if job.Attempt != 1 || job.FinishedAt == nil || job.Worker != "" || job.LeaseUntil != nil {
			t.Errorf("a finished job keeps no lease: %+v", job)
		}
		attempts, err := q.Attempts(t.Context(), acme, id)
		if err != nil || len(attempts) != 1 || attempts[0].Outcome != Succeeded || attempts[0].Worker == "" {
			t.Errorf("attempts %+v, error %v", attempts, err)
		}
		about, err := q.BySubject(t.Context(), acme, "run_1", 10)
		if err != nil || len(about) != 1 {
			t.Errorf("jobs about run_1: %d, error %v", len(about), err)
		}
	})
}

func TestTheFaultDecidesWhatBecomesOfAJob(t *testing.T) {
	cases := map[string]struct {
		err  error
		path string
		code curlew.Code
	}{
		"temporary until the attempts are used up": {curlew.Temporary("slow_site", "slow"),
			"pending running pending running exhausted", "slow_site"},
		"permanent at once":  {curlew.Permanent("gone", "gone"), "pending running failed", "gone"},
		"refused at once":    {curlew.Refused("robots", "robots.txt forbids it"), "pending running failed", "robots"},
		"unexpected retried": {errors.New("odd"), "pending running pending running exhausted", "unexpected"},
	}
	each(t, func(t *testing.T, q *Queue) {
		handlers := map[string]Handler{}
		ids := map[string]JobID{}
		for name, c := range cases {
			handlers[name] = func(context.Context, *Lease) error { return c.err }
			ids[name] = insert(t, q, NewJob{Kind: name, MaxAttempts: 2})[0]
		}
		work(t, q, handlers)
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				eventually.True(t, name, func() bool { return get(t, q, ids[name]).State.Finished() })
				if got := path(t, q, ids[name]); got != c.path {
					t.Errorf("%s, want %s", got, c.path)
				}
				if job := get(t, q, ids[name]); !errors.Is(job.Fault, c.code) {
					t.Errorf("fault %+v", job.Fault)
				}
			})
		}
	})
}

func TestAPoisonJobIsQuarantinedAfterThreeCrashes(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{MaxAttempts: 10})[0]
		neighbour := insert(t, q, NewJob{Kind: "good"})[0]
		stop := work(t, q, map[string]Handler{
			"task": func(context.Context, *Lease) error { panic("poison") },
			"good": succeedAtOnce,
		})
		waitFor(t, q, neighbour, Succeeded)
		job := waitFor(t, q, id, Failed)
		stop() // so that nobody takes the job up again
		if !job.Quarantined || job.Crashes != CrashLimit || !errors.Is(job.Fault, curlew.Code("panic")) {
			t.Errorf("quarantined %v, crashes %d, fault %+v", job.Quarantined, job.Crashes, job.Fault)
		}
		if err := q.Retry(t.Context(), acme, id, "ada", "fixed"); err != nil {
			t.Fatal(err)
		}
		if job := get(t, q, id); job.Quarantined || job.Crashes > 0 || job.State != Pending {
			t.Errorf("a retry by hand leaves quarantine: %+v", job)
		}
	})
}

func TestAHandlerThatIgnoresItsTimeIsGivenUp(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{MaxAttempts: 1})[0]
		release := make(chan struct{})
		t.Cleanup(func() { close(release) })
		work(t, q, map[string]Handler{"task": func(context.Context, *Lease) error { <-release; return nil }},
			func(o *WorkerOptions) {
				o.Timeout, o.Grace, o.Concurrency = 20*time.Millisecond, 20*time.Millisecond, 1
			})
		if job := waitFor(t, q, id, Exhausted); !errors.Is(job.Fault, curlew.Code("stuck")) {
			t.Errorf("fault %+v", job.Fault)
		}
		other := insert(t, q, NewJob{Kind: "task", UniqueKey: "other"})[0]
		eventually.True(t, "the slot is free for another job", func() bool { return get(t, q, other).State != Pending })
	})
}

func TestATimeOutIsATemporaryFault(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{MaxAttempts: 1})[0]
		work(t, q, map[string]Handler{"task": func(ctx context.Context, _ *Lease) error { <-ctx.Done(); return ctx.Err() }},
			func(o *WorkerOptions) { o.Timeout = 10 * time.Millisecond })
		if job := waitFor(t, q, id, Exhausted); !errors.Is(job.Fault, curlew.Code("timeout")) || job.Crashes != 0 {
			t.Errorf("fault %+v, crashes %d", job.Fault, job.Crashes)
		}
	})
}

func TestStoppingReachesAWaitingAndARunningJob(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		waiting := insert(t, q, NewJob{After: time.Hour})[0]
		running := insert(t, q, NewJob{})[0]
		work(t, q, map[string]Handler{"task": func(ctx context.Context, _ *Lease) error { <-ctx.Done(); return ctx.Err() }})
		waitFor(t, q, running, Running)
		for _, id := range []JobID{waiting, running} {
			if err := q.Stop(t.Context(), acme, id, "ada", "not needed"); err != nil {
				t.Fatal(err)
			}
		}
		waitFor(t, q, waiting, Cancelled)
		waitFor(t, q, running, Cancelled)
		if every := (WorkerOptions{}).withDefaults().Heartbeat; every > time.Second {
			t.Errorf("stop requests are looked for every %v; one second is promised", every)
		}
		transitions, _ := q.Transitions(t.Context(), acme, running)
		if last := transitions[len(transitions)-1]; !strings.Contains(last.Why, "ada") {
			t.Errorf("the record does not say who: %+v", last)
		}
	})
}

func TestShuttingDownCostsNoAttempt(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		polite, stubborn, deaf := NewJob{Kind: "polite"}, NewJob{Kind: "stubborn"}, NewJob{Kind: "deaf"}
		ids := insert(t, q, polite, stubborn, deaf)
		release := make(chan struct{})
		t.Cleanup(func() { close(release) })
		stop := work(t, q, map[string]Handler{
			"polite":   func(_ context.Context, l *Lease) error { <-l.Draining(); return nil },
			"stubborn": func(ctx context.Context, _ *Lease) error { <-ctx.Done(); return ctx.Err() },
			"deaf":     func(context.Context, *Lease) error { <-release; return nil },
		})
		for _, id := range ids {
			waitFor(t, q, id, Running)
		}
		stop() // although one of them never ends
		if job := get(t, q, ids[0]); job.State != Succeeded {
			t.Errorf("the polite job is %s", job.State)
		}
		for _, id := range ids[1:] {
			if job := get(t, q, id); job.State != Pending || job.Attempt != 0 || job.Crashes != 0 {
				t.Errorf("%s: %s after %d attempts and %d crashes", job.Kind, job.State, job.Attempt, job.Crashes)
			}
		}
	})
}

func TestRetryByHandNeedsAFinishedJob(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{UniqueKey: "one"})[0]
		if err := q.Retry(t.Context(), acme, id, "ada", ""); err == nil {
			t.Error("a pending job was retried")
		}
		if err := q.Stop(t.Context(), acme, id, "ada", ""); err != nil {
			t.Fatal(err)
		}
		insert(t, q, NewJob{UniqueKey: "one"})
		err := q.Retry(t.Context(), acme, id, "ada", "")
		if !errors.Is(err, curlew.Code("already_queued")) {
			t.Errorf("retry beside a job of the same key: %v", err)
		}
	})
}

func TestJobsOfOneOrgThatSucceededAreForgottenEarlier(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		ids := insert(t, q, NewJob{}, NewJob{After: time.Hour})
		others, err := q.InsertNow(t.Context(), NewJob{Org: "other", Kind: "task", Args: "x"})
		if err != nil {
			t.Fatal(err)
		}
		stop := work(t, q, map[string]Handler{"task": succeedAtOnce})
		waitFor(t, q, ids[0], Succeeded)
		eventually.True(t, "the job of the other org succeeded", func() bool {
			job, err := q.Get(t.Context(), "other", others[0])
			return err == nil && job.State == Succeeded
		})
		stop()
		for i, c := range []struct {
			age  time.Duration
			want int64
		}{{time.Hour, 0}, {0, 1}, {0, 0}} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if n, err := q.PruneSucceeded(t.Context(), acme, c.age, 10); n != c.want || err != nil {
					t.Errorf("older than %s: forgot %d jobs, want %d, error %v", c.age, n, c.want, err)
				}
			})
		}
		if _, err := q.Get(t.Context(), "other", others[0]); err != nil {
			t.Errorf("the job of the other org: %v", err)
		}
	})
}

func TestPruneForgetsOnlyFinishedJobs(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		ids := insert(t, q, NewJob{}, NewJob{After: time.Hour})
		stop := work(t, q, map[string]Handler{"task": succeedAtOnce})
		waitFor(t, q, ids[0], Succeeded)
		stop()
		if n, err := q.Prune(t.Context(), time.Hour, 10); n != 0 || err != nil {
			t.Errorf("pruned %d young jobs, error %v", n, err)
		}
		if n, err := q.Prune(t.Context(), 0, 10); n != 1 || err != nil {
			t.Errorf("pruned %d jobs, error %v", n, err)
		}
		if _, err := q.Get(t.Context(), acme, ids[0]); !errors.Is(err, curlew.ErrNotFound) {
			t.Errorf("the pruned job: %v", err)
		}
		get(t, q, ids[1])
	})
}

func TestAJobOfAnotherOrgIsNotThere(t *testing.T) {
	each(t, func(t *testing.T, q *Queue) {
		id := insert(t, q, NewJob{})[0]
		_, err := q.Get(t.Context(), "other", id)
		stopErr := q.Stop(t.Context(), "other", id, "eve", "")
		for i, err := range []error{err, stopErr, q.Retry(t.Context(), "other", id, "eve", "")} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if !errors.Is(err, curlew.ErrNotFound) {
					t.Errorf("another org sees the job: %v", err)
				}
			})
		}
	})
}
