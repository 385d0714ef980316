package runs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// lamps is a shop whose prices can be hidden.
func lamps(price func(i int) string) string {
	var list strings.Builder
	for i, name := range planNames[:8] {
		fmt.Fprintf(&list, `<div class="card"><h3><a href="/p/%s">Lamp %s</a></h3><p class="price">%s</p><p class="note">Ships in %d days.</p></div>`,
			name, name, price(i), i+2)
	}
	return `<html lang="de"><head><title>Shop</title></head><body><h1>Lamps</h1><div>` + list.String() + `</div></body></html>`
}

// A price that all of a list lack is kept at first: half a page may have come. Where it stays
// away, it is told as gone instead of being stated for ever, and told again when it is back.
func TestAFieldThatStaysAwayIsToldAsGone(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		shown := func(i int) string { return fmt.Sprintf("%d,00 €", 20+3*i) }
		hidden := func(int) string { return "Bitte anmelden" }
		b := &board{body: lamps(shown)}
		site := demo.Site{Name: "lamps", Title: "Lamps", Base: strings.TrimSuffix(o.serve(b), "/")}
		watch := o.add(site, o.propose(site))
		o.mustVisit(watch)
		at := o.sequence()
		b.set(func(b *board) { b.body = lamps(hidden) })
		o.mustVisit(watch)
		o.mustVisit(watch)
		o.want(at)
		o.mustVisit(watch)
		if told := o.told(at); len(told) != 8 || !strings.Contains(told[0], "price") || !strings.Contains(told[0], "→<nil>") {
			t.Errorf("told %q", told)
		}
		at = o.sequence()
		o.mustVisit(watch)
		o.want(at)
		b.set(func(b *board) { b.body = lamps(shown) })
		o.mustVisit(watch)
		if told := o.told(at); len(told) != 8 || !strings.Contains(told[0], "price <nil>→") {
			t.Errorf("told %q", told)
		}
	})
}
