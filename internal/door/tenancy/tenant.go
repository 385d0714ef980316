package tenancy

import (
	"context"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// tenant is one org of an installation, and who acts in it.
type tenant struct {
	*House
	scope   store.Scope
	who     string
	account auth.Identity // who acts, as the accounts know them
}

func (t tenant) org() curlew.OrgID { return t.scope.Org() }

func (t tenant) write(ctx context.Context, fn func(store.WriteScope) error) error {
	return t.i.Store.Write(ctx, t.org(), fn)
}
