package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// key makes a key of somebody.
func (b *bench) key(t *testing.T, org curlew.OrgID, by string) curlew.APIKeyID {
	t.Helper()
	key := curlew.APIKey{ID: curlew.Mint[curlew.APIKeyID](b.store.IDs()), Org: org, Name: "k", Scopes: []curlew.KeyScope{curlew.ScopeRead},
		CreatedBy: by}
	key, err := b.store.Accounts().AddKey(t.Context(), key, "hash", time.Now(), 0)
	must(t, err)
	return key.ID
}

func disabled(t *testing.T, b *bench) {
	ctx, accounts, now := t.Context(), b.store.Accounts(), time.Now().Truncate(time.Microsecond).UTC()
	ada, bo := b.join(t, acme, "ada@example.org", curlew.RoleOwner), b.join(t, acme, "bo@example.org", curlew.RoleOwner)
	b.join(t, birch, "bo@example.org", curlew.RoleViewer)
	keys := map[curlew.OrgID]curlew.APIKeyID{acme: b.key(t, acme, string(bo.ID)), birch: b.key(t, birch, string(bo.ID))}
	heir := b.key(t, acme, string(b.key(t, acme, string(keys[acme])))) // of a key that the key made
	sessions := map[curlew.OrgID]curlew.Session{}
	for _, org := range []curlew.OrgID{acme, birch} {
		s, err := accounts.SignIn(ctx, curlew.Session{User: bo.ID, Org: org, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(time.Hour)},
			"hash of "+string(org), did("sign-in"))
		must(t, err)
		sessions[org] = s
	}
	out := func(want bool) {
		t.Helper()
		members, err := accounts.Members(ctx, acme, 0)
		if err != nil || len(members) != 2 {
			t.Errorf("the members are %+v (%v)", members, err)
		}
		for _, m := range members {
			if (m.DisabledAt != nil) != (want && m.ID == bo.ID) {
				t.Errorf("%s is disabled at %v", m.Email, m.DisabledAt)
			}
		}
		if key, _, err := accounts.KeyOfAnyOrg(ctx, heir); err != nil || key.Suspended != want {
			t.Errorf("a key that comes from theirs is %+v (%v)", key, err)
		}
		for org, id := range keys {
			t.Run(string(org), func(t *testing.T) {
				key, _, err := accounts.KeyOfAnyOrg(ctx, id)
				if listed, e := b.store.Org(org).Keys().List(ctx, store.Window{Limit: 10}); err != nil || e != nil ||
					key.Suspended != (want && org == acme) || listed[0].Suspended != key.Suspended || key.Valid(now) == key.Suspended {
					t.Errorf("the key of %s is %+v, in the list %+v (%v, %v)", org, key, listed, err, e)
				}
			})
		}
	}
	out(false)
	m, err := accounts.SetDisabled(ctx, acme, bo.ID, &now)
	if err != nil || m.DisabledAt == nil || !m.DisabledAt.Equal(now) {
		t.Fatalf("disabled, somebody is %+v (%v)", m, err)
	}
	out(true)
	if left, err := accounts.Sessions(ctx, bo.ID); err != nil || len(left) != 1 || left[0].ID != sessions[birch].ID {
		t.Errorf("the sessions left are %+v (%v)", left, err)
	}
	if all, err := accounts.Memberships(ctx, bo.ID); err != nil || len(all) != 2 || all[0].DisabledAt == nil || all[1].DisabledAt != nil {
		t.Errorf("the memberships are %+v (%v)", all, err)
	}
	later := now.Add(time.Hour)
	if m, err = accounts.SetDisabled(ctx, acme, bo.ID, &later); err != nil || !m.DisabledAt.Equal(now) {
		t.Errorf("disabled again, since %v (%v)", m.DisabledAt, err)
	}
	_, err = accounts.SetDisabled(ctx, acme, ada.ID, &now) // the other owner is out
	wantFault(t, err, "last_owner")
	wantFault(t, accounts.SetRole(ctx, acme, ada.ID, curlew.RoleViewer), "last_owner")
	_, err = accounts.SetDisabled(ctx, empty, bo.ID, &now)
	wantFault(t, err, "not_found")
	_, err = accounts.SetDisabled(ctx, empty, bo.ID, nil)
	wantFault(t, err, "not_found")
	if m, err = accounts.SetDisabled(ctx, acme, bo.ID, nil); err != nil || m.DisabledAt != nil || m.Role != curlew.RoleOwner {
		t.Errorf("enabled, somebody is %+v (%v)", m, err)
	}
	out(false)
	_, err = accounts.SetDisabled(ctx, acme, bo.ID, &now)
	must(t, err)
	if left, err := accounts.RemoveMember(ctx, acme, bo.ID); err != nil || left != 0 {
		t.Errorf("removed while disabled, %d keys let somebody in (%v)", left, err)
	}
	for i, id := range []curlew.APIKeyID{keys[acme], heir} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if key, _, err := accounts.KeyOfAnyOrg(ctx, id); err != nil || key.RevokedAt == nil {
				t.Errorf("a key came to life again: %+v (%v)", key, err)
			}
		})
	}
	if key, _, err := accounts.KeyOfAnyOrg(ctx, keys[birch]); err != nil || key.RevokedAt != nil {
		t.Errorf("a key of another org ended: %+v (%v)", key, err)
	}
}
