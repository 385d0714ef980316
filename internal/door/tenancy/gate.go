package tenancy

import (
	"context"
	"net/http"

	"curlew/internal/app/auth"
	"curlew/internal/door/rest"
)

// apiGate lets the API know who asks, by session or by key, and writes what they change
// into the audit log.
type apiGate struct{ accounts *auth.Service }

// Authenticate tells who asks. Keys and sessions are looked up each time, so that one
// that was ended lets nobody look on.
func (g apiGate) Authenticate(r *http.Request) (rest.Identity, error) {
	who, err := g.accounts.Authenticate(r)
	if err != nil {
		return rest.Identity{}, err
	}
	who.Door = "api"
	return rest.Identity{Org: who.Org, Who: who.Name, Subject: who.Actor(), Account: who, May: func(a rest.Action) bool { return auth.Can(who, auth.Action(a)) },
		Record: func(ctx context.Context, operation, thing string) error {
			return g.accounts.Record(ctx, who, operation, thing, nil)
		}}, nil
}
