package store

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const entityColumns = `id, org_id, source_id, schema, external_id, status, version, fields, record_hash, first_seen_at, last_seen_at,
	url, record_id, stale_said`

func scanEntity(r *sql.Rows) (e curlew.Entity, err error) {
	into, done := entityInto(&e)
	err = r.Scan(into...)
	done()
	return e, err
}

// entityInto is where the columns of an entity go, and what is to be done then.
func entityInto(e *curlew.Entity) ([]any, func()) {
	var fields database.JSON[curlew.Values]
	var first, last database.Micros
	return []any{&e.ID, &e.Org, &e.Source, &e.Schema, &e.ExternalID, &e.Status, &e.Version, &fields, &e.Hash, &first, &last,
			&e.URL, &e.Record, &e.StaleSaid},
		func() { e.Fields, e.FirstSeenAt, e.LastSeenAt = fields.Value, first.Time(), last.Time() }
}

// Add keeps a new entity and returns it with its id.
func (s EntitiesTx) Add(ctx context.Context, e curlew.Entity) (curlew.Entity, error) {
	e.ID = curlew.Mint[curlew.EntityID](s.store.ids)
	given := wordsOf(e)
	err := s.insert(ctx, "entity", `INSERT INTO entities (`+entityColumns+`, words)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, {now}), coalesce(?, {now}), ?, ?, ?, ?)`,
		e.ID, s.org, e.Source, e.Schema, e.ExternalID, e.Status, e.Version, database.AsJSON(e.Fields), e.Hash,
		database.AtOrNull(&e.FirstSeenAt), database.AtOrNull(&e.LastSeenAt), e.URL, e.Record, flag(e.StaleSaid), given.sum())
	if err != nil {
		return curlew.Entity{}, err
	}
	if err := s.keepWords(ctx, []worded{given}); err != nil {
		return curlew.Entity{}, err
	}
	return s.Get(ctx, e.ID)
}

// Get returns one entity.
func (s Entities) Get(ctx context.Context, id curlew.EntityID) (curlew.Entity, error) {
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "entity", string(id)), rows, err, scanEntity)
}

// ByExternalID returns the entity that a source knows by an id of its own.
func (s Entities) ByExternalID(
	ctx context.Context, source curlew.SourceID, schema curlew.SchemaName, externalID string,
) (curlew.Entity, error) {
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities
		WHERE org_id = ? AND source_id = ? AND schema = ? AND external_id = ?`, s.org, source, schema, externalID)
	return one(the(s, string(schema), externalID), rows, err, scanEntity)
}

// EntityFilter narrows a listing of entities; empty fields do not.
type EntityFilter struct {
	Source curlew.SourceID
	Schema curlew.SchemaName
	Status curlew.EntityStatus
}

// List lists entities, oldest first.
func (s Entities) List(ctx context.Context, filter EntityFilter, window Window) ([]curlew.Entity, error) {
	rows, err := s.narrow().is(`source_id`, string(filter.Source)).is(`schema`, string(filter.Schema)).is(`status`, string(filter.Status)).
		and(`id > ?`, window.After).list(ctx, s.all(), listing{entityColumns, `entities`, `id`}, window.limit())
	return many(s, rows, err, scanEntity)
}

// ByExternalIDs lists the entities that a source knows by these ids.
func (s Entities) ByExternalIDs(
	ctx context.Context, source curlew.SourceID, schema curlew.SchemaName, externalIDs []string,
) ([]curlew.Entity, error) {
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities WHERE org_id = ? AND source_id = ? AND schema = ?
		AND external_id {in ?} ORDER BY id`,
		s.org, source, schema, database.AsList(externalIDs))
	return many(s, rows, err, scanEntity)
}

// ByIDs lists these entities.
func (s Entities) ByIDs(ctx context.Context, ids []curlew.EntityID) ([]curlew.Entity, error) {
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities WHERE org_id = ? AND id {in ?} ORDER BY id`, s.org,
		database.AsList(ids))
	return many(s, rows, err, scanEntity)
}

// AddAll keeps new entities that have their ids.
func (s EntitiesTx) AddAll(ctx context.Context, entities []curlew.Entity) error {
	given := make([]worded, 0, len(entities))
	err := inChunks(entities, func(some []curlew.Entity) error {
		values := make([]any, 0, 15*len(some))
		for _, e := range some {
			given = append(given, wordsOf(e))
			values = append(values, e.ID, s.org, e.Source, e.Schema, e.ExternalID, e.Status, e.Version, database.AsJSON(e.Fields), e.Hash,
				database.At(e.FirstSeenAt), database.At(e.LastSeenAt), e.URL, e.Record, flag(e.StaleSaid), given[len(given)-1].sum())
		}
		return s.insert(ctx, "entity", `INSERT INTO entities (`+entityColumns+`, words) VALUES `+
			placeholders(len(some), `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`), values...)
	})
	if err != nil {
		return err
	}
	return s.keepWords(ctx, given)
}

// Save writes an entity as it is now.
func (s EntitiesTx) Save(ctx context.Context, e curlew.Entity) error {
	return s.SaveAll(ctx, []curlew.Entity{e})
}

// SaveAll writes entities as they are now.
func (s EntitiesTx) SaveAll(ctx context.Context, entities []curlew.Entity) error {
	before, err := s.sums(ctx, entities)
	if err != nil {
		return err
	}
	var reworded []worded
	for _, e := range entities {
		given := wordsOf(e)
		sum := given.sum()
		err := s.update(ctx, "entity", string(e.ID), `UPDATE entities SET external_id = ?, status = ?, version = ?, fields = ?, record_hash = ?,
			first_seen_at = ?, last_seen_at = ?, url = ?, record_id = ?, stale_said = ?, words = ? WHERE org_id = ? AND id = ?`,
			e.ExternalID, e.Status, e.Version, database.AsJSON(e.Fields), e.Hash, database.At(e.FirstSeenAt), database.At(e.LastSeenAt), e.URL,
			e.Record,
			flag(e.StaleSaid), sum, s.org, e.ID)
		if err != nil {
			return s.explainInsert("entity", err)
		}
		if before[e.ID] != sum {
			reworded = append(reworded, given)
		}
	}
	return s.keepWords(ctx, reworded)
}
