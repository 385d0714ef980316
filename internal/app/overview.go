package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// period is a time of an org up to now.
type period struct {
	org   curlew.OrgID
	since time.Time
}

func since(who auth.Identity, at time.Time) period { return period{who.Org, at.Truncate(time.Minute)} }

// SourceQuality is how good a source is.
type SourceQuality struct {
	Source curlew.SourceID   `json:"source_id"`
	Name   string            `json:"name"`
	Trust  curlew.Trust      `json:"trust"`
	Score  *int              `json:"quality_score"` // null before the first one
	Card   *curlew.Scorecard `json:"scorecard,omitempty"`
}

// Usage is what an org has used.
type Usage struct {
	Since    time.Time                     `json:"since"`
	Until    time.Time                     `json:"until"`
	Pages    int64                         `json:"pages"`       // that websites were asked for
	Entities map[curlew.EntityStatus]int64 `json:"entities"`    // now
	Changes  int64                         `json:"changes"`     // told since the beginning
	Models   []ModelUse                    `json:"models"`      // what language models were asked
	Cost     int64                         `json:"cost_micros"` // of the models, in millionths of a dollar
}

// MonthCost is what models cost in a calendar month.
type MonthCost struct {
	Month  string `json:"month"` // 2026-11
	Calls  int64  `json:"calls"`
	Cost   int64  `json:"cost_micros"`   // in millionths of a dollar
	Budget int64  `json:"budget_micros"` // of a month; 0 means none
}

// MonthCosts are what models cost in a calendar month, by source and purpose.
type MonthCosts struct {
	MonthCost
	Costs []NamedCost `json:"costs"`
}

// NamedCost is what models cost for one source and purpose.
type NamedCost struct {
	store.ModelCost
	SourceName string `json:"source_name,omitempty"`
}

// ModelUse is what asking models for one purpose came to.
type ModelUse struct {
	Source       curlew.SourceID     `json:"source_id,omitempty"`
	Purpose      curlew.ModelPurpose `json:"purpose"`
	Calls        int64               `json:"calls"`
	InputTokens  int64               `json:"input_tokens"`
	OutputTokens int64               `json:"output_tokens"`
	Cost         int64               `json:"cost_micros"`
}

// Health is how an org's sources, watches and runs stand.
type Health struct {
	Status        string                              `json:"status" enum:"ok,attention"`
	Sources       map[curlew.Trust]int64              `json:"sources"`
	Watches       map[curlew.WatchStatus]int64        `json:"watches"`
	Runs          map[curlew.RunState]int64           `json:"runs"` // of the last hundred
	Subscriptions map[curlew.SubscriptionStatus]int64 `json:"subscriptions"`
	Attention     []string                            `json:"attention"` // sentences: what a person should look at
}

// NoContact says that pages of others cannot be fetched for want of a contact; "" where they can.
func (a *App) NoContact() string {
	if a.i.Config.Contact == "" {
		return setup.NoContact
	}
	return ""
}

// Quality lists how good each source is.
func (a *App) Quality(ctx context.Context, who auth.Identity, w store.Window) ([]SourceQuality, error) {
	scope, err := a.Read(who)
	if err != nil {
		return nil, err
	}
	sources, err := scope.Sources().List(ctx, w)
	if err != nil {
		return nil, err
	}
	all := make([]SourceQuality, 0, len(sources))
	for _, s := range sources {
		q := SourceQuality{Source: s.ID, Name: s.Name, Trust: s.Trust, Score: s.Quality}
		cards, err := scope.Scorecards().List(ctx, s.ID, 1)
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
func (a *App) Usage(ctx context.Context, who auth.Identity, since, until time.Time) (u Usage, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return u, err
	}
	u.Since, u.Until, u.Models = since, until, []ModelUse{}
	if u.Pages, err = scope.Pages().CountSince(ctx, since); err != nil {
		return u, err
	}
	later, err := scope.Pages().CountSince(ctx, until)
	if err != nil {
		return u, err
	}
	u.Pages -= later
	if u.Entities, err = a.CountEntities(ctx, who); err != nil {
		return u, err
	}
	if u.Changes, err = scope.Changes().LastSequence(ctx); err != nil {
		return u, err
	}
	costs, err := scope.ModelCalls().Costs(ctx, since, until)
	for _, c := range costs {
		u.Models = append(u.Models, ModelUse{Source: c.Source, Purpose: c.Purpose, Calls: c.Calls, InputTokens: c.InputTokens,
			OutputTokens: c.OutputTokens, Cost: c.CostMicros})
		u.Cost += c.CostMicros
	}
	return u, err
}

// ModelCosts sums up what models cost by calendar month, the newest first.
func (a *App) ModelCosts(ctx context.Context, who auth.Identity, months int) (all []MonthCost, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return nil, err
	}
	for from := curlew.MonthOf(a.now()); len(all) < months; from = from.AddDate(0, -1, 0) {
		m, err := a.monthCosts(ctx, scope, from)
		if err != nil {
			return nil, err
		}
		all = append(all, m.MonthCost)
	}
	return all, nil
}

// ModelCostsIn is what models cost in the month of a time.
func (a *App) ModelCostsIn(ctx context.Context, who auth.Identity, at time.Time) (MonthCosts, error) {
	scope, err := a.Read(who)
	if err != nil {
		return MonthCosts{}, err
	}
	m, err := a.monthCosts(ctx, scope, curlew.MonthOf(at))
	for i, c := range m.Costs {
		if s, err := scope.Sources().Get(ctx, c.Source); c.Source != "" && err == nil {
			m.Costs[i].SourceName = s.Name
		}
	}
	return m, err
}

func (a *App) monthCosts(ctx context.Context, scope store.Scope, from time.Time) (MonthCosts, error) {
	m := MonthCosts{MonthCost: MonthCost{Month: from.Format("2006-01"), Budget: int64(a.i.Config.LLM.MonthBudget)}, Costs: []NamedCost{}}
	costs, err := scope.ModelCalls().Costs(ctx, from, from.AddDate(0, 1, 0))
	for _, c := range costs {
		m.Calls += c.Calls
		m.Cost += c.CostMicros
		m.Costs = append(m.Costs, NamedCost{ModelCost: c})
	}
	return m, err
}

// healthChecks is how many things of a kind a health report counts.
const healthChecks = 10_000

// Health says how the org's sources, watches and runs stand.
func (a *App) Health(ctx context.Context, who auth.Identity) (Health, error) {
	scope, err := a.Read(who)
	if err != nil {
		return Health{}, err
	}
	h := Health{Status: "ok", Attention: []string{}, Sources: map[curlew.Trust]int64{}, Watches: map[curlew.WatchStatus]int64{},
		Runs: map[curlew.RunState]int64{}, Subscriptions: map[curlew.SubscriptionStatus]int64{}}
	if err := a.i.Ready(ctx); err != nil {
		h.attend("This server is not ready: %s", curlew.AsFault(err).Sentence)
	}
	for _, count := range []func(context.Context, store.Scope) error{h.countSources, h.countWatches, h.countRuns, h.countSubscriptions} {
		if err := count(ctx, scope); err != nil {
			return h, err
		}
	}
	if err := a.attendServices(ctx, &h); err != nil {
		return h, err
	}
	if len(h.Attention) > 0 {
		h.Status, h.Attention = "attention", h.Attention[:min(len(h.Attention), 100)]
	}
	return h, nil
}

func (h *Health) attend(format string, args ...any) {
	h.Attention = append(h.Attention, fmt.Sprintf(format, args...))
}

// attendServices tells of services of the installation that do not work, without what is the operator's to know.
func (a *App) attendServices(ctx context.Context, h *Health) error {
	troubles, err := a.i.Home.Store.ServiceTroubles(ctx)
	for _, t := range troubles {
		h.attend("The %s has not worked since %s UTC (%s): the operator finds the reason in the log and with \"curlew doctor\"",
			serviceNames[t.Service], t.Since.UTC().Format("2006-01-02 15:04"), curlew.Counted(int(t.Failures), "failed try"))
	}
	return err
}

var serviceNames = map[curlew.Service]string{curlew.ServiceMail: "mail server", curlew.ServiceArchive: "archive of pages",
	curlew.ServiceSignIn: "sign-in provider"}

func (h *Health) countSources(ctx context.Context, scope store.Scope) error {
	sources, err := scope.Sources().List(ctx, store.Window{Limit: healthChecks})
	for _, s := range sources {
		if h.Sources[s.Trust]++; s.Trust == curlew.TrustBroken {
			h.attend("The source %s (%s) is broken: %s", s.Name, s.ID, s.Why)
		}
	}
	return err
}

func (h *Health) countWatches(ctx context.Context, scope store.Scope) error {
	watches, err := scope.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: healthChecks})
	for _, w := range watches {
		if h.Watches[w.Status]++; w.Status == curlew.WatchError {
			h.attend("The watch %s (%s) fails: %s", w.Name, w.ID, w.LastError)
		}
		if w.Rhythm.Over != "" {
			h.attend("The watch %s (%s) does not read all of its list: %s", w.Name, w.ID, w.Rhythm.Over)
		}
		if w.Held != nil && !w.Held.Accepted {
			h.attend("The watch %s (%s) holds %s for review.", w.Name, w.ID, curlew.Counted(w.Held.Missing, "removal"))
		}
	}
	return err
}

func (h *Health) countRuns(ctx context.Context, scope store.Scope) error {
	runs, err := scope.Runs().List(ctx, store.RunFilter{}, store.Window{Limit: 100})
	for _, r := range runs {
		h.Runs[r.State]++
	}
	return err
}

func (h *Health) countSubscriptions(ctx context.Context, scope store.Scope) error {
	subs, err := scope.Subscriptions().List(ctx, store.Window{Limit: healthChecks})
	if errors.Is(err, store.ErrSealed) {
		return nil // which is why this server is not ready
	}
	for _, s := range subs {
		if h.Subscriptions[s.Status]++; s.Status == curlew.SubscriptionDisabled {
			h.attend("The subscription %s (%s) is disabled: %s", s.Name, s.ID, s.Health.DisabledWhy)
		}
	}
	return err
}

// Totals are how much there is.
type Totals struct {
	Active  int64 // entities that are there now
	Changes int64 // told since the beginning
}

// Totals says how much there is.
func (a *App) Totals(ctx context.Context, who auth.Identity) (Totals, error) {
	counts, err := a.CountEntities(ctx, who)
	if err != nil {
		return Totals{}, err
	}
	last, err := a.i.Store.Org(who.Org).Changes().LastSequence(ctx)
	return Totals{Active: counts[curlew.EntityActive], Changes: last}, err
}

// CountEntities counts the org's entities by their status.
func (a *App) CountEntities(ctx context.Context, who auth.Identity) (map[curlew.EntityStatus]int64, error) {
	scope, err := a.Read(who)
	if err != nil {
		return nil, err
	}
	return a.entities.of(who.Org, func() (map[curlew.EntityStatus]int64, error) {
		return scope.Entities().Count(ctx, store.BrowseFilter{})
	})
}

// RunFaults are why runs failed since a time, the most frequent first.
func (a *App) RunFaults(ctx context.Context, who auth.Identity, from time.Time, limit int) ([]store.RunFault, error) {
	scope, err := a.Read(who)
	if err != nil {
		return nil, err
	}
	return a.faults.of(since(who, from), func() ([]store.RunFault, error) { return scope.Runs().Faults(ctx, from, limit) })
}

// OnboardingTally counts what became of candidates since a time.
func (a *App) OnboardingTally(ctx context.Context, who auth.Identity, from time.Time) (store.OnboardingTally, error) {
	scope, err := a.Read(who)
	if err != nil {
		return store.OnboardingTally{}, err
	}
	return a.tallies.of(since(who, from), func() (store.OnboardingTally, error) { return scope.Candidates().Tally(ctx, from) })
}

// OnboardingPace is how the candidates that were deployed came there.
func (a *App) OnboardingPace(ctx context.Context, who auth.Identity) (store.OnboardingPace, error) {
	scope, err := a.Read(who)
	if err != nil {
		return store.OnboardingPace{}, err
	}
	return a.paces.of(who.Org, func() (store.OnboardingPace, error) { return scope.Candidates().Pace(ctx) })
}

// Load is how much of the org's work waits, and who does the rest.
func (a *App) Load(ctx context.Context, who auth.Identity) (queue.Load, error) {
	if _, err := a.Read(who); err != nil {
		return queue.Load{}, err
	}
	return a.i.Queue.Load(ctx, who.Org)
}

// clocksApart is how far the clocks of workers and the database may be apart.
const clocksApart = time.Hour

// mostSince is how many changes after the beginning of a run are searched for its own.
// Of one source only one run goes on at a time, so that they come first.
const mostSince = 500

// ChangesOfRun lists what a run told, in its order.
func (a *App) ChangesOfRun(ctx context.Context, who auth.Identity, run curlew.Run, limit int) (own []curlew.Change, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return nil, err
	}
	var plan struct {
		Watch curlew.WatchID `json:"watch_id"`
	}
	_ = json.Unmarshal(run.Plan, &plan) // what names no watch tells no changes of one
	if plan.Watch == "" {
		return nil, nil
	}
	all, err := scope.Changes().List(ctx, store.ChangeFilter{Watch: plan.Watch, Since: run.CreatedAt.Add(-clocksApart)}, 0, mostSince)
	for _, c := range all {
		if c.Run == run.ID && len(own) < limit {
			own = append(own, c)
		}
	}
	return own, err
}

// Backlog counts what waits for a subscription, by its status.
func (a *App) Backlog(ctx context.Context, who auth.Identity, id curlew.SubscriptionID) (map[curlew.DeliveryStatus]int64, error) {
	scope, err := a.Read(who)
	if err != nil {
		return nil, err
	}
	return a.backlogs.of(id, func() (map[curlew.DeliveryStatus]int64, error) { return scope.Deliveries().Backlog(ctx, id) })
}
