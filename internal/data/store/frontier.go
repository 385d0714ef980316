package store

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Add puts URLs into the frontier of a run, behind those that are there.
// Those that the run knows already are passed over; it returns the keys of the
// new ones.
func (s FrontierTx) Add(ctx context.Context, run curlew.RunID, visits []curlew.Visit) (added []string, err error) {
	var last int64
	err = s.Tx.QueryRow(ctx, `SELECT coalesce(max(seq), 0) FROM frontier WHERE org_id = ? AND run_id = ?`, s.org, run).Scan(&last)
	if err != nil {
		return nil, err
	}
	err = inChunks(visits, func(some []curlew.Visit) error {
		values := make([]any, 0, 8*len(some))
		for _, v := range some {
			last++
			values = append(values, s.org, run, v.Key, last, v.URL, v.FoundOn, v.Depth, database.AtOrNull(v.LastMod))
		}
		rows, err := s.Tx.Query(ctx, `INSERT INTO frontier (org_id, run_id, key, seq, url, found_on, depth, lastmod) VALUES `+
			placeholders(len(some), `(?, ?, ?, CAST(? AS BIGINT), ?, ?, ?, CAST(? AS BIGINT))`)+
			` ON CONFLICT (org_id, run_id, key) DO NOTHING RETURNING key`, values...)
		keys, err := database.Collect(rows, err, func(r *sql.Rows) (key string, err error) {
			err = r.Scan(&key)
			return key, err
		})
		added = append(added, keys...)
		return err
	})
	return added, err
}

// Next returns the URLs that a run should ask for next: nearest first, and
// among those in the order in which they were found.
func (s Frontier) Next(ctx context.Context, run curlew.RunID, limit int) ([]curlew.Visit, error) {
	rows, err := s.q.Query(ctx, `SELECT url, key, found_on, depth, lastmod, state, reason FROM frontier
		WHERE org_id = ? AND run_id = ? AND state = 'waiting' ORDER BY depth, seq LIMIT ?`, s.org, run, limit)
	return many(s, rows, err, func(r *sql.Rows) (v curlew.Visit, err error) {
		var lastmod database.Micros
		err = r.Scan(&v.URL, &v.Key, &v.FoundOn, &v.Depth, &lastmod, &v.State, &v.Reason)
		v.LastMod = lastmod.TimeOrNil()
		return v, err
	})
}

// End says what became of URLs in a run: of all of them, the same.
func (s FrontierTx) End(ctx context.Context, run curlew.RunID, keys []string, state curlew.VisitState, reason string) error {
	n, err := s.Tx.Exec(ctx, `UPDATE frontier SET state = ?, reason = ? WHERE org_id = ? AND run_id = ? AND key {in ?}`,
		state, reason, s.org, run, database.AsList(keys))
	if err == nil && n != int64(len(keys)) {
		return curlew.NotFound("URL in the frontier", keys[0])
	}
	return err
}

// Count says how many URLs of a run are in each state.
func (s Frontier) Count(ctx context.Context, run curlew.RunID) (map[curlew.VisitState]int64, error) {
	counts := map[curlew.VisitState]int64{}
	rows, err := s.q.Query(ctx, `SELECT state, count(*) FROM frontier WHERE org_id = ? AND run_id = ? GROUP BY state`, s.org, run)
	_, err = many(s, rows, err, func(r *sql.Rows) (state curlew.VisitState, err error) {
		var n int64
		err = r.Scan(&state, &n)
		counts[state] = n
		return state, err
	})
	return counts, err
}
