package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/search"
)

// fewFound is up to how many entities their changes are looked up. Of more, it is quicker
// to look who the changes are about, one after the other.
const fewFound = 400

// changeSearch looks for changes of entities that a query finds now, from a sequence on or
// back.
type changeSearch struct {
	Scope
	filter ChangeFilter
	query  search.Query
	way    string // `>` gives them in their order, `<` the newest first
	from   int64
	limit  int
}

// order is how they are listed.
func (s changeSearch) order() string {
	if s.way == `<` {
		return ` DESC`
	}
	return ``
}

// searchChanges finds the changes of entities that a query finds now, from a sequence on
// or back: `>` gives them in their order, `<` the newest first.
func (s scope) searchChanges(ctx context.Context, f ChangeFilter, way string, from int64, limit int) ([]curlew.Change, error) {
	q, err := search.ParseQuery(f.Search)
	if err != nil || q.Hopeless() {
		return nil, err
	}
	search := changeSearch{s.all(), f, search.Marked(q, f.Source), way, from, limit}
	found, near, err := search.near(ctx)
	if err == nil && near != allOfThem {
		found, err = search.far(ctx, near == common)
	}
	if err != nil || len(found) == 0 {
		return nil, err
	}
	rows, err := s.narrow().and(`sequence {in_ids ?}`, database.AsJSON(found)).
		list(ctx, s.all(), listing{changeColumns, `changes`, `sequence` + search.order()}, limit)
	return many(s, rows, err, scanChange)
}

// Changes are looked at one after the other, with the blocks of their entities alone, as
// long as a page can be expected to be full before all blocks were read.
const (
	nearChanges  = 100
	farthestNear = 2000
)

// changeOf is what a search asks of one.
type changeOf struct {
	sequence int64
	entity   string
}

func scanChangeOf(r *sql.Rows) (x changeOf, err error) {
	err = r.Scan(&x.sequence, &x.entity)
	return x, err
}

// some lists changes from a sequence on or back, and who they are about.
func (s changeSearch) some(ctx context.Context, from int64, limit int) ([]changeOf, error) {
	rows, err := s.narrowChanges(s.filter).and(`sequence `+s.way+` ?`, from).
		list(ctx, s.Scope, listing{`sequence, coalesce(entity_id, '')`, `changes`, `sequence` + s.order()}, limit)
	return many(s, rows, err, scanChangeOf)
}

// nearby is what the first changes tell.
type nearby int

const (
	rare      nearby = iota // few blocks have what is looked for
	common                  // many have
	allOfThem               // no more is needed
)

// near looks at the first changes and at the blocks of their entities alone. It says
// whether that was enough.
func (s changeSearch) near(ctx context.Context) (found []int64, _ nearby, _ error) {
	if s.limit > nearChanges {
		return nil, common, nil
	}
	rows, err := s.q.Query(ctx, `SELECT first_id FROM entity_words WHERE org_id = ? ORDER BY first_id`, s.org)
	firsts, err := many(s, rows, err, scanText)
	if err != nil {
		return nil, rare, err
	}
	known, from := map[string]part{}, s.from
	for looked, step := 0, nearChanges; looked < farthestNear && len(found)*farthestNear >= s.limit*looked; step = changesAtOnce {
		some, err := s.some(ctx, from, step)
		if err != nil {
			return nil, rare, err
		}
		about, err := s.crowdOf(ctx, firsts, some, known)
		if err != nil {
			return nil, rare, err
		}
		for _, x := range some {
			if from = x.sequence; about.has(x.entity) {
				found = append(found, x.sequence)
			}
		}
		if len(found) >= s.limit || len(some) < step {
			return found[:min(len(found), s.limit)], allOfThem, nil
		}
		looked += step
	}
	hit := 0
	for _, p := range known {
		if p.at != 0 {
			hit++
		}
	}
	if 3*hit > len(known) {
		return nil, common, nil
	}
	return nil, rare, nil
}

// crowdOf is those that the query finds on the blocks of the entities of some changes. What
// is known of blocks is not read again.
func (s changeSearch) crowdOf(ctx context.Context, firsts []string, some []changeOf, known map[string]part) (c crowd, err error) {
	needed, here := map[string]bool{}, map[string]bool{}
	for _, x := range some {
		at, exact := slices.BinarySearch(firsts, x.entity)
		if !exact {
			at--
		}
		if at < 0 || x.entity == "" {
			continue
		}
		here[firsts[at]] = true
		if _, ok := known[firsts[at]]; !ok {
			needed[firsts[at]] = true
		}
	}
	if len(needed) > 0 {
		rows, err := s.q.Query(ctx, `SELECT first_id, postings, ids FROM entity_words WHERE org_id = ? AND first_id {in ?}`,
			s.org, database.AsList(slices.Collect(maps.Keys(needed))))
		read, err := s.crowdIn(rows, err)
		if err != nil {
			return c, err
		}
		for _, p := range read.blocks {
			known[p.first] = p
		}
	}
	for _, first := range slices.Sorted(maps.Keys(here)) {
		c.blocks = append(c.blocks, known[first])
	}
	return c, nil
}

// far looks at all blocks, and then at the changes of those that are found.
func (s changeSearch) far(ctx context.Context, common bool) ([]int64, error) {
	look := s.crowdOnFew
	if common {
		look = s.crowd
	}
	about, err := look(ctx)
	if err != nil || about.size == 0 {
		return nil, err
	}
	if about.size <= fewFound {
		return s.of(ctx, about)
	}
	return s.among(ctx, about)
}

// of are the sequences of changes of a few entities. All but the entity is compared in a
// way that no index has: SQLite would take another one and look through all changes.
func (s changeSearch) of(ctx context.Context, about crowd) ([]int64, error) {
	f := s.filter
	n := s.narrow().and(`entity_id {in ?}`, database.AsList(about.all())).and(`sequence + 0 `+s.way+` ?`, s.from).is(`entity_id`,
		string(f.Entity)).
		is(`kind || ''`, string(f.Kind)).is(`coalesce(source_id, '')`, string(f.Source)).is(`coalesce(watch_id, '')`, string(f.Watch))
	if !f.Since.IsZero() {
		n.and(`occurred_at + 0 >= ?`, f.Since.UnixMicro())
	}
	rows, err := n.list(ctx, s.Scope, listing{`sequence`, `changes`, `sequence + 0` + s.order()}, s.limit)
	return many(s, rows, err, scanNumber)
}

// changesAtOnce is how many changes are looked at together.
const changesAtOnce = 500

// among are the sequences of changes of many entities: it goes through the changes until
// there are enough.
func (s changeSearch) among(ctx context.Context, about crowd) (found []int64, err error) {
	for from := s.from; len(found) < s.limit; {
		some, err := s.some(ctx, from, changesAtOnce)
		if err != nil || len(some) == 0 {
			return found, err
		}
		for _, x := range some {
			if from = x.sequence; about.has(x.entity) {
				found = append(found, x.sequence)
			}
		}
	}
	return found[:min(len(found), s.limit)], nil
}

// crowd is all entities that a query finds.
type crowd struct {
	blocks []part // that were looked at, in their order
	size   int
}

// part is those of a crowd that are on one block, which has these ids.
type part struct {
	first, ids string
	at         search.Set
}

// crowd looks through all blocks.
func (s changeSearch) crowd(ctx context.Context) (c crowd, err error) {
	rows, err := s.q.Query(ctx, `SELECT first_id, postings, ids FROM entity_words WHERE org_id = ? ORDER BY first_id`, s.org)
	return s.crowdIn(rows, err)
}

// crowdOnFew looks through all blocks, and then once more at those on which something was
// found: their ids are read in the same moment as their words, and those of others never.
func (s changeSearch) crowdOnFew(ctx context.Context) (c crowd, err error) {
	rows, err := s.q.Query(ctx, `SELECT first_id, postings FROM entity_words WHERE org_id = ? ORDER BY first_id`, s.org)
	all, err := many(s, rows, err, func(r *sql.Rows) (p part, err error) {
		var text string
		err = r.Scan(&p.first, &text)
		p.at = search.Postings(text).Find(s.query)
		return p, err
	})
	if err != nil {
		return c, err
	}
	var firsts []string
	for _, p := range all {
		if p.at != 0 {
			firsts = append(firsts, p.first)
		}
	}
	rows, err = s.q.Query(ctx, `SELECT first_id, postings, ids FROM entity_words WHERE org_id = ? AND first_id {in ?} ORDER BY first_id`,
		s.org,
		database.AsList(firsts))
	return s.crowdIn(rows, err)
}

// crowdIn finds a crowd on some blocks.
func (s changeSearch) crowdIn(rows *sql.Rows, err error) (c crowd, _ error) {
	c.blocks, err = many(s, rows, err, func(r *sql.Rows) (p part, err error) {
		var text string
		err = r.Scan(&p.first, &text, &p.ids)
		p.at = search.Postings(text).Find(s.query)
		c.size += p.at.Size()
		return p, err
	})
	return c, err
}

// all lists the ids of the crowd.
func (c crowd) all() (ids []string) {
	for _, p := range c.blocks {
		here := strings.Fields(p.ids)
		for _, place := range p.at.Places() {
			if place < len(here) {
				ids = append(ids, here[place])
			}
		}
	}
	return ids
}

// has says whether an entity is one of the crowd.
func (c crowd) has(entity string) bool {
	at, exact := slices.BinarySearchFunc(c.blocks, entity, func(p part, id string) int { return strings.Compare(p.first, id) })
	if !exact {
		at--
	}
	if at < 0 || entity == "" || c.blocks[at].at == 0 {
		return false
	}
	before, _, found := strings.Cut(c.blocks[at].ids, entity)
	return found && c.blocks[at].at&(1<<strings.Count(before, " ")) != 0
}
