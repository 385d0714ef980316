package tenancy

import (
	"context"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/door/console"
	"curlew/internal/door/rest"
)

type deskOrg struct{ tenant }

// Org returns the org.
func (d deskOrg) Org(ctx context.Context) (curlew.Org, error) { return d.scope.Orgs().Get(ctx) }

// Rename gives it another name.
func (d deskOrg) Rename(ctx context.Context, name string) error {
	_, err := tenantOrg(d).Rename(ctx, name)
	return beside(err)
}

// Configured tells how the installation is set up, and what doctor finds.
func (d deskOrg) Configured(ctx context.Context) (settings []console.Setting, findings []console.Finding, err error) {
	c, err := tenantOrg(d).Settings(ctx)
	for _, s := range c.Settings {
		settings = append(settings, console.Setting(s))
	}
	for _, f := range c.Findings {
		findings = append(findings, console.Finding(f))
	}
	return settings, findings, err
}

// Audit lists who did what.
func (d deskOrg) Audit(ctx context.Context, f console.AuditFilter, before int64, limit int) ([]curlew.AuditEntry, error) {
	return tenantOrg(d).Audit(ctx, rest.AuditFilter(f), before, limit)
}

type deskPeople struct{ tenant }

// Members lists who may sign in.
func (d deskPeople) Members(ctx context.Context) ([]curlew.Member, error) {
	return d.accounts.Members(ctx, d.account)
}

// Invite adds somebody.
func (d deskPeople) Invite(ctx context.Context, email, name string, role curlew.Role) (string, error) {
	made, err := tenantPeople(d).Add(ctx, rest.NewPerson{Email: email, Name: name, Role: role})
	return made.Link, beside(err)
}

// SetRole makes somebody something else.
func (d deskPeople) SetRole(ctx context.Context, id curlew.UserID, role curlew.Role) error {
	return d.accounts.SetRole(ctx, d.account, id, role)
}

// RemoveMember ends a membership.
func (d deskPeople) RemoveMember(ctx context.Context, id curlew.UserID) (int64, error) {
	return d.accounts.RemoveUser(ctx, d.account, id)
}

// Link lets somebody choose a new password.
func (d deskPeople) Link(ctx context.Context, id curlew.UserID) (string, error) {
	made, err := tenantPeople(d).Link(ctx, id)
	return made.Link, err
}

// Disable keeps somebody out.
func (d deskPeople) Disable(ctx context.Context, id curlew.UserID) error {
	_, err := d.accounts.Disable(ctx, d.account, id)
	return err
}

// Enable lets somebody in again.
func (d deskPeople) Enable(ctx context.Context, id curlew.UserID) error {
	_, err := d.accounts.Enable(ctx, d.account, id)
	return err
}

// SignOutMember ends sessions.
func (d deskPeople) SignOutMember(ctx context.Context, id curlew.UserID) error {
	_, err := d.accounts.SignOutMember(ctx, d.account, id)
	return err
}

type deskKeys struct{ tenant }

// Keys lists keys.
func (d deskKeys) Keys(ctx context.Context) ([]curlew.APIKey, error) {
	return d.accounts.ListKeys(ctx, d.account)
}

// AddKey makes a key.
func (d deskKeys) AddKey(ctx context.Context, name string, scopes []curlew.KeyScope, expires *time.Time) (string, error) {
	made, err := tenantAPIKeys(d).Add(ctx, rest.NewKey{Name: name, Scopes: scopes, ExpiresAt: expires})
	return made.Secret, beside(err)
}

// RevokeKey makes a key worthless.
func (d deskKeys) RevokeKey(ctx context.Context, id curlew.APIKeyID) error {
	return d.accounts.RevokeKey(ctx, d.account, id)
}

type deskAccount struct{ tenant }

// ChangePassword lets whoever looks choose another password.
func (d deskAccount) ChangePassword(ctx context.Context, old, new string) error {
	return d.accounts.ChangePassword(ctx, d.account, old, new)
}

// Sessions lists where they are signed in.
func (d deskAccount) Sessions(ctx context.Context) ([]curlew.Session, error) {
	return d.accounts.Sessions(ctx, d.account)
}

// EndSession ends one of these.
func (d deskAccount) EndSession(ctx context.Context, id curlew.SessionID) error {
	return d.accounts.SignOut(ctx, d.account, id)
}

// Orgs lists what they are, and where.
func (d deskAccount) Orgs(ctx context.Context) ([]curlew.Membership, error) {
	return d.accounts.Orgs(ctx, d.account)
}

type deskCosts struct{ tenant }

// Months sums up what models cost.
func (d deskCosts) Months(ctx context.Context, months int) ([]console.MonthCost, error) {
	all, err := d.App.ModelCosts(ctx, d.account, months)
	costs := make([]console.MonthCost, 0, len(all))
	for _, m := range all {
		at, _ := time.Parse("2006-01", m.Month) // we wrote it
		costs = append(costs, console.MonthCost{Month: at, Calls: m.Calls, Micros: m.Cost, Budget: m.Budget})
	}
	return costs, err
}

// Usage sums up what the org used.
func (d deskCosts) Usage(ctx context.Context, since, until time.Time) (u console.Usage, err error) {
	used, err := d.App.Usage(ctx, d.account, since, until)
	u = console.Usage{Pages: used.Pages, Entities: used.Entities, Changes: used.Changes}
	for _, m := range used.Models {
		u.Models = append(u.Models, console.ModelUse{Source: m.Source, Purpose: m.Purpose, Calls: m.Calls, Input: m.InputTokens, Output: m.OutputTokens, Cost: m.Cost})
	}
	return u, err
}
