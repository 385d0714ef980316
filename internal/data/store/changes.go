package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

const changeColumns = `id, org_id, sequence, kind, source_id, watch_id, entity_id, version, payload, occurred_at, run_id`

func scanChange(r *sql.Rows) (c curlew.Change, err error) {
	into, done := changeInto(&c)
	err = r.Scan(into...)
	done()
	return c, err
}

// changeInto is where the columns of a change go, and what is to be done then.
func changeInto(c *curlew.Change) ([]any, func()) {
	var version sql.NullInt64
	var payload database.JSON[json.RawMessage]
	var occurred database.Micros
	return []any{&c.ID, &c.Org, &c.Sequence, &c.Kind, text[curlew.SourceID]{&c.Source}, text[curlew.WatchID]{&c.Watch},
			text[curlew.EntityID]{&c.Entity}, &version, &payload, &occurred, &c.Run},
		func() { c.Version, c.Payload, c.OccurredAt = int(version.Int64), payload.Value, occurred.Time() }
}

// Add keeps a new change and returns it with its id and its sequence. The
// org's counter stays locked until the transaction ends: sequences have no gaps,
// and they become visible in their order, so a reader that goes on after the
// last one it saw misses none.
func (s ChangesTx) Add(ctx context.Context, c curlew.Change) (curlew.Change, error) {
	c.ID = curlew.Mint[curlew.ChangeID](s.store.ids)
	sequence, err := s.nextSequence(ctx)
	if err != nil {
		return curlew.Change{}, err
	}
	err = s.insert(ctx, "change", `INSERT INTO changes (`+changeColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?, coalesce(?, {now}), ?)`,
		c.ID, s.org, sequence, c.Kind, null(c.Source), null(c.Watch), null(c.Entity), c.Version, rawOrNull(c.Payload),
		database.AtOrNull(&c.OccurredAt), c.Run)
	if err != nil {
		return curlew.Change{}, err
	}
	kept, err := s.Get(ctx, c.ID)
	if err != nil {
		return curlew.Change{}, err
	}
	return kept, s.countDays(ctx, []curlew.Change{kept})
}

func (s writing) nextSequence(ctx context.Context) (int64, error) {
	rows, err := s.q.Query(ctx, `INSERT INTO change_counters (org_id, last_sequence) VALUES (?, 1)
		ON CONFLICT (org_id) DO UPDATE SET last_sequence = change_counters.last_sequence + 1 RETURNING last_sequence`, s.org)
	n, err := one(the(s, "org", string(s.org)), rows, err, scanNumber)
	return n, s.explainInsert("change", err)
}

// Get returns one change.
func (s Changes) Get(ctx context.Context, id curlew.ChangeID) (curlew.Change, error) {
	rows, err := s.q.Query(ctx, `SELECT `+changeColumns+` FROM changes WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "change", string(id)), rows, err, scanChange)
}

// ByIDs returns those of some changes that are kept, in their order.
func (s Changes) ByIDs(ctx context.Context, ids []curlew.ChangeID) ([]curlew.Change, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	// Ordered plainly by sequence, a planner would read all changes in that order for the few.
	rows, err := s.q.Query(ctx, `SELECT `+changeColumns+` FROM changes WHERE org_id = ? AND id {in ?} ORDER BY sequence + 0`, s.org,
		database.AsJSON(ids))
	return many(s, rows, err, scanChange)
}

// ChangeFilter narrows a listing of changes; empty fields do not.
type ChangeFilter struct {
	Kind   curlew.ChangeKind `query:"kind"`      // only changes of this kind
	Source curlew.SourceID   `query:"source_id"` // only those of this source
	Watch  curlew.WatchID    `query:"watch_id"`  // only those that this watch found
	Entity curlew.EntityID   `query:"entity_id"` // only those about this entity
	Since  time.Time         `query:"since"`     // only those from this time on
	Search string            `query:"q"`         // only those about entities that have words which begin with each of these
}

// List lists the changes after a sequence, in their order.
func (s Changes) List(ctx context.Context, filter ChangeFilter, after int64, limit int) ([]curlew.Change, error) {
	if strings.TrimSpace(filter.Search) != "" {
		return s.searchChanges(ctx, filter, `>`, after, Window{Limit: limit}.limit())
	}
	rows, err := s.narrowChanges(filter).and(`sequence > ?`, after).list(ctx, s.all(), listing{changeColumns, `changes`, filter.order()},
		Window{Limit: limit}.limit())
	return many(s, rows, err, scanChange)
}

// AddAll keeps new changes, in their order, and returns them with their ids and
// sequences. They must have times.
func (s ChangesTx) AddAll(ctx context.Context, changes []curlew.Change) ([]curlew.Change, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	rows, err := s.q.Query(ctx, `INSERT INTO change_counters (org_id, last_sequence) VALUES (?, ?)
		ON CONFLICT (org_id) DO UPDATE SET last_sequence = change_counters.last_sequence + excluded.last_sequence RETURNING last_sequence`,
		s.org, len(changes))
	last, err := one(the(s, "org", string(s.org)), rows, err, scanNumber)
	if err != nil {
		return nil, s.explainInsert("change", err)
	}
	out := slices.Clone(changes)
	for i := range out {
		out[i].ID, out[i].Org = curlew.Mint[curlew.ChangeID](s.store.ids), s.org
		out[i].Sequence = last - int64(len(out)-1-i)
	}
	if err := s.countDays(ctx, out); err != nil {
		return nil, err
	}
	s.Tx.AfterCommit(func() { tellChanges(ctx, out) })
	return out, inChunks(out, func(some []curlew.Change) error {
		values := make([]any, 0, 11*len(some))
		for _, c := range some {
			values = append(values, c.ID, s.org, c.Sequence, c.Kind, null(c.Source), null(c.Watch), null(c.Entity), versionOrNull(c.Version),
				rawOrNull(c.Payload), database.At(c.OccurredAt), c.Run)
		}
		return s.insert(ctx, "change", `INSERT INTO changes (`+changeColumns+`) VALUES `+placeholders(len(some),
			`(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`), values...)
	})
}

// tellChanges counts changes by their kind.
func tellChanges(ctx context.Context, changes []curlew.Change) {
	kinds := map[curlew.ChangeKind]int{}
	for _, c := range changes {
		kinds[c.Kind]++
	}
	for kind, n := range kinds {
		instrument.Tell(ctx, instrument.Changed{Kind: kind, N: n})
	}
}

func versionOrNull(version int) any {
	if version == 0 {
		return nil
	}
	return version
}

// LastSequence is that of the newest change of the org; 0 when there is none.
func (s Changes) LastSequence(ctx context.Context) (int64, error) {
	rows, err := s.q.Query(ctx, `SELECT coalesce(max(last_sequence), 0) FROM change_counters WHERE org_id = ?`, s.org)
	return one(the(s, "org", string(s.org)), rows, err, scanNumber)
}
