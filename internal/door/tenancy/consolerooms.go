package tenancy

import (
	"context"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/console"
	"curlew/internal/door/rest"
	"curlew/internal/work/deliver"
)

type seenSources struct{ tenant }

// Sources lists sources.
func (s seenSources) Sources(ctx context.Context, w console.Window) ([]curlew.Source, error) {
	return s.scope.Sources().List(ctx, store.Window(w))
}

// Source returns one.
func (s seenSources) Source(ctx context.Context, id curlew.SourceID) (curlew.Source, error) {
	return s.scope.Sources().Get(ctx, id)
}

// Scorecards lists quality scores.
func (s seenSources) Scorecards(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Scorecard, error) {
	return s.scope.Scorecards().List(ctx, id, limit)
}

// Scores lists quality scores without their details.
func (s seenSources) Scores(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Scorecard, error) {
	return s.scope.Scorecards().Scores(ctx, id, limit)
}

// Heals lists attempts to heal.
func (s seenSources) Heals(ctx context.Context, source curlew.SourceID, limit int) ([]curlew.Heal, error) {
	return s.scope.Heals().List(ctx, source, limit)
}

// Heal returns one.
func (s seenSources) Heal(ctx context.Context, run curlew.RunID) (curlew.Heal, error) {
	return s.scope.Heals().Get(ctx, run)
}

type seenCandidates struct{ tenant }

// Candidates lists candidates.
func (s seenCandidates) Candidates(ctx context.Context, status curlew.CandidateStatus, w console.Window) ([]curlew.Candidate, error) {
	return s.scope.Candidates().ListBefore(ctx, store.CandidateFilter{Status: status}, store.Window(w))
}

// Counts counts them by where they stand.
func (s seenCandidates) Counts(ctx context.Context) (map[curlew.CandidateStatus]int64, error) {
	return s.scope.Candidates().Count(ctx)
}

// Candidate returns one, and how it came to where it stands.
func (s seenCandidates) Candidate(ctx context.Context, id curlew.CandidateID) (curlew.Candidate, []console.Move, error) {
	c, err := s.scope.Candidates().Get(ctx, id)
	if err != nil {
		return c, nil, err
	}
	moves, err := s.scope.Candidates().Transitions(ctx, id)
	all := make([]console.Move, len(moves))
	for i, m := range moves {
		all[i] = moveOf(m)
	}
	return c, all, err
}

func moveOf(m store.CandidateTransition) console.Move {
	return console.Move{At: m.At, From: m.From, To: m.To, Why: m.Why}
}

// Propose takes a URL.
func (s seenCandidates) Propose(ctx context.Context, c curlew.Candidate) (curlew.CandidateID, error) {
	kept, err := tenantCandidates(s).Propose(ctx, c)
	return kept.ID, beside(err)
}

// Decide does what a person wants with a candidate.
func (s seenCandidates) Decide(ctx context.Context, id curlew.CandidateID, v console.Verdict, why string) error {
	_, err := tenantCandidates(s).Decide(ctx, id, rest.Verdict(v), why)
	return err
}

type seenSubscriptions struct{ tenant }

// Subscriptions lists subscriptions.
func (s seenSubscriptions) Subscriptions(ctx context.Context, w console.Window) ([]curlew.Subscription, error) {
	all, err := s.scope.Subscriptions().List(ctx, store.Window(w))
	for i := range all {
		all[i].Target = deliver.Redact(all[i].Channel, all[i].Target)
	}
	return all, err
}

// Subscription returns one, and what waits for it.
func (s seenSubscriptions) Subscription(ctx context.Context, id curlew.SubscriptionID) (curlew.Subscription, map[curlew.DeliveryStatus]int64, error) {
	shown, err := tenantSubscriptions(s).Get(ctx, id)
	return shown.Subscription, shown.Backlog, err
}

// Steer pauses and resumes a subscription.
func (s seenSubscriptions) Steer(ctx context.Context, id curlew.SubscriptionID, step console.Step) error {
	_, err := subscriptionControl(s).Steer(ctx, id, rest.SubscriptionStep(step))
	return err
}

type seenDeliveries struct{ tenant }

// Deliveries lists deliveries.
func (s seenDeliveries) Deliveries(ctx context.Context, f console.DeliveryFilter, w console.Window) ([]curlew.Delivery, error) {
	return s.scope.Deliveries().ListBefore(ctx, store.DeliveryFilter{Status: f.Status, Subscription: f.Subscription}, store.Window(w))
}

// Delivery returns one with its attempts.
func (s seenDeliveries) Delivery(ctx context.Context, id curlew.DeliveryID) (curlew.Delivery, []curlew.Attempt, error) {
	report, err := tenantDeliveries(s).Get(ctx, id)
	return report.Delivery, report.Tries, err
}

// Replay sends one again.
func (s seenDeliveries) Replay(ctx context.Context, id curlew.DeliveryID) error {
	_, err := tenantDeliveries(s).Replay(ctx, id)
	return err
}
