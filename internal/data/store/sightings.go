package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const sightingColumns = `watch_id, entity_id, seen_at, misses, missed_at, position, listed, detail_at, detail, lost, lost_at, detail_every`

func scanSighting(r *sql.Rows) (s curlew.Sighting, err error) {
	var seen, missed, detailAt, lostAt database.Micros
	var detail database.JSON[*curlew.Draft]
	var lost database.JSON[map[string]int]
	var every int64
	err = r.Scan(&s.Watch, &s.Entity, &seen, &s.Misses, &missed, &s.Position, &s.Listed, &detailAt, &detail, &lost, &lostAt, &every)
	s.Lost, s.LostAt, s.DetailEvery = lost.Value, lostAt.TimeOrNil(), curlew.Duration(time.Duration(every)*time.Microsecond)
	s.SeenAt, s.MissedAt, s.DetailAt, s.Detail = seen.Time(), missed.TimeOrNil(), detailAt.TimeOrNil(), detail.Value
	return s, err
}

// Sightings lists how a watch last saw its entities.
func (s Entities) Sightings(ctx context.Context, watch curlew.WatchID) ([]curlew.Sighting, error) {
	rows, err := s.q.Query(ctx, `SELECT `+sightingColumns+` FROM sightings WHERE org_id = ? AND watch_id = ? ORDER BY entity_id`, s.org, watch)
	return many(s, rows, err, scanSighting)
}

// Sighted lists the entities that a watch has seen and that are neither
// removed nor finished.
func (s Entities) Sighted(ctx context.Context, watch curlew.WatchID) ([]curlew.Entity, error) {
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities WHERE org_id = ? AND status IN ('active', 'stale')
		AND id IN (SELECT entity_id FROM sightings WHERE org_id = ? AND watch_id = ?) ORDER BY id`, s.org, s.org, watch)
	return many(s, rows, err, scanEntity)
}

// SightedOrFinished lists the entities by which a check of a watch knows things again: those that are
// neither removed nor finished, and those that are over and stood on the list when it was
// last looked at.
func (s Entities) SightedOrFinished(ctx context.Context, watch curlew.WatchID) ([]curlew.Entity, error) {
	// What the watch has seen comes first: with it inside of an OR, Postgres would read all entities of the org.
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities WHERE org_id = ?
		AND id IN (SELECT entity_id FROM sightings WHERE org_id = ? AND watch_id = ?)
		AND (status IN ('active', 'stale') OR status = 'finished' AND id IN (SELECT entity_id FROM sightings WHERE org_id = ? AND watch_id = ?
			AND seen_at = (SELECT max(seen_at) FROM sightings WHERE org_id = ? AND watch_id = ?))) ORDER BY id`,
		s.org, s.org, watch, s.org, watch, s.org, watch)
	return many(s, rows, err, scanEntity)
}

// SightedByOtherWatches lists those of a watch's entities that another active watch saw
// when it last looked.
func (s Entities) SightedByOtherWatches(ctx context.Context, watch curlew.WatchID) ([]curlew.EntityID, error) {
	rows, err := s.q.Query(ctx, `SELECT DISTINCT other.entity_id FROM sightings AS own
		JOIN sightings AS other ON other.org_id = own.org_id AND other.entity_id = own.entity_id AND other.watch_id <> own.watch_id
		AND other.misses = 0
		JOIN watches ON watches.org_id = other.org_id AND watches.id = other.watch_id AND watches.status = 'active'
		WHERE own.org_id = ? AND own.watch_id = ?`, s.org, watch)
	return many(s, rows, err, func(r *sql.Rows) (id curlew.EntityID, err error) {
		err = r.Scan(&id)
		return id, err
	})
}

// Confirm notes in entities when and where each of their values was last read.
func (s Entities) Confirm(ctx context.Context, entities []curlew.Entity) error {
	ids := make([]curlew.EntityID, len(entities))
	for i, e := range entities {
		ids[i] = e.ID
	}
	rows, err := s.q.Query(ctx, `SELECT sightings.entity_id, seen_at, detail_at, detail, lost, watches.url FROM sightings
		JOIN watches ON watches.org_id = sightings.org_id AND watches.id = sightings.watch_id
		WHERE sightings.org_id = ? AND sightings.entity_id {in ?}`, s.org, database.AsList(ids))
	all, err := many(s, rows, err, func(r *sql.Rows) (x curlew.Sighted, err error) {
		var seen, detailAt database.Micros
		var detail database.JSON[*curlew.Draft]
		var lost database.JSON[map[string]int]
		err = r.Scan(&x.Entity, &seen, &detailAt, &detail, &lost, &x.List)
		x.SeenAt, x.DetailAt, x.Detail, x.Lost = seen.Time(), detailAt.TimeOrNil(), detail.Value, lost.Value
		return x, err
	})
	byID := map[curlew.EntityID][]curlew.Sighted{}
	for _, x := range all {
		byID[x.Entity] = append(byID[x.Entity], x)
	}
	for i := range entities {
		entities[i].Confirm(byID[entities[i].ID])
	}
	return err
}

// KeepSightings writes down how a watch saw entities.
func (s EntitiesTx) KeepSightings(ctx context.Context, sightings []curlew.Sighting) error {
	return inChunks(sightings, func(some []curlew.Sighting) error {
		values := make([]any, 0, 13*len(some))
		for _, x := range some {
			values = append(values, s.org, x.Watch, x.Entity, database.At(x.SeenAt), x.Misses, database.AtOrNull(x.MissedAt), x.Position, x.Listed,
				database.AtOrNull(x.DetailAt), database.AsJSON(x.Detail), database.AsJSON(x.Lost),
				database.AtOrNull(x.LostAt), time.Duration(x.DetailEvery).Microseconds())
		}
		return s.insert(ctx, "sighting", `INSERT INTO sightings (org_id, `+sightingColumns+`) VALUES `+placeholders(len(some),
			`(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)+`
			ON CONFLICT (org_id, watch_id, entity_id) DO UPDATE SET seen_at = excluded.seen_at, misses = excluded.misses,
			missed_at = excluded.missed_at, position = excluded.position, listed = excluded.listed, detail_at = excluded.detail_at,
			detail = excluded.detail,
				lost = excluded.lost, lost_at = excluded.lost_at, detail_every = excluded.detail_every`, values...)
	})
}

// SeenAgain writes down that a watch saw entities again, as they were.
func (s EntitiesTx) SeenAgain(ctx context.Context, watch curlew.WatchID, ids []curlew.EntityID, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := s.Tx.Exec(ctx, `UPDATE sightings SET seen_at = ? WHERE org_id = ? AND watch_id = ? AND entity_id {in ?}`, database.At(at),
		s.org, watch, database.AsList(ids))
	if err != nil {
		return err
	}
	return s.SeenAt(ctx, ids, at)
}

// SeenAt writes down when entities were seen last.
func (s EntitiesTx) SeenAt(ctx context.Context, ids []curlew.EntityID, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := s.Tx.Exec(ctx, `UPDATE entities SET last_seen_at = ? WHERE org_id = ? AND id {in ?} AND last_seen_at < ?`, database.At(at),
		s.org, database.AsList(ids), database.At(at))
	return err
}

const aliasColumns = `source_id, schema, external_id, entity_id, confidence, why, created_at`

func scanAlias(r *sql.Rows) (a curlew.Alias, err error) {
	var created database.Micros
	err = r.Scan(&a.Source, &a.Schema, &a.ExternalID, &a.Entity, &a.Confidence, &a.Why, &created)
	a.CreatedAt = created.Time()
	return a, err
}

// Aliases lists those of the given external ids by which entities of a source were
// known.
func (s Entities) Aliases(
	ctx context.Context, source curlew.SourceID, schema curlew.SchemaName, externalIDs []string,
) ([]curlew.Alias, error) {
	rows, err := s.q.Query(ctx, `SELECT `+aliasColumns+` FROM entity_aliases WHERE org_id = ? AND source_id = ? AND schema = ?
		AND external_id {in ?}
		ORDER BY external_id`, s.org, source, schema, database.AsList(externalIDs))
	return many(s, rows, err, scanAlias)
}

// AliasesOf lists the other names of one entity.
func (s Entities) AliasesOf(ctx context.Context, id curlew.EntityID) ([]curlew.Alias, error) {
	rows, err := s.q.Query(ctx, `SELECT `+aliasColumns+` FROM entity_aliases WHERE org_id = ? AND entity_id = ?
		ORDER BY created_at, external_id`, s.org, id)
	return many(s, rows, err, scanAlias)
}

// KeepAlias writes down another name of an entity; the newest belief wins.
func (s EntitiesTx) KeepAlias(ctx context.Context, a curlew.Alias) error {
	return s.insert(ctx, "alias", `INSERT INTO entity_aliases (org_id, `+aliasColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, coalesce(?, {now}))
		ON CONFLICT (org_id, source_id, schema, external_id) DO UPDATE SET entity_id = excluded.entity_id, confidence = excluded.confidence,
		why = excluded.why`,
		s.org, a.Source, a.Schema, a.ExternalID, a.Entity, a.Confidence, a.Why, database.AtOrNull(&a.CreatedAt))
}
