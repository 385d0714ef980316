package store

import (
	"context"
	"database/sql"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

func scanKind(r *sql.Rows) (curlew.Schema, error) {
	var kind database.JSON[curlew.Schema]
	err := r.Scan(&kind)
	return kind.Value, err
}

// Own lists the kinds that the org made for itself, by name, also those that it deleted.
func (s Kinds) Own(ctx context.Context) ([]curlew.Schema, error) {
	rows, err := s.q.Query(ctx, `SELECT definition FROM kinds WHERE org_id = ? ORDER BY name`, s.org)
	return many(s, rows, err, scanKind)
}

// All lists the built-in kinds, and those of the org after them, also deleted ones.
func (s Kinds) All(ctx context.Context) (curlew.Kinds, error) {
	own, err := s.Own(ctx)
	return append(append(curlew.Kinds{}, curlew.Schemas()...), own...), err
}

// Get returns one of the org's own kinds.
func (s Kinds) Get(ctx context.Context, name curlew.SchemaName) (curlew.Schema, error) {
	rows, err := s.q.Query(ctx, `SELECT definition FROM kinds WHERE org_id = ? AND name = ?`, s.org, name)
	return one(the(s, "kind", string(name)), rows, err, scanKind)
}

// Used says whether anything was ever read by a kind.
func (s Kinds) Used(ctx context.Context, name curlew.SchemaName) (bool, error) {
	rows, err := s.q.Query(ctx, `SELECT (SELECT count(*) FROM blueprints WHERE org_id = ? AND schema = ?) +
		(SELECT count(*) FROM entities WHERE org_id = ? AND schema = ?)`, s.org, name, s.org, name)
	n, err := one(the(s, "org", string(s.org)), rows, err, scanNumber)
	return n > 0, err
}

// Watches lists the watches that read by a kind.
func (s Kinds) Watches(ctx context.Context, name curlew.SchemaName) ([]curlew.Watch, error) {
	rows, err := s.q.Query(ctx, `SELECT `+watchColumns+` FROM watches WHERE org_id = ? AND blueprint_id IN
		(SELECT id FROM blueprints WHERE org_id = ? AND schema = ?) ORDER BY id`, s.org, s.org, name)
	return many(s, rows, err, scanWatch)
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
