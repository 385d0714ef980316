package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const watchColumns = `id, org_id, source_id, blueprint_id, url, schedule, status, last_run_at, next_run_at, last_error,
	consecutive_failures, created_at, name, settings, held, rhythm,
	snapshot_hash, rules_hash, fingerprint`

func scanWatch(r *sql.Rows) (w curlew.Watch, err error) {
	var last, next, created database.Micros
	var settings database.JSON[curlew.WatchSettings]
	var held database.JSON[*curlew.Hold]
	var rhythm database.JSON[curlew.Rhythm]
	err = r.Scan(&w.ID, &w.Org, &w.Source, &w.Blueprint, &w.URL, &w.Schedule, &w.Status, &last, &next, &w.LastError,
		&w.ConsecutiveFailures, &created, &w.Name, &settings, &held, &rhythm,
		&w.SnapshotHash, &w.RulesHash, &w.Fingerprint)
	w.LastRunAt, w.CreatedAt = last.TimeOrNil(), created.Time()
	if w.Status == curlew.WatchActive { // no other is checked by itself
		w.NextRunAt = next.TimeOrNil()
	}
	w.Settings, w.Held, w.Rhythm = settings.Value, held.Value, rhythm.Value
	return w, err
}

// Add keeps a new watch and returns it with its id.
func (s WatchesTx) Add(ctx context.Context, w curlew.Watch) (curlew.Watch, error) {
	w.ID = curlew.Mint[curlew.WatchID](s.store.ids)
	err := s.insert(ctx, "watch", `INSERT INTO watches (`+watchColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now}, ?, ?, ?, ?, ?, ?,
		?)`,
		w.ID, s.org, w.Source, w.Blueprint, w.URL, w.Schedule, w.Status, database.AtOrNull(w.LastRunAt), database.AtOrNull(w.NextRunAt),
		w.LastError, w.ConsecutiveFailures, w.Name, database.AsJSON(w.Settings), database.AsJSON(w.Held), database.AsJSON(w.Rhythm),
		w.SnapshotHash, w.RulesHash, w.Fingerprint)
	if err == nil {
		err = s.addFeed(ctx, string(w.ID))
	}
	if err != nil {
		return curlew.Watch{}, err
	}
	return s.Get(ctx, w.ID)
}

// Get returns one watch.
func (s Watches) Get(ctx context.Context, id curlew.WatchID) (curlew.Watch, error) {
	rows, err := s.q.Query(ctx, `SELECT `+watchColumns+` FROM watches WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "watch", string(id)), rows, err, scanWatch)
}

// WatchFilter narrows a listing of watches; empty fields do not.
type WatchFilter struct {
	Source curlew.SourceID    `query:"source_id"` // only those of this source
	Status curlew.WatchStatus `query:"status"`    // only those with this status
	URL    string             // only those of this address, or whose page led to it when it was last read
}

// List lists watches, oldest first.
func (s Watches) List(ctx context.Context, filter WatchFilter, window Window) ([]curlew.Watch, error) {
	n := s.narrow().is(`source_id`, string(filter.Source)).is(`status`, string(filter.Status)).and(`id > ?`, window.After)
	if filter.URL != "" {
		n.and(`(url = ? OR (SELECT final_url FROM pages WHERE pages.org_id = watches.org_id AND pages.url = watches.url
			AND outcome = 'fetched' ORDER BY fetched_at DESC LIMIT 1) = ?)`, filter.URL, filter.URL)
	}
	rows, err := n.list(ctx, s.all(), listing{watchColumns, `watches`, `id`}, window.limit())
	return many(s, rows, err, scanWatch)
}

// SetStatus changes whether a watch is visited.
func (s WatchesTx) SetStatus(ctx context.Context, id curlew.WatchID, status curlew.WatchStatus) error {
	return s.update(ctx, "watch", string(id), `UPDATE watches SET status = ? WHERE org_id = ? AND id = ?`, status, s.org, id)
}

// Save writes a watch as it is now: what a person may change about it, and how
// its visits go.
func (s WatchesTx) Save(ctx context.Context, w curlew.Watch) error {
	return s.update(ctx, "watch", string(w.ID), `UPDATE watches SET blueprint_id = ?, name = ?, url = ?, schedule = ?, settings = ?,
		status = ?, last_run_at = ?, next_run_at = ?, last_error = ?, consecutive_failures = ?, held = ?, rhythm = ?,
		snapshot_hash = ?, rules_hash = ?, fingerprint = ? WHERE org_id = ? AND id = ?`,
		w.Blueprint, w.Name, w.URL, w.Schedule, database.AsJSON(w.Settings), w.Status, database.AtOrNull(w.LastRunAt),
		database.AtOrNull(w.NextRunAt),
		w.LastError, w.ConsecutiveFailures, database.AsJSON(w.Held), database.AsJSON(w.Rhythm),
		w.SnapshotHash, w.RulesHash, w.Fingerprint, s.org, w.ID)
}

// Lock returns one watch and makes others who change it wait.
func (s WatchesTx) Lock(ctx context.Context, id curlew.WatchID) (curlew.Watch, error) {
	rows, err := s.q.Query(ctx, `SELECT `+watchColumns+` FROM watches WHERE org_id = ? AND id = ? {for_update}`, s.org, id)
	return one(the(s, "watch", string(id)), rows, err, scanWatch)
}

// DueWatches lists watches of all orgs whose time has come and whose source nobody
// reads, the longest due first, but of some orgs none. It is for the scheduler.
func (s *Store) DueWatches(ctx context.Context, limit int, but ...curlew.OrgID) ([]curlew.Watch, error) {
	rows, err := s.db.Query(ctx, `SELECT `+watchColumns+` FROM watches WHERE status = 'active' AND next_run_at <= {now}
		AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.org_id = watches.org_id AND runs.scope = 'source:' || watches.source_id
			AND runs.state IN ('pending', 'running', 'paused'))
		AND org_id {not_in ?} ORDER BY next_run_at LIMIT ?`, database.AsList(but), limit)
	all, err := database.Collect(rows, err, scanWatch)
	return all, s.db.Explain(err)
}

// PutOff sets when watches are due that are being visited now: should their
// runs vanish without a word, they come again then.
func (s WatchesTx) PutOff(ctx context.Context, ids []curlew.WatchID, by time.Duration) error {
	_, err := s.Tx.Exec(ctx, `UPDATE watches SET next_run_at = {now} + ? WHERE org_id = ? AND id {in ?}`, by.Microseconds(), s.org,
		database.AsList(ids))
	return err
}
