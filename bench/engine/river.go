package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// riverQueue is River on its fastest driver, tuned as well as its configuration
// allows.
type riverQueue struct {
	pool    *pgxpool.Pool
	insert  *river.Client[pgx.Tx]
	address string
}

func openRiver(ctx context.Context, address string) (*riverQueue, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	insert, err := migrateRiver(ctx, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &riverQueue{pool: pool, insert: insert, address: address}, nil
}

func migrateRiver(ctx context.Context, pool *pgxpool.Pool) (*river.Client[pgx.Tx], error) {
	driver := riverpgxv5.New(pool)
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	return river.NewClient(driver, &river.Config{Logger: slog.New(slog.DiscardHandler)})
}

// Close closes the pool.
func (r *riverQueue) Close() { r.pool.Close() }

// Insert adds no-op jobs with the fastest call there is (COPY).
func (r *riverQueue) Insert(ctx context.Context, jobs, batch int) error {
	for done := 0; done < jobs; done += batch {
		if batch == 1 {
			if _, err := r.insert.Insert(ctx, noop{done}, nil); err != nil {
				return err
			}
			continue
		}
		some := make([]river.InsertManyParams, min(batch, jobs-done))
		for i := range some {
			some[i].Args = noop{done + i}
		}
		if _, err := r.insert.InsertManyFast(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// Tidy empties the table, if asked to, and brings statistics up to date.
func (r *riverQueue) Tidy(ctx context.Context, empty bool) error {
	return tidyPostgres(ctx, r.address, empty, "river_job")
}

// Finished counts jobs that ended well.
func (r *riverQueue) Finished(ctx context.Context) (n int, err error) {
	err = r.pool.QueryRow(ctx, `SELECT count(*) FROM river_job WHERE state = 'completed'`).Scan(&n)
	return n, err
}

type riverWorker struct {
	river.WorkerDefaults[noop]
	do func()
}

// Work does a job.
func (w *riverWorker) Work(context.Context, *river.Job[noop]) error {
	w.do()
	return nil
}

// atOnce is the retry policy that suits River best after a crash.
type atOnce struct{}

// NextRetry lets a job run again at once.
func (atOnce) NextRetry(*rivertype.JobRow) time.Time { return time.Now() }

// Work runs a client. Fetches follow one another as closely as River allows; its
// batching of completions is on by default. The end of a job is counted when
// River reports it as durable, as River's own benchmark does.
func (r *riverQueue) Work(ctx context.Context, o workOptions) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, &riverWorker{do: o.do})
	config := &river.Config{
		ID:                o.name,
		FetchCooldown:     river.FetchCooldownMin,
		FetchPollInterval: 20 * time.Millisecond, // as in River's own benchmark
		Logger:            slog.New(slog.DiscardHandler),
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: o.atOnce}},
		RetryPolicy:       atOnce{},
		Workers:           workers,
	}
	if o.rescue {
		config.JobTimeout, config.RescueStuckJobsAfter = time.Second, time.Second
	}
	client, err := river.NewClient(riverpgxv5.New(r.pool), config)
	if err != nil {
		return err
	}
	events, unsubscribe := client.SubscribeConfig(&river.SubscribeConfig{
		ChanSize: 100_000, Kinds: []river.EventKind{river.EventKindJobCompleted},
	})
	defer unsubscribe()
	if err := client.Start(ctx); err != nil {
		return err
	}
	for {
		select {
		case <-events:
			o.ended(1)
		case <-ctx.Done():
			stop, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			return errors.Join(client.StopAndCancel(stop))
		}
	}
}
