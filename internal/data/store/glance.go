package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// dayMicros is a day in microseconds.
const dayMicros = int64(24 * time.Hour / time.Microsecond)

// dayOf is the day (in UTC) of a time, counted from 1970.
func dayOf(at time.Time) int64 { return at.UTC().Truncate(24*time.Hour).UnixMicro() / dayMicros }

// countDays adds new changes, which have their sequences, to the counts of their days.
func (s writing) countDays(ctx context.Context, changes []curlew.Change) error {
	type count struct{ n, first int64 }
	days := map[int64]count{}
	for _, c := range changes {
		d := days[dayOf(c.OccurredAt)]
		if d.n++; d.first == 0 || c.Sequence < d.first {
			d.first = c.Sequence
		}
		days[dayOf(c.OccurredAt)] = d
	}
	for _, day := range slices.Sorted(maps.Keys(days)) {
		err := s.insert(ctx, "day of changes", `INSERT INTO change_days (org_id, day, n, first_sequence) VALUES (?, ?, ?, ?)
			ON CONFLICT (org_id, day) DO UPDATE SET n = change_days.n + excluded.n,
				first_sequence = CASE WHEN excluded.first_sequence < change_days.first_sequence THEN excluded.first_sequence
				ELSE change_days.first_sequence END`,
			s.org, day, days[day].n, days[day].first)
		if err != nil {
			return err
		}
	}
	return nil
}

// PerDay counts the changes of each day (in UTC), from the day of a time on.
func (s Changes) PerDay(ctx context.Context, since time.Time) (map[time.Time]int64, error) {
	type row struct{ day, n int64 }
	rows, err := s.q.Query(ctx, `SELECT day, n FROM change_days WHERE org_id = ? AND day >= ?`, s.org, dayOf(since))
	all, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		err = r.Scan(&x.day, &x.n)
		return x, err
	})
	counts := make(map[time.Time]int64, len(all))
	for _, x := range all {
		counts[time.UnixMicro(x.day*dayMicros).UTC()] = x.n
	}
	return counts, err
}

// ListBefore lists candidates from before the one that the window names, the
// newest first.
func (s Candidates) ListBefore(ctx context.Context, f CandidateFilter, window Window) ([]curlew.Candidate, error) {
	rows, err := s.narrow().is(`status`, string(f.Status)).before(window).list(ctx, s.all(), listing{candidateColumns, `candidates`,
		`id DESC`},
		window.limit())
	return many(s, rows, err, scanCandidate)
}

// Count counts candidates by where they stand.
func (s Candidates) Count(ctx context.Context) (map[curlew.CandidateStatus]int64, error) {
	return count[curlew.CandidateStatus](ctx, s.all(), s.narrow(), `status`, `candidates`)
}
