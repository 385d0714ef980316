package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"curlew/internal/auth"
	"curlew/internal/console"
	"curlew/internal/curlew"
	"curlew/internal/egress"
	"curlew/internal/money"
	"curlew/internal/telemetry"
)

// serveConsole adds the console and the pages of signing in to what a process serves.
func (i *installation) serveConsole(a *app, accounts *auth.Service) func(*http.ServeMux) {
	i.openLessons(a)
	pages := console.New(console.Options{House: frontDoor{i, accounts}, Token: accounts.CSRF, Now: a.clock(), Clock: time.Now, Log: a.log, Money: amount,
		Record: func(ctx context.Context, who auth.Identity, deed, thing string) error {
			return accounts.Record(ctx, who, deed, thing, nil)
		}})
	return func(mux *http.ServeMux) {
		inside := http.NewServeMux()
		accounts.Routes(inside)
		pages.Routes(inside)
		mux.Handle("/", accounts.Middleware(telemetry.Inside(inside)))
		if a.guest != nil && a.guest.link != "" {
			mux.Handle("GET "+guestPath, a.guest.door(accounts))
		}
	}
}

// openAccounts answers who somebody is for a server, and tells the first one who starts
// it by which link to become its owner.
func (i *installation) openAccounts(a *app) (*auth.Service, error) {
	base := reachable(i.cfg.Console.URL, i.address)
	client := egress.New(egress.Policy{Allow: i.cfg.Egress.Allow, Ports: i.cfg.Egress.Ports})
	accounts := i.newAccounts(base, client)
	link, err := accounts.FirstLink(a.Context, base)
	if a.guest != nil {
		return accounts, a.guest.settle(a, accounts, base, link, err)
	}
	if err == nil && link != "" {
		fmt.Fprintf(a.Out, "Nobody owns this installation yet. Open this link within an hour to become its owner:\n%s\n", link)
	}
	return accounts, err
}

// reachable is where people find the console: as configured, or on this machine.
func reachable(configured, address string) string {
	if configured != "" {
		return strings.TrimRight(configured, "/")
	}
	host, port, err := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return address
	}
	return "http://" + net.JoinHostPort("127.0.0.1", port)
}

func amount(minor int64, currency string) string {
	return strings.TrimSpace(money.Major(minor, currency) + " " + currency)
}

// frontDoor opens the rooms of an org for the console. All that it hands out goes
// through the org's scope.
type frontDoor struct {
	i        *installation
	accounts *auth.Service
}

// Open opens the rooms of whoever looks.
func (d frontDoor) Open(who auth.Identity) console.Rooms {
	t := tenant{i: d.i, scope: d.i.store.Org(who.Org), who: who.Name, accounts: d.accounts, account: who}
	return console.Rooms{Overview: seenOverview{t}, Sources: seenSources{t}, Heals: seenSources{t}, Entities: seenEntities{t}, Changes: seenChanges{t},
		Candidates: seenCandidates{t}, Watches: seenWatches{t}, Subscriptions: seenSubscriptions{t}, Deliveries: seenDeliveries{t}, Runs: seenRuns{t}, Engine: seenEngine{t}, Traffic: seenTraffic{t}, Onboarding: seenOnboarding{t},
		Desk:       deskOf(t, reachable(d.i.cfg.Console.URL, d.i.address)),
		Blueprints: seenBlueprints{t}, Lessons: seenLessons{t}, Teaching: seenLessons{t}, Saving: seenLessons{t}}
}

type seenOverview struct{ tenant }

// Attention says what a person should look at.
func (s seenOverview) Attention(ctx context.Context) ([]string, error) {
	h, err := tenantOverview(s).Health(ctx)
	return h.Attention[:min(len(h.Attention), 10)], err
}

// Totals says how much there is.
func (s seenOverview) Totals(ctx context.Context) (console.Totals, error) {
	counts, err := s.countEntities(ctx)
	if err != nil {
		return console.Totals{}, err
	}
	last, err := s.scope.LastSequence(ctx)
	return console.Totals{Active: counts[curlew.EntityActive], Changes: last}, err
}
