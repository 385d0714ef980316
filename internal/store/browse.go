package store

import (
	"context"
	"database/sql"
	"math"
	"strings"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/database"
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

// SourceAt returns the oldest source of a base address, and makes others who look for
// one, to add it if there is none, wait until the transaction ends.
func (s WriteScope) SourceAt(ctx context.Context, base string) (curlew.Source, error) {
	rows, err := s.q.Query(ctx, `SELECT 1 FROM orgs WHERE id = ? {for_update}`, s.org)
	if _, err := many(s.Scope, rows, err, scanNumber); err != nil {
		return curlew.Source{}, err
	}
	rows, err = s.q.Query(ctx, `SELECT `+sourceColumns+` FROM sources WHERE org_id = ? AND base_url = ? ORDER BY id LIMIT 1`, s.org, base)
	return one(s.Scope, "source", base, rows, err, scanSource)
}

// BrowseFilter narrows a listing of entities for people; empty fields do not.
type BrowseFilter struct {
	Source curlew.SourceID
	Watch  curlew.WatchID // that has seen them
	Schema curlew.SchemaName
	Status []curlew.EntityStatus // one of these
}

// BrowseEntities lists entities, the newest first, from before the one with the id
// that the window names.
func (s Scope) BrowseEntities(ctx context.Context, f BrowseFilter, window Window) ([]curlew.Entity, error) {
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities WHERE org_id = ?
		AND (? = '' OR source_id = ?) AND (? = '' OR schema = ?) AND (? = 0 OR status {in ?})
		AND (? = '' OR id IN (SELECT entity_id FROM sightings WHERE org_id = ? AND watch_id = ?))
		AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?`,
		s.org, f.Source, f.Source, f.Schema, f.Schema, len(f.Status), database.AsJSON(append([]curlew.EntityStatus{}, f.Status...)),
		f.Watch, s.org, f.Watch, window.After, window.After, window.limit())
	return many(s, rows, err, scanEntity)
}

// CountEntities counts entities by what they are and how they stand.
func (s Scope) CountEntities(ctx context.Context, f BrowseFilter) (map[curlew.EntityStatus]int64, error) {
	type row struct {
		status curlew.EntityStatus
		n      int64
	}
	rows, err := s.q.Query(ctx, `SELECT status, count(*) FROM entities WHERE org_id = ?
		AND (? = '' OR source_id = ?) AND (? = '' OR schema = ?)
		AND (? = '' OR id IN (SELECT entity_id FROM sightings WHERE org_id = ? AND watch_id = ?)) GROUP BY status`,
		s.org, f.Source, f.Source, f.Schema, f.Schema, f.Watch, s.org, f.Watch)
	all, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		err = r.Scan(&x.status, &x.n)
		return x, err
	})
	counts := map[curlew.EntityStatus]int64{}
	for _, x := range all {
		counts[x.status] = x.n
	}
	return counts, err
}

// ChangesBefore lists the changes before a sequence, the newest first; 0 means all.
func (s Scope) ChangesBefore(ctx context.Context, f ChangeFilter, before int64, limit int) ([]curlew.Change, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	rows, err := s.q.Query(ctx, `SELECT `+changeColumns+` FROM changes WHERE org_id = ?
		AND (? = '' OR kind = ?) AND (? = '' OR source_id = ?) AND (? = '' OR watch_id = ?) AND (? = '' OR entity_id = ?)
		AND occurred_at >= ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
		s.org, f.Kind, f.Kind, f.Source, f.Source, f.Watch, f.Watch, f.Entity, f.Entity,
		database.At(f.Since), before, Window{Limit: limit}.limit())
	return many(s, rows, err, scanChange)
}

// LastChanged says when something was last told about each of these entities.
func (s Scope) LastChanged(ctx context.Context, ids []curlew.EntityID) (map[curlew.EntityID]time.Time, error) {
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

// Publications lists the publications of a scope, or of all, the newest first.
func (s Scope) Publications(ctx context.Context, scope string, window Window) ([]curlew.Publication, error) {
	rows, err := s.q.Query(ctx, `SELECT `+publicationColumns+` FROM publications WHERE org_id = ? AND (? = '' OR scope = ?)
		AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?`, s.org, scope, scope, window.After, window.After, window.limit())
	return many(s, rows, err, scanPublication)
}

// DeliveriesBefore lists deliveries from before the one that the window names, the
// newest first.
func (s Scope) DeliveriesBefore(ctx context.Context, f DeliveryFilter, window Window) ([]curlew.Delivery, error) {
	rows, err := s.q.Query(ctx, `SELECT `+deliveryColumns+` FROM deliveries
		WHERE org_id = ? AND (? = '' OR status = ?) AND (? = '' OR subscription_id = ?) AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?`,
		s.org, f.Status, f.Status, f.Subscription, f.Subscription, window.After, window.After, window.limit())
	return many(s, rows, err, scanDelivery)
}
