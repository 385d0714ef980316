package tenancy

import (
	"context"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/door/rest"
)

type tenantPeople struct{ tenant }

func personOf(u curlew.User, role curlew.Role) rest.Person {
	p := rest.Person{ID: u.ID, Email: u.Email, Name: u.Name, Role: role, By: "password", CreatedAt: u.CreatedAt, SignedInAt: u.SignedInAt}
	if u.Subject != "" {
		p.By = "oidc"
	}
	return p
}

// List lists who may sign in.
func (t tenantPeople) List(ctx context.Context) ([]rest.Person, error) {
	members, err := t.accounts.Members(ctx, t.account)
	all := make([]rest.Person, 0, len(members))
	for _, m := range members {
		p := personOf(m.User, m.Role)
		p.DisabledAt = m.DisabledAt
		all = append(all, p)
	}
	return all, err
}

// Add invites somebody.
func (t tenantPeople) Add(ctx context.Context, n rest.NewPerson) (rest.Invited, error) {
	user, link, err := t.accounts.AddUser(ctx, t.account, n.Email, n.Name, n.Role)
	if fault := curlew.AsFault(err); fault != nil && fault.Code == "bad_email" {
		return rest.Invited{}, rest.Invalid("/email", err)
	}
	return rest.Invited{Person: personOf(user, n.Role), Link: link}, err
}

// SetRole makes somebody something else.
func (t tenantPeople) SetRole(ctx context.Context, id curlew.UserID, role curlew.Role) (rest.Person, error) {
	user, m, err := t.accounts.Member(ctx, t.account, string(id))
	if err == nil {
		err = t.accounts.SetRole(ctx, t.account, user.ID, role)
	}
	p := personOf(user, role)
	p.DisabledAt = m.DisabledAt
	return p, err
}

// Remove ends a membership.
func (t tenantPeople) Remove(ctx context.Context, id curlew.UserID) (rest.PersonRemoved, error) {
	user, _, err := t.accounts.Member(ctx, t.account, string(id))
	if err != nil {
		return rest.PersonRemoved{}, err
	}
	keys, err := t.accounts.RemoveUser(ctx, t.account, user.ID)
	return rest.PersonRemoved{ID: user.ID, Keys: keys}, err
}

// Link lets somebody choose a new password.
func (t tenantPeople) Link(ctx context.Context, id curlew.UserID) (rest.Invited, error) {
	user, m, err := t.accounts.Member(ctx, t.account, string(id))
	if err != nil {
		return rest.Invited{}, err
	}
	link, err := t.accounts.PasswordLink(ctx, t.account, user)
	return rest.Invited{Person: personOf(user, m.Role), Link: link}, err
}

// SignOut ends sessions.
func (t tenantPeople) SignOut(ctx context.Context, id curlew.UserID) (rest.SignedOut, error) {
	n, err := t.accounts.SignOutMember(ctx, t.account, id)
	return rest.SignedOut{Ended: n}, err
}

// Disable keeps somebody out.
func (t tenantPeople) Disable(ctx context.Context, id curlew.UserID) (rest.Person, error) {
	return t.door(ctx, id, t.accounts.Disable)
}

// Enable lets somebody in again.
func (t tenantPeople) Enable(ctx context.Context, id curlew.UserID) (rest.Person, error) {
	return t.door(ctx, id, t.accounts.Enable)
}

func (t tenantPeople) door(ctx context.Context, id curlew.UserID, turn func(context.Context, auth.Identity, curlew.UserID) (curlew.Membership, error)) (rest.Person, error) {
	user, _, err := t.accounts.Member(ctx, t.account, string(id))
	if err != nil {
		return rest.Person{}, err
	}
	m, err := turn(ctx, t.account, user.ID)
	p := personOf(user, m.Role)
	p.DisabledAt = m.DisabledAt
	return p, err
}

type tenantAPIKeys struct{ tenant }

// List lists keys.
func (t tenantAPIKeys) List(ctx context.Context) ([]curlew.APIKey, error) {
	return t.accounts.ListKeys(ctx, t.account)
}

// Add makes a key.
func (t tenantAPIKeys) Add(ctx context.Context, n rest.NewKey) (rest.MadeKey, error) {
	key, secret, err := t.accounts.AddKey(ctx, t.account, n.Name, n.Scopes, n.ExpiresAt)
	switch fault := curlew.AsFault(err); {
	case fault == nil:
	case fault.Code == "bad_key_name":
		return rest.MadeKey{}, rest.Invalid("/name", err)
	case fault.Code == "bad_scope":
		return rest.MadeKey{}, rest.Invalid("/scopes", err)
	case fault.Code == "bad_expiry":
		return rest.MadeKey{}, rest.Invalid("/expires_at", err)
	}
	return rest.MadeKey{APIKey: key, Secret: secret}, err
}

// Revoke makes a key worthless.
func (t tenantAPIKeys) Revoke(ctx context.Context, id curlew.APIKeyID) error {
	return t.accounts.RevokeKey(ctx, t.account, id)
}
