package cli

import (
	"fmt"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/door/middleware"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/ops/telemetry"
)

// openAccounts answers who somebody is for a server, and tells the first one who starts
// it by which link to become its owner.
func openAccounts(a *program, i *setup.Installation) (*auth.Authenticator, error) {
	base := i.Reachable()
	client := setup.Way(i.Config, i.Config.OIDC.Issuer)
	accounts := app.NewAccounts(i, base, client, console.SignInPages())
	link, err := accounts.FirstLink(a.Context, base)
	if a.demoLogin != nil {
		return accounts, a.demoLogin.settle(a, accounts, base, link, err)
	}
	if err == nil && link != "" {
		fmt.Fprintf(a.Out, "This installation has no owner yet. Open this link within an hour to become its owner:\n%s\n", link)
	}
	return accounts, err
}

// serveConsole adds the console and the pages of signing in to what a process serves.
func serveConsole(a *program, i *setup.Installation, use *app.App) func(*http.ServeMux) {
	pages, accounts := console.New(console.Options{App: use, Now: i.Now, Log: i.Log}), use.Accounts
	return func(mux *http.ServeMux) {
		mux.Handle("/", middleware.Pages(i.Config.Console.Path(), accounts.Middleware(telemetry.Inside(pages.Handler()))))
		if a.demoLogin != nil && a.demoLogin.link != "" {
			mux.Handle("GET "+demoPath, a.demoLogin.handler(accounts))
		}
	}
}
