package tenancy

import (
	"context"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
)

// API sets up the API of this process. Whoever looks on is let go when ends does.
func (h *House) API(ends <-chan struct{}) rest.Options {
	return rest.Options{Gate: apiGate{h.accounts}, House: apiHouse{h}, App: h.App, Now: time.Now, Log: h.i.Log, Ends: ends, Version: h.i.Version}
}

// apiHouse opens the rooms of an org for the API. All that it hands out goes through the
// org's scope.
type apiHouse struct{ *House }

// Open opens the rooms of whoever asks.
func (h apiHouse) Open(who rest.Identity) rest.Rooms {
	account, _ := who.Account.(auth.Identity) // nobody may do anything where there is none
	t := h.tenant(who.Org, who.Who, account)
	return rest.Rooms{Tenancy: tenantOrg{t}, People: tenantPeople{t}, PeopleControl: tenantPeople{t}, APIKeys: tenantAPIKeys{t},
		Keys: tenantKeys{t}, Live: tenantLive{t}}
}

// How long requests are remembered by their keys, and how long one may take whose
// process died.
const (
	keepKeys  = 24 * time.Hour
	lapseKeys = 2 * time.Minute
)

type tenantKeys struct{ tenant }

// Claim takes a key for a request.
func (t tenantKeys) Claim(ctx context.Context, key, request string) (kept *rest.KeptAnswer, err error) {
	err = t.write(ctx, func(w store.WriteScope) error {
		known, err := w.Idempotency().Claim(ctx, key, request, keepKeys, lapseKeys)
		kept = nil
		if known != nil {
			kept = &rest.KeptAnswer{Request: known.Request, Status: known.Status, Answer: known.Answer}
		}
		return err
	})
	return kept, err
}

// Keep keeps an answer.
func (t tenantKeys) Keep(ctx context.Context, key string, status int, answer string) error {
	return t.write(ctx, func(w store.WriteScope) error { return w.Idempotency().Keep(ctx, key, status, answer) })
}

// Release forgets a key.
func (t tenantKeys) Release(ctx context.Context, key string) error {
	return t.write(ctx, func(w store.WriteScope) error { return w.Idempotency().Release(ctx, key) })
}

type tenantLive struct{ tenant }

// Now is where those who begin to look on begin.
func (t tenantLive) Now(ctx context.Context) (at rest.Position, err error) {
	if at.At, err = t.i.Store.Clock(ctx); err != nil {
		return at, err
	}
	at.Sequence, err = t.scope.Changes().LastSequence(ctx)
	return at, err
}

// ChangesAfter lists changes.
func (t tenantLive) ChangesAfter(ctx context.Context, sequence int64, limit int) ([]curlew.Change, error) {
	return t.scope.Changes().List(ctx, store.ChangeFilter{}, sequence, limit)
}

// RunsSince lists runs that changed.
func (t tenantLive) RunsSince(ctx context.Context, since time.Time, after curlew.RunID, limit int) ([]rest.MovedRun, error) {
	moved, err := t.scope.Runs().ChangedSince(ctx, since, after, limit)
	all := make([]rest.MovedRun, len(moved))
	for i, m := range moved {
		all[i] = rest.MovedRun{Run: m.Run, At: m.ChangedAt}
	}
	return all, err
}

// PagesSince lists pages that came.
func (t tenantLive) PagesSince(ctx context.Context, since time.Time, after curlew.PageID, limit int) ([]curlew.Page, error) {
	return t.scope.Pages().Since(ctx, since, after, limit)
}
