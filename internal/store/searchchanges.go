package store

import (
	"context"
	"database/sql"
	"maps"
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
	found, near, err := s.sequencesNear(ctx, f, q, way, order, from, limit)
	if err == nil && near != allOfThem {
		found, err = s.sequencesFar(ctx, f, q, near == common, way, order, from, limit)
	}
	if err != nil || len(found) == 0 {
		return nil, err
	}
	rows, err := s.narrow().and(`sequence {in_ids ?}`, database.AsJSON(found)).list(ctx, s, changeColumns, `changes`, `sequence`+order, limit)
	return many(s, rows, err, scanChange)
}

// Changes are looked at one after the other, with the sheets of their entities alone, as
// long as a page can be expected to be full before all sheets were read.
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

// among lists some changes and who they are about.
func (s Scope) among(ctx context.Context, f ChangeFilter, way, order string, from int64, limit int) ([]changeOf, error) {
	rows, err := s.narrowChanges(f).and(`sequence `+way+` ?`, from).list(ctx, s, `sequence, coalesce(entity_id, '')`, `changes`, `sequence`+order, limit)
	return many(s, rows, err, scanChangeOf)
}

// nearby is what a look at the first changes tells.
type nearby int

const (
	rare      nearby = iota // few sheets have what is looked for
	common                  // many have
	allOfThem               // no more is needed
)

// sequencesNear looks at the first changes and at the sheets of their entities alone. It
// says whether that was enough.
func (s Scope) sequencesNear(ctx context.Context, f ChangeFilter, q words.Query, way, order string, from int64, limit int) (found []int64, near nearby, err error) {
	if limit > nearChanges {
		return nil, common, nil
	}
	rows, err := s.q.Query(ctx, `SELECT first_id FROM entity_words WHERE org_id = ? ORDER BY first_id`, s.org)
	firsts, err := many(s, rows, err, scanText)
	if err != nil {
		return nil, rare, err
	}
	known := map[string]part{}
	for looked, step := 0, nearChanges; looked < farthestNear && len(found)*farthestNear >= limit*looked; step = changesAtOnce {
		some, err := s.among(ctx, f, way, order, from, step)
		if err != nil {
			return nil, rare, err
		}
		about, err := s.crowdOf(ctx, q, firsts, some, known)
		if err != nil {
			return nil, rare, err
		}
		for _, x := range some {
			if from = x.sequence; about.has(x.entity) {
				found = append(found, x.sequence)
			}
		}
		if len(found) >= limit || len(some) < step {
			return found[:min(len(found), limit)], allOfThem, nil
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

// crowdOf is those that a query finds on the sheets of the entities of some changes. What
// is known of sheets is not read again.
func (s Scope) crowdOf(ctx context.Context, q words.Query, firsts []string, some []changeOf, known map[string]part) (c crowd, err error) {
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
		rows, err := s.q.Query(ctx, `SELECT first_id, sheet, ids FROM entity_words WHERE org_id = ? AND first_id {in ?}`,
			s.org, database.AsList(slices.Collect(maps.Keys(needed))))
		read, err := s.crowdIn(q, rows, err)
		if err != nil {
			return c, err
		}
		for _, p := range read.sheets {
			known[p.first] = p
		}
	}
	for _, first := range slices.Sorted(maps.Keys(here)) {
		c.sheets = append(c.sheets, known[first])
		c.size += known[first].at.Size()
	}
	return c, nil
}

// sequencesFar looks at all sheets, and then at the changes of those that are found.
func (s Scope) sequencesFar(ctx context.Context, f ChangeFilter, q words.Query, common bool, way, order string, from int64, limit int) ([]int64, error) {
	look := s.crowdOnFew
	if common {
		look = s.crowd
	}
	about, err := look(ctx, q)
	if err != nil || about.size == 0 {
		return nil, err
	}
	if about.size <= fewFound {
		return s.sequencesOf(ctx, f, about, way, order, from, limit)
	}
	return s.sequencesAmong(ctx, f, about, way, order, from, limit)
}

// sequencesOf are those of changes of a few entities. All but the entity is compared in a
// way that no index has: SQLite would take another one and look through all changes.
func (s Scope) sequencesOf(ctx context.Context, f ChangeFilter, about crowd, way, order string, from int64, limit int) ([]int64, error) {
	n := s.narrow().and(`entity_id {in ?}`, database.AsList(about.all())).and(`sequence + 0 `+way+` ?`, from).is(`entity_id`, string(f.Entity)).
		is(`kind || ''`, string(f.Kind)).is(`coalesce(source_id, '')`, string(f.Source)).is(`coalesce(watch_id, '')`, string(f.Watch))
	if !f.Since.IsZero() {
		n.and(`occurred_at + 0 >= ?`, f.Since.UnixMicro())
	}
	rows, err := n.list(ctx, s, `sequence`, `changes`, `sequence + 0`+order, limit)
	return many(s, rows, err, scanNumber)
}

// changesAtOnce is how many changes are looked at together, at most; of entities of which
// many are found, fewer are needed.
const changesAtOnce = 500

// sequencesAmong are those of changes of many entities: it goes through the changes until
// there are enough.
func (s Scope) sequencesAmong(ctx context.Context, f ChangeFilter, about crowd, way, order string, from int64, limit int) (found []int64, err error) {
	step := min(changesAtOnce, limit+limit*len(about.sheets)*words.PerSheet/about.size)
	for len(found) < limit {
		some, err := s.among(ctx, f, way, order, from, step)
		if err != nil || len(some) == 0 {
			return found, err
		}
		for _, x := range some {
			if from = x.sequence; about.has(x.entity) {
				found = append(found, x.sequence)
			}
		}
	}
	return found[:min(len(found), limit)], nil
}

// crowd is all entities that a query finds.
type crowd struct {
	sheets []part // all there are, in their order
	size   int
}

// part is those of a crowd that are on one sheet, which has these ids.
type part struct {
	first, ids string
	at         words.Set
}

// crowd looks through all sheets.
func (s Scope) crowd(ctx context.Context, q words.Query) (c crowd, err error) {
	rows, err := s.q.Query(ctx, `SELECT first_id, sheet, ids FROM entity_words WHERE org_id = ? ORDER BY first_id`, s.org)
	return s.crowdIn(q, rows, err)
}

// crowdOnFew looks through all sheets, and then once more at those on which something was
// found: their ids are read in the same moment as their words, and those of others never.
func (s Scope) crowdOnFew(ctx context.Context, q words.Query) (c crowd, err error) {
	rows, err := s.q.Query(ctx, `SELECT first_id, sheet FROM entity_words WHERE org_id = ? ORDER BY first_id`, s.org)
	all, err := many(s, rows, err, func(r *sql.Rows) (p part, err error) {
		var text string
		err = r.Scan(&p.first, &text)
		p.at = words.Sheet(text).Find(q)
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
	rows, err = s.q.Query(ctx, `SELECT first_id, sheet, ids FROM entity_words WHERE org_id = ? AND first_id {in ?} ORDER BY first_id`, s.org, database.AsList(firsts))
	return s.crowdIn(q, rows, err)
}

// crowdIn finds a crowd on some sheets.
func (s Scope) crowdIn(q words.Query, rows *sql.Rows, err error) (c crowd, _ error) {
	c.sheets, err = many(s, rows, err, func(r *sql.Rows) (p part, err error) {
		var text string
		err = r.Scan(&p.first, &text, &p.ids)
		p.at = words.Sheet(text).Find(q)
		c.size += p.at.Size()
		return p, err
	})
	return c, err
}

// all lists the ids of the crowd.
func (c crowd) all() (ids []string) {
	for _, p := range c.sheets {
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
	at, exact := slices.BinarySearchFunc(c.sheets, entity, func(p part, id string) int { return strings.Compare(p.first, id) })
	if !exact {
		at--
	}
	if at < 0 || entity == "" || c.sheets[at].at == 0 {
		return false
	}
	before, _, found := strings.Cut(c.sheets[at].ids, entity)
	return found && c.sheets[at].at&(1<<strings.Count(before, " ")) != 0
}
