package store_test

import (
	"encoding/json"
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
