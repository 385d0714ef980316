package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const jobColumns = `id, org_id, kind, state, priority, run_at, args, subject, limit_key, unique_key,
	attempt, max_attempts, crashes, quarantined, fence, worker, stop_requested_by,
	fault_kind, fault_code, fault_sentence, created_at, claimed_at, lease_until, finished_at`

func scanJob(r *sql.Rows) (Job, error) {
	var j Job
	var args string
	var fault curlew.Fault
	var quarantined int
	var runAt, created, claimed, lease, finished database.Micros
	err := r.Scan(&j.ID, &j.Org, &j.Kind, &j.State, &j.Priority, &runAt, &args, &j.Subject, &j.LimitKey, &j.UniqueKey,
		&j.Attempt, &j.MaxAttempts, &j.Crashes, &quarantined, &j.Fence, &j.Worker, &j.StopBy,
		&fault.Kind, &fault.Code, &fault.Sentence, &created, &claimed, &lease, &finished)
	if err != nil {
		return Job{}, err
	}
	if fault.Kind != "" {
		j.Fault = &fault
	}
	j.Args, j.Quarantined = json.RawMessage(args), quarantined != 0
	j.RunAt, j.CreatedAt = runAt.Time(), created.Time()
	j.ClaimedAt, j.LeaseUntil, j.FinishedAt = claimed.TimeOrNil(), lease.TimeOrNil(), finished.TimeOrNil()
	return j, nil
}

// String writes the number.
func (id JobID) String() string { return strconv.FormatInt(int64(id), 10) }

// Get returns one job of an org.
func (q *Queue) Get(ctx context.Context, org curlew.OrgID, id JobID) (Job, error) {
	rows, err := q.db.Query(ctx, `SELECT `+jobColumns+` FROM jobs WHERE org_id = ? AND id = ?`, org, id)
	return oneJob(rows, err, id)
}

// BySubject returns an org's jobs about one thing, newest first.
func (q *Queue) BySubject(ctx context.Context, org curlew.OrgID, subject string, limit int) ([]Job, error) {
	rows, err := q.db.Query(ctx, `SELECT `+jobColumns+` FROM jobs
		WHERE org_id = ? AND subject = ? AND subject <> '' ORDER BY id DESC LIMIT ?`, org, subject, limit)
	return database.Collect(rows, err, scanJob)
}

// Subjects are what the jobs of all orgs are about that wait or run.
func (q *Queue) Subjects(ctx context.Context) (map[Subject]bool, error) {
	rows, err := q.db.Query(ctx, `SELECT org_id, subject FROM jobs WHERE state = 'pending'
		UNION ALL SELECT org_id, subject FROM jobs WHERE state = 'running'`)
	all, err := database.Collect(rows, err, func(r *sql.Rows) (s Subject, err error) { return s, r.Scan(&s.Org, &s.About) })
	known := make(map[Subject]bool, len(all))
	for _, s := range all {
		known[s] = true
	}
	return known, q.db.Explain(err)
}

// Subject is what jobs of an org are about.
type Subject struct {
	Org   curlew.OrgID
	About string
}

// StopSubject stops all unfinished jobs about one thing, in the caller's
// transaction.
func (q *Queue) StopSubject(ctx context.Context, tx *database.Tx, org curlew.OrgID, subject string, by By) error {
	rows, err := tx.Query(ctx, `SELECT id FROM jobs WHERE org_id = ? AND subject = ? AND subject <> ''
		AND state IN ('pending', 'running')`, org, subject)
	ids, err := database.Collect(rows, err, scanID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := q.stop(ctx, tx, org, id, by); err != nil {
			return err
		}
	}
	return nil
}

// Transition is one recorded move of a job.
type Transition struct {
	Fence int64     `json:"fence"`
	At    time.Time `json:"at"`
	From  State     `json:"from"`
	To    State     `json:"to"`
	Who   string    `json:"who"`
	Why   string    `json:"why,omitempty"`
	Fault string    `json:"fault,omitempty"` // its code
}

// Transitions returns the moves of a job, oldest first.
func (q *Queue) Transitions(ctx context.Context, org curlew.OrgID, id JobID) ([]Transition, error) {
	rows, err := q.db.Query(ctx, `SELECT fence, at, from_state, to_state, who, why, fault_code
		FROM job_transitions WHERE org_id = ? AND job_id = ? ORDER BY fence`, org, id)
	return database.Collect(rows, err, func(r *sql.Rows) (t Transition, err error) {
		var at database.Micros
		err = r.Scan(&t.Fence, &at, &t.From, &t.To, &t.Who, &t.Why, &t.Fault)
		t.At = at.Time()
		return t, err
	})
}

// Attempt is one execution of a job, or the beginning of one.
type Attempt struct {
	Worker     string     `json:"worker"`
	StartedAt  time.Time  `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	Outcome    State      `json:"outcome,omitempty"` // the state after it
	Why        string     `json:"why,omitempty"`
	Fault      string     `json:"fault,omitempty"`
}

// Attempts returns the attempts at a job, oldest first.
func (q *Queue) Attempts(ctx context.Context, org curlew.OrgID, id JobID) ([]Attempt, error) {
	rows, err := q.db.Query(ctx, `SELECT worker, started_at, finished_at, coalesce(to_state, ''),
		coalesce(why, ''), coalesce(fault_code, '')
		FROM job_attempts WHERE org_id = ? AND job_id = ? ORDER BY fence`, org, id)
	return database.Collect(rows, err, func(r *sql.Rows) (a Attempt, err error) {
		var began, ended database.Micros
		err = r.Scan(&a.Worker, &began, &ended, &a.Outcome, &a.Why, &a.Fault)
		a.StartedAt, a.FinishedAt = began.Time(), ended.TimeOrNil()
		return a, err
	})
}

// Busiest lists the limit keys with the most jobs of a kind, the busiest first.
func (q *Queue) Busiest(ctx context.Context, kind string, limit int) ([]string, error) {
	rows, err := q.db.Query(ctx, `SELECT limit_key FROM jobs WHERE kind = ? AND limit_key <> ''
		GROUP BY limit_key ORDER BY count(*) DESC, limit_key LIMIT ?`, kind, limit)
	keys, err := database.Collect(rows, err, func(r *sql.Rows) (key string, err error) {
		err = r.Scan(&key)
		return key, err
	})
	return keys, q.db.Explain(err)
}

// Depth is how much waits and runs at the moment, over all orgs.
type Depth struct {
	Waiting   int64         `json:"waiting"`   // due and not claimed
	Scheduled int64         `json:"scheduled"` // for later
	Running   int64         `json:"running"`
	Oldest    time.Duration `json:"oldest"` // how long the oldest due job waits
}

// Load is how much of an org's work waits, and who does the rest.
type Load struct {
	Depth
	Workers []Busy
}

// Busy is a worker and how many jobs of an org it does.
type Busy struct {
	Worker string
	Jobs   int64
}

// Load reads the indexes of unfinished jobs only, like Depth.
func (q *Queue) Load(ctx context.Context, org curlew.OrgID) (Load, error) {
	var l Load
	var oldest int64
	err := q.db.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM jobs WHERE state = 'pending' AND org_id = ? AND run_at <= {now}),
		(SELECT count(*) FROM jobs WHERE state = 'pending' AND org_id = ? AND run_at > {now}),
		(SELECT count(*) FROM jobs WHERE state = 'running' AND org_id = ?),
		coalesce({now} - (SELECT min(run_at) FROM jobs WHERE state = 'pending' AND org_id = ?), 0)`, org, org, org, org).
		Scan(&l.Waiting, &l.Scheduled, &l.Running, &oldest)
	if err != nil {
		return l, q.db.Explain(err)
	}
	l.Oldest = max(0, time.Duration(oldest)*time.Microsecond)
	rows, err := q.db.Query(ctx, `SELECT worker, count(*) FROM jobs WHERE state = 'running' AND org_id = ? GROUP BY worker ORDER BY worker`,
		org)
	l.Workers, err = database.Collect(rows, err, func(r *sql.Rows) (b Busy, err error) {
		err = r.Scan(&b.Worker, &b.Jobs)
		return b, err
	})
	return l, q.db.Explain(err)
}

// Depth reads the indexes of unfinished jobs only, so it stays cheap.
func (q *Queue) Depth(ctx context.Context) (Depth, error) {
	var d Depth
	var oldest int64
	err := q.db.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM jobs WHERE state = 'pending' AND run_at <= {now}),
		(SELECT count(*) FROM jobs WHERE state = 'pending' AND run_at > {now}),
		(SELECT count(*) FROM jobs WHERE state = 'running'),
		coalesce({now} - (SELECT min(run_at) FROM jobs WHERE state = 'pending'), 0)`).
		Scan(&d.Waiting, &d.Scheduled, &d.Running, &oldest)
	d.Oldest = max(0, time.Duration(oldest)*time.Microsecond)
	return d, q.db.Explain(err)
}
