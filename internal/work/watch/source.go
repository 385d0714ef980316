package watch

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// EditSource changes a source and its watches together.
func EditSource(
	ctx context.Context, w store.WriteScope, id curlew.SourceID, edit func(s *curlew.Source, watches []curlew.Watch) error,
) (curlew.Source, error) {
	source, err := w.Sources().Lock(ctx, id)
	if err != nil {
		return source, err
	}
	watches, err := w.Watches().List(ctx, store.WatchFilter{Source: id}, store.Window{Limit: 100_000})
	if err != nil {
		return source, err
	}
	for i := range watches {
		if watches[i], err = w.Watches().Lock(ctx, watches[i].ID); err != nil {
			return source, err
		}
	}
	if err := edit(&source, watches); err != nil {
		return source, err
	}
	for _, watch := range watches {
		if err := w.Watches().Save(ctx, watch); err != nil {
			return source, err
		}
	}
	if err := w.Sources().Save(ctx, source); err != nil {
		return source, err
	}
	return w.Sources().Get(ctx, id)
}

// PauseSource lets a source and all of its watches rest.
func PauseSource(ctx context.Context, w store.WriteScope, id curlew.SourceID, who string) (curlew.Source, error) {
	return EditSource(ctx, w, id, func(s *curlew.Source, watches []curlew.Watch) error {
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

// standing is how a sentence says where a source stands.
func standing(t curlew.Trust) string {
	if t == curlew.TrustProbation {
		return "on probation"
	}
	return string(t)
}

// ResumeSource lets a source that is paused or broken be read again. It has to earn
// its trust anew.
func ResumeSource(ctx context.Context, w store.WriteScope, id curlew.SourceID, who string) (curlew.Source, error) {
	return EditSource(ctx, w, id, func(s *curlew.Source, watches []curlew.Watch) error {
		if s.Trust != curlew.TrustPaused && s.Trust != curlew.TrustBroken {
			return curlew.Refused("nothing_to_resume", "the source is %s; only a paused or broken source can be resumed", standing(s.Trust))
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
func PromoteSource(ctx context.Context, w store.WriteScope, id curlew.SourceID, _ string) (curlew.Source, error) {
	return EditSource(ctx, w, id, func(s *curlew.Source, _ []curlew.Watch) error {
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
