package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// A label that comes to stand before a value is not read in its place, where the value's own element has a class.
func TestALabelBeforeAValueIsNotReadInItsPlace(t *testing.T) {
	makers := []string{"Forge and Sons", "Old Oak", "Tin Works", "Potters of Delft"}
	for _, tag := range []string{"p", "div", "span"} {
		t.Run(tag, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				page := func(labelled bool, maker string) string {
					var cards strings.Builder
					for i, name := range workers.PlanNames[:8] {
						label, by := "", makers[i%4]
						if labelled && i%3 > 0 {
							label = fmt.Sprintf("<%[1]s>New!</%[1]s>", tag)
						}
						if i == 5 && maker != "" {
							by = maker
						}
						fmt.Fprintf(&cards, `<div class="card"><h3>Lamp %s</h3>%s<%[3]s class="maker">%[4]s</%[3]s><b class="price">€ %[5]d.00</b></div>`,
							name, label, tag, by, 20+3*i)
					}
					return `<html lang="en"><head><title>Lamps</title></head><body><h1>Lamps</h1><section>` + cards.String() + `</section></body></html>`
				}
				b := &workers.Board{Body: page(false, "")}
				site := demo.Site{Name: "lamps", Title: "Lamps", Base: strings.TrimSuffix(o.Serve(b), "/")}
				watch := o.Add(site, o.Propose(site))
				o.MustVisit(watch)
				at := o.Sequence()
				b.Set(func(b *workers.Board) { b.Body = page(true, "Glass of Murano") })
				o.MustVisit(watch)
				o.Want(at, "entity_changed Lamp "+workers.PlanNames[5]+" slots.maker Old Oak→Glass of Murano")
			})
		})
	}
}
