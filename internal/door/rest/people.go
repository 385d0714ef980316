package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

// Person is somebody who may sign in, as an org sees them.
type Person struct {
	ID         curlew.UserID `json:"id"`
	Email      string        `json:"email"`
	Name       string        `json:"name"`
	Role       curlew.Role   `json:"role"`
	By         string        `json:"signs_in_by" enum:"password,oidc"`
	CreatedAt  time.Time     `json:"created_at"`
	SignedInAt *time.Time    `json:"signed_in_at,omitempty"` // absent for who never did
	DisabledAt *time.Time    `json:"disabled_at,omitempty"`  // absent for who may sign in

	InvitedUntil *time.Time `json:"invited_until,omitempty"` // who has not come yet can until then; absent for members
}

func personOf(m curlew.Member) Person {
	p := Person{ID: m.ID, Email: m.Email, Name: m.Name, Role: m.Role, By: "password", CreatedAt: m.CreatedAt, SignedInAt: m.SignedInAt,
		DisabledAt: m.DisabledAt, InvitedUntil: m.InvitedUntil}
	if m.Subject != "" {
		p.By = "oidc"
	}
	return p
}

// Invited is a person and the link by which they accept the invitation, or choose a password.
type Invited struct {
	Person
	Link string `json:"link"` // serves once, within three days, and is shown this once
}

// PersonRemoved says what is left of somebody.
type PersonRemoved struct {
	ID   curlew.UserID `json:"id"`
	Keys int64         `json:"keys"` // that they made still let programs in
}

// SignedOut says how many sessions were ended.
type SignedOut struct {
	Ended int `json:"ended"`
}

type userID = named[curlew.UserID]

type addPerson struct {
	Body app.AddPerson `body:"json"`
}

type editPerson struct {
	userID
	Body app.SetRole `body:"json"`
}

type addKey struct {
	Body app.AddKey `body:"json"`
}

func peopleRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/people", "listPeople", "List the people who can sign in, and open invitations.",
			doListPeople).needs(auth.ViewPeople),
		operation(http.MethodPost, "/people", "addPerson", "Invite a person; gives a link by which they accept, shown once.", doAddPerson).
			creates(app.AddPerson{Email: "ada@example.org", Role: curlew.RoleEditor}),
		operation(http.MethodPatch, "/people/{id}", "editPerson", "Change a person's role: owner, editor or viewer.",
			doEditPerson).like(app.SetRole{Role: curlew.RoleViewer}),
		operation(http.MethodDelete, "/people/{id}", "removePerson", "Remove a person from the org.", doRemovePerson),
		operation(http.MethodPost, "/people/{id}/link", "linkPerson",
			"Make a link to choose a new password or to accept the invitation, shown once.", doLinkPerson),
		operation(http.MethodPost, "/people/{id}/sign-out", "signOutPerson", "End all sessions of a person in this org.", doSignOutPerson),
		operation(http.MethodPost, "/people/{id}/disable", "disablePerson",
			"Disable an account without removing it: no sign-in, no sessions, and its keys are refused.", doDisablePerson),
		operation(http.MethodPost, "/people/{id}/enable", "enablePerson", "Enable a disabled account and its keys again.",
			doEnablePerson),
	}
}

func keyRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/keys", "listKeys", "List keys; their secrets are not kept.", doListKeys).needs(auth.ViewKeys),
		operation(http.MethodPost, "/keys", "addKey", "Make a key for a program; its secret is shown this once.", sends((*app.App).AddKey)).
			creates(app.AddKey{Name: "dashboard", Scopes: []curlew.KeyScope{curlew.ScopeRead}}),
		operation(http.MethodDelete, "/keys/{id}", "revokeKey",
			"Revoke a key, with the keys, invitations and links that were made with it.", removes((*app.App).RevokeKey)),
	}
}

func doListPeople(ctx context.Context, c *Call, _ noInput) (List[Person], error) {
	members, err := c.App.People(ctx, c.Caller)
	all := make([]Person, len(members))
	for i, m := range members {
		all[i] = personOf(m)
	}
	return List[Person]{Data: all}, err
}

func doAddPerson(ctx context.Context, c *Call, in addPerson) (Invited, error) {
	made, err := c.App.AddPerson(ctx, c.Caller, in.Body)
	return Invited{personOf(made.Member), made.Link}, err
}

func doEditPerson(ctx context.Context, c *Call, in editPerson) (Person, error) {
	in.Body.ID = in.ID
	m, err := c.App.SetRole(ctx, c.Caller, in.Body)
	return personOf(m), err
}

func doRemovePerson(ctx context.Context, c *Call, in userID) (PersonRemoved, error) {
	keys, err := c.App.RemovePerson(ctx, c.Caller, in.ID)
	return PersonRemoved{ID: in.ID, Keys: keys}, err
}

func doLinkPerson(ctx context.Context, c *Call, in userID) (Invited, error) {
	made, err := c.App.LinkPerson(ctx, c.Caller, in.ID)
	return Invited{personOf(made.Member), made.Link}, err
}

func doSignOutPerson(ctx context.Context, c *Call, in userID) (SignedOut, error) {
	ended, err := c.App.SignOutPerson(ctx, c.Caller, in.ID)
	return SignedOut{ended}, err
}

func doDisablePerson(ctx context.Context, c *Call, in userID) (Person, error) {
	m, err := c.App.DisablePerson(ctx, c.Caller, in.ID)
	return personOf(m), err
}

func doEnablePerson(ctx context.Context, c *Call, in userID) (Person, error) {
	m, err := c.App.EnablePerson(ctx, c.Caller, in.ID)
	return personOf(m), err
}

func doListKeys(ctx context.Context, c *Call, _ noInput) (List[curlew.APIKey], error) {
	all, err := c.App.Keys(ctx, c.Caller)
	return List[curlew.APIKey]{Data: filled(all)}, err
}
