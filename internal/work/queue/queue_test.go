package queue

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

const acme curlew.OrgID = "acme"

// each runs a test on a fresh queue of each engine.
func each(t *testing.T, test func(t *testing.T, q *Queue)) {
	t.Helper()
	t.Parallel()
	databasetest.Each(t, []database.Migrations{Migrations()}, func(t *testing.T, db *database.DB) {
		test(t, New(db, Limits{}))
	})
}

// retryQuickly is a policy for tests: temporary faults at once, others never.
func retryQuickly(fault *curlew.Fault, _ int) (bool, time.Duration) {
	return fault.Kind == curlew.KindTemporary, time.Millisecond
}

// work runs a worker until the returned function is called; the test's end
// calls it too.
func work(t *testing.T, q *Queue, handlers map[string]Handler, change ...func(*WorkerOptions)) (stop func()) {
	t.Helper()
	o := WorkerOptions{Name: fmt.Sprintf("worker-%p", &handlers), Handlers: handlers, Policy: retryQuickly,
		Poll: 20 * time.Millisecond, Heartbeat: 100 * time.Millisecond, Drain: time.Second, Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); q.Work(ctx, o) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return stop
}

func insert(t *testing.T, q *Queue, jobs ...NewJob) []JobID {
	t.Helper()
	for i := range jobs {
		if jobs[i].Org == "" {
			jobs[i].Org = acme
		}
		if jobs[i].Kind == "" {
			jobs[i].Kind = "task"
		}
	}
	ids, err := q.InsertNow(t.Context(), jobs...)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func get(t *testing.T, q *Queue, id JobID) Job {
	t.Helper()
	job, err := q.Get(t.Context(), acme, id)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// waitFor waits for a job to reach a state.
func waitFor(t *testing.T, q *Queue, id JobID, want State) Job {
	t.Helper()
	var job Job
	eventually.True(t, fmt.Sprintf("job %d is %s", id, want), func() bool {
		job = get(t, q, id)
		return job.State == want
	})
	return job
}

// many is for tests with several workers: they need no quick heartbeats, and a
// slow machine would do little else.
func many(name int) func(*WorkerOptions) {
	return func(o *WorkerOptions) {
		o.Name, o.Heartbeat, o.Poll = fmt.Sprint("w", name), time.Second, 200*time.Millisecond
	}
}

// claimOne takes the next job by hand, as a worker of that name.
func claimOne(t *testing.T, q *Queue, name string, lease time.Duration) *Lease {
	t.Helper()
	got, err := q.claim(t.Context(), name, []string{"task"}, 1, lease)
	if err != nil || len(got.jobs) != 1 {
		t.Fatalf("claimed %d jobs, error %v", len(got.jobs), err)
	}
	return &Lease{Job: got.jobs[0], queue: q, who: name}
}

// path tells the moves of a job in one line.
func path(t *testing.T, q *Queue, id JobID) string {
	t.Helper()
	transitions, err := q.Transitions(t.Context(), acme, id)
	if err != nil {
		t.Fatal(err)
	}
	line := "pending"
	last := Pending
	for i, tr := range transitions {
		if tr.From != last || tr.Fence != int64(i+1) {
			t.Fatalf("move %d of job %d starts at %s with fence %d, but the job was %s", i+1, id, tr.From, tr.Fence, last)
		}
		last = tr.To
		line += " " + string(tr.To)
	}
	return line
}
