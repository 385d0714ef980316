package app_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

func wantFault(t *testing.T, what string, err error, code curlew.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// did are the actions of the audit log of acme since a line, the newest first, and all their details.
func did(w *world.World, since int64) (actions, details string) {
	w.Helper()
	lines, err := w.App.Audit(w.Context(), auth.Operator("acme"), store.AuditFilter{Limit: 100})
	if err != nil {
		w.Fatal(err)
	}
	for _, l := range lines {
		if l.Sequence > since {
			actions, details = actions+l.Action+" ", details+string(l.Details)
		}
	}
	return strings.TrimSpace(actions), details
}

func TestOwnersDecideAboutPeople(t *testing.T) {
	w := world.Open(t, world.Options{})
	w.AddOrg("acme", "Acme")
	ctx, owner, operator := t.Context(), w.SignIn("acme", "ada@example.org", curlew.RoleOwner).Identity, auth.Operator("acme")
	start := int64(1) // signing in
	bo, err := w.App.AddPerson(ctx, owner, app.AddPerson{Email: "Bo@example.org", Role: curlew.RoleEditor})
	if err != nil || bo.Link == "" || bo.Email != "bo@example.org" {
		t.Fatalf("added %+v: %v", bo, err)
	}
	editor := auth.Identity{Org: "acme", User: bo.ID, Role: curlew.RoleEditor}
	for what, err := range map[string]error{
		"adding": second(w.App.AddPerson(ctx, editor, app.AddPerson{Email: "eve@example.org", Role: curlew.RoleOwner})),
		"a role": second(w.App.SetRole(ctx, editor, app.SetRole{ID: bo.ID, Role: curlew.RoleOwner})), "listing": second(w.App.People(ctx, editor)),
		"removing": second(w.App.RemovePerson(ctx, editor, owner.User)), "a link": second(w.App.LinkPerson(ctx, editor, owner.User)),
		"disabling": second(w.App.DisablePerson(ctx, editor, owner.User)), "enabling": second(w.App.EnablePerson(ctx, editor, owner.User)),
		"signing out": second(w.App.SignOutPerson(ctx, editor, owner.User)), "a password": w.App.SetPassword(ctx, owner, bo.Member, "a heron on the shore"),
		"keys": second(w.App.Keys(ctx, editor)), "the audit log": second(w.App.Audit(ctx, editor, store.AuditFilter{})), "settings": second(w.App.Settings(ctx, editor)),
	} {
		wantFault(t, what, err, "forbidden")
	}
	wantFault(t, "disabling oneself", second(w.App.DisablePerson(ctx, owner, owner.User)), "yourself")
	wantFault(t, "the last owner", second(w.App.SetRole(ctx, operator, app.SetRole{ID: owner.User, Role: curlew.RoleViewer})), "last_owner")
	wantFault(t, "no role", second(w.App.SetRole(ctx, owner, app.SetRole{ID: bo.ID, Role: "root"})), "bad_request")
	wantFault(t, "no address", second(w.App.AddPerson(ctx, owner, app.AddPerson{Email: "eve", Role: curlew.RoleViewer})), "bad_request")
	wantFault(t, "whoever is elsewhere", second(w.App.Person(ctx, auth.Operator("birch"), "bo@example.org")), "not_found")
	if actions, _ := did(w, start); actions != "user.add" {
		t.Errorf("what was refused is in the log: %s", actions)
	}
	wantFault(t, "disabling who is only invited", second(w.App.DisablePerson(ctx, owner, bo.ID)), "only_invited")
	for what, err := range map[string]error{"a password": w.App.SetPassword(ctx, operator, bo.Member, "a heron on the shore"), // by which he is a member
		"disabling": second(w.App.DisablePerson(ctx, owner, bo.ID)), "signing out": second(w.App.SignOutPerson(ctx, owner, bo.ID))} {
		t.Run(what, func(t *testing.T) {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
	if out, err := w.App.Person(ctx, owner, string(bo.ID)); err != nil || out.DisabledAt == nil {
		t.Errorf("disabled: %+v %v", out, err)
	}
	if actions, details := did(w, start); len(strings.Fields(actions)) != 4 || strings.Contains(details, "heron") {
		t.Errorf("the log says %s: %s", actions, details)
	}
}

func TestOwnersChangeAndWithdrawInvitations(t *testing.T) {
	w, acme, globex := twoOrgs(t)
	ctx := t.Context()
	bo, early := invited(w, acme, "bo@example.org", curlew.RoleEditor)
	wantFault(t, "inviting again", second(w.App.AddPerson(ctx, acme, app.AddPerson{Email: "bo@example.org", Role: curlew.RoleOwner})), "exists_already")
	for what, err := range map[string]error{"a role": second(w.App.SetRole(ctx, globex, app.SetRole{ID: bo.ID, Role: curlew.RoleOwner})),
		"a link": second(w.App.LinkPerson(ctx, globex, bo.ID)), "removing": second(w.App.RemovePerson(ctx, globex, bo.ID))} {
		wantFault(t, what+" by another org", err, "not_found")
	}
	if m, err := w.App.SetRole(ctx, acme, app.SetRole{ID: bo.ID, Role: curlew.RoleViewer}); err != nil || m.Role != curlew.RoleViewer {
		t.Errorf("changing the role: %+v %v", m, err)
	}
	renewed, err := w.App.LinkPerson(ctx, acme, bo.ID)
	if err != nil || renewed.Link == bo.Link {
		t.Errorf("a new link: %q %v", renewed.Link, err)
	}
	wantFault(t, "the link of before", second(w.Accounts.CheckLink(ctx, early)), "dead_link")
	if all, err := w.App.People(ctx, acme); err != nil || len(all) != 2 || all[1].Role != curlew.RoleViewer || all[1].InvitedUntil == nil {
		t.Errorf("the people are %+v: %v", all, err)
	}
	if _, err := w.App.RemovePerson(ctx, acme, bo.ID); err != nil {
		t.Error(err)
	}
	wantFault(t, "the link of who is not invited any more", second(w.Accounts.CheckLink(ctx, renewed.Link[len(renewed.Link)-43:])), "dead_link")
	if actions, _ := did(w, 1); actions != "user.remove link.password user.role user.add" {
		t.Errorf("the log says %s", actions)
	}
}

func second[T any](_ T, err error) error { return err }

func TestKeysAreMadeWithCare(t *testing.T) {
	w := world.Open(t, world.Options{})
	w.AddOrg("acme", "Acme")
	operator, read := auth.Operator("acme"), []curlew.KeyScope{curlew.ScopeRead}
	past, far := time.Now().Add(-time.Minute), time.Now().AddDate(11, 0, 0)
	for _, c := range []struct {
		field string
		key   app.AddKey
	}{
		{"name", app.AddKey{Name: "\x1b[31m", Scopes: read}},
		{"scopes", app.AddKey{Name: "x"}},
		{"scopes/1", app.AddKey{Name: "x", Scopes: []curlew.KeyScope{curlew.ScopeRead, "root"}}},
		{"expires_at", app.AddKey{Name: "x", Scopes: read, ExpiresAt: &past}},
		{"expires_at", app.AddKey{Name: "x", Scopes: read, ExpiresAt: &far}},
	} {
		t.Run(c.field, func(t *testing.T) {
			if _, err := w.App.AddKey(t.Context(), operator, c.key); err == nil || !strings.HasPrefix(err.Error(), c.field+": ") {
				t.Errorf("%s: %v", c.field, err)
			}
		})
	}
	made, err := w.App.AddKey(t.Context(), operator, app.AddKey{Name: "ci", Scopes: read})
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, "revoking of another org", w.App.RevokeKey(t.Context(), auth.Operator("birch"), made.ID), "not_found")
	if err := w.App.RevokeKey(t.Context(), operator, made.ID); err != nil {
		t.Error(err)
	}
	if actions, details := did(w, 0); actions != "key.revoke key.add" || strings.Contains(details, made.Secret[30:]) || !strings.Contains(details, `"name":"ci"`) {
		t.Errorf("the log says %s: %s", actions, details)
	}
}

// A key that fell into wrong hands made itself others, and links: all of them end with it, and nobody else's.
func TestRevokingAKeyEndsTheKeysAndLinksThatItMade(t *testing.T) {
	w := world.Open(t, world.Options{})
	w.AddOrg("acme", "Acme")
	ctx, operator := t.Context(), auth.Operator("acme")
	makes := func(who auth.Identity) (made app.MadeKey, as auth.Identity) {
		t.Helper()
		made, err := w.App.AddKey(ctx, who, app.AddKey{Name: "x", Scopes: []curlew.KeyScope{curlew.ScopeAdmin, curlew.ScopeRead}})
		if err != nil {
			t.Fatal(err)
		}
		as, err = w.Accounts.WithKey(ctx, made.Secret, "")
		if err != nil {
			t.Fatal(err)
		}
		return made, as
	}
	invites := func(who auth.Identity, address string) (token string) {
		t.Helper()
		in, err := w.App.AddPerson(ctx, who, app.AddPerson{Email: address, Role: curlew.RoleViewer})
		if err != nil {
			t.Fatal(err)
		}
		return in.Link[len(in.Link)-43:]
	}
	stolen, thief := makes(operator)
	made, child := makes(thief)
	third, grandchild := makes(child)
	other, _ := makes(operator)
	if _, err := w.Accounts.UseLink(ctx, invites(operator, "member@example.org"), auth.NewAccount{Password: "long enough for this"}, auth.Caller{}); err != nil {
		t.Fatal(err)
	}
	links, good := []string{invites(thief, "one@example.org"), invites(grandchild, "two@example.org")}, invites(operator, "three@example.org")
	invites(operator, "four@example.org")
	for _, address := range []string{"four@example.org", "member@example.org"} { // new links for people of others
		m, err := w.Accounts.Member(ctx, "acme", address)
		if err != nil {
			t.Fatal(err)
		}
		in, err := w.App.LinkPerson(ctx, thief, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, in.Link[len(in.Link)-43:])
	}
	if err := w.App.RevokeKey(ctx, operator, stolen.ID); err != nil {
		t.Fatal(err)
	}
	for _, key := range []app.MadeKey{stolen, made, third} {
		wantFault(t, "a key that the revoked one made", second(w.Accounts.WithKey(ctx, key.Secret, "")), "bad_key")
	}
	for _, token := range links {
		wantFault(t, "a link that the revoked key made", second(w.Accounts.CheckLink(ctx, token)), "dead_link")
	}
	if _, err := w.Accounts.Member(ctx, "acme", "four@example.org"); err != nil {
		t.Error("an invitation of somebody else, for which the key made another link: ", err)
	}
	if _, err := w.Accounts.CheckLink(ctx, good); err != nil {
		t.Error("the link of somebody else: ", err)
	}
	if _, err := w.Accounts.WithKey(ctx, other.Secret, ""); err != nil {
		t.Error("the key of somebody else: ", err)
	}
	if _, details := did(w, 0); !strings.Contains(details, `"keys":3`) || !strings.Contains(details, `"links":4`) {
		t.Errorf("the log says %s", details)
	}
}
