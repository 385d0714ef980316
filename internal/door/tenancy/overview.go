package tenancy

import (
	"context"
	"fmt"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
)

type tenantOverview struct{ tenant }

// Quality lists how good each source is.
func (t tenantOverview) Quality(ctx context.Context, w rest.Window) ([]rest.SourceQuality, error) {
	sources, err := t.scope.Sources().List(ctx, store.Window(w))
	if err != nil {
		return nil, err
	}
	all := make([]rest.SourceQuality, 0, len(sources))
	for _, s := range sources {
		q := rest.SourceQuality{Source: s.ID, Name: s.Name, Trust: s.Trust, Score: s.Quality}
		cards, err := t.scope.Scorecards().List(ctx, s.ID, 1)
		if err != nil {
			return nil, err
		}
		if len(cards) > 0 {
			q.Card = &cards[0]
		}
		all = append(all, q)
	}
	return all, nil
}

// Usage sums up what the org has used.
func (t tenantOverview) Usage(ctx context.Context, since, until time.Time) (u rest.Usage, err error) {
	u.Since, u.Until, u.Models = since, until, []rest.ModelUse{}
	if u.Pages, err = t.scope.Pages().CountSince(ctx, since); err != nil {
		return u, err
	}
	later, err := t.scope.Pages().CountSince(ctx, until)
	if err != nil {
		return u, err
	}
	u.Pages -= later
	if u.Entities, err = t.countEntities(ctx); err != nil {
		return u, err
	}
	if u.Changes, err = t.scope.Changes().LastSequence(ctx); err != nil {
		return u, err
	}
	costs, err := t.scope.ModelCalls().Costs(ctx, since, until)
	for _, c := range costs {
		u.Models = append(u.Models, rest.ModelUse{Source: c.Source, Purpose: c.Purpose, Calls: c.Calls, InputTokens: c.InputTokens, OutputTokens: c.OutputTokens, Cost: c.CostMicros})
		u.Cost += c.CostMicros
	}
	return u, err
}

// Months sums up what models cost by calendar month, the newest first.
func (t tenantOverview) Months(ctx context.Context, months int) (all []rest.MonthCost, err error) {
	for from := curlew.MonthOf(time.Now()); len(all) < months; from = from.AddDate(0, -1, 0) {
		costs, err := t.scope.ModelCalls().Costs(ctx, from, from.AddDate(0, 1, 0))
		if err != nil {
			return nil, err
		}
		m := rest.MonthCost{Month: from.Format("2006-01"), Budget: int64(t.i.Config.LLM.MonthBudget)}
		for _, c := range costs {
			m.Calls += c.Calls
			m.Cost += c.CostMicros
		}
		all = append(all, m)
	}
	return all, nil
}

// healthLooks is how many things of a kind a health report looks at.
const healthLooks = 10_000

// Health says how the org's sources, watches and runs stand.
func (t tenantOverview) Health(ctx context.Context) (rest.Health, error) {
	h := rest.Health{Status: "ok", Attention: []string{}, Sources: map[curlew.Trust]int64{}, Watches: map[curlew.WatchStatus]int64{},
		Runs: map[curlew.RunState]int64{}, Subscriptions: map[curlew.SubscriptionStatus]int64{}}
	sources, err := t.scope.Sources().List(ctx, store.Window{Limit: healthLooks})
	if err != nil {
		return h, err
	}
	watches, err := t.scope.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: healthLooks})
	if err != nil {
		return h, err
	}
	runs, err := t.scope.Runs().List(ctx, store.RunFilter{}, store.Window{Limit: 100})
	if err != nil {
		return h, err
	}
	subs, err := t.scope.Subscriptions().List(ctx, store.Window{Limit: healthLooks})
	if err != nil {
		return h, err
	}
	for _, s := range sources {
		if h.Sources[s.Trust]++; s.Trust == curlew.TrustBroken {
			h.Attention = append(h.Attention, fmt.Sprintf("The source %s (%s) is broken: %s", s.Name, s.ID, s.Why))
		}
	}
	for _, w := range watches {
		if h.Watches[w.Status]++; w.Status == curlew.WatchError {
			h.Attention = append(h.Attention, fmt.Sprintf("The watch %s (%s) fails: %s", w.Name, w.ID, w.LastError))
		}
		if w.Held != nil && !w.Held.Accepted {
			h.Attention = append(h.Attention, fmt.Sprintf("The watch %s (%s) holds %s for review.", w.Name, w.ID, curlew.Counted(w.Held.Missing, "removal")))
		}
	}
	for _, r := range runs {
		h.Runs[r.State]++
	}
	for _, s := range subs {
		if h.Subscriptions[s.Status]++; s.Status == curlew.SubscriptionDisabled {
			h.Attention = append(h.Attention, fmt.Sprintf("The subscription %s (%s) is disabled: %s", s.Name, s.ID, s.Health.DisabledWhy))
		}
	}
	if len(h.Attention) > 0 {
		h.Status, h.Attention = "attention", h.Attention[:min(len(h.Attention), 100)]
	}
	return h, nil
}
