package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/search"
)

// hits are the places of a block at which something was found.
type hits struct {
	first string
	at    search.Set
}

// search finds entities by what was typed, the newest first, from before the one with the
// id that the window names. What a watch has seen is not on the blocks: that is asked
// for those which were found.
func (s scope) search(ctx context.Context, f BrowseFilter, window Window) ([]curlew.Entity, error) {
	q, err := search.ParseQuery(f.Search)
	if err != nil || q.Hopeless() {
		return nil, err
	}
	if f.Watch != "" && f.Source == "" {
		watch, err := s.all().Watches().Get(ctx, f.Watch)
		if errors.Is(err, curlew.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		f.Source = watch.Source // whose entities it sees
	}
	q = search.Marked(search.Marked(search.Marked(q, f.Schema), f.Source), f.Status...)
	var found []curlew.Entity
	for after := window.After; ; {
		ids, err := s.searchIDs(ctx, q, after, window.limit())
		if err != nil || len(ids) == 0 {
			return found, err
		}
		after = string(ids[len(ids)-1])
		some, err := s.sighted(ctx, ids, f.Watch)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
		if len(found) >= window.limit() || len(ids) < window.limit() {
			return found[:min(len(found), window.limit())], nil
		}
	}
}

// sighted are entities with these ids, in that order; only those that a watch has seen, if
// one is named.
func (s scope) sighted(ctx context.Context, ids []curlew.EntityID, watch curlew.WatchID) ([]curlew.Entity, error) {
	n := s.narrow().and(`id {in ?}`, database.AsList(ids))
	if watch != "" {
		n.and(`EXISTS (SELECT 1 FROM sightings WHERE sightings.org_id = entities.org_id AND entity_id = entities.id AND watch_id = ?)`, watch)
	}
	rows, err := n.list(ctx, s.all(), listing{entityColumns, `entities`, `id DESC`}, len(ids))
	return many(s, rows, err, scanEntity)
}

// searchIDs are the ids of at most so many entities that a query finds, the newest first,
// from before the one with the id after. It looks through the blocks from the newest on:
// a common word is soon found often enough, and any other costs as much as none at all.
func (s scope) searchIDs(ctx context.Context, q search.Query, after string, limit int) ([]curlew.EntityID, error) {
	all, err := s.hits(ctx, q, after, limit)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	ids, err := s.idsOn(ctx, q, all)
	if err != nil {
		return nil, err
	}
	if after != "" {
		ids = slices.DeleteFunc(ids, func(id curlew.EntityID) bool { return string(id) >= after })
	}
	return ids[:min(len(ids), limit)], nil
}

// hits looks through blocks until it has found so many, and those on the block besides at
// which the search begins: some of them may be newer.
func (s scope) hits(ctx context.Context, q search.Query, after string, limit int) (all []hits, err error) {
	n := s.narrow()
	if after != "" {
		n.and(`first_id < ?`, after)
		limit += search.PerBlock
	}
	rows, err := s.q.Query(ctx, `SELECT first_id, postings FROM entity_words WHERE `+n.where.String()+` ORDER BY first_id DESC`, n.values...)
	if err != nil {
		return nil, s.store.db.Explain(err)
	}
	defer rows.Close()
	for limit > 0 && rows.Next() {
		var h hits
		var text string
		if err := rows.Scan(&h.first, &text); err != nil {
			return nil, err
		}
		if h.at = search.Postings(text).Find(q); h.at != 0 {
			all = append(all, h)
			limit -= h.at.Size()
		}
	}
	return all, s.store.db.Explain(rows.Err())
}

// idsOn are the ids of what was found, the newest first. The blocks are searched again as
// they are read: they may have changed since, and places mean something on one alone.
func (s scope) idsOn(ctx context.Context, q search.Query, all []hits) (ids []curlew.EntityID, err error) {
	firsts := make([]string, len(all))
	for i, h := range all {
		firsts[i] = h.first
	}
	rows, err := s.q.Query(ctx, `SELECT postings, ids FROM entity_words WHERE org_id = ? AND first_id {in ?} ORDER BY first_id DESC`, s.org,
		database.AsList(firsts))
	_, err = many(s, rows, err, func(r *sql.Rows) (text string, err error) {
		var here string
		err = r.Scan(&text, &here)
		all := strings.Fields(here)
		for _, place := range search.Postings(text).Find(q).Places() {
			if place < len(all) {
				ids = append(ids, curlew.EntityID(all[place]))
			}
		}
		return text, err
	})
	return ids, err
}
