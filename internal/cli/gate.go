package cli

import (
	"net/http"

	"curlew/internal/api"
	"curlew/internal/auth"
)

// apiGate lets the API know who asks, by session or by key.
type apiGate struct{ accounts *auth.Service }

// Authenticate tells who asks.
func (g apiGate) Authenticate(r *http.Request) (api.Identity, error) {
	who, err := g.accounts.Authenticate(r)
	if err != nil {
		return api.Identity{}, err
	}
	return api.Identity{Org: who.Org, Who: who.Name, Subject: who.Actor(), May: func(a api.Action) bool { return auth.Can(who, auth.Action(a)) }}, nil
}

var _ api.Gate = apiGate{}
