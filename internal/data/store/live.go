package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// MovedRun is a run and when it last changed.
type MovedRun struct {
	curlew.Run
	ChangedAt time.Time
}

// ChangedSince lists the runs that changed after a time, or then and with a greater
// id, in that order; no id is that of the time alone. A change
// becomes visible when its transaction ends, which may be a little later than the time
// that it carries: who must miss none looks back a little.
func (s Runs) ChangedSince(ctx context.Context, since time.Time, after curlew.RunID, limit int) ([]MovedRun, error) {
	rows, err := s.q.Query(ctx, `SELECT `+runColumns+`, changed_at FROM runs WHERE org_id = ? AND changed_at >= ?
		AND (changed_at > ? OR ? <> '' AND id > ?) ORDER BY changed_at, id LIMIT ?`,
		s.org, database.At(since), database.At(since), after, after, Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (m MovedRun, err error) {
		var changed database.Micros
		m.Run, err = scanRun(appended{r, &changed})
		m.ChangedAt = changed.Time()
		return m, err
	})
}

// appended reads one column more than its reader knows of.
type appended struct {
	rows *sql.Rows
	last any
}

// Scan reads a row.
func (a appended) Scan(into ...any) error { return a.rows.Scan(append(into, a.last)...) }

// zeros are the least randomness that an id can have.
type zeros struct{}

// Read gives zeros.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Since lists the pages that were asked for after a time, and after the one with an
// id, in that order: ids begin with the time at which they were minted.
func (s Pages) Since(ctx context.Context, since time.Time, after curlew.PageID, limit int) ([]curlew.Page, error) {
	first := firstPage(since)
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?`, s.org,
		max(first, after), Window{Limit: limit}.limit())
	return many(s, rows, err, scanPage)
}

// CountSince counts the pages that were asked for after a time.
func (s Pages) CountSince(ctx context.Context, since time.Time) (int64, error) {
	rows, err := s.q.Query(ctx, `SELECT count(*) FROM pages WHERE org_id = ? AND id > ?`, s.org, firstPage(since))
	return one(the(s, "org", string(s.org)), rows, err, scanNumber)
}

// firstPage is the least id that a page of a time can have.
func firstPage(at time.Time) curlew.PageID {
	if at.Before(time.Unix(0, 0)) {
		return ""
	}
	return curlew.Mint[curlew.PageID](curlew.NewMinter(func() time.Time { return at }, zeros{}))
}

// Clock is the database's time.
func (s *Store) Clock(ctx context.Context) (time.Time, error) { return s.db.Now(ctx) }
