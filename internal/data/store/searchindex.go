package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/search"
)

// postingsBlock is a row of words: a few entities, in the order of their ids.
type postingsBlock struct {
	first string // its key
	ids   []string
	words [][]string
}

func scanBlock(r *sql.Rows) (s postingsBlock, err error) {
	var text, ids string
	err = r.Scan(&s.first, &text, &ids)
	s.ids = strings.Fields(ids)
	s.words = search.Postings(text).Read(len(s.ids))
	return s, err
}

// put gives an entity its words, and a place if it has none.
func (s *postingsBlock) put(id string, all []string) {
	at, found := slices.BinarySearch(s.ids, id)
	if found {
		s.words[at] = all
		return
	}
	s.ids, s.words = slices.Insert(s.ids, at, id), slices.Insert(s.words, at, all)
}

// worded is an entity with its words.
type worded struct {
	id    string
	words []string
}

func wordsOf(e curlew.Entity) worded { return worded{string(e.ID), search.Of(e)} }

// sum is what the entity's row keeps of its words.
func (w worded) sum() int64 { return search.Sum(w.words) }

// sums are what the rows of entities keep of their words. Others who want to change them
// wait.
func (s writing) sums(ctx context.Context, entities []curlew.Entity) (map[curlew.EntityID]int64, error) {
	all := make(map[curlew.EntityID]int64, len(entities))
	if len(entities) == 0 {
		return all, nil
	}
	ids := make([]curlew.EntityID, len(entities))
	for i, e := range entities {
		ids[i] = e.ID
	}
	rows, err := s.q.Query(ctx, `SELECT id, words FROM entities WHERE org_id = ? AND id {in ?} ORDER BY id {for_update}`, s.org,
		database.AsList(ids))
	_, err = many(s, rows, err, func(r *sql.Rows) (id curlew.EntityID, err error) {
		var sum int64
		err = r.Scan(&id, &sum)
		all[id] = sum
		return id, err
	})
	return all, err
}

// lockWords lets one at a time write words of the org, until the transaction ends: which
// entities a block has follows from which blocks there are. They queue where changes are
// numbered, as publications do anyway.
func (s writing) lockWords(ctx context.Context) error {
	return s.insert(ctx, "entity", `INSERT INTO change_counters (org_id, last_sequence) VALUES (?, 0)
		ON CONFLICT (org_id) DO UPDATE SET last_sequence = change_counters.last_sequence`, s.org)
}

// keepWords writes the words of entities of the org onto their blocks.
func (s writing) keepWords(ctx context.Context, entities []worded) error {
	if len(entities) == 0 {
		return nil
	}
	if err := s.lockWords(ctx); err != nil {
		return err
	}
	entities = slices.SortedFunc(slices.Values(entities), func(a, b worded) int { return strings.Compare(a.id, b.id) })
	for len(entities) > 0 {
		old, next, err := s.blockFor(ctx, entities[0].id)
		if err != nil {
			return err
		}
		n := 1
		for n < len(entities) && (next == "" || entities[n].id < next) {
			n++
		}
		if err := s.rewrite(ctx, old, entities[:n]); err != nil {
			return err
		}
		entities = entities[n:]
	}
	return nil
}

// blockFor is the block that an entity belongs to, which is a new one before all others,
// and the first id of the next.
func (s writing) blockFor(ctx context.Context, id string) (found postingsBlock, next string, err error) {
	rows, err := s.q.Query(ctx, `SELECT first_id, postings, ids FROM entity_words WHERE org_id = ? AND first_id <= ? ORDER BY first_id DESC
		LIMIT 1`, s.org, id)
	some, err := many(s, rows, err, scanBlock)
	if err != nil {
		return found, "", err
	}
	if len(some) > 0 {
		found = some[0]
	}
	rows, err = s.q.Query(ctx, `SELECT coalesce(min(first_id), '') FROM entity_words WHERE org_id = ? AND first_id > ?`, s.org, id)
	next, err = one(the(s, "org", string(s.org)), rows, err, scanText)
	return found, next, err
}

// rewrite puts entities onto a block, and onto new ones after it when it becomes too
// small. Ids mostly grow, so a block is filled before the next is begun; one that gets
// entities in between keeps room for others.
func (s writing) rewrite(ctx context.Context, old postingsBlock, entities []worded) error {
	size := search.PerBlock
	if len(old.ids) > 0 && entities[0].id < old.ids[len(old.ids)-1] {
		size = search.PerBlock * 3 / 4
	}
	now := old
	for _, e := range entities {
		now.put(e.id, e.words)
	}
	if len(now.ids) <= search.PerBlock {
		size = search.PerBlock
	}
	for from := 0; from < len(now.ids); from += size {
		to := min(from+size, len(now.ids))
		first := now.ids[from]
		if from == 0 && old.first != "" {
			first = old.first
		}
		err := s.insert(ctx, "block of postings", `INSERT INTO entity_words (org_id, first_id, postings, ids) VALUES (?, ?, ?, ?)
			ON CONFLICT (org_id, first_id) DO UPDATE SET postings = excluded.postings, ids = excluded.ids`,
			s.org, first, string(search.Write(now.words[from:to])), strings.Join(now.ids[from:to], " "))
		if err != nil {
			return err
		}
	}
	return nil
}

// IndexMissing gives words to entities that have none, because an older Curlew has
// written them: at most so many. It says how many they were.
func (s EntitiesTx) IndexMissing(ctx context.Context, most int) (int, error) {
	rows, err := s.q.Query(ctx, `SELECT `+entityColumns+` FROM entities WHERE org_id = ? AND words = 0 ORDER BY id LIMIT ? {for_update}`,
		s.org, most)
	all, err := many(s, rows, err, scanEntity)
	if err != nil {
		return 0, err
	}
	given := make([]worded, len(all))
	for i, e := range all {
		given[i] = wordsOf(e)
		if _, err := s.Tx.Exec(ctx, `UPDATE entities SET words = ? WHERE org_id = ? AND id = ?`, given[i].sum(), s.org, e.ID); err != nil {
			return 0, err
		}
	}
	return len(all), s.keepWords(ctx, given)
}

// OrgsWithoutWords are those with entities that wait for words, and are not found until they have them.
func (s *Store) OrgsWithoutWords(ctx context.Context) ([]curlew.OrgID, error) {
	rows, err := s.db.Query(ctx, `SELECT DISTINCT org_id FROM entities WHERE words = 0 ORDER BY org_id`)
	orgs, err := database.Collect(rows, err, func(r *sql.Rows) (id curlew.OrgID, err error) { return id, r.Scan(&id) })
	return orgs, s.db.Explain(err)
}
