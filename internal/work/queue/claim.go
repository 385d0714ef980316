package queue

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

type candidate struct {
	id JobID
	trait
}

type traitCount struct {
	trait
	n int
}

// claimed is the outcome of one look at the queue.
type claimed struct {
	jobs  []Job
	again bool // limits hid jobs that a second look may find
}

// priorities in the order of claiming. Each is requested by itself, so that the
// index finds what is due without passing over what is scheduled for later.
var priorities = []curlew.Priority{curlew.PriorityHigh, curlew.PriorityNormal, curlew.PriorityLow}

// anyDue spares the writer when there is nothing to do.
func (q *Queue) anyDue(ctx context.Context) (bool, error) {
	var any bool
	err := q.db.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM jobs
		WHERE state = 'pending' AND priority IN (1, 2, 3) AND run_at <= {now}`+notPaused+`)`).Scan(&any)
	return any, err
}

// claim takes up to want due jobs of the given kinds for a worker.
func (q *Queue) claim(ctx context.Context, worker string, kinds []string, want int, lease time.Duration) (claimed, error) {
	var got claimed
	err := q.db.Write(ctx, func(tx *database.Tx) error {
		got = claimed{}
		candidates, err := q.candidates(ctx, tx, kinds, want)
		if err != nil || len(candidates) == 0 {
			return err
		}
		chosen, err := q.choose(ctx, tx, candidates, want)
		if err != nil {
			return err
		}
		got.again = len(chosen) < len(candidates)
		if len(chosen) == 0 {
			return nil
		}
		got.jobs, err = take(ctx, tx, worker, chosen, lease)
		return err
	})
	return got, err
}

// candidates locks due jobs, best first, leaving out what limits forbid anyway.
func (q *Queue) candidates(ctx context.Context, tx *database.Tx, kinds []string, want int) ([]candidate, error) {
	f := full{kinds: []string{}, orgs: []string{}, keys: []string{}}
	if !q.limits.none() {
		running, err := countRunning(ctx, tx)
		if err != nil {
			return nil, err
		}
		f = q.limits.full(running)
	}
	var all []candidate
	for _, priority := range priorities {
		some, err := f.due(ctx, tx, priority, kinds, want-len(all))
		if err != nil {
			return nil, err
		}
		if all = append(all, some...); len(all) >= want {
			break
		}
	}
	return all, nil
}

// due are jobs whose time has come and that no full limit hides.
func (f full) due(ctx context.Context, tx *database.Tx, priority curlew.Priority, kinds []string, want int) ([]candidate, error) {
	query := `SELECT id, kind, org_id, limit_key FROM jobs
		WHERE state = 'pending' AND priority = ? AND run_at <= {now} AND kind {in ?}` + notPaused
	values := []any{int(priority), database.AsJSON(kinds)}
	for _, hide := range []struct {
		condition string
		names     []string
	}{{` AND kind {not_in ?}`, f.kinds}, {` AND org_id {not_in ?}`, f.orgs}, {` AND limit_key {not_in ?}`, f.keys}} {
		if len(hide.names) > 0 {
			query += hide.condition
			values = append(values, database.AsJSON(hide.names))
		}
	}
	rows, err := tx.Query(ctx, query+` ORDER BY run_at, id LIMIT ? {skip_locked}`, append(values, want)...)
	return database.Collect(rows, err, func(r *sql.Rows) (c candidate, err error) {
		err = r.Scan(&c.id, &c.kind, &c.org, &c.key)
		return c, err
	})
}

// choose applies the limits. Two workers that claim under one limit at the same
// time would each see room; so each limit has a lock, and the count is taken
// after the lock. A limit whose lock is taken is passed over, never waited for:
// a worker that is stopped in the middle must not stop the others.
func (q *Queue) choose(ctx context.Context, tx *database.Tx, candidates []candidate, want int) ([]JobID, error) {
	names := map[string]bool{}
	for _, c := range candidates {
		for _, b := range q.limits.bounds(c.trait) {
			names[b.name] = true
		}
	}
	held := map[string]bool{}
	var running []traitCount
	if len(names) > 0 {
		locks, err := tx.TryLocks(ctx, slices.Sorted(maps.Keys(names)))
		if err != nil {
			return nil, err
		}
		for _, name := range locks {
			held[name] = true
		}
		if running, err = countRunning(ctx, tx); err != nil {
			return nil, err
		}
	}
	return q.limits.choose(candidates, running, held, want), nil
}

func countRunning(ctx context.Context, tx *database.Tx) ([]traitCount, error) {
	rows, err := tx.Query(ctx, `SELECT kind, org_id, limit_key, count(*) FROM jobs
		WHERE state = 'running' GROUP BY kind, org_id, limit_key`)
	return database.Collect(rows, err, func(r *sql.Rows) (c traitCount, err error) {
		err = r.Scan(&c.kind, &c.org, &c.key, &c.n)
		return c, err
	})
}

// take moves the chosen jobs to running, under a lease.
func take(ctx context.Context, tx *database.Tx, worker string, ids []JobID, lease time.Duration) ([]Job, error) {
	list := database.AsJSON(ids)
	const update = `UPDATE jobs SET state = 'running', fence = fence + 1, attempt = attempt + 1,
		worker = ?, claimed_at = {now}, lease_until = {now} + ?
		WHERE id {in_ids ?} RETURNING ` + jobColumns
	const record = `INSERT INTO job_transitions (org_id, job_id, fence, at, from_state, to_state, who, why)
		SELECT org_id, id, fence, claimed_at, 'pending', 'running', worker, '' FROM `
	query := update
	if tx.Postgres() { // there, one statement can do both, which saves a round trip
		query = `WITH moved AS (` + update + `), recorded AS (` + record + `moved) SELECT ` + jobColumns + ` FROM moved`
	}
	rows, err := tx.Query(ctx, query, worker, lease.Microseconds(), list)
	jobs, err := database.Collect(rows, err, scanJob)
	if err != nil {
		return nil, err
	}
	if !tx.Postgres() {
		if _, err := tx.Exec(ctx, record+`jobs WHERE id {in_ids ?}`, list); err != nil {
			return nil, err
		}
	}
	place := make(map[JobID]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	slices.SortFunc(jobs, func(a, b Job) int { return place[a.ID] - place[b.ID] })
	return jobs, nil
}
