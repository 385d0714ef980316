package app_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

func TestTheOperatorMakesOrgs(t *testing.T) {
	w := world.Open(t, world.Options{})
	ctx, operator := t.Context(), auth.Operator(curlew.DefaultOrg)
	command := app.AddOrg{ID: "acme", Name: "Acme & Sons", Owner: "Ada@acme.example"}
	w.Add("birch", "Birch")
	for what, who := range map[string]auth.Identity{"an owner of another org": w.SignIn("birch", "owner@birch.example", curlew.RoleOwner).Identity,
		"an editor": w.SignIn(curlew.DefaultOrg, "editor@example.org", curlew.RoleEditor).Identity} {
		wantFault(t, what, second(w.App.AddOrg(ctx, who, command)), "forbidden")
		wantFault(t, what+" who looks", second(w.App.Orgs(ctx, who)), "forbidden")
	}
	made, err := w.App.AddOrg(ctx, operator, command)
	if err != nil || made.Org.ID != "acme" || made.Org.Name != command.Name || made.Owner.Role != curlew.RoleOwner {
		t.Fatalf("made %+v: %v", made, err)
	}
	if actions, details := did(w, 0); actions != "org.add" || !strings.Contains(details, `"owner":"Ada@acme.example"`) {
		t.Errorf("the log of the org begins with %s: %s", actions, details)
	}
	for field, c := range map[string]app.AddOrg{"id": {ID: "Acme!", Name: "x", Owner: "a@b.example"}, "name": {ID: "x", Name: "a\nb", Owner: "a@b.example"},
		"owner": {ID: "x", Name: "x", Owner: "ada"}} {
		t.Run(field, func(t *testing.T) {
			if _, err := w.App.AddOrg(ctx, operator, c); err == nil || !strings.HasPrefix(err.Error(), field+": ") {
				t.Errorf("%s: %v", field, err)
			}
		})
	}
	wantFault(t, "the same again", second(w.App.AddOrg(ctx, operator, command)), "exists_already")
	wantFault(t, "the org of the upkeep", second(w.App.AddOrg(ctx, operator, app.AddOrg{ID: "system", Name: "x", Owner: "a@b.example"})), "exists_already")
	if all, err := w.App.Orgs(ctx, operator); err != nil || len(all) != 3 || all[0].ID != "acme" || all[2].ID != curlew.DefaultOrg {
		t.Errorf("the orgs are %+v: %v", all, err)
	}
	token, err := w.Accounts.UseLink(ctx, made.Owner.Link[len(made.Owner.Link)-43:], auth.NewAccount{Password: hers}, auth.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	if who, err := w.Accounts.Resume(ctx, token, ""); err != nil || who.Org != "acme" || who.Role != curlew.RoleOwner {
		t.Errorf("its link lets in %+v: %v", who, err)
	}
}

// Over the network the owners of the default org are the operator's people. It stands in the logs of both orgs.
func TestOwnersOfTheDefaultOrgMakeOrgs(t *testing.T) {
	w := world.Open(t, world.Options{})
	ctx, owner := t.Context(), w.SignIn(curlew.DefaultOrg, "owner@example.org", curlew.RoleOwner).Identity
	made, err := w.App.AddOrg(ctx, owner, app.AddOrg{ID: "acme", Owner: "ada@acme.example"})
	if err != nil || made.Name != "acme" || made.Owner.Link == "" {
		t.Fatalf("made %+v: %v", made, err)
	}
	for _, org := range []curlew.OrgID{"acme", curlew.DefaultOrg} {
		t.Run(string(org), func(t *testing.T) {
			lines, err := w.I.Store.Org(org).Audit().List(ctx, store.AuditFilter{Action: "org.add", Limit: 10})
			if err != nil || len(lines) != 1 || lines[0].Thing != "acme" || lines[0].Actor != string(owner.User) {
				t.Errorf("the log of %s has %+v: %v", org, lines, err)
			}
		})
	}
}

// A key makes an org only if it could give all that an owner has, and its invitation ends with it.
func TestTheInvitationToAnOrgEndsWithTheKeyThatMadeIt(t *testing.T) {
	w := world.Open(t, world.Options{})
	ctx, owner := t.Context(), w.SignIn(curlew.DefaultOrg, "owner@example.org", curlew.RoleOwner).Identity
	narrow, _, err := w.Accounts.AddKey(ctx, owner, "narrow", []curlew.KeyScope{curlew.ScopeAdmin}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wide, _, err := w.Accounts.AddKey(ctx, owner, "wide", curlew.KeyScopes, nil)
	if err != nil {
		t.Fatal(err)
	}
	as := func(k curlew.APIKey) auth.Identity {
		return auth.Identity{Org: curlew.DefaultOrg, Key: k.ID, Name: k.Name, Scopes: k.Scopes}
	}
	command := app.AddOrg{ID: "acme", Owner: "ada@acme.example"}
	wantFault(t, "a key with one scope", second(w.App.AddOrg(ctx, as(narrow), command)), "forbidden")
	made, err := w.App.AddOrg(ctx, as(wide), command)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.App.RevokeKey(ctx, owner, wide.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Accounts.CheckLink(ctx, made.Owner.Link[len(made.Owner.Link)-43:])
	wantFault(t, "the link", err, "dead_link")
}
