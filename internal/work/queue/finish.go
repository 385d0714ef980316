package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// CrashLimit is how many crashes put a job into quarantine.
const CrashLimit = 3

// The reasons for which a running job's context ends early.
var (
	// ErrLeaseLost: the lease ran out or somebody else holds the job now.
	ErrLeaseLost = curlew.Temporary("lease_lost", "the lease on this job was lost, so nothing more is written for it")
	// ErrStopped: somebody asked for the job to stop.
	ErrStopped = curlew.Refused("stopped", "the job was asked to stop")
	// ErrShutdown: this worker ends; the job goes back and costs no attempt.
	ErrShutdown = curlew.Temporary("shutdown", "the worker is shutting down")
	// ErrTimeout: the job used up its time.
	ErrTimeout = curlew.Temporary(curlew.ErrTimeout, "the job did not end within its time")
)

// ending is how an attempt ends.
type ending struct {
	to         State
	why        string
	fault      *curlew.Fault
	delay      time.Duration // before the next attempt, when to is Pending
	refund     bool          // the attempt does not count
	crash      bool          // the attempt counts as a crash
	quarantine bool
}

// Policy says whether a failed attempt deserves another, and after what delay.
type Policy func(fault *curlew.Fault, attempt int) (again bool, after time.Duration)

// failing decides how an attempt ends that failed with a fault.
func failing(job Job, fault *curlew.Fault, policy Policy) ending {
	again, after := policy(fault, job.Attempt)
	switch {
	case !again:
		return ending{to: Failed, why: fault.Sentence, fault: fault}
	case job.Attempt >= job.MaxAttempts:
		return ending{to: Exhausted, why: fmt.Sprintf("attempt %d of %d: %s", job.Attempt, job.MaxAttempts, fault.Sentence), fault: fault}
	}
	return ending{to: Pending, why: fault.Sentence, fault: fault, delay: after}
}

// crashing decides how an attempt ends whose worker died, or whose handler
// panicked or would not end.
func crashing(job Job, fault *curlew.Fault, policy Policy) ending {
	if job.StopBy != "" {
		return ending{to: Cancelled, why: "stop requested by " + job.StopBy, fault: fault, crash: true}
	}
	if job.Crashes+1 >= CrashLimit {
		return ending{to: Failed, fault: fault, crash: true, quarantine: true,
			why: fmt.Sprintf("quarantined after %d crashes: %s", job.Crashes+1, fault.Sentence)}
	}
	e := failing(job, fault, policy)
	e.crash = true
	return e
}

// finish ends an attempt, in the caller's transaction, if the fence still holds.
func finish(ctx context.Context, tx *database.Tx, job Job, who string, e ending) error {
	if !Running.CanMove(e.to) {
		return fmt.Errorf("a running job cannot become %s", e.to)
	}
	fault := e.fault
	if fault == nil {
		fault = &curlew.Fault{}
	}
	when := `finished_at = {now}`
	values := []any{e.to, flag(e.refund), flag(e.crash), flag(e.quarantine), fault.Kind, fault.Code, fault.Sentence}
	if e.to == Pending {
		when = `run_at = {now} + ?`
		values = append(values, e.delay.Microseconds())
	}
	n, err := tx.Exec(ctx, `UPDATE jobs SET state = ?, fence = fence + 1, attempt = attempt - ?, crashes = crashes + ?,
		quarantined = ?, worker = '', lease_until = NULL, stop_requested_by = '',
		fault_kind = ?, fault_code = ?, fault_sentence = ?, `+when+`
		WHERE id = ? AND fence = ? AND state = 'running'`, append(values, job.ID, job.Fence)...)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrLeaseLost
	}
	_, err = tx.Exec(ctx, `INSERT INTO job_transitions
		(org_id, job_id, fence, at, from_state, to_state, who, why, fault_kind, fault_code)
		VALUES (?, ?, ?, {now}, 'running', ?, ?, ?, ?, ?)`,
		job.Org, job.ID, job.Fence+1, e.to, who, e.why, fault.Kind, fault.Code)
	return err
}

// succeed ends many attempts at once and returns the ids of those whose fence
// still held.
func succeed(ctx context.Context, tx *database.Tx, jobs []Job, who string) ([]JobID, error) {
	pairs := make([][2]int64, len(jobs))
	for i, job := range jobs {
		pairs[i] = [2]int64{int64(job.ID), job.Fence}
	}
	const update = `UPDATE jobs SET state = 'succeeded', fence = fence + 1, finished_at = {now},
		worker = '', lease_until = NULL, stop_requested_by = '', fault_kind = '', fault_code = '', fault_sentence = ''
		WHERE (id, fence) IN {pairs ?} AND state = 'running' RETURNING id, org_id, fence, finished_at`
	const record = `INSERT INTO job_transitions (org_id, job_id, fence, at, from_state, to_state, who, why)
		SELECT org_id, id, fence, finished_at, 'running', 'succeeded', CAST(? AS TEXT), '' FROM `
	if tx.Postgres() { // there, one statement can do both, which saves a round trip
		rows, err := tx.Query(ctx, `WITH moved AS (`+update+`), recorded AS (`+record+`moved) SELECT id FROM moved`,
			database.AsJSON(pairs), who)
		return database.Collect(rows, err, scanID)
	}
	rows, err := tx.Query(ctx, update, database.AsJSON(pairs))
	ids, err := database.Collect(rows, err, scanMoved)
	if err != nil || len(ids) == 0 {
		return ids, err
	}
	_, err = tx.Exec(ctx, record+`jobs WHERE id {in_ids ?}`, who, database.AsJSON(ids))
	return ids, err
}

func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}

func scanID(r *sql.Rows) (id JobID, err error) {
	err = r.Scan(&id)
	return id, err
}

// scanMoved reads the id of a row that was moved and passes over the rest.
func scanMoved(r *sql.Rows) (id JobID, err error) {
	var rest [3]any
	err = r.Scan(&id, &rest[0], &rest[1], &rest[2])
	return id, err
}

// asEnding decides how an attempt ends from what its handler returned and why
// its context ended, if it did.
func asEnding(job Job, err, cause error, policy Policy) ending {
	switch {
	case err == nil:
		return ending{to: Succeeded}
	case errors.Is(cause, ErrStopped):
		return ending{to: Cancelled, why: cause.Error()}
	case errors.Is(cause, ErrShutdown):
		return ending{to: Pending, why: ErrShutdown.Sentence, refund: true}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		if cause != nil {
			err = cause
		}
	}
	return failing(job, curlew.AsFault(err), policy)
}
