package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/jackc/pgx/v5"
)

const org curlew.OrgID = "bench"

// curlewQueue is Curlew's queue, as it is, with its defaults.
type curlewQueue struct {
	db      *database.DB
	queue   *queue.Queue
	address string
}

func openCurlew(ctx context.Context, address string) (*curlewQueue, error) {
	return openLimited(ctx, address, queue.Limits{})
}

func openLimited(ctx context.Context, address string, limits queue.Limits) (*curlewQueue, error) {
	db, err := database.Open(ctx, database.Options{URL: address, MaxConns: connections})
	if err != nil {
		return nil, err
	}
	if _, err := db.Migrate(ctx, queue.Migrations()); err != nil {
		db.Close()
		return nil, err
	}
	return &curlewQueue{db: db, queue: queue.New(db, limits), address: address}, nil
}

// Close closes the database.
func (c *curlewQueue) Close() { _ = c.db.Close() }

// Insert adds no-op jobs.
func (c *curlewQueue) Insert(ctx context.Context, jobs, batch int) error {
	for done := 0; done < jobs; done += batch {
		some := make([]queue.NewJob, min(batch, jobs-done))
		for i := range some {
			some[i] = queue.NewJob{Org: org, Kind: noop{}.Kind(), Args: noop{done + i}}
		}
		if _, err := c.queue.InsertNow(ctx, some...); err != nil {
			return err
		}
	}
	return nil
}

// Tidy empties the tables, if asked to, and brings statistics up to date.
func (c *curlewQueue) Tidy(ctx context.Context, empty bool) error {
	if c.db.Engine() == database.Postgres {
		return tidyPostgres(ctx, c.address, empty, "jobs", "job_transitions")
	}
	return c.db.Write(ctx, func(tx *database.Tx) error {
		statements := []string{`DELETE FROM job_transitions`, `DELETE FROM jobs`, `ANALYZE`}
		if !empty {
			statements = statements[2:]
		}
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// tidyPostgres does the same for both systems. The checkpoint keeps one
// contender's writes from being flushed during the other's turn.
func tidyPostgres(ctx context.Context, address string, empty bool, tables ...string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	list := strings.Join(tables, ", ")
	statements := []string{"TRUNCATE " + list, "VACUUM ANALYZE " + list, "CHECKPOINT"}
	if !empty {
		statements = statements[1:]
	}
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// Finished counts jobs that ended well.
func (c *curlewQueue) Finished(ctx context.Context) (n int, err error) {
	err = c.db.QueryRow(ctx, `SELECT count(*) FROM jobs WHERE state = 'succeeded'`).Scan(&n)
	return n, err
}

// Work runs a worker with its defaults: a lease of 8 s, a heartbeat of 0.5 s.
func (c *curlewQueue) Work(ctx context.Context, o workOptions) error {
	c.queue.Work(ctx, queue.WorkerOptions{
		Name:        o.name,
		Concurrency: o.atOnce,
		Timeout:     time.Hour,
		Handlers: map[string]queue.Handler{
			noop{}.Kind(): func(context.Context, *queue.Lease) error { o.do(); return nil },
		},
		Policy:  func(*curlew.Fault, int) (bool, time.Duration) { return true, 0 },
		Observe: func(queue.Observation) { o.ended(1) },
	})
	return nil
}
