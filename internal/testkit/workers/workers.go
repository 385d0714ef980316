// Package workers runs jobs in tests: a store, a queue and a worker on one database, and with
// the sample web and servers of the test all that watches, heals, onboards and delivers.
package workers

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
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Engine is what runs jobs on a fresh database.
type Engine struct {
	*testing.T
	*runs.Jobs
	Store   *store.Store
	Queue   *queue.Queue
	Slicers map[curlew.RunKind]runs.Slicer
}

// Each runs a test on both engines; the invariants must hold afterwards.
func Each(t *testing.T, slicers map[curlew.RunKind]runs.Slicer, test func(h Engine)) {
	t.Helper()
	t.Parallel()
	tables := []database.Migrations{queue.Migrations(), store.Migrations()}
	databasetest.Each(t, tables, func(t *testing.T, db *database.DB) {
		all := map[curlew.RunKind]runs.Slicer{curlew.RunDrill: runs.Drill{}}
		for kind, s := range slicers {
			all[kind] = s
		}
		s, q := store.New(db, curlew.SystemMinter()), queue.New(db, queue.Limits{})
		j := runs.New(s, q, runs.Options{Slicers: all, SliceLimit: 10 * time.Second, MaxAttempts: 3, Log: slog.New(slog.DiscardHandler),
			Handlers: watch.Starter{Store: s, Queue: q, Attempts: 3}.Handlers()})
		e := Engine{t, j, s, q, all}
		test(e)
		violations, err := e.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range violations {
			t.Errorf("%s: %s", v.Invariant, v.Sentence)
		}
	})
}

// Work runs a worker until the returned function, or the end of the test.
func (h Engine) Work() (stop func()) {
	ctx, cancel := context.WithCancel(h.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.Queue.Work(ctx, queue.WorkerOptions{Name: fmt.Sprintf("w%p", done), Handlers: h.Handlers(),
			Policy: runs.Policy(time.Millisecond, time.Millisecond),
			Poll:   20 * time.Millisecond, Heartbeat: 100 * time.Millisecond, Drain: 2 * time.Second, Timeout: 10 * time.Minute})
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	h.Cleanup(stop)
	return stop
}

// RunOf is a run as it is now.
func (h Engine) RunOf(id curlew.RunID) curlew.Run {
	h.Helper()
	run, err := h.Store.Org(curlew.DefaultOrg).Runs().Get(h.Context(), id)
	if err != nil {
		h.Fatal(err)
	}
	return run
}

// Check looks for broken invariants, as fsck does.
func (h Engine) Check(ctx context.Context) ([]curlew.Violation, error) {
	found, err := h.Jobs.Check(ctx)
	if err != nil {
		return nil, err
	}
	histories, err := watch.CheckHistories(ctx, h.Store)
	return append(found, histories...), err
}
