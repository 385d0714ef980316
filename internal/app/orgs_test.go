package app_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

func TestTheOperatorMakesOrgs(t *testing.T) {
	w := world.Open(t, world.Options{})
	ctx, operator := t.Context(), auth.Operator(curlew.DefaultOrg)
	command := app.AddOrg{ID: "acme", Name: "Acme & Sons", Owner: "Ada@acme.example"}
	owner := w.SignIn(curlew.DefaultOrg, "owner@example.org", curlew.RoleOwner).Identity
	wantFault(t, "an owner", second(w.App.AddOrg(ctx, owner, command)), "forbidden")
	wantFault(t, "an owner who looks", second(w.App.Orgs(ctx, owner)), "forbidden")
	made, err := w.App.AddOrg(ctx, operator, command)
	if err != nil || made.Org.ID != "acme" || made.Org.Name != command.Name || made.Owner.Role != curlew.RoleOwner {
		t.Fatalf("made %+v: %v", made, err)
	}
	if actions, details := did(w, 0); actions != "org.add" || !strings.Contains(details, `"owner":"Ada@acme.example"`) {
		t.Errorf("the log of the org begins with %s: %s", actions, details)
	}
	for field, c := range map[string]app.AddOrg{"id": {ID: "Acme!", Name: "x", Owner: "a@b.example"}, "name": {ID: "x", Name: "a\nb", Owner: "a@b.example"},
		"owner": {ID: "x", Name: "x", Owner: "ada"}} {
		if _, err := w.App.AddOrg(ctx, operator, c); err == nil || !strings.HasPrefix(err.Error(), field+": ") {
			t.Errorf("%s: %v", field, err)
		}
	}
	wantFault(t, "the same again", second(w.App.AddOrg(ctx, operator, command)), "exists_already")
	wantFault(t, "the org of the upkeep", second(w.App.AddOrg(ctx, operator, app.AddOrg{ID: "system", Name: "x", Owner: "a@b.example"})), "exists_already")
	if all, err := w.App.Orgs(ctx, operator); err != nil || len(all) != 2 || all[0].ID != "acme" || all[1].ID != curlew.DefaultOrg {
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
