package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/search"
)

// blocksAtOnce is how many blocks are compared with their entities at a time, and
// wrongWords how many entities of an org are told whose words are wrong.
const blocksAtOnce, wrongWords = 16, 20

// checkWords compares what entities say with the words by which they are found. What was
// written before there were words has none yet, which is no violation.
func (s *Store) checkWords(ctx context.Context) ([]curlew.Violation, error) {
	orgs, err := s.Orgs(ctx)
	if err != nil {
		return nil, err
	}
	var all []curlew.Violation
	for _, org := range orgs {
		wrong, err := s.wrongWords(ctx, org.ID)
		if err != nil {
			return nil, err
		}
		for _, id := range wrong[:min(len(wrong), wrongWords)] {
			all = append(all, curlew.Violation{Invariant: "I4", Org: org.ID, Ref: id,
				Sentence: fmt.Sprintf("entity %s is not found by its words, or by words that are not its own", id)})
		}
	}
	return all, nil
}

// wrongWords lists entities of an org whose words are not those on their block, and what
// is on a block without being an entity. Others may write meanwhile: whatever looks
// wrong is looked at again while they wait.
func (s *Store) wrongWords(ctx context.Context, org curlew.OrgID) (all []string, err error) {
	scope := s.Org(org)
	rows, err := scope.q.Query(ctx, `SELECT first_id FROM entity_words WHERE org_id = ? ORDER BY first_id`, org)
	firsts, err := many(scope, rows, err, scanText)
	if err != nil {
		return nil, err
	}
	for from := ""; len(all) < wrongWords; {
		to := ""
		if len(firsts) > blocksAtOnce {
			firsts = firsts[blocksAtOnce:]
			to = firsts[0]
		} else {
			firsts = nil
		}
		wrong, err := scope.wrongBetween(ctx, from, to)
		if err == nil && len(wrong) > 0 {
			err = s.Write(ctx, org, func(w WriteScope) error {
				if err := w.lockWords(ctx); err != nil {
					return err
				}
				wrong, err = w.wrongBetween(ctx, from, to)
				return err
			})
		}
		if err != nil {
			return nil, err
		}
		if all = append(all, wrong...); to == "" {
			break
		}
		from = to
	}
	return all, nil
}

// wrongBetween compares the blocks and the entities from an id up to another, or to the end.
func (s scope) wrongBetween(ctx context.Context, from, to string) (wrong []string, err error) {
	between := func(column string) *narrowing {
		n := s.narrow().and(column+` >= ?`, from)
		if to != "" {
			n.and(column+` < ?`, to)
		}
		return n
	}
	n := between(`first_id`)
	rows, err := s.q.Query(ctx, `SELECT first_id, postings, ids FROM entity_words WHERE `+n.where.String(), n.values...)
	blocks, err := many(s, rows, err, scanBlock)
	if err != nil {
		return nil, err
	}
	kept := map[string][]string{}
	for _, one := range blocks {
		for i, id := range one.ids {
			kept[id] = one.words[i]
		}
	}
	n = between(`id`)
	type row struct {
		curlew.Entity
		sum int64
	}
	rows, err = s.q.Query(ctx, `SELECT words, `+entityColumns+` FROM entities WHERE `+n.where.String()+` ORDER BY id`, n.values...)
	entities, err := many(s, rows, err, func(r *sql.Rows) (x row, err error) {
		into, done := entityInto(&x.Entity)
		err = r.Scan(append([]any{&x.sum}, into...)...)
		done()
		return x, err
	})
	for _, e := range entities {
		given := search.Of(e.Entity)
		found, isKept := kept[string(e.ID)]
		delete(kept, string(e.ID))
		if e.sum == 0 && !isKept {
			continue // nobody gave it words yet
		}
		if e.sum != search.Sum(given) || !slices.Equal(found, given) {
			wrong = append(wrong, string(e.ID))
		}
	}
	for id := range kept {
		wrong = append(wrong, id)
	}
	slices.Sort(wrong)
	return wrong, err
}
