package rest

import (
	"context"
	"net/http"
	"strconv"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

type editOrg struct {
	Body app.EditOrg `body:"json"`
}

type addOrg struct {
	Body app.AddOrg `body:"json"`
}

// OrgAdded is a new org, and its first owner with the link by which they accept.
type OrgAdded struct {
	curlew.Org
	Owner Invited `json:"owner"`
}

type listAudit struct {
	paging
	Actor  string `query:"actor" maxlen:"60"`  // only what this user, key or cli did
	Action string `query:"action" maxlen:"60"` // only this, such as subscribe or user.add
	Thing  string `query:"thing" maxlen:"300"` // only what was done to this
}

func orgRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/org", "getOrg", "The caller's org.", doOrg),
		operation(http.MethodPatch, "/org", "editOrg", "Give the org another name.",
			sends((*app.App).EditOrg)).like(app.EditOrg{Name: "Town hall"}),
		operation(http.MethodGet, "/orgs", "listOrgs", "The orgs of the installation; for owners of the default org.",
			doListOrgs).needs(auth.EditOrg),
		operation(http.MethodPost, "/orgs", "addOrg",
			"Make an org and invite its first owner; gives a link by which they accept, shown once. For owners of the default org.",
			doAddOrg).creates(app.AddOrg{ID: "acme", Name: "Acme & Sons", Owner: "ada@acme.example"}),
		operation(http.MethodGet, "/settings", "getSettings",
			"How the installation is set up, without secrets, and what doctor finds; for owners of the default org.",
			doSettings).needs(auth.EditOrg),
		operation(http.MethodGet, "/audit", "listAudit", "Who did what, the newest first.", doAudit).needs(auth.ViewAudit),
	}
}

func doOrg(ctx context.Context, c *Call, _ noInput) (curlew.Org, error) {
	return c.App.Org(ctx, c.Caller)
}

func doListOrgs(ctx context.Context, c *Call, _ noInput) (List[curlew.Org], error) {
	all, err := c.App.Orgs(ctx, c.Caller)
	return List[curlew.Org]{Data: all}, err
}

func doAddOrg(ctx context.Context, c *Call, in addOrg) (OrgAdded, error) {
	made, err := c.App.AddOrg(ctx, c.Caller, in.Body)
	return OrgAdded{made.Org, Invited{personOf(made.Owner.Member), made.Owner.Link}}, err
}

func doSettings(ctx context.Context, c *Call, _ noInput) (app.Settings, error) {
	return c.App.Settings(ctx, c.Caller)
}

func doAudit(ctx context.Context, c *Call, in listAudit) (List[curlew.AuditEntry], error) {
	return listed(c, in.paging, func(x curlew.AuditEntry) string { return strconv.FormatInt(x.Sequence, 10) },
		func(w Window) ([]curlew.AuditEntry, error) {
			before, err := number(w.After)
			if err != nil {
				return nil, err
			}
			return c.App.Audit(ctx, c.Caller, store.AuditFilter{Actor: in.Actor, Action: in.Action, Thing: in.Thing, Before: before, Limit: w.Limit})
		})
}
