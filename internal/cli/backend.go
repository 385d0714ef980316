package cli

import (
	"context"
	"time"

	"curlew/internal/api"
	"curlew/internal/auth"
	"curlew/internal/curlew"
	"curlew/internal/jobs"
	"curlew/internal/store"
)

// house opens the rooms of an org for the API. All that it hands out goes through the
// org's scope.
type house struct {
	i        *installation
	accounts *auth.Service
}

// Open opens the rooms of whoever asks.
func (h house) Open(who api.Identity) api.Rooms {
	t := tenant{i: h.i, scope: h.i.store.Org(who.Org), who: who.Who, accounts: h.accounts}
	t.account, _ = who.Account.(auth.Identity) // nobody may do anything where there is none
	return api.Rooms{SourceControl: sourceControl{t}, Rehearsal: rehearsal{t}, Tenancy: tenancy{t}, People: tenantPeople{t}, PeopleControl: tenantPeople{t}, APIKeys: tenantAPIKeys{t},
		Candidates: tenantCandidates{t}, Sources: tenantSources{t}, Blueprints: tenantBlueprints{t}, Watches: tenantWatches{t}, WatchControl: tenantWatches{t},
		Runs: tenantRuns{t}, RunControl: runControl{t}, Entities: tenantEntities{t}, Changes: tenantChanges{t}, Publications: tenantPublications{t},
		Subscriptions: tenantSubscriptions{t}, SubscriptionControl: subscriptionControl{t}, Deliveries: tenantDeliveries{t}, Overview: tenantOverview{t},
		Keys: tenantKeys{t}, Live: tenantLive{t}}
}

// apiOptions set up the API of this process.
func (i *installation) apiOptions(a *app, accounts *auth.Service) api.Options {
	return api.Options{Gate: apiGate{accounts}, House: house{i, accounts}, Now: time.Now, Log: a.log, Ends: a.Context.Done(), Version: version()}
}

// tenant is one org of an installation, and who acts in it.
type tenant struct {
	i     *installation
	scope store.Scope
	who   string

	accounts *auth.Service // who may sign in, and with which keys
	account  auth.Identity // who acts, as the accounts know them
}

func (t tenant) org() curlew.OrgID { return t.scope.Org() }

func (t tenant) write(ctx context.Context, fn func(store.WriteScope) error) error {
	return t.i.store.Write(ctx, t.org(), fn)
}

// countEntities counts all entities of the org by their status.
func (t tenant) countEntities(ctx context.Context) (map[curlew.EntityStatus]int64, error) {
	return t.i.entities.of(t.org(), func() (map[curlew.EntityStatus]int64, error) { return t.scope.CountEntities(ctx, store.BrowseFilter{}) })
}

// onboard is what takes candidates; a process that reads nothing can still keep them.
func (t tenant) onboard() jobs.Onboard {
	if t.i.onboard.Store != nil {
		return t.i.onboard
	}
	return jobs.Onboard{Store: t.i.store, Queue: t.i.queue, Now: time.Now, Wall: time.Now, Schedule: "adaptive"}
}

// How long requests are remembered by their keys, and how long one may take whose
// process died.
const (
	keepKeys  = 24 * time.Hour
	lapseKeys = 2 * time.Minute
)

type tenantKeys struct{ tenant }

// Claim takes a key for a request.
func (t tenantKeys) Claim(ctx context.Context, key, request string) (kept *api.KeptAnswer, err error) {
	err = t.write(ctx, func(w store.WriteScope) error {
		known, err := w.ClaimKey(ctx, key, request, keepKeys, lapseKeys)
		kept = nil
		if known != nil {
			kept = &api.KeptAnswer{Request: known.Request, Status: known.Status, Answer: known.Answer}
		}
		return err
	})
	return kept, err
}

// Keep keeps an answer.
func (t tenantKeys) Keep(ctx context.Context, key string, status int, answer string) error {
	return t.write(ctx, func(w store.WriteScope) error { return w.KeepAnswer(ctx, key, status, answer) })
}

// Release forgets a key.
func (t tenantKeys) Release(ctx context.Context, key string) error {
	return t.write(ctx, func(w store.WriteScope) error { return w.ReleaseKey(ctx, key) })
}

type tenantLive struct{ tenant }

// Now is where those who begin to look on begin.
func (t tenantLive) Now(ctx context.Context) (at api.Position, err error) {
	if at.At, err = t.i.store.Clock(ctx); err != nil {
		return at, err
	}
	at.Sequence, err = t.scope.LastSequence(ctx)
	return at, err
}

// ChangesAfter lists changes.
func (t tenantLive) ChangesAfter(ctx context.Context, sequence int64, limit int) ([]curlew.Change, error) {
	return t.scope.Changes(ctx, store.ChangeFilter{}, sequence, limit)
}

// RunsSince lists runs that changed.
func (t tenantLive) RunsSince(ctx context.Context, since time.Time, after curlew.RunID, limit int) ([]api.MovedRun, error) {
	moved, err := t.scope.RunsChangedSince(ctx, since, after, limit)
	all := make([]api.MovedRun, len(moved))
	for i, m := range moved {
		all[i] = api.MovedRun{Run: m.Run, At: m.ChangedAt}
	}
	return all, err
}

// PagesSince lists pages that came.
func (t tenantLive) PagesSince(ctx context.Context, since time.Time, after curlew.PageID, limit int) ([]curlew.Page, error) {
	return t.scope.PagesSince(ctx, since, after, limit)
}

// window is that of the API for the store.
func window(w api.Window) store.Window { return store.Window{After: w.After, Limit: w.Limit} }
