package store_test

import (
	"testing"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

func feedKeys(t *testing.T, b *bench) {
	ctx := t.Context()
	w := b.fill(t, acme)
	set := func(org curlew.OrgID, id, secret string) error {
		return b.store.Write(ctx, org, func(s store.WriteScope) error { return s.Feeds().SetKey(ctx, id, secret) })
	}
	for _, id := range []string{string(w.source.ID), string(w.watch.ID), string(w.subscription.ID)} {
		want := func(secret string, revoked bool) {
			t.Helper()
			if got, is, err := b.store.Org(acme).Feeds().Key(ctx, id); err != nil || got != secret || is != revoked {
				t.Errorf("the feed of %s wants %q, revoked %v (%v)", id, got, is, err)
			}
		}
		want("", false)
		must(t, set(acme, id, ""))
		want("", true)
		must(t, set(acme, id, "one"))
		want("one", true)
		must(t, set(acme, id, "two"))
		want("two", true)
		wantFault(t, set(birch, id, "taken over"), "not_found")
		_, _, err := b.store.Org(birch).Feeds().Key(ctx, id)
		wantFault(t, err, "not_found")
		want("two", true)
	}
	for _, id := range []string{string(w.entity.ID), "", "nonsense", "wat_"} {
		wantFault(t, set(acme, id, "x"), "not_found")
	}
	must(t, b.store.Write(ctx, acme, func(s store.WriteScope) error { return s.Subscriptions().Remove(ctx, w.subscription.ID) }))
	_, _, err := b.store.Org(acme).Feeds().Key(ctx, string(w.subscription.ID))
	wantFault(t, err, "not_found")
}
