package queue

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// notPaused leaves out what is of orgs whose jobs are not claimed.
const notPaused = ` AND org_id NOT IN (SELECT org_id FROM paused_orgs)`

// PauseOrg lets the jobs of an org wait; those that run go on. ResumeOrg ends it.
func (q *Queue) PauseOrg(ctx context.Context, org curlew.OrgID) error {
	return q.db.Write(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO paused_orgs (org_id, paused_at) VALUES (?, {now}) ON CONFLICT (org_id) DO NOTHING`, org)
		return err
	})
}

// ResumeOrg lets the jobs of an org be claimed again.
func (q *Queue) ResumeOrg(ctx context.Context, org curlew.OrgID) error {
	return q.db.Write(ctx, func(tx *database.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM paused_orgs WHERE org_id = ?`, org); err != nil {
			return err
		}
		tx.AfterCommit(q.notifier.notify)
		return tx.Notify(ctx, channel, "")
	})
}

// PausedOrgs are the orgs whose jobs wait. Upkeep leaves their rows alone.
func (q *Queue) PausedOrgs(ctx context.Context) ([]curlew.OrgID, error) {
	rows, err := q.db.Query(ctx, `SELECT org_id FROM paused_orgs ORDER BY org_id`)
	return database.Collect(rows, err, func(r *sql.Rows) (org curlew.OrgID, err error) {
		err = r.Scan(&org)
		return org, err
	})
}

// RunningOf counts the jobs of an org that run.
func (q *Queue) RunningOf(ctx context.Context, org curlew.OrgID) (n int64, err error) {
	err = q.db.QueryRow(ctx, `SELECT count(*) FROM jobs WHERE state = 'running' AND org_id = ?`, org).Scan(&n)
	return n, err
}
