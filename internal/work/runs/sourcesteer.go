package runs

import (
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// editSource changes a source and its watches together.
func (j *Jobs) editSource(
	ctx context.Context, org curlew.OrgID, id curlew.SourceID, edit func(w store.WriteScope, s *curlew.Source, watches []curlew.Watch) error,
) (source curlew.Source, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) error {
		if source, err = w.Sources().Lock(ctx, id); err != nil {
			return err
		}
		watches, err := w.Watches().List(ctx, store.WatchFilter{Source: id}, store.Window{Limit: 100_000})
		if err != nil {
			return err
		}
		for i := range watches {
			if watches[i], err = w.Watches().Lock(ctx, watches[i].ID); err != nil {
				return err
			}
		}
		if err := edit(w, &source, watches); err != nil {
			return err
		}
		for _, watch := range watches {
			if err := w.Watches().Save(ctx, watch); err != nil {
				return err
			}
		}
		if err := w.Sources().Save(ctx, source); err != nil {
			return err
		}
		source, err = w.Sources().Get(ctx, id)
		return err
	})
	return source, err
}

// PauseSource lets a source and all of its watches rest.
func (j *Jobs) PauseSource(ctx context.Context, org curlew.OrgID, id curlew.SourceID, who string) (curlew.Source, error) {
	return j.editSource(ctx, org, id, func(_ store.WriteScope, s *curlew.Source, watches []curlew.Watch) error {
		if s.Trust == curlew.TrustArchived {
			return curlew.Refused("source_archived", "the source is archived: it is no longer read")
		}
		s.Trust, s.Why = curlew.TrustPaused, "paused by "+who
		for i := range watches {
			watches[i].Status, watches[i].NextRunAt = curlew.WatchPaused, nil
		}
		return nil
	})
}

// ResumeSource lets a source that is paused or broken be read again. It has to earn
// its trust anew.
func (j *Jobs) ResumeSource(ctx context.Context, org curlew.OrgID, id curlew.SourceID, who string) (curlew.Source, error) {
	return j.editSource(ctx, org, id, func(w store.WriteScope, s *curlew.Source, watches []curlew.Watch) error {
		if s.Trust != curlew.TrustPaused && s.Trust != curlew.TrustBroken {
			return curlew.Refused("nothing_to_resume", "the source is %s: only one that is paused or broken can be resumed", s.Trust)
		}
		if c, err := w.Candidates().OfSource(ctx, id); err == nil && c.Review {
			return curlew.Refused("waits_for_review", "the source waits for review: release it with \"curlew candidates approve %s\"", c.ID)
		}
		now := time.Now()
		until := now.Add(Probation)
		s.Trust, s.Why, s.ProbationUntil, s.GoodRuns, s.HealFailures = curlew.TrustProbation, "", &until, 0, 0
		for i := range watches {
			watches[i].Status, watches[i].ConsecutiveFailures, watches[i].LastError, watches[i].NextRunAt = curlew.WatchActive, 0, "", &now
		}
		return RecoverCandidate(ctx, w, id, "resumed by "+who)
	})
}

// PromoteSource ends the probation of a source by a person's word.
func (j *Jobs) PromoteSource(ctx context.Context, org curlew.OrgID, id curlew.SourceID, _ string) (curlew.Source, error) {
	return j.editSource(ctx, org, id, func(_ store.WriteScope, s *curlew.Source, _ []curlew.Watch) error {
		switch s.Trust {
		case curlew.TrustProbation:
			s.Trust, s.Why = curlew.TrustStable, ""
			return nil
		case curlew.TrustStable:
			return nil
		}
		return curlew.Refused("nothing_to_promote", "the source is %s: resume it first, then promote it", s.Trust)
	})
}

// Rollback is what going back to an earlier blueprint came to.
type Rollback struct {
	From    curlew.Blueprint `json:"from"`
	To      curlew.Blueprint `json:"to"`
	Watches []curlew.Watch   `json:"watches"`
}

// RollbackSource goes back to an earlier version of a blueprint that a source is read by:
// to the one before, or to the one that is named. Where the source reads several lists,
// the version or the watch says which.
func (j *Jobs) RollbackSource(ctx context.Context, org curlew.OrgID, id curlew.SourceID, to Earlier) (done Rollback, err error) {
	_, err = j.editSource(ctx, org, id, func(w store.WriteScope, s *curlew.Source, watches []curlew.Watch) error {
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
		done.Watches = nil
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
		return to, curlew.Refused("nothing_to_roll_back", "version %d is what the source is read by now", e.Version)
	case e.Version > 0:
		return to, curlew.Permanent("not_found", "there is no version %d of the %s blueprint for pages of the type %s",
			e.Version, from.Schema, from.PageType)
	}
	return to, curlew.Refused("nothing_to_roll_back", "the source was never read by another version than %d", from.Version)
}
