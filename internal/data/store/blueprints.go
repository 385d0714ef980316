package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

const blueprintColumns = `id, org_id, source_id, schema, page_type, tier, version, status, rules, test_url, created_at, line`

func scanBlueprint(r *sql.Rows) (b curlew.Blueprint, err error) {
	var rules database.JSON[json.RawMessage]
	var created database.Micros
	err = r.Scan(&b.ID, &b.Org, &b.Source, &b.Schema, &b.PageType, &b.Tier, &b.Version, &b.Status, &rules, &b.TestURL, &created, &b.Line)
	b.Rules, b.CreatedAt = rules.Value, created.Time()
	return b, err
}

// AddLine keeps a new draft as the first of a line of its own, where its source already
// reads another list of the schema.
func (s BlueprintsTx) AddLine(ctx context.Context, b curlew.Blueprint) (curlew.Blueprint, error) {
	others, err := s.List(ctx, BlueprintFilter{Source: b.Source, Schema: b.Schema, Status: curlew.BlueprintActive}, Window{})
	if err != nil {
		return curlew.Blueprint{}, err
	}
	if slices.ContainsFunc(others, func(other curlew.Blueprint) bool { return other.PageType == b.PageType }) {
		b.Line = string(curlew.Mint[curlew.BlueprintID](s.store.ids))
	}
	return s.Add(ctx, b)
}

// Add keeps a new draft and returns it with its id and its version: the next one of its
// source, schema and page type, whatever its line.
func (s BlueprintsTx) Add(ctx context.Context, b curlew.Blueprint) (curlew.Blueprint, error) {
	if err := s.lockSource(ctx, b.Source); err != nil {
		return curlew.Blueprint{}, err
	}
	b.ID = curlew.Mint[curlew.BlueprintID](s.store.ids)
	err := s.insert(ctx, "blueprint", `INSERT INTO blueprints (`+blueprintColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(version), 0) + 1 FROM blueprints
			WHERE org_id = ? AND source_id = ? AND schema = ? AND page_type = ?), ?, ?, ?, {now}, ?)`,
		b.ID, s.org, b.Source, b.Schema, b.PageType, b.Tier, s.org, b.Source, b.Schema, b.PageType,
		curlew.BlueprintDraft, rawOrNull(b.Rules), b.TestURL, b.Line)
	if err != nil {
		return curlew.Blueprint{}, err
	}
	return s.Get(ctx, b.ID)
}

// SetRules keeps the rules of a version with another definition of their kind.
func (s BlueprintsTx) SetRules(ctx context.Context, id curlew.BlueprintID, rules json.RawMessage) error {
	return s.update(ctx, "blueprint", string(id), `UPDATE blueprints SET rules = ? WHERE org_id = ? AND id = ?`, rawOrNull(rules), s.org, id)
}

// lockSource makes others who number or activate the source's blueprints wait.
// That there is such a source is for the caller's statement to say.
func (s writing) lockSource(ctx context.Context, id curlew.SourceID) error {
	rows, err := s.q.Query(ctx, `SELECT `+sourceColumns+` FROM sources WHERE org_id = ? AND id = ? {for_update}`, s.org, id)
	_, err = many(s, rows, err, scanSource)
	return err
}

// Get returns one blueprint.
func (s Blueprints) Get(ctx context.Context, id curlew.BlueprintID) (curlew.Blueprint, error) {
	rows, err := s.q.Query(ctx, `SELECT `+blueprintColumns+` FROM blueprints WHERE org_id = ? AND id = ?`, s.org, id)
	return one(the(s, "blueprint", string(id)), rows, err, scanBlueprint)
}

// BlueprintFilter narrows a listing of blueprints; empty fields do not.
type BlueprintFilter struct {
	Source curlew.SourceID
	Schema curlew.SchemaName
	Status curlew.BlueprintStatus
	Tier   curlew.Tier
}

func (s scope) narrowBlueprints(f BlueprintFilter) *narrowing {
	return s.narrow().is(`source_id`, string(f.Source)).is(`schema`, string(f.Schema)).is(`status`, string(f.Status)).is(`tier`,
		string(f.Tier))
}

// List lists blueprints, oldest first.
func (s Blueprints) List(ctx context.Context, filter BlueprintFilter, window Window) ([]curlew.Blueprint, error) {
	rows, err := s.narrowBlueprints(filter).and(`id > ?`, window.After).list(ctx, s.all(), listing{blueprintColumns, `blueprints`, `id`},
		window.limit())
	return many(s, rows, err, scanBlueprint)
}

// ListBefore lists blueprints, the newest first, from before the one with the id
// that the window names.
func (s Blueprints) ListBefore(ctx context.Context, f BlueprintFilter, window Window) ([]curlew.Blueprint, error) {
	rows, err := s.narrowBlueprints(f).before(window).list(ctx, s.all(), listing{blueprintColumns, `blueprints`, `id DESC`}, window.limit())
	return many(s, rows, err, scanBlueprint)
}

// Activate makes a blueprint the active one of its line, archives the one that was, and returns it as it is then.
func (s BlueprintsTx) Activate(ctx context.Context, id curlew.BlueprintID) (curlew.Blueprint, error) {
	b, err := s.Get(ctx, id)
	if err != nil {
		return curlew.Blueprint{}, err
	}
	if err := s.lockSource(ctx, b.Source); err != nil {
		return curlew.Blueprint{}, err
	}
	_, err = s.Tx.Exec(ctx, `UPDATE blueprints SET status = 'archived'
		WHERE org_id = ? AND source_id = ? AND schema = ? AND page_type = ? AND line = ? AND status = 'active' AND id <> ?`,
		s.org, b.Source, b.Schema, b.PageType, b.Line, id)
	if err != nil {
		return curlew.Blueprint{}, err
	}
	err = s.update(ctx, "blueprint", string(id), `UPDATE blueprints SET status = 'active' WHERE org_id = ? AND id = ?`, s.org, id)
	if err != nil {
		return curlew.Blueprint{}, err
	}
	return s.Get(ctx, id)
}

// Deployed is the active blueprint of a deployed source, and the structure of the page
// that it was made for.
type Deployed struct {
	Blueprint   curlew.Blueprint
	Fingerprint string
}

// Deployed lists what sources are read by that came from candidates, the
// newest first.
func (s Blueprints) Deployed(ctx context.Context, limit int) ([]Deployed, error) {
	rows, err := s.q.Query(ctx, `SELECT b.id, b.org_id, b.source_id, b.schema, b.page_type, b.tier, b.version, b.status, b.rules,
		b.test_url, b.created_at, b.line, c.fingerprint
		FROM candidates c JOIN blueprints b ON b.org_id = c.org_id AND b.source_id = c.source_id
		WHERE c.org_id = ? AND c.status = 'deployed' AND b.status = 'active' ORDER BY b.id DESC LIMIT ?`, s.org, Window{Limit: limit}.limit())
	return many(s, rows, err, func(r *sql.Rows) (d Deployed, err error) {
		b := &d.Blueprint
		var rules database.JSON[json.RawMessage]
		var created database.Micros
		err = r.Scan(&b.ID, &b.Org, &b.Source, &b.Schema, &b.PageType, &b.Tier, &b.Version, &b.Status, &rules, &b.TestURL, &created,
			&b.Line, &d.Fingerprint)
		b.Rules, b.CreatedAt = rules.Value, created.Time()
		return d, err
	})
}
