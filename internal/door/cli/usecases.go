package cli

import (
	"context"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// useCases are the use cases of an open installation.
func useCases(i *setup.Installation) *app.App {
	return app.New(i, app.NewAccounts(i, i.Reachable(), nil, nil))
}

// operator is whoever has the installation's files, by the name of the account here.
func operator(org curlew.OrgID) auth.Identity {
	identity := auth.Operator(org)
	identity.Name = who()
	return identity
}

// use opens the installation for a use case. Whoever has its files may do everything.
func (a *program) use(do func(ctx context.Context, app *app.App, who auth.Identity) error) error {
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		return do(ctx, useCases(i), operator(org))
	})
}

// reads opens the rows of the org for reading.
func (a *program) reads(do func(ctx context.Context, scope store.Scope) error) error {
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
		scope, err := app.Read(who)
		if err != nil {
			return err
		}
		return do(ctx, scope)
	})
}

// useOn is use for what is done to the thing that an id names.
func useOn[ID curlew.Identifier](
	a *program, text string, do func(ctx context.Context, app *app.App, who auth.Identity, id ID) error,
) error {
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error { return do(ctx, app, who, ID(text)) })
}
