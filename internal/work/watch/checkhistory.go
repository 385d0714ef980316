package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// historiesMost bounds how many entities of an org are rebuilt from their changes.
const historiesMost = 1000

// historyMost is how many changes of one entity are read.
const historyMost = 10_000

// forever is after every change.
var forever = time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC)

// CheckHistories looks for entities that are not what their changes say. Only the oldest
// ones of an org are looked at where there are many.
func CheckHistories(ctx context.Context, s *store.Store) ([]curlew.Violation, error) {
	orgs, err := s.Orgs(ctx)
	if err != nil {
		return nil, err
	}
	var found []curlew.Violation
	for _, org := range orgs {
		some, err := checkHistories(ctx, s.Org(org.ID))
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

func checkHistories(ctx context.Context, scope store.Scope) ([]curlew.Violation, error) {
	var found []curlew.Violation
	left := historiesMost
	for after := ""; left > 0; {
		some, err := scope.Entities().List(ctx, store.EntityFilter{}, store.Window{After: after, Limit: min(left, 200)})
		if err != nil || len(some) == 0 {
			return found, err
		}
		for _, e := range some {
			sentence, err := checkHistory(ctx, scope, e)
			if err != nil {
				return nil, err
			}
			if sentence != "" {
				found = append(found, curlew.Violation{Invariant: "I1", Org: scope.Org(), Ref: string(e.ID), Sentence: sentence})
			}
		}
		left -= len(some)
		after = string(some[len(some)-1].ID)
	}
	return found, nil
}

// checkHistory says what is wrong between an entity and its changes; "" is nothing.
func checkHistory(ctx context.Context, scope store.Scope, e curlew.Entity) (string, error) {
	changes, err := scope.Changes().List(ctx, store.ChangeFilter{Entity: e.ID}, 0, historyMost)
	if err != nil || len(changes) == historyMost {
		return "", err
	}
	told, known, err := publish.Rebuild(changes, forever)
	if err != nil {
		return fmt.Sprintf("the history of entity %s cannot be followed: %s", e.ID, curlew.AsFault(err).Sentence), nil
	}
	if !known { // the check of versions tells of that
		return "", nil
	}
	untold, err := unrenamed(ctx, scope, e.Schema, publish.Untold(e, told))
	if err != nil || len(untold) == 0 {
		return "", err
	}
	quiet, err := rewritten(ctx, scope, e, changes)
	if err != nil || quiet {
		return "", err
	}
	return fmt.Sprintf("entity %s has other values than its changes say: %s", e.ID, strings.Join(untold, ", ")), nil
}

// unrenamed are the fields of a kind that never had another name and are still there:
// changes keep the names of their day.
func unrenamed(ctx context.Context, scope store.Scope, name curlew.SchemaName, fields []string) ([]string, error) {
	if name.BuiltIn() || len(fields) == 0 {
		return fields, nil
	}
	kind, err := scope.Kinds().Get(ctx, name)
	if errors.Is(err, curlew.ErrNotFound) {
		return fields, nil
	}
	return slices.DeleteFunc(fields, func(field string) bool {
		f, known := kind.Field(field)
		return !known || len(f.Labels) > 0
	}), err
}

// rewritten says whether an entity was read otherwise by a run that told nothing of
// it: the same page, by other rules. Its values then show up with the next change.
func rewritten(ctx context.Context, scope store.Scope, e curlew.Entity, changes []curlew.Change) (bool, error) {
	record, err := scope.Records().Get(ctx, e.Record)
	if fault := curlew.AsFault(err); fault != nil {
		if errors.Is(fault, curlew.ErrNotFound) {
			return true, nil // nobody can tell any more
		}
		return false, err
	}
	for _, c := range changes {
		if c.Run == record.Run {
			return false, nil
		}
	}
	return true, nil
}
