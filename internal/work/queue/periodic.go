package queue

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Periodic is a job that comes again and again; its subject names the tick. A tick that was missed while
// nobody was there is made up for once, not once per missed tick.
type Periodic struct {
	Name string
	Job  NewJob
	Next func(after time.Time) time.Time // the tick that follows a moment
}

// Every gives the ticks at whole multiples of a duration since 1970, so that all
// schedulers agree on them.
func Every(d time.Duration) func(time.Time) time.Time {
	return func(after time.Time) time.Time { return after.UTC().Truncate(d).Add(d) }
}

// Tick inserts the jobs whose time has come and returns how many. Any number of
// schedulers may call it: the schedule's row is locked while its tick is turned
// into a job, and both commit together.
func (q *Queue) Tick(ctx context.Context, periodic []Periodic) (int, error) {
	total := 0
	for _, p := range periodic {
		is, err := q.isDue(ctx, p)
		if err != nil {
			return total, err
		}
		if !is {
			continue
		}
		ticked, err := q.tickOne(ctx, p)
		if err != nil {
			return total, err
		}
		total += ticked
	}
	return total, nil
}

// isDue spares the writer when there is nothing to do.
func (q *Queue) isDue(ctx context.Context, p Periodic) (bool, error) {
	var due bool
	err := q.db.QueryRow(ctx, `SELECT next_at <= {now} FROM job_schedules WHERE org_id = ? AND name = ?`,
		p.Job.Org, p.Name).Scan(&due)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return due, q.db.Explain(err)
}

func (q *Queue) tickOne(ctx context.Context, p Periodic) (ticked int, err error) {
	err = q.db.Write(ctx, func(tx *database.Tx) error {
		ticked = 0
		var now, next database.Micros
		err := tx.QueryRow(ctx, `SELECT {now}`).Scan(&now)
		if err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `SELECT next_at FROM job_schedules WHERE org_id = ? AND name = ? {skip_locked}`,
			p.Job.Org, p.Name).Scan(&next)
		if errors.Is(err, sql.ErrNoRows) {
			return register(ctx, tx, p, now.Time())
		}
		if err != nil || next > now {
			return err
		}
		job := p.Job
		job.Subject = p.Name + "@" + next.Time().Format(time.RFC3339Nano)
		if _, err := q.Insert(ctx, tx, job); err != nil {
			return err
		}
		ticked = 1
		_, err = tx.Exec(ctx, `UPDATE job_schedules SET last_at = next_at, next_at = ?, ticks = ticks + 1
			WHERE org_id = ? AND name = ?`, database.At(p.Next(now.Time())), p.Job.Org, p.Name)
		return err
	})
	return ticked, err
}

// register makes the schedule's row; if another scheduler holds or just made
// it, nothing happens.
func register(ctx context.Context, tx *database.Tx, p Periodic, now time.Time) error {
	_, err := tx.Exec(ctx, `INSERT INTO job_schedules (org_id, name, next_at) VALUES (?, ?, ?)
		ON CONFLICT (org_id, name) DO NOTHING`, p.Job.Org, p.Name, database.At(p.Next(now)))
	return err
}

// Schedule is how a periodic job stands.
type Schedule struct {
	Name   string     `json:"name"`
	NextAt time.Time  `json:"next_at"`
	LastAt *time.Time `json:"last_at"`
	Ticks  int64      `json:"ticks"`
}

// Schedules lists an org's periodic jobs.
func (q *Queue) Schedules(ctx context.Context, org curlew.OrgID) ([]Schedule, error) {
	rows, err := q.db.Query(ctx, `SELECT name, next_at, last_at, ticks FROM job_schedules WHERE org_id = ? ORDER BY name`, org)
	return database.Collect(rows, err, func(r *sql.Rows) (s Schedule, err error) {
		var next, last database.Micros
		err = r.Scan(&s.Name, &next, &last, &s.Ticks)
		s.NextAt, s.LastAt = next.Time(), last.TimeOrNil()
		return s, err
	})
}
