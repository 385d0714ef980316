package cli

import (
	"context"
	"net/http"

	"curlew/internal/api"
)

// auditedGate is the API's gate; what those who pass it change is written into the
// audit log.
type auditedGate struct{ apiGate }

// Authenticate tells who asks. Keys and sessions are looked up each time, so that one
// that was ended lets nobody look on.
func (g auditedGate) Authenticate(r *http.Request) (api.Identity, error) {
	who, err := g.apiGate.Authenticate(r)
	if err != nil {
		return who, err
	}
	who.Record = func(ctx context.Context, operation, thing string) error {
		actor, err := g.accounts.Authenticate(r)
		if err != nil {
			return err
		}
		return g.accounts.Record(ctx, actor, operation, thing, nil)
	}
	return who, nil
}
