package store_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// sealing keeps the secrets of a subscription in the clear, with one key, with a newer one, and in the clear again.
func sealing(t *testing.T, b *bench) {
	ctx := t.Context()
	const target = `{"url": "https://hooks.example/very-secret"}`
	var sub curlew.Subscription
	b.write(t, acme, func(s store.WriteScope) (err error) {
		sub, err = s.Subscriptions().Add(ctx, curlew.Subscription{Channel: curlew.ChannelSlack, Status: curlew.SubscriptionActive,
			Target: json.RawMessage(target)})
		return err
	})
	for _, step := range []struct {
		name   string
		sealer store.Sealer
		clear  bool
	}{
		{"no key", store.NewSealer(nil), true},
		{"a first key", store.NewSealer([]string{"first"}), false},
		{"a newer key and the old one", store.NewSealer([]string{"newer", "first"}), false},
		{"the newer key alone", store.NewSealer([]string{"newer"}), false},
		{"no key, the newer one to read", store.NewSealer(nil, "newer"), true},
	} {
		t.Run(step.name, func(t *testing.T) {
			must(t, b.store.SealWith(ctx, step.sealer))
			var kept string
			must(t, b.db.QueryRow(ctx, `SELECT CAST(target AS TEXT) FROM subscriptions WHERE id = ?`, sub.ID).Scan(&kept))
			if clear := strings.Contains(kept, "very-secret"); clear != step.clear {
				t.Errorf("%s: the database holds %s", step.name, kept)
			}
			b.write(t, acme, func(s store.WriteScope) error {
				found, err := s.Subscriptions().Lock(ctx, sub.ID)
				if err != nil || !strings.Contains(string(found.Target), "very-secret") {
					t.Errorf("%s: read %s, %v", step.name, found.Target, err)
				}
				return s.Subscriptions().Save(ctx, found)
			})
		})
	}
	must(t, b.store.SealWith(ctx, store.NewSealer([]string{"first"})))
	if err := b.store.SealWith(ctx, store.NewSealer([]string{"other"})); curlew.AsFault(err).Code != "secrets_sealed" {
		t.Errorf("another key: %v", err)
	}
	if _, err := b.store.Org(acme).Subscriptions().Get(ctx, sub.ID); curlew.AsFault(err).Code != "secrets_sealed" {
		t.Errorf("read with another key: %v", err)
	}
	if err := b.store.CheckOwnSecrets(ctx); curlew.AsFault(err).Code != "secrets_sealed" {
		t.Errorf("a store with another key is ready: %v", err)
	}
	if err := b.store.Write(ctx, birch, func(s store.WriteScope) error {
		_, err := s.Subscriptions().Add(ctx, curlew.Subscription{Channel: curlew.ChannelSlack, Status: curlew.SubscriptionActive,
			Target: json.RawMessage(target)})
		return err
	}); curlew.AsFault(err).Code != "secrets_sealed" || curlew.AsFault(err).Kind != curlew.KindTemporary {
		t.Errorf("a store with another key wrote secrets that nobody else can read: %v", err)
	}
}

// marking starts processes on a database that holds no secret yet: the first key that is used is the key of the installation.
func marking(t *testing.T, b *bench) {
	ctx := t.Context()
	adds := func(s *store.Store) error {
		return s.Write(ctx, acme, func(w store.WriteScope) error {
			_, err := w.Subscriptions().Add(ctx, curlew.Subscription{Channel: curlew.ChannelSlack, Status: curlew.SubscriptionActive,
				Target: json.RawMessage(`{"url": "https://hooks.example/very-secret"}`)})
			return err
		})
	}
	starts := func(secrets ...string) (*store.Store, error) {
		s := store.New(b.db, curlew.SystemMinter())
		return s, s.SealWith(ctx, store.NewSealer(secrets))
	}
	sealed := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, store.ErrSealed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	early, err := starts() // before anybody had a key
	must(t, err)
	first, err := starts("first")
	must(t, err)
	sealed("a process from before the key adds", adds(early))
	sealed("a process from before the key is ready", early.CheckOwnSecrets(ctx))
	_, err = starts()
	sealed("a process without a key starts", err)
	_, err = starts("other")
	sealed("a process with another key starts", err)
	sealed("doctor without a key", b.store.CheckSecrets(ctx, store.NewSealer(nil)))
	newer, err := starts("newer", "first")
	must(t, err)
	sealed("a process with the old key adds", adds(first))
	sealed("a process with the old key is ready", first.CheckOwnSecrets(ctx))
	_, err = starts("first")
	sealed("a process with the old key starts", err)
	must(t, adds(newer))
	must(t, newer.CheckOwnSecrets(ctx))

	wantOneWinner(t, together(4, func(i int) error {
		return store.New(b.db, curlew.SystemMinter()).SealWith(ctx, store.NewSealer([]string{string(rune('a' + i))}, "newer"))
	}), "secrets_sealed")
}
