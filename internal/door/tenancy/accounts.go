package tenancy

import (
	"curlew/internal/app/auth"
	"curlew/internal/door/console"
	"curlew/internal/ops/setup"
	"curlew/internal/web/egress"
)

// NewAccounts answers who somebody is, for a server or a command. base is where people
// find it; client asks their identity provider, where one is configured.
func NewAccounts(i *setup.Installation, base string, client *egress.Client) *auth.Service {
	o, a := i.Config.OIDC, i.Config.Accounts
	return auth.New(auth.Options{Store: i.Store.Accounts(), BaseURL: base, Proxies: a.Proxies, Client: client, Pages: console.Doors(),
		Limits: auth.Limits{Members: a.Members, Keys: a.Keys, RequestsPerMinute: a.RequestsPerMinute},
		OIDC:   auth.OIDCConfig{Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: o.ClientSecret.Secret(), AllowedDomains: o.AllowedDomains}})
}
