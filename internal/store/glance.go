package store

import (
	"context"
	"database/sql"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/database"
)

// ChangesPerDay counts the changes of each day (in UTC) since a time.
func (s Scope) ChangesPerDay(ctx context.Context, since time.Time) (map[time.Time]int64, error) {
	type row struct{ day, n int64 }
	const day = int64(24 * time.Hour / time.Microsecond)
	rows, err := s.q.Query(ctx, `SELECT day, count(*) FROM (SELECT occurred_at / 86400000000 AS day FROM changes WHERE org_id = ? AND occurred_at >= ?) AS days GROUP BY day`,
		s.org, database.At(since))
	all, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		err = r.Scan(&x.day, &x.n)
		return x, err
	})
	counts := make(map[time.Time]int64, len(all))
	for _, x := range all {
		counts[time.UnixMicro(x.day*day).UTC()] = x.n
	}
	return counts, err
}

// CandidatesBefore lists candidates from before the one that the window names, the
// newest first.
func (s Scope) CandidatesBefore(ctx context.Context, f CandidateFilter, window Window) ([]curlew.Candidate, error) {
	rows, err := s.q.Query(ctx, `SELECT `+candidateColumns+` FROM candidates
		WHERE org_id = ? AND (? = '' OR status = ?) AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?`,
		s.org, f.Status, f.Status, window.After, window.After, window.limit())
	return many(s, rows, err, scanCandidate)
}

// CountCandidates counts candidates by where they stand.
func (s Scope) CountCandidates(ctx context.Context) (map[curlew.CandidateStatus]int64, error) {
	type row struct {
		status curlew.CandidateStatus
		n      int64
	}
	rows, err := s.q.Query(ctx, `SELECT status, count(*) FROM candidates WHERE org_id = ? GROUP BY status`, s.org)
	all, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		err = r.Scan(&x.status, &x.n)
		return x, err
	})
	counts := map[curlew.CandidateStatus]int64{}
	for _, x := range all {
		counts[x.status] = x.n
	}
	return counts, err
}
