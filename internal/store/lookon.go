package store

import (
	"context"
	"database/sql"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/database"
)

// MovedRun is a run and when it last changed.
type MovedRun struct {
	curlew.Run
	ChangedAt time.Time
}

// RunsChangedSince lists the runs that changed after a time, in that order. A change
// becomes visible when its transaction ends, which may be a little later than the time
// that it carries: who must miss none looks back a little.
func (s Scope) RunsChangedSince(ctx context.Context, since time.Time, limit int) ([]MovedRun, error) {
	rows, err := s.q.Query(ctx, `SELECT `+runColumns+`, changed_at FROM runs WHERE org_id = ? AND changed_at > ? ORDER BY changed_at, id LIMIT ?`,
		s.org, database.At(since), Window{Limit: limit}.limit())
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

// PagesSince lists the pages that were asked for after a time, in that order: ids begin
// with the time at which they were minted.
func (s Scope) PagesSince(ctx context.Context, since time.Time, limit int) ([]curlew.Page, error) {
	first := curlew.Mint[curlew.PageID](curlew.NewMinter(func() time.Time { return since }, zeros{}))
	rows, err := s.q.Query(ctx, `SELECT `+pageColumns+` FROM pages WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?`, s.org, first, Window{Limit: limit}.limit())
	return many(s, rows, err, scanPage)
}

// Clock is the database's time.
func (s *Store) Clock(ctx context.Context) (time.Time, error) { return s.db.Now(ctx) }
