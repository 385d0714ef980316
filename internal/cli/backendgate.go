package cli

import (
	"context"
	"net/http"
	"strings"

	"curlew/internal/api"
	"curlew/internal/auth"
	"curlew/internal/curlew"
)

// accounts is the API's gate: programs present a key, people come with the session that
// the accounts have checked already.
type accounts struct{ *auth.Service }

// Authenticate tells who asks. A key is looked up each time, so that one that was
// revoked lets nobody look on.
func (a accounts) Authenticate(r *http.Request) (api.Identity, error) {
	if given := r.Header.Values("Authorization"); len(given) > 0 {
		scheme, text, _ := strings.Cut(given[0], " ")
		if len(given) > 1 || !strings.EqualFold(scheme, "Bearer") {
			return api.Identity{}, errNoKey
		}
		who, err := a.WithKey(r.Context(), strings.TrimSpace(text), a.Address(r))
		if err != nil {
			return api.Identity{}, err
		}
		return a.identity(who), nil
	}
	if who, known := auth.From(r.Context()); known {
		return a.identity(who), nil
	}
	return api.Identity{}, errNoKey
}

var errNoKey = curlew.Refused("unauthenticated", "send an API key: Authorization: Bearer cur_…")

// identity is somebody as the API sees them.
func (a accounts) identity(who auth.Identity) api.Identity {
	name, subject := who.Name, string(who.User)
	if who.Key != "" {
		name, subject = "key:"+who.Name, string(who.Key)
	}
	return api.Identity{Org: who.Org, Who: name, Subject: subject, May: func(action api.Action) bool { return auth.Can(who, auth.Action(action)) },
		Record: func(ctx context.Context, action, thing string) error { return a.Record(ctx, who, action, thing, nil) }}
}
