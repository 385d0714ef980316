package store

import (
	"context"
	"database/sql"

	"curlew/internal/curlew"
	"curlew/internal/data/database"
)

func scanKind(r *sql.Rows) (curlew.Schema, error) {
	var kind database.JSON[curlew.Schema]
	err := r.Scan(&kind)
	return kind.Value, err
}

// Own lists the kinds that the org made for itself, by name.
func (s Kinds) Own(ctx context.Context) ([]curlew.Schema, error) {
	rows, err := s.q.Query(ctx, `SELECT definition FROM kinds WHERE org_id = ? ORDER BY name`, s.org)
	return many(s, rows, err, scanKind)
}

// All lists the built-in kinds, and those of the org after them.
func (s Kinds) All(ctx context.Context) (curlew.Kinds, error) {
	own, err := s.Own(ctx)
	return append(append(curlew.Kinds{}, curlew.Schemas()...), own...), err
}

// Get returns one of the org's own kinds.
func (s Kinds) Get(ctx context.Context, name curlew.SchemaName) (curlew.Schema, error) {
	rows, err := s.q.Query(ctx, `SELECT definition FROM kinds WHERE org_id = ? AND name = ?`, s.org, name)
	return one(s, "kind", string(name), rows, err, scanKind)
}

// Uses counts the blueprints and the entities of a kind.
func (s Kinds) Uses(ctx context.Context, name curlew.SchemaName) (blueprints, entities int64, err error) {
	for query, into := range map[string]*int64{
		`SELECT count(*) FROM blueprints WHERE org_id = ? AND schema = ?`: &blueprints,
		`SELECT count(*) FROM entities WHERE org_id = ? AND schema = ?`:   &entities,
	} {
		rows, err := s.q.Query(ctx, query, s.org, name)
		if *into, err = one(s, "org", string(s.org), rows, err, scanNumber); err != nil {
			return 0, 0, err
		}
	}
	return blueprints, entities, nil
}

// Add keeps a new kind.
func (s KindsTx) Add(ctx context.Context, kind curlew.Schema) error {
	return s.insert(ctx, "kind", `INSERT INTO kinds (org_id, name, definition, made_at) VALUES (?, ?, ?, {now})`, s.org, kind.Name,
		database.AsJSON(kind))
}

// Set keeps what a kind is from now on.
func (s KindsTx) Set(ctx context.Context, kind curlew.Schema) error {
	return s.update(ctx, "kind", string(kind.Name), `UPDATE kinds SET definition = ? WHERE org_id = ? AND name = ?`,
		database.AsJSON(kind), s.org, kind.Name)
}

// Remove forgets a kind.
func (s KindsTx) Remove(ctx context.Context, name curlew.SchemaName) error {
	return s.update(ctx, "kind", string(name), `DELETE FROM kinds WHERE org_id = ? AND name = ?`, s.org, name)
}
