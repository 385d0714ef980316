// Package queue is a durable queue of jobs in the installation's own database,
// on both engines. A job is inserted in the transaction of the rows that cause
// it, claimed by one worker under a lease, kept alive by heartbeats, and ends in
// one of four ways; each move is recorded. A number that rises with each move,
// the fence, keeps a worker that lost its lease from writing anything.
//
// It knows nothing of what a job does, nor when a failure deserves another try:
// whoever runs a Worker brings the handlers and the retry policy.
package queue

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"io/fs"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migrations are the queue's tables.
func Migrations() database.Migrations {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return database.Migrations{Name: "queue", Files: files}
}

// channel carries wake-ups between processes on Postgres.
const channel = "curlew_jobs"

// JobID numbers a job.
type JobID int64

// Job is one job as it stands.
type Job struct {
	ID          JobID           `json:"id"`
	Org         curlew.OrgID    `json:"org"`
	Kind        string          `json:"kind"`
	State       State           `json:"state"`
	Priority    curlew.Priority `json:"priority"`
	RunAt       time.Time       `json:"run_at"`
	Args        json.RawMessage `json:"args"`
	Subject     string          `json:"subject,omitempty"`
	LimitKey    string          `json:"limit_key,omitempty"`
	UniqueKey   string          `json:"unique_key,omitempty"`
	Attempt     int             `json:"attempt"`
	MaxAttempts int             `json:"max_attempts"`
	Crashes     int             `json:"crashes"`
	Quarantined bool            `json:"quarantined,omitempty"`
	Fence       int64           `json:"fence"`
	Worker      string          `json:"worker,omitempty"`
	StopBy      string          `json:"stop_requested_by,omitempty"`
	Fault       *curlew.Fault   `json:"fault,omitempty"`
	CreatedAt   time.Time       `json:"created_at"`
	ClaimedAt   *time.Time      `json:"claimed_at,omitempty"`
	LeaseUntil  *time.Time      `json:"lease_until,omitempty"`
	FinishedAt  *time.Time      `json:"finished_at,omitempty"`
}

// Queue is the queue of one database.
type Queue struct {
	db       *database.DB
	notifier *notifier
	limits   Limits
}

// New returns the queue of a migrated database.
func New(db *database.DB, limits Limits) *Queue {
	return &Queue{db: db, notifier: newNotifier(), limits: limits}
}

// NewJob is a job to be inserted. Kind, Org and Args are needed; the rest has sensible zero values.
type NewJob struct {
	Org         curlew.OrgID
	Kind        string
	Args        any             // marshals to JSON
	Priority    curlew.Priority // 0 means normal
	After       time.Duration   // not before this much later, by the database's clock
	Subject     string          // what the job is about, for look-ups: a run id
	LimitKey    string          // jobs that share it are limited together: a host
	UniqueKey   string          // while such a job waits or runs, no second is inserted
	MaxAttempts int             // 0 means 5
}

// DefaultMaxAttempts is seed 001's number.
const DefaultMaxAttempts = 5

func (j NewJob) withDefaults() NewJob {
	j.Priority = cmp.Or(j.Priority, curlew.PriorityNormal)
	j.MaxAttempts = cmp.Or(j.MaxAttempts, DefaultMaxAttempts)
	return j
}

// Insert adds jobs in the caller's transaction: they exist exactly if it
// commits. It returns their ids; the id is 0 where a job with the same unique
// key waits or runs already.
func (q *Queue) Insert(ctx context.Context, tx *database.Tx, jobs ...NewJob) ([]JobID, error) {
	ids := make([]JobID, 0, len(jobs))
	for chunk := range slices.Chunk(jobs, insertChunk) {
		some, err := insertChunked(ctx, tx, chunk)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	tx.AfterCommit(q.notifier.notify)
	return ids, tx.Notify(ctx, channel, "")
}

// InsertNow adds jobs in a transaction of their own.
func (q *Queue) InsertNow(ctx context.Context, jobs ...NewJob) (ids []JobID, err error) {
	err = q.db.Write(ctx, func(tx *database.Tx) error {
		ids, err = q.Insert(ctx, tx, jobs...)
		return err
	})
	return ids, err
}
