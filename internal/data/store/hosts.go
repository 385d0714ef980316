package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// ReserveHost takes the next turn to ask a host, over all workers and orgs: turns
// are at least gap apart. It returns how long to wait for the turn. A wait longer
// than most is not taken: the caller should come back then.
func (s *Store) ReserveHost(ctx context.Context, host string, gap, most time.Duration) (wait time.Duration, taken bool, err error) {
	err = s.db.Write(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO host_slots (org_id, host, next_at) VALUES (?, ?, 0)
			ON CONFLICT (org_id, host) DO NOTHING`, curlew.SystemOrg, host)
		if err != nil {
			return err
		}
		var next, now database.Micros
		err = tx.QueryRow(ctx, `SELECT next_at, {clock} FROM host_slots WHERE org_id = ? AND host = ? {for_update}`,
			curlew.SystemOrg, host).Scan(&next, &now)
		if err != nil {
			return err
		}
		// After waiting for the row the clock has moved on; ask again.
		if err := tx.QueryRow(ctx, `SELECT {clock}`).Scan(&now); err != nil {
			return err
		}
		turn := max(next, now)
		wait = time.Duration(turn-now) * time.Microsecond
		if taken = wait <= most; !taken {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE host_slots SET next_at = ?, why = '' WHERE org_id = ? AND host = ?`,
			turn+database.Micros(gap.Microseconds()), curlew.SystemOrg, host)
		return err
	})
	return wait, taken, err
}

// RestHost lets a host alone for a while: it asked for it, or is in trouble.
func (s *Store) RestHost(ctx context.Context, host string, d time.Duration, why string) error {
	return s.db.Write(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO host_slots (org_id, host, next_at, why) VALUES (?, ?, {now} + ?, ?)
			ON CONFLICT (org_id, host) DO UPDATE SET why = excluded.why,
			next_at = CASE WHEN host_slots.next_at > excluded.next_at THEN host_slots.next_at ELSE excluded.next_at END`,
			curlew.SystemOrg, host, d.Microseconds(), why)
		return err
	})
}

// Robots returns the robots.txt of an origin while it is fresh.
func (s *Store) Robots(ctx context.Context, origin string) (curlew.RobotsFile, bool, error) {
	file := curlew.RobotsFile{Origin: origin}
	var body string
	var fetched database.Micros
	err := s.db.QueryRow(ctx, `SELECT status, body, fetched_at FROM robots_files WHERE org_id = ? AND origin = ? AND expires_at > {now}`,
		curlew.SystemOrg, origin).Scan(&file.Status, &body, &fetched)
	if errors.Is(err, sql.ErrNoRows) {
		return curlew.RobotsFile{}, false, nil
	}
	file.Body, file.FetchedAt = []byte(body), fetched.Time()
	return file, err == nil, s.db.Explain(err)
}

// KeepRobots keeps a robots.txt for a while.
func (s *Store) KeepRobots(ctx context.Context, file curlew.RobotsFile, keep time.Duration) error {
	return s.db.Write(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO robots_files (org_id, origin, status, body, fetched_at, expires_at)
			VALUES (?, ?, ?, ?, {now}, {now} + ?) ON CONFLICT (org_id, origin) DO UPDATE SET status = excluded.status,
			body = excluded.body, fetched_at = excluded.fetched_at, expires_at = excluded.expires_at`,
			curlew.SystemOrg, file.Origin, file.Status, string(file.Body), keep.Microseconds())
		return err
	})
}

// Spend counts n requests of the org on a day against each of the budgets, unless
// one of them would be exceeded: then it counts none and says which.
func (s *Store) Spend(ctx context.Context, org curlew.OrgID, day string, n int64, budgets ...curlew.DayBudget) error {
	return s.db.Write(ctx, func(tx *database.Tx) error {
		for _, b := range budgets {
			var spent int64
			err := tx.QueryRow(ctx, `INSERT INTO request_counts (org_id, day, subject, n) VALUES (?, ?, ?, ?)
				ON CONFLICT (org_id, day, subject) DO UPDATE SET n = request_counts.n + excluded.n RETURNING n`,
				org, day, b.Subject, n).Scan(&spent)
			if err != nil {
				return err
			}
			if b.Most > 0 && spent > b.Most {
				return overBudget(org, day, b)
			}
		}
		return nil
	})
}

func overBudget(org curlew.OrgID, day string, b curlew.DayBudget) error {
	who := b.Subject
	if who == "" {
		who = "the org " + string(org)
	}
	return curlew.Refused(curlew.ErrOverBudget, "%s has used its budget of %d requests for %s: raise it, or wait for tomorrow",
		who, b.Most, day)
}
