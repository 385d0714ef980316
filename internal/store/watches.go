package store

import (
	"context"
	"database/sql"

	"curlew/internal/curlew"
	"curlew/internal/database"
)

const watchColumns = `id, org_id, source_id, blueprint_id, url, schedule, status, last_run_at, next_run_at, last_error,
	consecutive_failures, created_at`

func scanWatch(r *sql.Rows) (w curlew.Watch, err error) {
	var last, next, created database.Micros
	err = r.Scan(&w.ID, &w.Org, &w.Source, &w.Blueprint, &w.URL, &w.Schedule, &w.Status, &last, &next, &w.LastError,
		&w.ConsecutiveFailures, &created)
	w.LastRunAt, w.NextRunAt, w.CreatedAt = last.TimeOrNil(), next.TimeOrNil(), created.Time()
	return w, err
}

// AddWatch keeps a new watch and returns it with its id.
func (s WriteScope) AddWatch(ctx context.Context, w curlew.Watch) (curlew.Watch, error) {
	w.ID = curlew.Mint[curlew.WatchID](s.store.ids)
	err := s.insert(ctx, "watch", `INSERT INTO watches (`+watchColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now})`,
		w.ID, s.org, w.Source, w.Blueprint, w.URL, w.Schedule, w.Status, database.AtOrNull(w.LastRunAt), database.AtOrNull(w.NextRunAt),
		w.LastError, w.ConsecutiveFailures)
	if err != nil {
		return curlew.Watch{}, err
	}
	return s.Watch(ctx, w.ID)
}

// Watch returns one watch.
func (s Scope) Watch(ctx context.Context, id curlew.WatchID) (curlew.Watch, error) {
	rows, err := s.q.Query(ctx, `SELECT `+watchColumns+` FROM watches WHERE org_id = ? AND id = ?`, s.org, id)
	return one(s, "watch", string(id), rows, err, scanWatch)
}

// WatchFilter narrows a listing of watches; empty fields do not.
type WatchFilter struct {
	Source curlew.SourceID
	Status curlew.WatchStatus
}

// Watches lists watches, oldest first.
func (s Scope) Watches(ctx context.Context, filter WatchFilter, window Window) ([]curlew.Watch, error) {
	rows, err := s.q.Query(ctx, `SELECT `+watchColumns+` FROM watches
		WHERE org_id = ? AND (? = '' OR source_id = ?) AND (? = '' OR status = ?) AND id > ? ORDER BY id LIMIT ?`,
		s.org, filter.Source, filter.Source, filter.Status, filter.Status, window.After, window.limit())
	return many(s, rows, err, scanWatch)
}

// SetWatchStatus changes whether a watch is visited.
func (s WriteScope) SetWatchStatus(ctx context.Context, id curlew.WatchID, status curlew.WatchStatus) error {
	return s.update(ctx, "watch", string(id), `UPDATE watches SET status = ? WHERE org_id = ? AND id = ?`, status, s.org, id)
}
