package tenancy

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/console"
)

type seenEngine struct{ tenant }

// Unfinished lists the runs under way.
func (s seenEngine) Unfinished(ctx context.Context, limit int) ([]curlew.Run, error) {
	return s.scope.Runs().Unfinished(ctx, limit)
}

// Tail is the end of a run's log.
func (s seenEngine) Tail(ctx context.Context, id curlew.RunID, limit int) ([]curlew.LogLine, error) {
	return s.scope.Runs().LogTail(ctx, id, limit)
}

// Load says how much waits.
func (s seenEngine) Load(ctx context.Context) (console.Load, error) {
	l, err := s.i.Queue.Load(ctx, s.org())
	seen := console.Load{Waiting: l.Waiting, Scheduled: l.Scheduled, Running: l.Running, Oldest: l.Oldest}
	for _, w := range l.Workers {
		seen.Workers = append(seen.Workers, console.Worker{Name: w.Worker, Jobs: w.Jobs})
	}
	return seen, err
}

// period is a time of an org up to now.
type period struct {
	org   curlew.OrgID
	since time.Time
}

func (t tenant) since(at time.Time) period { return period{t.org(), at.Truncate(time.Minute)} }

// Faults says why runs failed.
func (s seenEngine) Faults(ctx context.Context, since time.Time, limit int) ([]console.Trouble, error) {
	faults, err := s.faults.of(s.since(since), func() ([]store.RunFault, error) { return s.scope.Runs().Faults(ctx, since, limit) })
	all := make([]console.Trouble, 0, len(faults))
	for _, f := range faults {
		all = append(all, console.Trouble{What: f.Sentence, Where: "runs", Count: f.Count})
	}
	return all, err
}

type seenTraffic struct{ tenant }

// Pages lists what was asked for.
func (s seenTraffic) Pages(ctx context.Context, since time.Time, limit int) ([]console.Asked, error) {
	pages, err := s.scope.Pages().Recent(ctx, since, limit)
	all := make([]console.Asked, 0, len(pages))
	for _, p := range pages {
		asked := console.Asked{At: curlew.MintedAt(p.ID), Outcome: p.Outcome, Why: inFewWords(p), Bytes: p.Bytes, Millis: p.TookMillis}
		if u, err := url.Parse(p.URL); err == nil {
			asked.Host = u.Host
		}
		all = append(all, asked)
	}
	return all, err
}

// inFewWords is what was wrong with a page, the same for all that have the same.
func inFewWords(p curlew.Page) string {
	switch {
	case p.Block != "":
		return string(p.Block)
	case p.Status >= 400:
		return fmt.Sprintf("HTTP %d", p.Status)
	}
	return p.Why
}

// Counts says how much was asked for between times.
func (s seenTraffic) Counts(ctx context.Context, times []time.Time) ([]int64, error) {
	return s.scope.Pages().CountBetween(ctx, times)
}

type seenOnboarding struct{ tenant }

// Outcomes lists what became of candidates.
func (s seenOnboarding) Outcomes(ctx context.Context, since time.Time, limit int) ([]console.Outcome, error) {
	moved, err := s.scope.Candidates().Outcomes(ctx, since, limit)
	all := make([]console.Outcome, 0, len(moved))
	for _, m := range moved {
		all = append(all, console.Outcome{Candidate: m.Candidate, Last: moveOf(m.Last)})
	}
	return all, err
}

// Tally counts outcomes.
func (s seenOnboarding) Tally(ctx context.Context, since time.Time) (console.Tally, error) {
	n, err := s.tallies.of(s.since(since), func() (store.OnboardingTally, error) { return s.scope.Candidates().Tally(ctx, since) })
	return console.Tally(n), err
}

// Pace sums up deployments.
func (s seenOnboarding) Pace(ctx context.Context) (console.Pace, error) {
	p, err := s.paces.of(s.org(), func() (store.OnboardingPace, error) { return s.scope.Candidates().Pace(ctx) })
	return console.Pace(p), err
}
