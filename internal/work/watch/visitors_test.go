package watch_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// What a page makes anew for each visitor, and what it says of their number, is no field of its things.
func TestTokensAndCountsOfVisitorsAreNoFields(t *testing.T) {
	for _, c := range []struct{ name, format string }{
		{"tokens in forms", `<form><input type="hidden" name="csrf_token" value="%[3]s"><button>Buy</button></form>`},
		{"tokens in attributes", `<button data-nonce="%[3]s" data-session="%[3]s">Buy</button>`},
		{"tokens in hidden elements", `<span style="display:none">%[3]s</span>`},
		{"visitors", `<p>%[4]d visitors</p>`},
		{"many visitors", `<p>1,%[4]d visitors today</p>`},
		{"visitors after their label", `<p>Visitors: %[4]d</p>`},
		{"people who look", `<em>%[4]d people are looking at this</em>`},
		{"people who look, in German", `<em>%[4]d Besucher sehen sich das gerade an</em>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				page := func(check int) string {
					var cards strings.Builder
					for i, name := range workers.PlanNames[:8] {
						token := sha256.Sum256(fmt.Append(nil, i, check))
						fmt.Fprintf(&cards, `<div class="card"><h3>Lamp %s</h3><p class="price">€ %d.00</p>`+c.format+`</div>`,
							name, 20+3*i, fmt.Sprintf("%x", token[:16]), 110+17*i+check)
					}
					return `<html lang="en"><head><title>Lamps</title></head><body><h1>Lamps</h1><div>` + cards.String() + `</div></body></html>`
				}
				b := &workers.Board{Body: page(0)}
				site := demo.Site{Name: "lamps", Title: "Lamps", Base: strings.TrimSuffix(o.Serve(b), "/")}
				watch := o.Add(site, o.Propose(site))
				o.MustVisit(watch)
				at := o.Sequence()
				for field, value := range o.EntityOf(watch, "Lamp "+workers.PlanNames[2]).Fields.Flat() {
					said := curlew.ValueText(value)
					if strings.Contains(said, "144") || len(said) >= 32 && !strings.Contains(said, "/") {
						o.Errorf("%s is %s", field, said)
					}
				}
				b.Set(func(b *workers.Board) { b.Body = page(1) })
				o.MustVisit(watch)
				o.Want(at)
			})
		})
	}
}
