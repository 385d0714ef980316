package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/database"
	"curlew/internal/words"
)

// fewFound is up to how many entities their changes are looked up. Of more, it is quicker
// to look who the changes are about, one after the other.
const fewFound = 400

// searchChanges finds the changes of entities that a query finds now, from a sequence on
// or back: `>` gives them in their order, `<` the newest first.
func (s Scope) searchChanges(ctx context.Context, f ChangeFilter, way string, from int64, limit int) ([]curlew.Change, error) {
	q, err := words.Ask(f.Search)
	if err != nil || q.Hopeless() {
		return nil, err
	}
	order := ``
	if way == `<` {
		order = ` DESC`
	}
	q = words.Marked(q, f.Source)
	all, n, err := s.allHits(ctx, q)
	if err != nil || n == 0 {
		return nil, err
	}
	var found []int64
	if n <= fewFound {
		found, err = s.sequencesOf(ctx, f, q, all, way, order, from, limit)
	} else {
		found, err = s.sequencesAmong(ctx, f, crowd{q, all, map[string][]string{}}, way, order, from, limit)
	}
	if err != nil || len(found) == 0 {
		return nil, err
	}
	rows, err := s.narrow().and(`sequence {in_ids ?}`, database.AsJSON(found)).list(ctx, s, changeColumns, `changes`, `sequence`+order, limit)
	return many(s, rows, err, scanChange)
}

// allHits looks through all sheets, and lists also those without a hit; in their order.
func (s Scope) allHits(ctx context.Context, q words.Query) (all []hits, n int, err error) {
	rows, err := s.q.Query(ctx, `SELECT first_id, sheet FROM entity_words WHERE org_id = ? ORDER BY first_id`, s.org)
	all, err = many(s, rows, err, func(r *sql.Rows) (h hits, err error) {
		var text string
		err = r.Scan(&h.first, &text)
		h.at = words.Sheet(text).Find(q)
		n += h.at.Size()
		return h, err
	})
	return all, n, err
}

// sequencesOf are those of changes of a few entities. All but the entity is compared in a
// way that no index has: SQLite would take another one and look through all changes.
func (s Scope) sequencesOf(ctx context.Context, f ChangeFilter, q words.Query, all []hits, way, order string, from int64, limit int) ([]int64, error) {
	ids, err := s.idsOn(ctx, q, slices.DeleteFunc(all, func(h hits) bool { return h.at == 0 }))
	if err != nil {
		return nil, err
	}
	n := s.narrow().and(`entity_id {in ?}`, database.AsList(ids)).and(`sequence + 0 `+way+` ?`, from).is(`entity_id`, string(f.Entity)).
		is(`kind || ''`, string(f.Kind)).is(`coalesce(source_id, '')`, string(f.Source)).is(`coalesce(watch_id, '')`, string(f.Watch))
	if !f.Since.IsZero() {
		n.and(`occurred_at + 0 >= ?`, f.Since.UnixMicro())
	}
	rows, err := n.list(ctx, s, `sequence`, `changes`, `sequence + 0`+order, limit)
	return many(s, rows, err, scanNumber)
}

// changesAtOnce is how many changes are looked at before asking who they are about.
const changesAtOnce = 500

// sequencesAmong are those of changes of many entities: it goes through the changes until
// there are enough.
func (s Scope) sequencesAmong(ctx context.Context, f ChangeFilter, about crowd, way, order string, from int64, limit int) (found []int64, err error) {
	type row struct {
		sequence int64
		entity   string
	}
	for len(found) < limit {
		rows, err := s.narrowChanges(f).and(`sequence `+way+` ?`, from).list(ctx, s, `sequence, coalesce(entity_id, '')`, `changes`, `sequence`+order, changesAtOnce)
		some, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
			err = r.Scan(&x.sequence, &x.entity)
			return x, err
		})
		if err != nil || len(some) == 0 {
			return found, err
		}
		entities := make([]string, len(some))
		for i, x := range some {
			entities[i] = x.entity
		}
		if err := about.meet(ctx, s, entities); err != nil {
			return nil, err
		}
		for _, x := range some {
			if from = x.sequence; about.has(x.entity) {
				found = append(found, x.sequence)
			}
		}
	}
	return found[:min(len(found), limit)], nil
}

// crowd is many entities that were found: the hits of all sheets, and the ids of what was
// found on those that somebody asked about.
type crowd struct {
	q   words.Query
	all []hits
	ids map[string][]string
}

// on is the sheet of an entity, if something was found on it.
func (c crowd) on(entity string) (hits, bool) {
	at, exact := slices.BinarySearchFunc(c.all, entity, func(h hits, id string) int { return strings.Compare(h.first, id) })
	if !exact {
		at--
	}
	return c.all[max(at, 0)], at >= 0 && c.all[at].at != 0
}

// meet reads the ids that are needed to know whether these entities are among the crowd.
func (c crowd) meet(ctx context.Context, s Scope, entities []string) error {
	var firsts []string
	for _, id := range entities {
		if h, ok := c.on(id); ok && c.ids[h.first] == nil {
			c.ids[h.first] = []string{}
			firsts = append(firsts, h.first)
		}
	}
	if len(firsts) == 0 {
		return nil
	}
	found, err := s.foundOn(ctx, c.q, firsts)
	for _, one := range found {
		c.ids[one.first] = one.ids
	}
	return err
}

func (c crowd) has(entity string) bool {
	h, ok := c.on(entity)
	if !ok {
		return false
	}
	_, found := slices.BinarySearch(c.ids[h.first], entity)
	return found
}
