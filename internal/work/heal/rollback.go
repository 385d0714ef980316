package heal

import (
	"context"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Rollback is what going back to an earlier blueprint came to.
type Rollback struct {
	From    curlew.Blueprint `json:"from"`
	To      curlew.Blueprint `json:"to"`
	Watches []curlew.Watch   `json:"watches"`
}

// RollBack goes back to an earlier version of a blueprint that a source is read by:
// to the one before, or to the one that is named. Where the source reads several lists,
// the version or the watch says which.
func RollBack(ctx context.Context, w store.WriteScope, id curlew.SourceID, to Earlier) (done Rollback, err error) {
	_, err = watch.EditSource(ctx, w, id, func(s *curlew.Source, watches []curlew.Watch) error {
		all, err := w.Blueprints().List(ctx, store.BlueprintFilter{Source: id}, store.Window{Limit: 100_000})
		if err != nil {
			return err
		}
		if done.From, done.To, err = to.Of(all, watches); err != nil {
			return err
		}
		if done.To, err = w.Blueprints().Activate(ctx, done.To.ID); err != nil {
			return err
		}
		for i := range watches {
			if watches[i].Blueprint != done.From.ID {
				continue
			}
			watches[i].Blueprint, watches[i].URL = done.To.ID, AddressBefore(watches[i], done.From, done.To)
			done.Watches = append(done.Watches, watches[i])
		}
		s.HealFailures, s.GoodRuns = 0, 0
		return nil
	})
	return done, err
}

// AddressBefore is where a watch reads by an earlier version: healing may have moved it to
// another address.
func AddressBefore(w curlew.Watch, from, to curlew.Blueprint) string {
	if to.TestURL != "" && w.URL == from.TestURL {
		return to.TestURL
	}
	return w.URL
}

// Earlier names an earlier version: that with the number, or the one before; of the
// blueprint of one watch where it is named.
type Earlier struct {
	Version int
	Watch   curlew.WatchID
}

// Of finds what a source is read by now, and what it was read by before.
func (e Earlier) Of(all []curlew.Blueprint, watches []curlew.Watch) (from, to curlew.Blueprint, err error) {
	err = curlew.Refused("nothing_to_roll_back", "no watch of this source reads by a blueprint")
	for _, b := range all {
		read := func(w curlew.Watch) bool { return w.Blueprint == b.ID && (e.Watch == "" || w.ID == e.Watch) }
		if !slices.ContainsFunc(watches, read) {
			continue
		}
		before, fault := e.before(b, all)
		switch {
		case fault == nil && to.ID != "":
			return from, to, curlew.Refused("several_lists", "the source is read by several blueprints: name the watch or the version")
		case fault == nil:
			from, to, err = b, before, nil
		case to.ID == "":
			err = fault
		}
	}
	return from, to, err
}

// before is the version of a blueprint's line to go back to.
func (e Earlier) before(from curlew.Blueprint, all []curlew.Blueprint) (to curlew.Blueprint, err error) {
	for _, b := range all {
		switch {
		case !b.SameLine(from) || b.ID == from.ID || e.Version > 0 && b.Version != e.Version:
		case e.Version == 0 && (b.Status != curlew.BlueprintArchived || b.Version > from.Version): // drafts were never read by
		case to.ID == "" || b.Version > to.Version:
			to = b
		}
	}
	switch {
	case to.ID != "":
		return to, nil
	case e.Version == from.Version:
		return to, curlew.Refused("nothing_to_roll_back", "version %d is already active", e.Version)
	case e.Version > 0:
		return to, curlew.Permanent("not_found", "there is no version %d of the %s blueprint for pages of the type %s",
			e.Version, from.Schema, from.PageType)
	}
	return to, curlew.Refused("nothing_to_roll_back", "the source has no other version than %d", from.Version)
}
