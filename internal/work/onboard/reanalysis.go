package onboard

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// reanalyseAfter is how long after its source broke a candidate is looked at again; each
// further look waits twice as long.
const reanalyseAfter = time.Hour

// Broke moves the candidate of a source that broke, where it has one, and lets the site
// be analysed anew later.
func (o Onboard) Broke(ctx context.Context, w store.WriteScope, source curlew.SourceID, why string) error {
	c, err := w.Candidates().OfSource(ctx, source)
	if err != nil {
		return curlew.IgnoreNotFound(err)
	}
	if c.Status != curlew.CandidateDeployed {
		return nil
	}
	c.Attempts, c.LastError = 0, why
	if err := w.Candidates().Save(ctx, c); err != nil {
		return err
	}
	if c, err = w.Candidates().Move(ctx, c.ID, curlew.CandidateBroken, why); err != nil {
		return err
	}
	return o.start(ctx, w, c, reanalyseAfter)
}

// unwell puts a candidate back that broke and could not be read anew, and looks again
// later while it has attempts left.
func (o Onboard) unwell(ctx context.Context, w store.WriteScope, c curlew.Candidate, why string) error {
	c.Attempts++
	c.LastError = why
	if err := w.Candidates().Save(ctx, c); err != nil {
		return err
	}
	c, err := w.Candidates().Move(ctx, c.ID, curlew.CandidateBroken, why)
	if err != nil || c.Attempts >= curlew.MaxCandidateAttempts {
		return err
	}
	return o.start(ctx, w, c, reanalyseAfter<<c.Attempts)
}

// reregister gives the watch of a candidate that broke a new blueprint; it waits until it
// is deployed.
func (o Onboard) reregister(ctx context.Context, w store.WriteScope, run curlew.Run, c curlew.Candidate, best Trial) error {
	source, err := w.Sources().Lock(ctx, c.Source)
	if err != nil {
		return err
	}
	watches, err := w.Watches().List(ctx, store.WatchFilter{Source: source.ID}, store.Window{Limit: 100_000})
	if err != nil {
		return err
	}
	var b curlew.Blueprint
	for _, watch := range watches {
		had, err := w.Blueprints().Get(ctx, watch.Blueprint)
		if err != nil {
			return err
		}
		if c.Watch != "" && watch.ID != c.Watch || c.Watch == "" && had.Schema != best.Proposal.Schema {
			continue
		}
		if b.ID == "" {
			if b, err = o.keepBlueprint(ctx, w, had, best.Proposal); err != nil {
				return err
			}
			if b, err = w.Blueprints().Activate(ctx, b.ID); err != nil {
				return err
			}
		}
		watch.Blueprint, watch.URL, watch.Status = b.ID, best.Proposal.URL, curlew.WatchPaused
		watch.NextRunAt, watch.ConsecutiveFailures, watch.LastError = nil, 0, ""
		if err := w.Watches().Save(ctx, watch); err != nil {
			return err
		}
	}
	until := o.Wall().Add(watch.Probation)
	source.ProbationUntil, source.GoodRuns, source.HealFailures = &until, 0, 0
	if err := w.Sources().Save(ctx, source); err != nil {
		return err
	}
	return o.keepCard(ctx, w, run.ID, source.ID, best)
}

// keepCard keeps the score of a tested sample.
func (o Onboard) keepCard(ctx context.Context, w store.WriteScope, run curlew.RunID, source curlew.SourceID, best Trial) error {
	card, err := json.Marshal(best.Card)
	if err != nil {
		return fmt.Errorf("scorecard: %w", err)
	}
	return w.Scorecards().Add(ctx, curlew.Scorecard{Source: source, Run: run, Score: best.Score, Card: card, At: o.Now()})
}

// Retry gives a candidate that failed or broke another try, now.
func (o Onboard) Retry(ctx context.Context, org curlew.OrgID, id curlew.CandidateID, who string) error {
	return o.Store.Write(ctx, org, func(w store.WriteScope) error {
		c, err := w.Candidates().Lock(ctx, id)
		if err != nil {
			return err
		}
		if c.Status == curlew.CandidateRejected || c.Status == curlew.CandidateFailed {
			if err := Free(ctx, w.Scope, c); err != nil {
				return err
			}
		}
		if c.Status == curlew.CandidateTesting && !c.CanRetry() {
			return curlew.Refused(curlew.ErrRunActive, "the candidate is being analysed: try again when that has ended")
		}
		_, err = o.again(ctx, w, c, "another attempt, requested by "+who)
		return err
	})
}

// again tries a candidate again, as it is now.
func (o Onboard) again(ctx context.Context, w store.WriteScope, c curlew.Candidate, why string) (curlew.Candidate, error) {
	if err := o.hurry(ctx, w, c); err != nil {
		return c, err
	}
	if c.Status != curlew.CandidatePending && c.Status != curlew.CandidateBroken {
		moved, err := w.Candidates().Move(ctx, c.ID, curlew.CandidatePending, why)
		if err != nil {
			return c, err
		}
		c.Status, c.Review = moved.Status, false // nothing waits for a person any more
		if err := w.Candidates().Save(ctx, c); err != nil {
			return c, err
		}
	}
	return c, o.start(ctx, w, c, 0)
}

// hurry takes away a try of a candidate that is planned for later.
func (o Onboard) hurry(ctx context.Context, w store.WriteScope, c curlew.Candidate) error {
	run, err := w.Runs().Active(ctx, scopeOf(c.ID))
	if err != nil {
		return curlew.IgnoreNotFound(err)
	}
	if run, err = w.Runs().Lock(ctx, run.ID); err != nil || run.State.Ended() {
		return err
	}
	if run.State != curlew.RunPending {
		return curlew.Refused(curlew.ErrRunActive, "%s is working on the candidate now: \"curlew runs log -f %s\" follows it", run.ID, run.ID)
	}
	const why = "another attempt was requested at once"
	run.State, run.Summary = curlew.RunCancelled, why
	if err := w.Runs().Save(ctx, run); err != nil {
		return err
	}
	return o.Queue.StopSubject(ctx, w.Tx, w.Org(), string(run.ID), queue.By{Who: "retry", Why: why})
}

func scopeOf(id curlew.CandidateID) string { return "candidate:" + string(id) }
