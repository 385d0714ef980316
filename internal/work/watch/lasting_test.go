package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// lamps is a shop whose prices can be hidden.
func lamps(price func(i int) string) string {
	var list strings.Builder
	for i, name := range workers.PlanNames[:8] {
		fmt.Fprintf(&list, `<div class="card"><h3><a href="/p/%s">Lamp %s</a></h3><p class="price">%s</p><p class="note">Ships in %d days.</p></div>`,
			name, name, price(i), i+2)
	}
	return `<html lang="de"><head><title>Shop</title></head><body><h1>Lamps</h1><div>` + list.String() + `</div></body></html>`
}

// A price that all of a list lack is kept at first: half a page may have come. Where it stays
// away, it is told as gone instead of being stated for ever, and told again when it is back.
func TestAFieldThatStaysAwayIsToldAsGone(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		shown := func(i int) string { return fmt.Sprintf("%d,00 €", 20+3*i) }
		hidden := func(int) string { return "Bitte anmelden" }
		b := &workers.Board{Body: lamps(shown)}
		site := demo.Site{Name: "lamps", Title: "Lamps", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = lamps(hidden) })
		o.MustVisit(watch)
		o.MustVisit(watch)
		o.Want(at)
		o.MustVisit(watch)
		if told := o.Told(at); len(told) != 8 || !strings.Contains(told[0], "price") || !strings.Contains(told[0], "→<nil>") {
			t.Errorf("told %q", told)
		}
		at = o.Sequence()
		o.MustVisit(watch)
		o.Want(at)
		b.Set(func(b *workers.Board) { b.Body = lamps(shown) })
		o.MustVisit(watch)
		if told := o.Told(at); len(told) != 8 || !strings.Contains(told[0], "price <nil>→") {
			t.Errorf("told %q", told)
		}
	})
}
