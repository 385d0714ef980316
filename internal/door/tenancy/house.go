// Package tenancy shows each org of an installation its own rooms, as the API, the console
// and the remote calls want them: it puts their interfaces onto the store, the queue and
// the jobs. Whatever it hands out goes through the scope of one org; it opens nothing,
// serves nothing and knows no SQL.
package tenancy

import (
	"curlew/internal/app"
	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/ops/setup"
)

// House is what the rooms of all orgs stand on.
type House struct {
	App      *app.App
	i        *setup.Installation
	accounts *auth.Service // who may sign in, and with which keys

}

// New makes the house of an installation. A process that reads nothing otherwise gets a
// way to the pages that people want to see at once.
func New(i *setup.Installation, accounts *auth.Service) *House {
	i.OpenWay()
	return &House{App: app.New(i, accounts), i: i, accounts: accounts}
}

// tenant is an org of the house, and who acts in it.
func (h *House) tenant(org curlew.OrgID, who string, account auth.Identity) tenant {
	return tenant{House: h, scope: h.i.Store.Org(org), who: who, account: account}
}
