package tenancy

import (
	"context"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
	"curlew/internal/ops/config"
	"curlew/internal/ops/setup"
)

type tenantOrg struct{ tenant }

// Org returns the org.
func (t tenantOrg) Org(ctx context.Context) (curlew.Org, error) { return t.scope.Orgs().Get(ctx) }

// Rename gives it another name.
func (t tenantOrg) Rename(ctx context.Context, name string) (org curlew.Org, err error) {
	if name = strings.TrimSpace(curlew.Printable(name)); name == "" {
		return org, rest.Invalid("/name", curlew.Permanent("bad_name", "give the org a name"))
	}
	err = t.write(ctx, func(w store.WriteScope) error { return w.Orgs().Rename(ctx, name) })
	if err != nil {
		return org, err
	}
	return t.scope.Orgs().Get(ctx)
}

// Settings tells how the installation is set up, and what doctor finds.
func (t tenantOrg) Settings(ctx context.Context) (rest.Configured, error) {
	c := rest.Configured{Settings: []rest.Setting{}, Findings: []rest.Finding{}}
	for _, s := range t.i.Config.Settings() {
		c.Settings = append(c.Settings, settingOf(s))
	}
	for _, f := range setup.Examine(ctx, t.i.Config) {
		c.Findings = append(c.Findings, rest.Finding(f))
	}
	return c, nil
}

func settingOf(s config.Setting) rest.Setting {
	return rest.Setting{Name: s.Name, Value: s.Value, Default: s.Default, Origin: s.Origin.String(), Doc: s.Doc}
}

// Audit lists who did what.
func (t tenantOrg) Audit(ctx context.Context, f rest.AuditFilter, before int64, limit int) ([]curlew.AuditEntry, error) {
	return t.scope.Audit().List(ctx, store.AuditFilter{Actor: f.Actor, Action: f.Action, Thing: f.Thing, Before: before, Limit: limit})
}
