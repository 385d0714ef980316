package store_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
)

func feedKeys(t *testing.T, b *bench) {
	ctx := t.Context()
	w := b.fill(t, acme)
	set := func(org curlew.OrgID, id, secret string) error {
		return b.store.Write(ctx, org, func(s store.WriteScope) error { return s.Feeds().SetKey(ctx, id, secret) })
	}
	seen := map[string]bool{}
	for _, id := range []string{string(w.source.ID), string(w.watch.ID), string(w.subscription.ID)} {
		key := func() string {
			t.Helper()
			got, err := b.store.Org(acme).Feeds().Key(ctx, id)
			must(t, err)
			return got
		}
		if first := key(); len(first) < 26 || seen[first] {
			t.Errorf("the feed of %s begins with the key %q", id, first)
		} else {
			seen[first] = true
		}
		for _, secret := range []string{"", "one", "two"} {
			t.Run(secret, func(t *testing.T) {
				must(t, set(acme, id, secret))
				if got := key(); got != secret {
					t.Errorf("the feed of %s wants %q, not %q", id, got, secret)
				}
			})
		}
		wantFault(t, set(birch, id, "taken over"), "not_found")
		_, err := b.store.Org(birch).Feeds().Key(ctx, id)
		wantFault(t, err, "not_found")
		if got := key(); got != "two" {
			t.Errorf("another org changed the key of %s to %q", id, got)
		}
	}
	for _, id := range []string{string(w.entity.ID), "", "nonsense", "wat_"} {
		wantFault(t, set(acme, id, "x"), "not_found")
	}
	must(t, b.store.Write(ctx, acme, func(s store.WriteScope) error { return s.Subscriptions().Remove(ctx, w.subscription.ID) }))
	_, err := b.store.Org(acme).Feeds().Key(ctx, string(w.subscription.ID))
	wantFault(t, err, "not_found")
}

// oldFeeds gives the things of a database from before keys their keys; what was revoked stays so.
func oldFeeds(t *testing.T, b *bench) {
	ctx := t.Context()
	w := b.fill(t, acme)
	exec := func(statement string, values ...any) {
		t.Helper()
		must(t, b.db.Write(ctx, func(tx *database.Tx) error {
			_, err := tx.Exec(ctx, statement, values...)
			return err
		}))
	}
	b.write(t, acme, func(s store.WriteScope) error { return s.Feeds().SetKey(ctx, string(w.source.ID), "") })
	for i, id := range []string{string(w.watch.ID), string(w.subscription.ID)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			exec(`DELETE FROM feed_keys WHERE thing = ?`, id)
			if key, err := b.store.Org(acme).Feeds().Key(ctx, id); err != nil || key != "" {
				t.Errorf("%s without a row has the key %q: %v", id, key, err)
			}
		})
	}
	text, err := fs.ReadFile(store.Migrations().Files, "0023_feed_keys.sql")
	must(t, err)
	for statement := range strings.SplitSeq(string(text), ";") {
		if strings.TrimSpace(statement) != "" {
			exec(statement)
		}
	}
	for id, has := range map[string]bool{string(w.source.ID): false, string(w.watch.ID): true, string(w.subscription.ID): true} {
		t.Run(id, func(t *testing.T) {
			if key, err := b.store.Org(acme).Feeds().Key(ctx, id); err != nil || (len(key) >= 26) != has {
				t.Errorf("%s has the key %q: %v", id, key, err)
			}
		})
	}
}
