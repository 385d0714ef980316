package rest

import (
	"context"
	"net/http"
	"strconv"

	"curlew/internal/curlew"
)

// Tenancy is what an org is called, what it did, and how the installation is set up.
type Tenancy interface {
	Org(ctx context.Context) (curlew.Org, error)
	Rename(ctx context.Context, name string) (curlew.Org, error)
	Settings(ctx context.Context) (Configured, error)
	Audit(ctx context.Context, f AuditFilter, before int64, limit int) ([]curlew.AuditEntry, error)
}

// OrgEdit is what to change about an org.
type OrgEdit struct {
	Name string `json:"name" min:"1" maxlen:"100"`
}

// Configured is how the installation is set up, and how it does.
type Configured struct {
	Settings []Setting `json:"settings"`
	Findings []Finding `json:"findings"` // as "curlew doctor" has them
}

// Setting is one setting and what it is in force.
type Setting struct {
	Name    string `json:"name"`
	Value   string `json:"value"` // secrets are masked
	Default string `json:"default"`
	Origin  string `json:"origin"` // where the value comes from
	Doc     string `json:"doc"`
}

// Finding is one thing that was looked at.
type Finding struct {
	Check    string `json:"check"`
	Verdict  string `json:"verdict" enum:"ok,notice,wrong"`
	Sentence string `json:"sentence"`
}

// AuditFilter narrows a listing of the audit log.
type AuditFilter struct {
	Actor  string `query:"actor" maxlen:"60"`  // only what this user, key or cli did
	Action string `query:"action" maxlen:"60"` // only this, such as subscribe or user.add
	Thing  string `query:"thing" maxlen:"300"` // only what was done to this
}

type editOrg struct {
	Body OrgEdit `body:"json"`
}

type listAudit struct {
	paging
	AuditFilter
}

func orgRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/org", "getOrg", "The org of whoever asks.", doOrg),
		operation(http.MethodPatch, "/org", "editOrg", "Give the org another name.", doEditOrg).like(OrgEdit{Name: "Town hall"}),
		operation(http.MethodGet, "/settings", "getSettings", "How the installation is set up, without secrets, and what doctor finds.", doSettings).needs(EditOrg),
		operation(http.MethodGet, "/audit", "listAudit", "Who did what, the newest first.", doAudit).needs(ViewAudit),
	}
}

func doOrg(ctx context.Context, c *Call, _ noInput) (curlew.Org, error) {
	return c.Rooms.Tenancy.Org(ctx)
}

func doEditOrg(ctx context.Context, c *Call, in editOrg) (curlew.Org, error) {
	return c.Rooms.Tenancy.Rename(ctx, in.Body.Name)
}

func doSettings(ctx context.Context, c *Call, _ noInput) (Configured, error) {
	return c.Rooms.Tenancy.Settings(ctx)
}

func doAudit(ctx context.Context, c *Call, in listAudit) (List[curlew.AuditEntry], error) {
	return listed(c, in.paging, func(x curlew.AuditEntry) string { return strconv.FormatInt(x.Sequence, 10) }, func(w Window) ([]curlew.AuditEntry, error) {
		before, err := number(w.After)
		if err != nil {
			return nil, err
		}
		return c.Rooms.Tenancy.Audit(ctx, in.AuditFilter, before, w.Limit)
	})
}
