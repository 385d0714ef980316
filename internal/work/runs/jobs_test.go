package runs_test

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
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// slicerFunc is a slicer of one function.
type slicerFunc func(ctx context.Context, run curlew.Run) (runs.Step, error)

func (f slicerFunc) Step(ctx context.Context, run curlew.Run) (runs.Step, error) { return f(ctx, run) }

// engine is a whole engine on a fresh database.
type engine struct {
	*testing.T
	*runs.Jobs
	store   *store.Store
	queue   *queue.Queue
	slicers map[curlew.RunKind]runs.Slicer
}

// each runs a test on both engines; the invariants must hold afterwards.
func each(t *testing.T, slicers map[curlew.RunKind]runs.Slicer, test func(h engine)) {
	t.Helper()
	t.Parallel()
	tables := []database.Migrations{queue.Migrations(), store.Migrations()}
	databasetest.Each(t, tables, func(t *testing.T, db *database.DB) {
		all := map[curlew.RunKind]runs.Slicer{curlew.RunDrill: runs.Drill{}}
		for kind, s := range slicers {
			all[kind] = s
		}
		s, q := store.New(db, curlew.SystemMinter()), queue.New(db, queue.Limits{})
		j := runs.New(s, q, runs.Options{Slicers: all, SliceLimit: 10 * time.Second, MaxAttempts: 3, Log: slog.New(slog.DiscardHandler)})
		test(engine{t, j, s, q, all})
		violations, err := j.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range violations {
			t.Errorf("%s: %s", v.Invariant, v.Sentence)
		}
	})
}

// work runs a worker until the returned function, or the end of the test.
func (h engine) work() (stop func()) {
	ctx, cancel := context.WithCancel(h.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.queue.Work(ctx, queue.WorkerOptions{Name: fmt.Sprintf("w%p", done), Handlers: h.Handlers(), Policy: runs.Policy(time.Millisecond, time.Millisecond),
			Poll: 20 * time.Millisecond, Heartbeat: 100 * time.Millisecond, Drain: 2 * time.Second, Timeout: 10 * time.Minute})
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	h.Cleanup(stop)
	return stop
}

func (h engine) start(n runs.NewRun) curlew.RunID {
	h.Helper()
	if n.Scope == "" {
		n.Scope = "test"
	}
	run, err := h.Start(h.Context(), curlew.DefaultOrg, n)
	if err != nil {
		h.Fatal(err)
	}
	return run.ID
}

func (h engine) run(id curlew.RunID) curlew.Run {
	h.Helper()
	run, err := h.store.Org(curlew.DefaultOrg).Runs().Get(h.Context(), id)
	if err != nil {
		h.Fatal(err)
	}
	return run
}

func (h engine) until(what string, holds func() bool) {
	h.Helper()
	eventually.True(h, what, holds)
}

func (h engine) eventually(id curlew.RunID, want curlew.RunState) curlew.Run {
	h.Helper()
	h.until(fmt.Sprintf("run is %s", want), func() bool { return h.run(id).State == want })
	return h.run(id)
}
