package app_test

import (
	"net/url"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

const (
	theirs = "a heron on the shore" // a password that the attacker knows
	hers   = "seven grey geese flew"
	ceo    = "ceo@acme.example"
)

// twoOrgs is an installation with the orgs acme and globex, and their owners.
func twoOrgs(t *testing.T) (w *world.World, acme, globex auth.Identity) {
	t.Helper()
	w = world.Open(t, world.Options{})
	w.AddOrg("acme", "Acme")
	w.AddOrg("globex", "Globex")
	return w, w.SignIn("acme", "ada@acme.example", curlew.RoleOwner).Identity, w.SignIn("globex", "eve@globex.example", curlew.RoleOwner).Identity
}

// invited invites somebody, and gives the answer and the token of the link in it.
func invited(w *world.World, owner auth.Identity, email string, role curlew.Role) (app.Invited, string) {
	w.Helper()
	made, err := w.App.AddPerson(w.Context(), owner, app.AddPerson{Email: email, Role: role})
	if err != nil {
		w.Fatal(err)
	}
	link, _ := url.Parse(made.Link)
	return made, link.Query().Get("token")
}

// orgsOf are the orgs of whoever signs in with a password.
func orgsOf(w *world.World, email, password string) (orgs []curlew.OrgID) {
	w.Helper()
	token, err := w.Accounts.SignIn(w.Context(), email, password, auth.Caller{Address: "192.0.2.1"})
	if err != nil {
		return nil
	}
	who, err := w.Accounts.Resume(w.Context(), token, "192.0.2.1")
	if err != nil {
		w.Fatal(err)
	}
	all, err := w.Accounts.Orgs(w.Context(), who)
	if err != nil {
		w.Fatal(err)
	}
	for _, m := range all {
		orgs = append(orgs, m.Org)
	}
	return orgs
}

func TestWhoInvitesAnAddressFirstGetsIntoNoOtherOrg(t *testing.T) {
	w, acme, globex := twoOrgs(t)
	_, link := invited(w, globex, ceo, curlew.RoleViewer)
	if _, err := w.Accounts.UseLink(t.Context(), link, auth.NewAccount{Password: theirs}, auth.Caller{}); err != nil {
		t.Fatal(err)
	}
	invited(w, acme, ceo, curlew.RoleOwner)
	if orgs := orgsOf(w, ceo, theirs); !slices.Equal(orgs, []curlew.OrgID{"globex"}) {
		t.Errorf("whoever invited the address first signs in to %v", orgs)
	}
}

func TestALinkOfOneOrgSetsNoPasswordOnceThePersonIsInAnother(t *testing.T) {
	w, acme, globex := twoOrgs(t)
	_, early := invited(w, globex, ceo, curlew.RoleViewer)
	_, link := invited(w, acme, ceo, curlew.RoleOwner)
	if _, err := w.Accounts.UseLink(t.Context(), link, auth.NewAccount{Password: hers}, auth.Caller{}); err != nil {
		t.Errorf("the link of the second org: %v", err)
	}
	if _, err := w.Accounts.UseLink(t.Context(), early, auth.NewAccount{Password: theirs}, auth.Caller{}); err == nil {
		t.Error("the link that was made before sets a password afterwards")
	}
	if orgs := orgsOf(w, ceo, theirs); orgs != nil {
		t.Errorf("whoever has it signs in to %v", orgs)
	}
	if orgs := orgsOf(w, ceo, hers); !slices.Equal(orgs, []curlew.OrgID{"acme"}) {
		t.Errorf("she is in %v", orgs)
	}
}

// An owner learns the same about an address whether it has an account elsewhere or not.
func TestAnInvitationTellsNothingOfAccountsElsewhere(t *testing.T) {
	w, acme, _ := twoOrgs(t)
	user := curlew.User{Email: ceo, Name: "Her Name", Subject: "s-1", Issuer: "https://id.example.org"}
	user, _, err := w.I.Store.Accounts().AddMember(t.Context(), "globex", curlew.Member{User: user, Role: curlew.RoleViewer}, 0, curlew.AuditEntry{})
	if err != nil {
		t.Fatal(err)
	}
	w.SignInAgain(user, "")
	known, _ := invited(w, acme, ceo, curlew.RoleViewer)
	fresh, _ := invited(w, acme, "new@acme.example", curlew.RoleViewer)
	listed, err := w.App.People(t.Context(), acme)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(listed, known.Member, fresh.Member) {
		if m.ID == acme.User {
			continue
		}
		if m.Name != m.Email || m.SignedInAt != nil || m.Subject != "" || m.ID == user.ID || m.CreatedAt.Equal(user.CreatedAt) {
			t.Errorf("the answer tells %+v", m)
		}
	}
	if known.Link == "" || fresh.Link == "" {
		t.Errorf("the links are %q and %q", known.Link, fresh.Link)
	}
}
