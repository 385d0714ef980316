package tenancy

import (
	"context"
	"strings"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/door/console"
	"curlew/internal/text/money"
)

// Console sets up the pages for people.
func (h *House) Console() console.Options {
	return console.Options{App: h.App, House: frontDoor{h}, Token: h.accounts.CSRF, Now: h.i.Now, Clock: time.Now, Log: h.i.Log, Money: amount,
		Record: func(ctx context.Context, who auth.Identity, deed, thing string) error {
			return h.accounts.Record(ctx, who, deed, thing, nil)
		}}
}

func amount(minor int64, currency string) string {
	return strings.TrimSpace(money.Major(minor, currency) + " " + currency)
}

// frontDoor opens the rooms of an org for the console. All that it hands out goes
// through the org's scope.
type frontDoor struct{ *House }

// Open opens the rooms of whoever looks.
func (d frontDoor) Open(who auth.Identity) console.Rooms {
	t := d.tenant(who.Org, who.Name, who)
	return console.Rooms{Overview: seenOverview{t}, Desk: deskOf(t)}
}

type seenOverview struct{ tenant }

// Attention says what a person should look at.
func (s seenOverview) Attention(ctx context.Context) ([]string, error) {
	h, err := s.App.Health(ctx, s.account)
	return h.Attention[:min(len(h.Attention), 10)], err
}

// Totals says how much there is.
func (s seenOverview) Totals(ctx context.Context) (console.Totals, error) {
	n, err := s.App.Totals(ctx, s.account)
	return console.Totals(n), err
}
