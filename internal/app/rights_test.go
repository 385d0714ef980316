package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// A key gives no more than it has: neither to a key, nor to a person, whose session would have it.
func TestAKeyGivesNoMoreThanItHas(t *testing.T) {
	w, ctx := world.Open(t, world.Options{}), t.Context()
	w.AddOrg("acme", "Acme")
	operator := auth.Operator("acme")
	owner := w.SignIn("acme", "ada@example.org", curlew.RoleOwner).Identity
	viewer := w.SignIn("acme", "vi@example.org", curlew.RoleViewer).Identity
	program := func(scopes ...curlew.KeyScope) auth.Identity {
		made, err := w.App.AddKey(ctx, operator, app.AddKey{Name: "program", Scopes: scopes})
		if err != nil {
			t.Fatal(err)
		}
		who, err := w.Accounts.WithKey(ctx, made.Secret, "127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		return who
	}
	admin, both, all := program(curlew.ScopeAdmin), program(curlew.ScopeRead, curlew.ScopeAdmin), program(curlew.KeyScopes...)
	for _, scope := range curlew.KeyScopes {
		for name, who := range map[string]auth.Identity{"admin": admin, "read and admin": both, "every": all, "owner": owner} {
			t.Run(name, func(t *testing.T) {
				_, err := w.App.AddKey(ctx, who, app.AddKey{Name: "another", Scopes: []curlew.KeyScope{scope}})
				if has := who.Key == "" || slices.Contains(who.Scopes, scope); has != (err == nil) {
					t.Errorf("a key with the scope %s makes one with %s: %v", name, scope, err)
				} else if !has {
					wantFault(t, "a wider key", err, "forbidden")
				}
			})
		}
	}
	invite := func(who auth.Identity, email string, role curlew.Role) error {
		return second(w.App.AddPerson(ctx, who, app.AddPerson{Email: email, Role: role}))
	}
	for what, err := range map[string]error{
		"inviting a viewer without read": invite(admin, "v@example.org", curlew.RoleViewer),
		"inviting an editor":             invite(both, "e@example.org", curlew.RoleEditor),
		"inviting an owner":              invite(both, "o@example.org", curlew.RoleOwner),
		"making an owner":                second(w.App.SetRole(ctx, both, app.SetRole{ID: viewer.User, Role: curlew.RoleOwner})),
		"a link of an owner":             second(w.App.LinkPerson(ctx, both, owner.User)),
	} {
		wantFault(t, what, err, "forbidden")
	}
	for what, err := range map[string]error{
		"inviting a viewer with read":        invite(both, "v@example.org", curlew.RoleViewer),
		"inviting an owner with every scope": invite(all, "o@example.org", curlew.RoleOwner),
		"a link of a viewer":                 second(w.App.LinkPerson(ctx, both, viewer.User)),
		"making an editor, by every scope":   second(w.App.SetRole(ctx, all, app.SetRole{ID: viewer.User, Role: curlew.RoleEditor})),
	} {
		t.Run(what, func(t *testing.T) {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
}

// A key that ends makes none that outlives it.
func TestAKeyMakesNoneThatOutlivesIt(t *testing.T) {
	w, ctx := world.Open(t, world.Options{}), t.Context()
	w.AddOrg("acme", "Acme")
	operator, soon, later := auth.Operator("acme"), time.Now().Add(time.Hour), time.Now().Add(2*time.Hour)
	made, err := w.App.AddKey(ctx, operator, app.AddKey{Name: "short", Scopes: curlew.KeyScopes, ExpiresAt: &soon})
	if err != nil {
		t.Fatal(err)
	}
	short, err := w.Accounts.WithKey(ctx, made.Secret, "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	add := func(who auth.Identity, c app.AddKey) (app.MadeKey, error) {
		c.Name, c.Scopes = "another", []curlew.KeyScope{curlew.ScopeRead}
		return w.App.AddKey(ctx, who, c)
	}
	if child, err := add(short, app.AddKey{}); err != nil || child.ExpiresAt == nil || child.ExpiresAt.After(*made.ExpiresAt) {
		t.Errorf("a key of one that ends within an hour ends %v, %v", child.ExpiresAt, err)
	}
	for what, c := range map[string]app.AddKey{"later": {ExpiresAt: &later}, "never": {NeverExpires: true}} {
		t.Run(what, func(t *testing.T) {
			if _, err := add(short, c); err == nil || !strings.Contains(err.Error(), "no later than the key that makes it") {
				t.Errorf("one that ends %s: %v", what, err)
			}
		})
	}
	if usual, err := add(operator, app.AddKey{}); err != nil || usual.ExpiresAt == nil || time.Until(*usual.ExpiresAt).Round(24*time.Hour) != 365*24*time.Hour {
		t.Errorf("without a word a key ends %v, %v", usual.ExpiresAt, err)
	}
	if lasting, err := add(operator, app.AddKey{NeverExpires: true}); err != nil || lasting.ExpiresAt != nil {
		t.Errorf("one that never expires ends %v, %v", lasting.ExpiresAt, err)
	}
}

// The link of an invitation was given for its role: who raises it makes another.
func TestTheLinkOfAnInvitationEndsWithItsRole(t *testing.T) {
	w, ctx := world.Open(t, world.Options{}), t.Context()
	w.AddOrg("acme", "Acme")
	operator := auth.Operator("acme")
	in, err := w.App.AddPerson(ctx, operator, app.AddPerson{Email: "vi@example.org", Role: curlew.RoleViewer})
	if err != nil {
		t.Fatal(err)
	}
	check := func(link string) error { return second(w.Accounts.CheckLink(ctx, link[len(link)-43:])) }
	for _, role := range []curlew.Role{curlew.RoleViewer, curlew.RoleOwner} {
		t.Run(string(role), func(t *testing.T) {
			if err := check(in.Link); err != nil {
				t.Fatalf("before: %v", err)
			}
			if _, err := w.App.SetRole(ctx, operator, app.SetRole{ID: in.ID, Role: role}); err != nil {
				t.Fatal(err)
			}
		})
	}
	wantFault(t, "the link of a viewer", check(in.Link), "dead_link")
	again, err := w.App.LinkPerson(ctx, operator, in.ID)
	if err == nil {
		err = check(again.Link)
	}
	if err != nil {
		t.Errorf("a new link: %v", err)
	}
}

// How the installation is set up is for its operator and the owners of its own org.
func TestSettingsAreForTheInstallationsOperator(t *testing.T) {
	w, ctx := world.Open(t, world.Options{}), t.Context()
	w.AddOrg("acme", "Acme")
	for i, who := range []auth.Identity{auth.Operator("acme"), auth.Operator(curlew.DefaultOrg),
		w.SignIn(curlew.DefaultOrg, "ada@example.org", curlew.RoleOwner).Identity} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if s, err := w.App.Settings(ctx, who); err != nil || len(s.Settings) == 0 || len(s.Findings) == 0 {
				t.Errorf("%s of %s: %v", who.Name, who.Org, err)
			}
		})
	}
	for i, who := range []auth.Identity{w.SignIn("acme", "bo@example.org", curlew.RoleOwner).Identity,
		w.SignIn(curlew.DefaultOrg, "ed@example.org", curlew.RoleEditor).Identity, {Org: "acme", Key: "key_x", Scopes: curlew.KeyScopes}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s, err := w.App.Settings(ctx, who)
			wantFault(t, who.Name, err, "forbidden")
			if len(s.Settings)+len(s.Findings) > 0 {
				t.Errorf("%s is told %+v", who.Name, s)
			}
		})
	}
}

// What a receiver answers is for owners: a webhook must not be a way to read what the server can reach.
// Others learn status and size, of tests and of deliveries alike.
func TestTheBodyOfAnAnswerIsForOwners(t *testing.T) {
	const secret = "what stands on an internal page"
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, secret) }))
	t.Cleanup(receiver.Close)
	cfg := config.Default()
	cfg.Egress.Ports = append(cfg.Egress.Ports, netip.MustParseAddrPort(receiver.Listener.Addr().String()).Port())
	w, ctx := world.Open(t, world.Options{Config: &cfg}), t.Context()
	delivery := curlew.DeliveryID(w.Add("acme", secret)["del"])
	owner, editor := w.SignIn("acme", "ada@example.org", curlew.RoleOwner).Identity, w.SignIn("acme", "ed@example.org", curlew.RoleEditor).Identity
	sub, err := w.App.Subscribe(ctx, owner, app.Subscribe{Channel: curlew.ChannelWebhook, To: []string{receiver.URL}})
	if err != nil {
		t.Fatal(err)
	}
	for i, who := range []auth.Identity{owner, editor, auth.Operator("acme"), {Org: "acme", Key: "key_x", Scopes: []curlew.KeyScope{curlew.ScopeRead, curlew.ScopeDeliver}}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			tested, err := w.App.TestSubscription(ctx, who, sub.ID)
			if err != nil || !tested.Arrived || tested.Status != 200 || tested.Size != len(secret) {
				t.Errorf("%s tests: %+v %v", who.Actor(), tested, err)
			}
			shown, err := w.App.Delivery(ctx, who, delivery)
			if err != nil || len(shown.Tries) == 0 {
				t.Fatalf("%s: %v", who.Actor(), err)
			}
			last := shown.Tries[len(shown.Tries)-1]
			may := who.Actor() == "cli" || who.User == owner.User
			if last.Size != len(secret) || (last.Answer == secret) != may || (tested.Answer == secret) != may {
				t.Errorf("%s sees %+v of a delivery and %+v of a test", who.Actor(), last, tested)
			}
		})
	}
}
