package store

import (
	"context"
	"database/sql"
	"math"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
)

// Owner says which org a source, a watch or a subscription belongs to. It is for
// addresses that name nothing but an id: whoever knows one may ask.
func (s *Store) Owner(ctx context.Context, id string) (curlew.OrgID, error) {
	prefix, _, _ := strings.Cut(id, "_")
	query, ok := map[string]string{
		curlew.SourceID("").Prefix():       `SELECT org_id FROM sources WHERE id = ?`,
		curlew.WatchID("").Prefix():        `SELECT org_id FROM watches WHERE id = ?`,
		curlew.SubscriptionID("").Prefix(): `SELECT org_id FROM subscriptions WHERE id = ?`,
	}[prefix]
	if !ok {
		return "", curlew.NotFound("feed", id)
	}
	rows, err := s.db.Query(ctx, query, id)
	all, err := database.Collect(rows, err, func(r *sql.Rows) (org curlew.OrgID, err error) {
		err = r.Scan(&org)
		return org, err
	})
	switch {
	case err != nil:
		return "", s.db.Explain(err)
	case len(all) != 1:
		return "", curlew.NotFound("feed", id)
	}
	return all[0], nil
}

// At returns the oldest source of a base address, and makes others who look for
// one, to add it if there is none, wait until the transaction ends.
func (s SourcesTx) At(ctx context.Context, base string) (curlew.Source, error) {
	rows, err := s.q.Query(ctx, `SELECT 1 FROM orgs WHERE id = ? {for_update}`, s.org)
	if _, err := many(s, rows, err, scanNumber); err != nil {
		return curlew.Source{}, err
	}
	rows, err = s.q.Query(ctx, `SELECT `+sourceColumns+` FROM sources WHERE org_id = ? AND base_url = ? ORDER BY id LIMIT 1`, s.org, base)
	return one(the(s, "source", base), rows, err, scanSource)
}

// BrowseFilter narrows a listing of entities for people; empty fields do not.
type BrowseFilter struct {
	Source curlew.SourceID       `query:"source_id"` // only those of this source
	Watch  curlew.WatchID        `query:"watch_id"`  // only those that this watch has seen
	Schema curlew.SchemaName     `query:"schema"`    // only those of this schema
	Status []curlew.EntityStatus `query:"status"`    // only those with this status; several separated by commas
	Search string                `query:"q"`         // only those that have words which begin with each of these
}

// Browse lists entities, the newest first, from before the one with the id
// that the window names.
func (s Entities) Browse(ctx context.Context, f BrowseFilter, window Window) ([]curlew.Entity, error) {
	if strings.TrimSpace(f.Search) != "" {
		return s.search(ctx, f, window)
	}
	n, table, id := s.narrowEntities(f)
	switch len(f.Status) {
	case 0:
	case 1:
		n.is(`status`, string(f.Status[0]))
	default:
		n.and(`status {in ?}`, database.AsList(f.Status))
	}
	if window.After != "" {
		n.and(id+` < ?`, window.After)
	}
	rows, err := n.list(ctx, s.all(), listing{entityColumns, table, id + ` DESC`}, window.limit())
	return many(s, rows, err, scanEntity)
}

// narrowEntities is what listing and counting entities have in common: conditions, the
// table to read and its column of ids. What a watch has seen is read from its sightings,
// which are in the order of ids; CROSS JOIN makes SQLite begin with them.
func (s scope) narrowEntities(f BrowseFilter) (n *narrowing, table, id string) {
	n = s.narrow().is(`source_id`, string(f.Source)).is(`schema`, string(f.Schema))
	if f.Watch == "" {
		return n, `entities`, `id`
	}
	n.and(`id = entity_id`).values = append([]any{s.org, f.Watch}, n.values...)
	return n, `(SELECT entity_id FROM sightings WHERE org_id = ? AND watch_id = ?) AS seen CROSS JOIN entities`, `entity_id`
}

// Count counts entities by what they are and how they stand; not by words.
func (s Entities) Count(ctx context.Context, f BrowseFilter) (map[curlew.EntityStatus]int64, error) {
	n, table, _ := s.narrowEntities(f)
	return count[curlew.EntityStatus](ctx, s.all(), n, `status`, table)
}

// ListBefore lists the changes before a sequence, the newest first; 0 means all.
func (s Changes) ListBefore(ctx context.Context, f ChangeFilter, before int64, limit int) ([]curlew.Change, error) {
	if strings.TrimSpace(f.Search) != "" {
		if before <= 0 {
			before = math.MaxInt64
		}
		return s.searchChanges(ctx, f, `<`, before, Window{Limit: limit}.limit())
	}
	n := s.narrowChanges(f)
	if before > 0 {
		n.and(`sequence < ?`, before)
	}
	rows, err := n.list(ctx, s.all(), listing{changeColumns, `changes`, f.order() + ` DESC`}, Window{Limit: limit}.limit())
	return many(s, rows, err, scanChange)
}

// LastChanged says when something was last told about each of these entities.
func (s Entities) LastChanged(ctx context.Context, ids []curlew.EntityID) (map[curlew.EntityID]time.Time, error) {
	type row struct {
		id curlew.EntityID
		at database.Micros
	}
	rows, err := s.q.Query(ctx, `SELECT entity_id, max(occurred_at) FROM changes WHERE org_id = ? AND entity_id {in ?} GROUP BY entity_id`,
		s.org, database.AsJSON(ids))
	all, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		err = r.Scan(&x.id, &x.at)
		return x, err
	})
	when := make(map[curlew.EntityID]time.Time, len(all))
	for _, x := range all {
		when[x.id] = x.at.Time()
	}
	return when, err
}

// List lists the publications of a scope, or of all, the newest first.
func (s Publications) List(ctx context.Context, scope string, window Window) ([]curlew.Publication, error) {
	rows, err := s.narrow().is(`scope`, scope).before(window).list(ctx, s.all(), listing{publicationColumns, `publications`, `id DESC`},
		window.limit())
	return many(s, rows, err, scanPublication)
}

// ListBefore lists deliveries from before the one that the window names, the
// newest first.
func (s Deliveries) ListBefore(ctx context.Context, f DeliveryFilter, window Window) ([]curlew.Delivery, error) {
	rows, err := s.narrowDeliveries(f).before(window).list(ctx, s.all(), listing{deliveryColumns, `deliveries`, `id DESC`}, window.limit())
	return many(s, rows, err, scanDelivery)
}
