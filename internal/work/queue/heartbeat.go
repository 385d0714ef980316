package queue

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/data/database"
)

// pulse is what a heartbeat brings back for a job that is still ours.
type pulse struct {
	id     JobID
	stopBy string
}

// heartbeat looks after running jobs: it returns those that still hold, with
// their stop requests, and renews their leases when asked to.
func (q *Queue) heartbeat(ctx context.Context, jobs []Job, renew bool, lease time.Duration) ([]pulse, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	pairs := make([][2]int64, len(jobs))
	for i, job := range jobs {
		pairs[i] = [2]int64{int64(job.ID), job.Fence}
	}
	list := database.AsJSON(pairs)
	if !renew {
		rows, err := q.db.Query(ctx, `SELECT id, stop_requested_by FROM jobs
			WHERE (id, fence) IN {pairs ?} AND state = 'running'`, list)
		return database.Collect(rows, err, scanPulse)
	}
	var pulses []pulse
	err := q.db.Write(ctx, func(tx *database.Tx) (err error) {
		rows, err := tx.Query(ctx, `UPDATE jobs SET lease_until = {now} + ?
			WHERE (id, fence) IN {pairs ?} AND state = 'running' RETURNING id, stop_requested_by`,
			lease.Microseconds(), list)
		pulses, err = database.Collect(rows, err, scanPulse)
		return err
	})
	return pulses, err
}

func scanPulse(r *sql.Rows) (p pulse, err error) {
	err = r.Scan(&p.id, &p.stopBy)
	return p, err
}
