package store_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func sampleKey(*world) curlew.APIKey {
	return curlew.APIKey{Name: words, Scopes: []curlew.KeyScope{curlew.ScopeWrite, curlew.ScopeRead}, CreatedBy: "usr_x",
		ExpiresAt: &evening, UsedAt: &morning, RevokedAt: &morning}
}

func addKey(s store.WriteScope, ctx context.Context, k curlew.APIKey) (curlew.APIKey, error) {
	return s.Keys().Add(ctx, k, "the hash")
}

// fillAccounts gives an org a person with a session and a link. Real people are
// rows of 'system'; here each org has some, so that references can be tried.
func (b *bench) fillAccounts(ctx context.Context, s store.WriteScope) error {
	user, err := s.Users().Add(ctx, curlew.User{Email: rand.Text() + "@example.org", Name: words}, "a hash")
	if err != nil {
		return err
	}
	session := curlew.Session{User: user.ID, Org: s.Org(), CreatedAt: morning, SeenAt: morning, ExpiresAt: evening}
	if _, err := s.Sessions().Add(ctx, session, rand.Text()); err != nil {
		return err
	}
	if err := s.Sessions().KeepDevice(ctx, user.ID, curlew.Device{Hash: rand.Text(), Until: evening}); err != nil {
		return err
	}
	return s.Sessions().AddLink(ctx, curlew.Link{Purpose: curlew.LinkPassword, User: user.ID, CreatedAt: morning, ExpiresAt: evening},
		rand.Text())
}

func did(action string) curlew.AuditEntry {
	return curlew.AuditEntry{Actor: "cli", Name: "cli", Action: action, Thing: "it", Address: "192.0.2.1", At: morning}
}

// join makes somebody a member of an org.
func (b *bench) join(t *testing.T, org curlew.OrgID, email string, role curlew.Role) curlew.User {
	t.Helper()
	user, _, err := b.store.Accounts().AddMember(t.Context(), org, curlew.Member{User: curlew.User{Email: email, Name: words}, Role: role}, 0, did("user.add"))
	must(t, err)
	return user
}

func people(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	ada := b.join(t, acme, "ada@example.org", curlew.RoleOwner)
	b.join(t, birch, "bob@example.org", curlew.RoleOwner)
	again, isNew, err := accounts.AddMember(ctx, birch, curlew.Member{User: curlew.User{Email: ada.Email, Name: "Another"}, Role: curlew.RoleViewer}, 0, did("user.add"))
	if err != nil || isNew || again.ID != ada.ID || again.Name != words {
		t.Errorf("in a second org the same person became %+v (new: %v, %v)", again, isNew, err)
	}
	_, _, err = accounts.AddMember(ctx, birch, curlew.Member{User: curlew.User{Email: ada.Email}, Role: curlew.RoleOwner}, 0, did("user.add"))
	wantFault(t, err, "exists_already")
	must(t, accounts.BindSubject(ctx, acme, curlew.User{ID: ada.ID, Issuer: "https://id.example.org", Subject: "s-1"}, did("user.bind")))
	bound, err := accounts.UserBySubject(ctx, "https://id.example.org", "s-1")
	if err != nil || bound.ID != ada.ID {
		t.Errorf("by subject: %+v, %v", bound, err)
	}
	for _, s := range [][2]string{{"https://id.example.org", ""}, {"", "s-1"}, {"https://other.example.org", "s-1"}} {
		_, err := accounts.UserBySubject(ctx, s[0], s[1])
		wantFault(t, err, "not_found")
	}
	if _, hash, err := accounts.UserByEmail(ctx, ada.Email); err != nil || hash != "" {
		t.Errorf("a new person has the password %q (%v)", hash, err)
	}
	all, err := accounts.Memberships(ctx, ada.ID)
	if err != nil || len(all) != 2 || all[0].Role != curlew.RoleOwner || all[1].Role != curlew.RoleViewer || all[1].Org != birch {
		t.Errorf("the memberships are %+v (%v)", all, err)
	}
	if members, err := accounts.Members(ctx, birch, 0); err != nil || len(members) != 2 ||
		!slices.ContainsFunc(members, func(m curlew.Member) bool { return m.Email == ada.Email && m.Role == curlew.RoleViewer }) {
		t.Errorf("the members of birch are %+v (%v)", members, err)
	}
	if members, err := accounts.Members(ctx, empty, 0); err != nil || len(members) != 0 {
		t.Errorf("the members of empty are %+v (%v)", members, err)
	}
	if _, err = accounts.RemoveMember(ctx, birch, ada.ID); err != nil {
		t.Error(err)
	}
	if _, err := accounts.User(ctx, ada.ID); err != nil {
		t.Errorf("who left one org of two is forgotten: %v", err)
	}
	wantFault(t, accounts.SetRole(ctx, birch, ada.ID, curlew.RoleOwner), "not_found")
	if found, err := b.store.Check(ctx); err != nil || len(found) != 0 {
		t.Errorf("fsck says %v (%v)", found, err)
	}
}

func lastOwner(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	owners := make([]curlew.User, 4)
	for i := range owners {
		owners[i] = b.join(t, acme, fmt.Sprintf("owner%d@example.org", i), curlew.RoleOwner)
	}
	errs := together(len(owners), func(i int) error {
		if i%2 == 0 {
			return accounts.SetRole(ctx, acme, owners[i].ID, curlew.RoleViewer)
		}
		_, err := accounts.RemoveMember(ctx, acme, owners[i].ID)
		return err
	})
	failed := slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if n, err := b.store.Org(acme).Users().CountMembers(ctx, curlew.RoleOwner); err != nil || n != 1 || len(failed) != 1 {
		t.Fatalf("%d owners are left, and %v failed (%v)", n, failed, err)
	}
	wantFault(t, failed[0], "last_owner")
}

func orgLimits(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	errs := together(6, func(i int) error {
		_, _, err := accounts.AddMember(ctx, acme, curlew.Member{User: curlew.User{Email: fmt.Sprintf("u%d@example.org", i)}, Role: curlew.RoleViewer}, 1, did("user.add"))
		return err
	})
	wantOneWinner(t, errs, "too_many_members")
	errs = together(6, func(int) error {
		_, err := accounts.AddKey(ctx, curlew.APIKey{Org: acme, Scopes: []curlew.KeyScope{curlew.ScopeRead}}, "h", morning, 1)
		return err
	})
	wantOneWinner(t, errs, "too_many_keys")
	if members, err := accounts.Members(ctx, acme, 0); err != nil || len(members) != 1 {
		t.Errorf("%d members (%v)", len(members), err)
	}
	for _, email := range []string{"u0", "u1", "u2", "u3", "u4", "u5"} {
		t.Run(email, func(t *testing.T) {
			user, _, err := accounts.UserByEmail(ctx, email+"@example.org")
			if all, _ := accounts.Memberships(ctx, user.ID); err == nil && len(all) == 0 {
				t.Errorf("%s was refused and is kept all the same", email)
			}
		})
	}
}

func claimRace(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	if owned, err := accounts.OwnerExists(ctx); err != nil || owned {
		t.Fatalf("a fresh installation has an owner (%v)", err)
	}
	for i := range 6 {
		link := curlew.Link{Purpose: curlew.LinkFirst, CreatedAt: morning, ExpiresAt: evening}
		must(t, accounts.AddLink(ctx, curlew.SystemOrg, link, fmt.Sprint("link", i), did("link.first")))
	}
	errs := together(12, func(i int) error { // two for each link
		_, err := accounts.ClaimFirst(ctx, fmt.Sprint("link", i/2), morning, curlew.NewUser{User: curlew.User{Email: fmt.Sprintf("u%d@example.org", i)}, PasswordHash: "hash"},
			did("installation.claim"))
		return err
	})
	wantOneWinner(t, errs, "not_found")
	members, err := accounts.Members(ctx, curlew.DefaultOrg, 0)
	if err != nil || len(members) != 1 || members[0].Role != curlew.RoleOwner {
		t.Errorf("the members are %+v (%v)", members, err)
	}
	for i := range 6 {
		_, err := accounts.Link(ctx, fmt.Sprint("link", i), morning)
		wantFault(t, err, "not_found")
	}
	if owned, err := accounts.OwnerExists(ctx); err != nil || !owned {
		t.Errorf("nobody owns it (%v)", err)
	}
}

func links(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	ada := b.join(t, acme, "ada@example.org", curlew.RoleViewer)
	add := func(hash string, purpose curlew.LinkPurpose, user curlew.UserID) {
		must(t, accounts.AddLink(ctx, acme, curlew.Link{Purpose: purpose, User: user, CreatedAt: morning, ExpiresAt: evening}, hash,
			did("link.add")))
	}
	add("one", curlew.LinkPassword, ada.ID)
	for range 2 {
		if link, err := accounts.Link(ctx, "one", morning); err != nil || link.User != ada.ID || link.Purpose != curlew.LinkPassword {
			t.Errorf("looking uses it up: %+v, %v", link, err)
		}
	}
	_, err := accounts.Link(ctx, "one", evening)
	wantFault(t, err, "not_found")
	_, err = accounts.UseLink(ctx, "one", evening, "hash", did("link.use"))
	wantFault(t, err, "not_found")
	errs := together(6, func(int) error {
		_, err := accounts.UseLink(ctx, "one", morning, "hash", did("link.use"))
		return err
	})
	wantOneWinner(t, errs, "not_found")
	add("first", curlew.LinkFirst, "")
	_, err = accounts.UseLink(ctx, "first", morning, "hash", did("link.use"))
	wantFault(t, err, "not_found")
	add("two", curlew.LinkPassword, ada.ID)
	_, err = accounts.ClaimFirst(ctx, "two", morning, curlew.NewUser{User: curlew.User{Email: "eve@example.org"}, PasswordHash: "hash"}, did("link.use"))
	wantFault(t, err, "not_found")
	if _, err := accounts.Link(ctx, "two", morning); err != nil {
		t.Errorf("a link used wrongly is gone: %v", err)
	}
	must(t, accounts.SetRole(ctx, acme, ada.ID, curlew.RoleOwner))
	_, err = accounts.Link(ctx, "two", morning) // it was made for a viewer
	wantFault(t, err, "not_found")
}

func sessions(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	ada, bob := b.join(t, acme, "ada@example.org", curlew.RoleViewer), b.join(t, acme, "bob@example.org", curlew.RoleViewer)
	begin := func(user curlew.UserID, hash string) curlew.Session {
		s, err := accounts.SignIn(ctx, curlew.Session{User: user, Org: acme, Address: "192.0.2.1", Agent: words, CreatedAt: morning,
			SeenAt:    morning,
			ExpiresAt: evening}, hash, did("sign-in"))
		must(t, err)
		return s
	}
	first, second := begin(ada.ID, "1"), begin(ada.ID, "2")
	begin(ada.ID, "3")
	begin(bob.ID, "4")
	got, err := accounts.SessionByHash(ctx, "1")
	must(t, err)
	same(t, got, first)
	must(t, accounts.TouchSession(ctx, first.ID, evening))
	must(t, accounts.MoveSession(ctx, first.ID, birch))
	if got, err = accounts.SessionByHash(ctx, "1"); err != nil || !got.SeenAt.Equal(evening) || got.Org != birch {
		t.Errorf("used and moved it is %+v (%v)", got, err)
	}
	if user, err := accounts.User(ctx, ada.ID); err != nil || user.SignedInAt == nil || !user.SignedInAt.Equal(morning) {
		t.Errorf("signed in at %v (%v)", user.SignedInAt, err)
	}
	wantFault(t, accounts.EndSession(ctx, acme, bob.ID, second.ID, did("sign-out")), "not_found")
	must(t, accounts.EndSession(ctx, acme, ada.ID, second.ID, did("sign-out")))
	must(t, accounts.Tidy(ctx, evening.Add(-time.Second), morning)) // the third was left alone since the morning
	if all, err := accounts.Sessions(ctx, ada.ID); err != nil || len(all) != 1 || all[0].ID != first.ID {
		t.Errorf("left are %+v (%v)", all, err)
	}
	must(t, accounts.EndSession(ctx, acme, ada.ID, "", did("sign-out")))
	_, err = accounts.SessionByHash(ctx, "1")
	wantFault(t, err, "not_found")
}

func newPassword(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	ada := b.join(t, acme, "ada@example.org", curlew.RoleViewer)
	var ids []curlew.SessionID
	for _, hash := range []string{"1", "2"} {
		s, err := accounts.SignIn(ctx, curlew.Session{User: ada.ID, Org: acme, CreatedAt: morning, SeenAt: morning, ExpiresAt: evening}, hash,
			did("sign-in"))
		must(t, err)
		ids = append(ids, s.ID)
	}
	must(t, accounts.AddLink(ctx, acme, curlew.Link{Purpose: curlew.LinkPassword, User: ada.ID, CreatedAt: morning, ExpiresAt: evening}, "l",
		did("link.add")))
	must(t, accounts.SetPassword(ctx, acme, ada.ID, "new", ids[1]))
	all, err := accounts.Sessions(ctx, ada.ID)
	if err != nil || len(all) != 1 || all[0].ID != ids[1] {
		t.Errorf("left are %+v (%v)", all, err)
	}
	_, err = accounts.Link(ctx, "l", morning)
	wantFault(t, err, "not_found")
	if _, hash, err := accounts.UserByEmail(ctx, ada.Email); err != nil || hash != "new" {
		t.Errorf("the password is %q (%v)", hash, err)
	}
}

func attempts(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	for _, err := range together(8, func(int) error {
		_, _, err := accounts.CountAttempt(ctx, "s", morning, time.Hour)
		return err
	}) {
		must(t, err)
	}
	for i, step := range []struct {
		after time.Duration
		n     int64
		ends  time.Duration
	}{{59 * time.Minute, 9, time.Hour}, {time.Hour, 1, 2 * time.Hour}, {61 * time.Minute, 2, 2 * time.Hour}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			n, until, err := accounts.CountAttempt(ctx, "s", morning.Add(step.after), time.Hour)
			if err != nil || n != step.n || !until.Equal(morning.Add(step.ends)) {
				t.Errorf("after %s: attempt %d until %s (%v), want %d until %s", step.after, n, until, err, step.n, morning.Add(step.ends))
			}
		})
	}
	must(t, accounts.ForgetAttempts(ctx, "s", "unknown"))
	if n, _, err := accounts.CountAttempt(ctx, "s", evening, time.Hour); err != nil || n != 1 {
		t.Errorf("after forgetting: %d (%v)", n, err)
	}
}

func keys(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	key, err := accounts.AddKey(ctx, curlew.APIKey{Org: acme, Name: words, Scopes: []curlew.KeyScope{curlew.ScopeRead}}, "the hash", morning,
		0)
	must(t, err)
	found, hash, err := accounts.KeyOfAnyOrg(ctx, key.ID)
	if err != nil || hash != "the hash" || found.Org != acme || !found.Valid(morning) {
		t.Errorf("found %+v, %q, %v", found, hash, err)
	}
	revoke := func(org curlew.OrgID, at time.Time) error {
		return b.store.Write(ctx, org, func(w store.WriteScope) error {
			_, err := w.Keys().Revoke(ctx, key.ID, at)
			return err
		})
	}
	wantFault(t, revoke(birch, morning), "not_found")
	wantFault(t, accounts.UseKey(ctx, birch, key.ID, morning), "not_found")
	must(t, accounts.UseKey(ctx, acme, key.ID, morning))
	must(t, revoke(acme, morning))
	must(t, revoke(acme, evening))
	found, _, err = accounts.KeyOfAnyOrg(ctx, key.ID)
	if err != nil || found.Valid(morning) || !found.RevokedAt.Equal(morning) || !found.UsedAt.Equal(morning) {
		t.Errorf("revoked it is %+v (%v)", found, err)
	}
}

func auditLog(t *testing.T, b *bench) {
	ctx, accounts := t.Context(), b.store.Accounts()
	for _, err := range together(8, func(i int) error {
		e := did("thing.do")
		e.Details = []byte(`{"n": 1}`)
		return accounts.Record(ctx, []curlew.OrgID{acme, birch}[i%2], e)
	}) {
		must(t, err)
	}
	log, err := b.store.Org(acme).Audit().List(ctx, store.AuditFilter{Action: "thing.do", Actor: "cli", Thing: "it"})
	must(t, err)
	for i, e := range log {
		if e.Sequence != int64(4-i) || e.Org != acme || e.Address != "192.0.2.1" || !strings.Contains(string(e.Details), `"n"`) ||
			!e.At.Equal(morning) {
			t.Errorf("line %d is %+v", i, e)
		}
	}
	rest, err := b.store.Org(acme).Audit().List(ctx, store.AuditFilter{Before: 3, Limit: 1})
	if err != nil || len(log) != 4 || len(rest) != 1 || rest[0].Sequence != 2 {
		t.Errorf("%d lines, and before the third %+v (%v)", len(log), rest, err)
	}
	if found, err := b.store.Check(ctx); err != nil || len(found) != 0 {
		t.Errorf("fsck says %v (%v)", found, err)
	}
	b.write(t, acme, func(s store.WriteScope) error {
		_, err := s.Tx.Exec(ctx, `DELETE FROM audit_log WHERE org_id = 'acme' AND sequence = 2`)
		return err
	})
	if found, err := b.store.Check(ctx); err != nil || len(found) != 1 || !strings.Contains(found[0].Sentence, "should have 4") {
		t.Errorf("fsck says %+v (%v)", found, err)
	}
}
