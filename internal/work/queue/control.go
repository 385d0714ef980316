package queue

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Stop ends a waiting job at once and asks a running one to end. It does nothing
// to a finished job.
func (q *Queue) Stop(ctx context.Context, org curlew.OrgID, id JobID, who, why string) error {
	return q.db.Write(ctx, func(tx *database.Tx) error { return q.stop(ctx, tx, org, id, By{who, why}) })
}

// By is who wants a job moved, and why.
type By struct{ Who, Why string }

// stop is Stop in the caller's transaction.
func (q *Queue) stop(ctx context.Context, tx *database.Tx, org curlew.OrgID, id JobID, by By) error {
	job, err := lockJob(ctx, tx, org, id)
	if err != nil {
		return err
	}
	switch job.State {
	case Pending:
		return job.move(ctx, tx, change{Cancelled, `finished_at = {now}`}, by)
	case Running:
		if _, err := tx.Exec(ctx, `UPDATE jobs SET stop_requested_by = ? WHERE org_id = ? AND id = ?`, by.Who, org, id); err != nil {
			return err
		}
		tx.AfterCommit(q.notifier.notify)
		return tx.Notify(ctx, channel, "stop")
	}
	return nil
}

// Retry lets a finished job that did not succeed run again, with fresh attempts
// and out of quarantine.
func (q *Queue) Retry(ctx context.Context, org curlew.OrgID, id JobID, who, why string) error {
	return q.db.Write(ctx, func(tx *database.Tx) error {
		job, err := lockJob(ctx, tx, org, id)
		if err != nil {
			return err
		}
		if !job.State.CanMove(Pending) || job.State == Running {
			return curlew.Permanent("illegal_transition", "job %d is %s: only a failed, exhausted or cancelled job can be retried", id, job.State)
		}
		again := change{Pending, `finished_at = NULL, run_at = {now}, attempt = 0, crashes = 0, quarantined = 0`}
		err = job.move(ctx, tx, again, By{who, why})
		if database.IsUnique(err) {
			return curlew.Permanent("already_queued", "job %d cannot be retried: another with the same key %q waits or runs already", id,
				job.UniqueKey)
		}
		if err != nil {
			return err
		}
		tx.AfterCommit(q.notifier.notify)
		return tx.Notify(ctx, channel, "")
	})
}

// Prune forgets jobs that finished longer ago than the given age, at most limit
// of them, and returns how many.
func (q *Queue) Prune(ctx context.Context, age time.Duration, limit int) (n int64, err error) {
	return q.forget(ctx, `finished_at < {now} - ?`, limit, age.Microseconds())
}

// PruneSucceeded does so for the jobs of one org that succeeded. It looks back for a day from the given age, so that what others keep
// for longer need not be passed over.
func (q *Queue) PruneSucceeded(ctx context.Context, org curlew.OrgID, age time.Duration, limit int) (n int64, err error) {
	return q.forget(ctx, `finished_at < {now} - ? AND finished_at >= {now} - ? AND state = 'succeeded' AND org_id = ?`, limit,
		age.Microseconds(), (age + 24*time.Hour).Microseconds(), org)
}

func (q *Queue) forget(ctx context.Context, which string, limit int, values ...any) (n int64, err error) {
	err = q.db.Write(ctx, func(tx *database.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id FROM jobs WHERE finished_at IS NOT NULL AND `+which+`
			ORDER BY finished_at LIMIT ? {skip_locked}`, append(slices.Clone(values), limit)...)
		ids, err := database.Collect(rows, err, scanID)
		if err != nil || len(ids) == 0 {
			return err
		}
		list := database.AsJSON(ids)
		if _, err := tx.Exec(ctx, `DELETE FROM job_transitions
			WHERE (org_id, job_id) IN (SELECT org_id, id FROM jobs WHERE id {in_ids ?})`, list); err != nil {
			return err
		}
		n, err = tx.Exec(ctx, `DELETE FROM jobs WHERE id {in_ids ?}`, list)
		return err
	})
	return n, err
}

func lockJob(ctx context.Context, tx *database.Tx, org curlew.OrgID, id JobID) (Job, error) {
	rows, err := tx.Query(ctx, `SELECT `+jobColumns+` FROM jobs WHERE org_id = ? AND id = ? {for_update}`, org, id)
	return oneJob(rows, err, id)
}

func oneJob(rows *sql.Rows, err error, id JobID) (Job, error) {
	jobs, err := database.Collect(rows, err, scanJob)
	if err == nil && len(jobs) == 0 {
		return Job{}, curlew.NotFound("job", id.String())
	}
	if err != nil {
		return Job{}, err
	}
	return jobs[0], nil
}

// change is another state of a job, and what else is set with it.
type change struct {
	to  State
	set string
}

// move changes the state of a job that is not running, whose row is locked.
func (job Job) move(ctx context.Context, tx *database.Tx, c change, by By) error {
	if !job.State.CanMove(c.to) || job.State == Running {
		return errors.New("illegal move of job from " + string(job.State) + " to " + string(c.to))
	}
	if _, err := tx.Exec(ctx, `UPDATE jobs SET state = ?, fence = fence + 1, `+c.set+` WHERE org_id = ? AND id = ?`,
		c.to, job.Org, job.ID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO job_transitions (org_id, job_id, fence, at, from_state, to_state, who, why)
		VALUES (?, ?, ?, {now}, ?, ?, ?, ?)`, job.Org, job.ID, job.Fence+1, job.State, c.to, by.Who, by.Why)
	return err
}
