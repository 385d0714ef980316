package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// worker is what `curlew worker` has, with its defaults: connections, slots, limits. Only the way to
// websites, the archive and the subscriber are in memory, and the clock is simulated.
type worker struct {
	day   *day
	store *store.Store
	queue *queue.Queue
	jobs  *runs.Jobs
}

func (d *day) newWorker(db *database.DB, ids *curlew.Minter) *worker {
	if ids == nil {
		ids = curlew.NewMinter(d.clock.now, rand.NewChaCha8([32]byte{byte(len(d.workers) + 1)}))
	}
	cfg := config.Default()
	w := &worker{day: d, store: store.New(db, ids)}
	w.queue = queue.New(db, queue.Limits{PerKey: cfg.Limits.PerHost, PerOrg: cfg.Limits.PerOrg,
		Kinds: map[string]int{runs.KindSlice: cfg.Limits.Slices}})
	out := &outbox.Outbox{Store: w.store, Queue: w.queue, Channels: map[curlew.Channel]deliver.Channel{curlew.ChannelWebhook: d.web},
		Policy: deliver.DefaultPolicy(), Random: rand.Float64, Now: d.clock.now, Log: d.log}
	fetcher := fetch.New(fetch.Options{Client: d.web, Hosts: w.store, Version: "scale", Contact: "mailto:bench@example.org",
		MaxWait: cfg.Fetch.MaxWait, Now: d.clock.now, Sleep: d.clock.sleep})
	reader := &pages.PageReader{Fetcher: fetcher, Archive: d.web}
	watching := watch.Checker{Store: w.store, Watching: &watch.Watching{Reader: reader, Past: d.web, Version: "scale"},
		Outbox: out, Now: d.clock.now, Wall: d.clock.now, Paces: &watch.Paces{},
		Defaults: watch.WatchDefaults{DetailsEvery: cfg.Watch.DetailsEvery, MaxPages: cfg.Watch.MaxPages,
			RemovalShare: float64(cfg.Watch.RemovalPercent) / 100, ConfirmAfter: cfg.Watch.ConfirmAfter, Failures: cfg.Watch.Failures}}
	handlers := watch.Starter{Store: w.store, Queue: w.queue, Attempts: cfg.Workers.MaxAttempts}.Handlers()
	maps.Copy(handlers, out.Handlers())
	w.jobs = runs.New(w.store, w.queue, runs.Options{Slicers: map[curlew.RunKind]runs.Slicer{curlew.RunWatch: noting{watching, d}},
		SliceLimit: cfg.Workers.SliceLimit, MaxAttempts: cfg.Workers.MaxAttempts, KeepJobs: cfg.Retention.Jobs, KeepRuns: cfg.Retention.RunLogs,
		Log: d.log, Handlers: handlers})
	return w
}

// lease outlasts what is skipped while a job sleeps: heartbeats come by the real clock.
const lease = 10 * time.Minute

// work works until ctx ends.
func (w *worker) work(ctx context.Context) {
	cfg := config.Default().Workers
	o := queue.WorkerOptions{Name: fmt.Sprintf("worker-%p", w), Handlers: map[string]queue.Handler{},
		Policy: runs.Policy(cfg.RetryBase, cfg.RetryCap), Periodic: w.jobs.Periodic(), Concurrency: cfg.Concurrency,
		Lease: lease, Heartbeat: cfg.Heartbeat, Drain: time.Second, Timeout: cfg.SliceLimit + 15*time.Second, Log: w.day.log}
	for kind, handle := range w.jobs.Handlers() {
		o.Handlers[kind] = func(ctx context.Context, l *queue.Lease) error {
			w.day.clock.begin()
			defer w.day.clock.end()
			return handle(ctx, l)
		}
	}
	others, senders := setup.Senders(o)
	ended := make(chan struct{})
	go func() { defer close(ended); w.queue.Work(ctx, senders) }()
	w.queue.Work(ctx, others)
	<-ended
}

// noting notes when a watch is due again.
type noting struct {
	watch.Checker
	day *day
}

// Step does the next piece of a run.
func (n noting) Step(ctx context.Context, run curlew.Run) (runs.Step, error) {
	step, err := n.Checker.Step(ctx, run)
	if err != nil || !step.Done {
		return step, err
	}
	effect := step.Effect
	step.Effect = func(ctx context.Context, w store.WriteScope) error {
		if err := effect(ctx, w); err != nil {
			return err
		}
		var address string
		var next database.Micros
		err := w.Tx.QueryRow(ctx, `SELECT /* noted */ url, next_run_at FROM watches WHERE org_id = ? AND id = ?`,
			run.Org, watch.PlanOf(run).Watch).Scan(&address, &next)
		if err == nil {
			n.day.ended(address, next.Time())
		}
		return err
	}
	return step, nil
}
