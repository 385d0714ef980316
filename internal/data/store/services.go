package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// forgottenAfter is how long a trouble counts that nobody has seen again: its process may be gone.
const forgottenAfter = 20 * time.Minute

// ServiceFailed keeps that a process found a service not to work, and says how often in a row.
func (s *Store) ServiceFailed(ctx context.Context, service curlew.Service, process string) (failures int64, err error) {
	err = s.db.Write(ctx, func(tx *database.Tx) error {
		return tx.QueryRow(ctx, `INSERT INTO service_troubles (org_id, service, process, since, last_at, failures)
			VALUES (?, ?, ?, {now}, {now}, 1) ON CONFLICT (org_id, service, process) DO UPDATE
			SET last_at = excluded.last_at, failures = service_troubles.failures + 1 RETURNING failures`,
			curlew.SystemOrg, service, process).Scan(&failures)
	})
	return failures, err
}

// ServiceWorks forgets the trouble that a process had with a service, and what processes that are gone
// had with it; it says whether there was any.
func (s *Store) ServiceWorks(ctx context.Context, service curlew.Service, process string) (recovered bool, err error) {
	err = s.db.Write(ctx, func(tx *database.Tx) error {
		n, err := tx.Exec(ctx, `DELETE FROM service_troubles WHERE org_id = ? AND service = ? AND process = ?`,
			curlew.SystemOrg, service, process)
		recovered = n > 0
		if err == nil {
			_, err = tx.Exec(ctx, `DELETE FROM service_troubles WHERE org_id = ? AND last_at < {now} - ?`,
				curlew.SystemOrg, forgottenAfter.Microseconds())
		}
		return err
	})
	return recovered, err
}

// ForgetTroubles forgets what processes that are gone found not to work.
func (s *Store) ForgetTroubles(ctx context.Context, gone func(process string) bool) error {
	return s.db.Write(ctx, func(tx *database.Tx) error {
		rows, err := tx.Query(ctx, `SELECT DISTINCT process FROM service_troubles WHERE org_id = ?`, curlew.SystemOrg)
		all, err := database.Collect(rows, err, scanText)
		for _, process := range all {
			if err == nil && gone(process) {
				_, err = tx.Exec(ctx, `DELETE FROM service_troubles WHERE org_id = ? AND process = ?`, curlew.SystemOrg, process)
			}
		}
		return err
	})
}

// ServiceTroubles are the services that do not work, the longest first; processes that see the same
// trouble count as one.
func (s *Store) ServiceTroubles(ctx context.Context) ([]curlew.ServiceTrouble, error) {
	rows, err := s.db.Query(ctx, `SELECT service, min(since), max(last_at), sum(failures) FROM service_troubles
		WHERE org_id = ? AND last_at >= {now} - ? GROUP BY service ORDER BY 2, 1`, curlew.SystemOrg, forgottenAfter.Microseconds())
	return database.Collect(rows, err, func(r *sql.Rows) (t curlew.ServiceTrouble, err error) {
		var since, last database.Micros
		err = r.Scan(&t.Service, &since, &last, &t.Failures)
		t.Since, t.LastAt = since.Time(), last.Time()
		return t, err
	})
}
