package app

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// MoveOrg moves an org to another database.
type MoveOrg struct {
	Org curlew.OrgID `json:"org"`
	To  string       `json:"to" min:"1" maxlen:"40"` // the name of a shard

	Grace time.Duration `json:"-"` // for other processes to learn of it, before the old rows go; 0 means 10 s
}

// Check says what is wrong with the command.
func (c MoveOrg) Check() curlew.Problems {
	all := bounds(c)
	if _, err := curlew.ParseOrgID(string(c.Org)); err != nil {
		all.Add("org", curlew.AsFault(err).Sentence)
	}
	return all
}

// MoveOrg moves an org with all its rows to another database, finishes that, or takes it back. Only the operator may. It stands in
// the audit log of the org from when it begins.
func (a *App) MoveOrg(ctx context.Context, who auth.Identity, c MoveOrg) (done setup.Moved, err error) {
	if err := auth.AllowOperator(who, "move an org"); err != nil {
		return done, err
	}
	if err := c.Check().Err(); err != nil {
		return done, err
	}
	o := setup.MoveOptions{Grace: c.Grace, Began: func(was store.Place) curlew.AuditEntry {
		return a.Accounts.Entry(who, "org.move", string(c.Org), map[string]string{"from": was.Shard, "to": c.To})
	}}
	return a.i.MoveOrg(ctx, c.Org, c.To, o)
}

// PlacedOrg is an org and the database on which it lives.
type PlacedOrg struct {
	curlew.Org
	Shard    string `json:"shard"`
	MovingTo string `json:"moving_to,omitempty"` // unfinished: it is refused what would change it until then
	Leaving  string `json:"leaving,omitempty"`   // where it still has old rows
}

// PlacedOrgs lists the orgs of the installation and where they live. Only the operator may.
func (a *App) PlacedOrgs(ctx context.Context, who auth.Identity) ([]PlacedOrg, error) {
	if err := auth.AllowOperator(who, "see where orgs live"); err != nil {
		return nil, err
	}
	orgs, err := a.Orgs(ctx, who)
	if err != nil {
		return nil, err
	}
	places, err := a.i.Home.Store.Places(ctx)
	by := map[curlew.OrgID]store.Place{}
	for _, p := range places {
		by[p.Org] = p
	}
	var all []PlacedOrg
	for _, o := range orgs {
		p := by[o.ID]
		all = append(all, PlacedOrg{o, p.Shard, p.MovingTo, p.Leaving})
	}
	return all, err
}
