package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Probation is how long a new source is looked at more closely.
const Probation = 7 * 24 * time.Hour

// goodRunsToTrust is how many good runs in a row end probation. One counts for each score that is kept, which is one a day: checks
// that follow one another at once see the same page.
const goodRunsToTrust = 3

// scoreEvery is how often the quality of a source is kept, at the most: a check an hour
// would drown the trend.
const scoreEvery = 20 * time.Hour

// appraise measures what a run has seen: the score is kept, a source that does well
// earns trust, and one that falls is paused.
func (r *checkStep) appraise(ctx context.Context, w store.WriteScope, o publish.CheckResult, watch *curlew.Watch) error {
	if !o.Complete || len(o.Seen) == 0 {
		return nil
	}
	cards, err := w.Scorecards().List(ctx, r.watch.Source, 5)
	if err != nil {
		return err
	}
	scored := len(cards) == 0 || r.Now().Sub(cards[0].At) >= scoreEvery
	source, err := r.working(ctx, w, scored)
	if err != nil {
		return err
	}
	is := Appraise(o.Kind.Name, seenRecords(o), cards, r.Now())
	fell := is.Drop > 0 && source.Trust != curlew.TrustPaused && source.Trust != curlew.TrustArchived
	switch {
	case fell:
		source.Trust, source.Why, source.GoodRuns = curlew.TrustPaused, is.Why, 0
		watch.Status, watch.NextRunAt = curlew.WatchPaused, nil
		if err := r.tellDrop(ctx, w, is); err != nil {
			return err
		}
	case source.Trust == curlew.TrustProbation && r.earnsTrust(source, is):
		source.Trust = curlew.TrustStable
	}
	source.Quality = &is.Score
	if err := w.Sources().Save(ctx, source); err != nil {
		return err
	}
	if !scored && !fell {
		return nil
	}
	return w.Scorecards().Add(ctx, curlew.Scorecard{Source: source.ID, Run: r.run.ID, Score: is.Score, Card: is.Card, At: r.Now()})
}

// working is the source, of which a check went well. Healings that failed for a watch that is read again as it is
// are forgotten: only those in a row break a source.
func (r *checkStep) working(ctx context.Context, w store.WriteScope, scored bool) (curlew.Source, error) {
	source, err := w.Sources().Lock(ctx, r.watch.Source)
	if err != nil {
		return source, err
	}
	if scored {
		source.GoodRuns++
	}
	if source.HealFailures == 0 {
		return source, nil
	}
	last, err := w.Heals().List(ctx, source.ID, 1)
	if err != nil || len(last) == 0 || last[0].Watch != r.watch.ID {
		return source, err
	}
	source.HealFailures = 0
	if source.Trust != curlew.TrustBroken {
		return source, nil
	}
	source.Trust, source.Why, source.GoodRuns = curlew.TrustProbation, "", 0
	if r.watch.Status != curlew.WatchError { // else it is told already
		if err := r.tellRecovery(ctx, w, r.watch); err != nil {
			return source, err
		}
	}
	return source, RecoverCandidate(ctx, w, source.ID, "its page is read again as before")
}

// tellDrop tells subscribers that the quality of a source fell.
func (r *checkStep) tellDrop(ctx context.Context, w store.WriteScope, is Appraisal) error {
	payload, err := json.Marshal(curlew.ChangePayload{Reason: is.Why, Details: curlew.Values{"score": is.Score, "points": is.Drop}})
	if err != nil {
		return fmt.Errorf("payload of a quality drop: %w", err)
	}
	return r.Outbox.Tell(ctx, w, []curlew.Change{{Kind: curlew.QualityDropped, Source: r.watch.Source, Watch: r.watch.ID, Run: r.run.ID,
		Payload: payload, OccurredAt: r.Now()}})
}

// tellRecovery tells subscribers, who were told that a watch failed, that it works again.
func (r *checkStep) tellRecovery(ctx context.Context, w store.WriteScope, watch curlew.Watch) error {
	payload, err := json.Marshal(curlew.ChangePayload{Reason: "The watch works again: its last check succeeded.",
		Details: curlew.Values{"url": watch.URL, "name": watch.Name}})
	if err != nil {
		return fmt.Errorf("payload of a recovery: %w", err)
	}
	return r.Outbox.Tell(ctx, w, []curlew.Change{{Kind: curlew.SourceHealed, Source: watch.Source, Watch: watch.ID, Run: r.run.ID,
		Payload: payload, OccurredAt: r.Now()}})
}

// earnsTrust says whether a source on probation did well for long enough.
func (r *checkStep) earnsTrust(source curlew.Source, is Appraisal) bool {
	return source.GoodRuns >= goodRunsToTrust && (is.Good || source.ProbationUntil == nil || r.Wall().After(*source.ProbationUntil))
}

// probationEvery is how often a source on probation is checked at the least, where it is checked as often as it
// changes: seven days of it should show what it does.
const probationEvery = 3 * time.Hour

func (r *checkStep) onProbation(ctx context.Context) (bool, error) {
	source, err := r.scope.Sources().Get(ctx, r.watch.Source)
	return source.Trust == curlew.TrustProbation, err
}

// checkOften lets a watch of a source on probation look sooner. A schedule that a person set stays, as does a
// budget that makes all look less often.
func (r *checkStep) checkOften(watch *curlew.Watch, now time.Time) {
	s, err := schedule.Parse(watch.Schedule)
	if err != nil || r.pace > schedule.DefaultPace {
		return
	}
	if _, adaptive := s.Adaptive(); !adaptive {
		return
	}
	if soon := now.Add(probationEvery).Truncate(time.Second); watch.NextRunAt == nil || watch.NextRunAt.After(soon) {
		watch.NextRunAt = &soon
	}
}

// endStreak begins to count the good runs of a source on probation anew: those that end it are in a row.
func endStreak(ctx context.Context, w store.WriteScope, id curlew.SourceID) error {
	source, err := w.Sources().Lock(ctx, id)
	if err != nil || source.Trust != curlew.TrustProbation || source.GoodRuns == 0 {
		return err
	}
	source.GoodRuns = 0
	return w.Sources().Save(ctx, source)
}

func seenRecords(o publish.CheckResult) []curlew.Record {
	records := make([]curlew.Record, 0, len(o.Seen))
	for _, s := range o.Seen {
		records = append(records, s.Record)
	}
	return records
}
