package app

import (
	"cmp"
	"context"
	"html/template"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// NewAccounts answers who somebody is, for a server or a command. base is where people find it, client
// asks their identity provider, where one is configured, and pages dress those of signing in.
func NewAccounts(i *setup.Installation, base string, client *egress.Client, pages *template.Template) *auth.Authenticator {
	o, a := i.Config.OIDC, i.Config.Accounts
	return auth.New(auth.Options{Store: i.Home.Store.Accounts(), BaseURL: base, Proxies: a.Proxies, Client: client, Pages: pages,
		Limits: auth.OrgLimits{Members: a.Members, Keys: a.Keys, RequestsPerMinute: a.RequestsPerMinute},
		OIDC:   auth.OIDCConfig{Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: o.ClientSecret.Secret(), AllowedDomains: o.AllowedDomains}})
}

// AddOrg makes an org and invites its first owner.
type AddOrg struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty" maxlen:"100"` // the id unless given
	Owner string `json:"owner" min:"1" maxlen:"254"`  // e-mail address
}

// Check says what is wrong with the command.
func (c AddOrg) Check() curlew.Problems {
	all := bounds(c)
	if _, err := curlew.ParseOrgID(c.ID); err != nil {
		all.Add("id", curlew.AsFault(err).Sentence)
	}
	if c.Name != "" {
		all.Add("name", curlew.NameProblem(c.Name))
	}
	if _, err := curlew.ParseEmail(c.Owner); c.Owner != "" && err != nil {
		all.Add("owner", curlew.AsFault(err).Sentence)
	}
	return all
}

// OrgAdded is a new org and the link by which its first owner accepts.
type OrgAdded struct {
	curlew.Org
	Owner Invited
}

// AddOrg makes an org and invites its first owner. Only the operator may, and the owners of the default org. It stands in
// the audit logs of both orgs.
func (a *App) AddOrg(ctx context.Context, who auth.Identity, c AddOrg) (OrgAdded, error) {
	if err := auth.AllowInstallation(who); err != nil {
		return OrgAdded{}, err
	}
	from := who
	who.Org = curlew.OrgID(c.ID) // whose audit log begins with it
	return do(ctx, a.as(who), verb{"org.add", auth.EditOrg}, c, func(ctx context.Context, tx *Tx) (made OrgAdded, err error) {
		if err := a.i.Home.Store.AddOrg(ctx, curlew.Org{ID: who.Org, Name: cmp.Or(c.Name, c.ID)}); err != nil {
			return made, err
		}
		if err := a.i.Home.Store.Accounts().Record(ctx, from.Org, a.Accounts.Entry(from, "org.add", c.ID, changed(c))); err != nil {
			return made, err
		}
		if made.Owner, err = a.invite(ctx, tx, AddPerson{Email: c.Owner, Role: curlew.RoleOwner}); err != nil {
			return made, err
		}
		tx.About(c.ID)
		tx.Detail(changed(c))
		made.Org, err = tx.Orgs().Get(ctx)
		return made, err
	})
}

// Orgs lists the orgs of the installation. Only the operator may, and the owners of the default org.
func (a *App) Orgs(ctx context.Context, who auth.Identity) ([]curlew.Org, error) {
	if err := auth.AllowInstallation(who); err != nil {
		return nil, err
	}
	all, err := a.i.Home.Store.Orgs(ctx)
	return slices.DeleteFunc(all, func(o curlew.Org) bool { return o.ID == curlew.SystemOrg }), err
}

// EditOrg gives the org another name.
type EditOrg struct {
	Name string `json:"name" min:"1" maxlen:"100"`
}

// Check says what is wrong with the command.
func (c EditOrg) Check() curlew.Problems {
	all := bounds(c)
	if c.Name != "" {
		all.Add("name", curlew.NameProblem(c.Name))
	}
	return all
}

// EditOrg gives the org another name.
func (a *App) EditOrg(ctx context.Context, who auth.Identity, c EditOrg) (curlew.Org, error) {
	return do(ctx, a.as(who), verb{"editOrg", auth.EditOrg}, c, func(ctx context.Context, tx *Tx) (curlew.Org, error) {
		tx.About(string(who.Org))
		tx.Detail(changed(c))
		if err := tx.Orgs().Rename(ctx, c.Name); err != nil {
			return curlew.Org{}, err
		}
		return tx.Orgs().Get(ctx)
	})
}

// Org is the caller's org.
func (a *App) Org(ctx context.Context, who auth.Identity) (org curlew.Org, err error) {
	if err := auth.Allow(who, auth.View); err != nil {
		return org, err
	}
	return a.i.Home.Store.Org(who.Org).Orgs().Get(ctx)
}

// Setting is one setting and what it is in force.
type Setting struct {
	Name    string `json:"name"`
	Value   string `json:"value"` // secrets are masked
	Default string `json:"default"`
	Origin  string `json:"origin"` // where the value comes from
	Doc     string `json:"doc"`
}

// Diagnosis is one thing that was checked.
type Diagnosis = setup.Diagnosis

// Settings are how the installation is set up, and how it does.
type Settings struct {
	Settings []Setting   `json:"settings"`
	Findings []Diagnosis `json:"findings"` // as "curlew doctor" has them
}

// Settings tells the operator how the installation is set up, and what doctor finds.
func (a *App) Settings(ctx context.Context, who auth.Identity) (s Settings, err error) {
	if err := auth.AllowInstallation(who); err != nil {
		return s, err
	}
	for _, c := range a.i.Home.Config.Settings() {
		s.Settings = append(s.Settings, Setting{Name: c.Name, Value: c.Value, Default: c.Default, Origin: c.Origin.String(), Doc: c.Doc})
	}
	s.Findings = setup.Examine(ctx, a.i.Home.Config)
	return s, nil
}

// Audit lists who did what, the newest first.
func (a *App) Audit(ctx context.Context, who auth.Identity, f store.AuditFilter) ([]curlew.AuditEntry, error) {
	scope, err := a.ReadFor(who, auth.ViewAudit)
	if err != nil {
		return nil, err
	}
	return scope.Audit().List(ctx, f)
}

// How long requests are remembered by their keys, and how long one may take whose
// process died.
const (
	keepAnswers = 24 * time.Hour
	lapseClaims = 2 * time.Minute
)

// ClaimRequest takes an idempotency key for a request, and tells what is known of one that
// took it before; nil means that the caller answers it.
func (a *App) ClaimRequest(ctx context.Context, who auth.Identity, key, request string) (kept *store.KeptAnswer, err error) {
	err = a.i.Store.Write(ctx, who.Org, func(w store.WriteScope) error {
		kept, err = w.Idempotency().Claim(ctx, key, request, keepAnswers, lapseClaims)
		return err
	})
	return kept, err
}

// KeepAnswer keeps the answer to a request that was claimed; status 0 lets it be tried again.
func (a *App) KeepAnswer(ctx context.Context, who auth.Identity, key string, status int, answer string) error {
	return a.i.Store.Write(ctx, who.Org, func(w store.WriteScope) error {
		if status == 0 {
			return w.Idempotency().Release(ctx, key)
		}
		return w.Idempotency().Keep(ctx, key, status, answer)
	})
}

// Clock is the time of the database.
func (a *App) Clock(ctx context.Context) (time.Time, error) { return a.i.Store.Clock(ctx) }
