package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"curlew/internal/curlew"
	"curlew/internal/database"
)

const changeColumns = `id, org_id, sequence, kind, source_id, watch_id, entity_id, version, payload, occurred_at`

func scanChange(r *sql.Rows) (c curlew.Change, err error) {
	var version sql.NullInt64
	var payload database.JSON[json.RawMessage]
	var occurred database.Micros
	err = r.Scan(&c.ID, &c.Org, &c.Sequence, &c.Kind, text[curlew.SourceID]{&c.Source}, text[curlew.WatchID]{&c.Watch},
		text[curlew.EntityID]{&c.Entity}, &version, &payload, &occurred)
	c.Version, c.Payload, c.OccurredAt = int(version.Int64), payload.Value, occurred.Time()
	return c, err
}

// AddChange keeps a new change and returns it with its id and its sequence. The
// org's counter stays locked until the transaction ends: sequences have no gaps,
// and they become visible in their order, so a reader that goes on after the
// last one it saw misses none.
func (s WriteScope) AddChange(ctx context.Context, c curlew.Change) (curlew.Change, error) {
	c.ID = curlew.Mint[curlew.ChangeID](s.store.ids)
	sequence, err := s.nextSequence(ctx)
	if err != nil {
		return curlew.Change{}, err
	}
	err = s.insert(ctx, "change", `INSERT INTO changes (`+changeColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?, coalesce(?, {now}))`,
		c.ID, s.org, sequence, c.Kind, null(c.Source), null(c.Watch), null(c.Entity), c.Version, rawOrNull(c.Payload),
		database.AtOrNull(&c.OccurredAt))
	if err != nil {
		return curlew.Change{}, err
	}
	return s.Change(ctx, c.ID)
}

func (s WriteScope) nextSequence(ctx context.Context) (int64, error) {
	rows, err := s.q.Query(ctx, `INSERT INTO change_counters (org_id, last_sequence) VALUES (?, 1)
		ON CONFLICT (org_id) DO UPDATE SET last_sequence = change_counters.last_sequence + 1 RETURNING last_sequence`, s.org)
	n, err := one(s.Scope, "org", string(s.org), rows, err, scanNumber)
	return n, s.explainInsert("change", err)
}

// Change returns one change.
func (s Scope) Change(ctx context.Context, id curlew.ChangeID) (curlew.Change, error) {
	rows, err := s.q.Query(ctx, `SELECT `+changeColumns+` FROM changes WHERE org_id = ? AND id = ?`, s.org, id)
	return one(s, "change", string(id), rows, err, scanChange)
}

// ChangeFilter narrows a listing of changes; empty fields do not.
type ChangeFilter struct {
	Kind   curlew.ChangeKind
	Entity curlew.EntityID
}

// Changes lists the changes after a sequence, in their order.
func (s Scope) Changes(ctx context.Context, filter ChangeFilter, after int64, limit int) ([]curlew.Change, error) {
	rows, err := s.q.Query(ctx, `SELECT `+changeColumns+` FROM changes WHERE org_id = ?
		AND (? = '' OR kind = ?) AND (? = '' OR entity_id = ?) AND sequence > ? ORDER BY sequence LIMIT ?`,
		s.org, filter.Kind, filter.Kind, filter.Entity, filter.Entity, after, Window{Limit: limit}.limit())
	return many(s, rows, err, scanChange)
}
