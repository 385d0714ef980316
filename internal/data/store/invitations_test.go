package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// invite invites an address to an org by a link whose token has a hash.
func (b *bench) invite(t *testing.T, org curlew.OrgID, email, hash string) curlew.Invitation {
	t.Helper()
	i, err := b.store.Accounts().Invite(t.Context(), org, curlew.Invitation{Email: email, Name: words, Role: curlew.RoleEditor, CreatedAt: morning, ExpiresAt: evening}, hash, 0)
	must(t, err)
	return i
}

func invitations(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	made := b.invite(t, acme, "ada@example.org", "h-1")
	if found, org, err := accounts.Invitation(ctx, "h-1", morning); err != nil || found != made || org.ID != acme {
		t.Errorf("kept %+v of %+v, and it is %+v (%v)", found, org, made, err)
	}
	_, _, err := accounts.Invitation(ctx, "h-1", evening)
	wantFault(t, err, "not_found")
	_, err = accounts.InvitationOf(ctx, birch, string(made.ID))
	wantFault(t, err, "not_found")
	_, _, err = accounts.UserByEmail(ctx, made.Email)
	wantFault(t, err, "not_found")

	errs := together(4, func(i int) error {
		_, err := accounts.Enrol(ctx, "h-1", morning, fmt.Sprint("password ", i), did("user.join"))
		return err
	})
	if failed := slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(failed) != 3 {
		t.Errorf("of four who use the link these fail: %v", failed)
	}
	ada, _, err := accounts.UserByEmail(ctx, made.Email)
	if err != nil || ada.ID != made.ID || ada.Name != words {
		t.Errorf("she became %+v (%v)", ada, err)
	}

	b.invite(t, birch, ada.Email, "h-2")
	_, err = accounts.Enrol(ctx, "h-2", morning, "x", did("user.join"))
	wantFault(t, err, "has_account")
	session, err := accounts.SignIn(ctx, curlew.Session{User: ada.ID, Org: acme, CreatedAt: morning, SeenAt: morning, ExpiresAt: evening}, "s-1", did("sign-in"))
	must(t, err)
	errs = together(3, func(int) error { return accounts.Join(ctx, "h-2", morning, session, did("user.join")) })
	if failed := slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(failed) != 2 {
		t.Errorf("of three who accept these fail: %v", failed)
	}
	all, err := accounts.Memberships(ctx, ada.ID)
	if err != nil || len(all) != 2 || all[1].Org != birch || all[1].Role != curlew.RoleEditor {
		t.Errorf("the memberships are %+v (%v)", all, err)
	}
	if found, err := b.store.Check(ctx); err != nil || len(found) != 0 {
		t.Errorf("fsck says %v (%v)", found, err)
	}
}
