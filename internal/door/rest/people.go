package rest

import (
	"context"
	"net/http"
	"time"

	"curlew/internal/curlew"
)

// People are the people of an org.
type People interface {
	List(ctx context.Context) ([]Person, error)
	Add(ctx context.Context, n NewPerson) (Invited, error)
	SetRole(ctx context.Context, id curlew.UserID, role curlew.Role) (Person, error)
	Remove(ctx context.Context, id curlew.UserID) (PersonRemoved, error)
}

// PeopleControl lets people in and out.
type PeopleControl interface {
	Link(ctx context.Context, id curlew.UserID) (Invited, error)
	SignOut(ctx context.Context, id curlew.UserID) (SignedOut, error)
	Disable(ctx context.Context, id curlew.UserID) (Person, error)
	Enable(ctx context.Context, id curlew.UserID) (Person, error)
}

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
}

// NewPerson is somebody to be invited.
type NewPerson struct {
	Email string      `json:"email" min:"1" maxlen:"254"`
	Name  string      `json:"name,omitempty" maxlen:"100"`
	Role  curlew.Role `json:"role"`
}

// Invited is a person and the link by which they choose a password.
type Invited struct {
	Person
	Link string `json:"link,omitempty"` // serves once, within three days, and is shown this once; absent for who has an account already
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

// APIKeys are the keys of an org.
type APIKeys interface {
	List(ctx context.Context) ([]curlew.APIKey, error)
	Add(ctx context.Context, n NewKey) (MadeKey, error)
	Revoke(ctx context.Context, id curlew.APIKeyID) error
}

// NewKey is a key to be made.
type NewKey struct {
	Name      string            `json:"name" min:"1" maxlen:"100"` // what it is for
	Scopes    []curlew.KeyScope `json:"scopes" min:"1" max:"4"`    // none includes another
	ExpiresAt *time.Time        `json:"expires_at,omitempty"`      // never when nobody says
}

// MadeKey is a key with its secret.
type MadeKey struct {
	curlew.APIKey
	Secret string `json:"secret"` // shown this once
}

type userID struct {
	ID curlew.UserID `path:"id"`
}

type addPerson struct {
	Body NewPerson `body:"json"`
}

type editPerson struct {
	userID
	Body struct {
		Role curlew.Role `json:"role"`
	} `body:"json"`
}

type keyID struct {
	ID curlew.APIKeyID `path:"id"`
}

type addKey struct {
	Body NewKey `body:"json"`
}

func peopleRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/people", "listPeople", "List who may sign in.", doListPeople).needs(ViewPeople),
		operation(http.MethodPost, "/people", "addPerson", "Invite somebody; who has no account yet gets a link, shown this once.", doAddPerson).
			creates(NewPerson{Email: "ada@example.org", Role: curlew.RoleEditor}).quietly(),
		operation(http.MethodPatch, "/people/{id}", "editPerson", "Make somebody owner, editor or viewer.", doEditPerson).like(map[string]any{"role": curlew.RoleViewer}).quietly(),
		operation(http.MethodDelete, "/people/{id}", "removePerson", "Remove somebody from the org.", doRemovePerson).quietly(),
		operation(http.MethodPost, "/people/{id}/link", "linkPerson", "Make a link by which somebody chooses a new password, shown this once.", doLinkPerson).quietly(),
		operation(http.MethodPost, "/people/{id}/sign-out", "signOutPerson", "End all sessions of somebody in this org.", doSignOutPerson).quietly(),
		operation(http.MethodPost, "/people/{id}/disable", "disablePerson", "Keep somebody out without removing them: no sign-in, no sessions, and their keys are refused.", doDisablePerson).quietly(),
		operation(http.MethodPost, "/people/{id}/enable", "enablePerson", "Let somebody in again who was disabled, and their keys.", doEnablePerson).quietly(),
	}
}

func keyRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/keys", "listKeys", "List keys; their secrets are not kept.", doListKeys).needs(ViewKeys),
		operation(http.MethodPost, "/keys", "addKey", "Make a key for a program; its secret is shown this once.", doAddKey).
			creates(NewKey{Name: "dashboard", Scopes: []curlew.KeyScope{curlew.ScopeRead}}).quietly(),
		operation(http.MethodDelete, "/keys/{id}", "revokeKey", "Make a key worthless at once.", doRevokeKey).quietly(),
	}
}

func doListPeople(ctx context.Context, c *Call, _ noInput) (List[Person], error) {
	all, err := c.Rooms.People.List(ctx)
	return List[Person]{Data: filled(all)}, err
}

func doAddPerson(ctx context.Context, c *Call, in addPerson) (Invited, error) {
	return c.Rooms.People.Add(ctx, in.Body)
}

func doEditPerson(ctx context.Context, c *Call, in editPerson) (Person, error) {
	return c.Rooms.People.SetRole(ctx, in.ID, in.Body.Role)
}

func doRemovePerson(ctx context.Context, c *Call, in userID) (PersonRemoved, error) {
	return c.Rooms.People.Remove(ctx, in.ID)
}

func doLinkPerson(ctx context.Context, c *Call, in userID) (Invited, error) {
	return c.Rooms.PeopleControl.Link(ctx, in.ID)
}

func doSignOutPerson(ctx context.Context, c *Call, in userID) (SignedOut, error) {
	return c.Rooms.PeopleControl.SignOut(ctx, in.ID)
}

func doDisablePerson(ctx context.Context, c *Call, in userID) (Person, error) {
	return c.Rooms.PeopleControl.Disable(ctx, in.ID)
}

func doEnablePerson(ctx context.Context, c *Call, in userID) (Person, error) {
	return c.Rooms.PeopleControl.Enable(ctx, in.ID)
}

func doListKeys(ctx context.Context, c *Call, _ noInput) (List[curlew.APIKey], error) {
	all, err := c.Rooms.APIKeys.List(ctx)
	return List[curlew.APIKey]{Data: filled(all)}, err
}

func doAddKey(ctx context.Context, c *Call, in addKey) (MadeKey, error) {
	return c.Rooms.APIKeys.Add(ctx, in.Body)
}

func doRevokeKey(ctx context.Context, c *Call, in keyID) (nothing, error) {
	return nothing{}, c.Rooms.APIKeys.Revoke(ctx, in.ID)
}
