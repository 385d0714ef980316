package heal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// A column that has another head is read again by new rules: nothing of it is told as gone, and a value that changes afterwards is
// told with what it was.
func TestAColumnWithAnotherHeadIsReadAgain(t *testing.T) {
	for name, column := range map[string]struct {
		head, later string
		values      []string
		told        string
	}{
		"a slot": {"Origin", "Country", []string{"Marlow", "Tarrant", "Ibsen", "Okafor", "Lindqvist", "Duarte", "Whitcombe"},
			"entity_changed Round Table slots.origin Ibsen→Whitcombe"},
		"a price": {"Price", "Cost", []string{"12.50 €", "15.50 €", "18.50 €", "21.50 €", "24.50 €", "27.50 €", "99.50 €"},
			"entity_changed Round Table price 1850→9950"},
	} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				o.Healing()
				defer o.Work()()
				page := func(head, third string) string {
					var rows strings.Builder
					for n, name := range []string{"Grey Lamp", "Blue Chair", "Round Table", "Long Shelf", "Small Desk", "Tall Mirror"} {
						value := column.values[n]
						if n == 2 {
							value = third
						}
						fmt.Fprintf(&rows, `<tr><td><a href="/p/%d">%s</a></td><td>%s</td><td>%d.%d kg</td></tr>`, n, name, value, 2+n, n)
					}
					return `<html><head><title>Things</title></head><body><h1>Things</h1><table><thead><tr><th>Name</th><th>` + head +
						`</th><th>Weight</th></tr></thead><tbody>` + rows.String() + `</tbody></table></body></html>`
				}
				b := &workers.Board{Body: page(column.head, column.values[2])}
				site := demo.Site{Name: "things", Title: "Things", Base: strings.TrimSuffix(o.Serve(b), "/")}
				watch := o.Add(site, o.Propose(site))
				o.MustVisit(watch)
				sequence := o.Sequence()
				b.Set(func(b *workers.Board) { b.Body = page(column.later, column.values[2]) })
				for range 4 {
					o.MustVisit(watch)
					o.Quiet()
				}
				o.Want(sequence, "source_healed")
				b.Set(func(b *workers.Board) { b.Body = page(column.later, column.values[6]) })
				o.MustVisit(watch)
				o.Want(sequence, "source_healed", column.told)
			})
		})
	}
}
