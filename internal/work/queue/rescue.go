package queue

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// ErrCrashed: the worker of a job went away without a word.
// ErrCrashed ends a job whose worker no longer renews its lease.
var ErrCrashed = curlew.Temporary("worker_crashed", "the worker that ran this job stopped responding")

// rescueBatch bounds one rescue, so that a whole dead fleet costs short
// transactions.
const rescueBatch = 100

// Rescue takes back the jobs whose lease ran out and returns how many. Any
// worker may call it at any time; it leaves out the jobs that are in its own
// hands, whose leases it renews itself as soon as the database lets it.
func (q *Queue) Rescue(ctx context.Context, who string, policy Policy, held ...JobID) (int, error) {
	total := 0
	except := database.AsJSON(append([]JobID{}, held...))
	for {
		n, err := q.rescueSome(ctx, who, policy, except)
		total += n
		if err != nil || n < rescueBatch {
			return total, err
		}
	}
}

func (q *Queue) rescueSome(ctx context.Context, who string, policy Policy, except string) (rescued int, err error) {
	if waiting, err := q.anyLapsed(ctx, except); err != nil || !waiting {
		return 0, err
	}
	err = q.db.Write(ctx, func(tx *database.Tx) error {
		rows, err := tx.Query(ctx, `SELECT `+jobColumns+` FROM jobs
			WHERE state = 'running' AND lease_until < {now} AND id {not_in_ids ?} LIMIT ? {skip_locked}`, except, rescueBatch)
		jobs, err := database.Collect(rows, err, scanJob)
		if err != nil {
			return err
		}
		for _, job := range jobs {
			if err := finish(ctx, tx, job, who, crashing(job, ErrCrashed, immediately(policy))); err != nil {
				return err
			}
		}
		rescued = len(jobs)
		if rescued > 0 {
			tx.AfterCommit(q.notifier.notify)
			return tx.Notify(ctx, channel, "")
		}
		return nil
	})
	return rescued, err
}

// immediately lets a job whose worker died run again at once: the wait for the
// lease was its back-off.
func immediately(policy Policy) Policy {
	return func(fault *curlew.Fault, attempt int) (bool, time.Duration) {
		again, _ := policy(fault, attempt)
		return again, 0
	}
}

// anyLapsed spares the writer when there is nothing to do.
func (q *Queue) anyLapsed(ctx context.Context, except string) (bool, error) {
	var n int
	err := q.db.QueryRow(ctx, `SELECT count(*) FROM jobs WHERE state = 'running' AND lease_until < {now} AND id {not_in_ids ?}`,
		except).Scan(&n)
	return n > 0, err
}
