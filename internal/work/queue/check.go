package queue

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// checks are the queue's invariants, each as a query for its violations. The
// query gives the org, the job and a detail.
var checks = []database.Check{
	{Invariant: "I5", Sentence: "job %s holds a lease that ran out more than five seconds ago, and was not taken back (%s)",
		Query: `SELECT org_id, id, worker FROM jobs WHERE state = 'running' AND lease_until < {now} - 5000000`},
	{Invariant: "I7", Sentence: "job %s is %s without what that state needs, or with what it forbids",
		Query: `SELECT org_id, id, state FROM jobs WHERE
			(state = 'running' AND (lease_until IS NULL OR worker = '' OR finished_at IS NOT NULL))
			OR (state = 'pending' AND (lease_until IS NOT NULL OR worker <> '' OR finished_at IS NOT NULL))
			OR (state NOT IN ('pending', 'running') AND (lease_until IS NOT NULL OR worker <> '' OR finished_at IS NULL))`},
	{Invariant: "I7", Sentence: "job %s has moved %s times, but its record says otherwise",
		Query: `SELECT jobs.org_id, jobs.id, jobs.fence FROM jobs
			LEFT JOIN (SELECT org_id, job_id, count(*) AS n, max(fence) AS last FROM job_transitions GROUP BY org_id, job_id) AS moved
				ON moved.org_id = jobs.org_id AND moved.job_id = jobs.id
			WHERE jobs.fence <> coalesce(moved.n, 0) OR jobs.fence <> coalesce(moved.last, 0)`},
	{Invariant: "I7", Sentence: "job %s is %s, but its last recorded move leads elsewhere",
		Query: `SELECT jobs.org_id, jobs.id, jobs.state FROM jobs
			LEFT JOIN job_transitions AS last ON last.org_id = jobs.org_id AND last.job_id = jobs.id AND last.fence = jobs.fence
			WHERE coalesce(last.to_state, 'pending') <> jobs.state`},
	{Invariant: "I7", Sentence: "job %s made a move that does not follow the one before it (move %s)",
		Query: `SELECT this.org_id, this.job_id, this.fence FROM job_transitions AS this
			LEFT JOIN job_transitions AS before ON before.org_id = this.org_id AND before.job_id = this.job_id
				AND before.fence = this.fence - 1
			WHERE this.from_state <> coalesce(before.to_state, 'pending')`},
	{Invariant: "I4", Sentence: "the record of moves names job %s, which does not exist (move %s)",
		Query: `SELECT t.org_id, t.job_id, t.fence FROM job_transitions AS t
			LEFT JOIN jobs ON jobs.org_id = t.org_id AND jobs.id = t.job_id WHERE jobs.id IS NULL`},
}

// Check looks for broken invariants.
func (q *Queue) Check(ctx context.Context) ([]curlew.Violation, error) {
	return q.db.Violations(ctx, checks)
}

// Orgs lists the orgs that have jobs.
func (q *Queue) Orgs(ctx context.Context) ([]curlew.OrgID, error) {
	rows, err := q.db.Query(ctx, `SELECT DISTINCT org_id FROM jobs`)
	orgs, err := database.Collect(rows, err, func(r *sql.Rows) (org curlew.OrgID, err error) {
		err = r.Scan(&org)
		return org, err
	})
	return orgs, q.db.Explain(err)
}

// Counts says how many jobs are in each state, over all orgs. It reads the whole
// table: for checks, not for gauges.
func (q *Queue) Counts(ctx context.Context) (map[State]int64, error) {
	counts := map[State]int64{}
	rows, err := q.db.Query(ctx, `SELECT state, count(*) FROM jobs GROUP BY state`)
	_, err = database.Collect(rows, err, func(r *sql.Rows) (State, error) {
		var state State
		var n int64
		err := r.Scan(&state, &n)
		counts[state] = n
		return state, err
	})
	return counts, q.db.Explain(err)
}
