package watch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// column is a column of a table that a test redesigns: what stands over it, and its cells.
type column struct {
	head  string
	cells []string
}

// chairs are the columns of a table of things that are made.
func chairs() []column {
	return []column{
		{"Chair", strings.Fields("Anvil Bellow Carter Drummer Elkhorn Fifer Gongman Harper")},
		{"Wood", strings.Fields("oak pine beech oak ash elm larch teak")},
		{"Workshop", strings.Fields("Leeds Hull York Leeds Bath Derby Hull Ely")},
		{"Finish", strings.Fields("oil wax lacquer soap oil shellac wax varnish")},
	}
}

// tableOf is a page with a table.
func tableOf(columns ...column) string {
	var b strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&b, "<th>%s</th>", c.head)
	}
	for i := range columns[0].cells {
		b.WriteString("</tr><tr>")
		for _, c := range columns {
			fmt.Fprintf(&b, "<td>%s</td>", c.cells[i])
		}
	}
	return `<html lang="en"><head><title>Chairs</title></head><body><h1>Chairs</h1><table><tr>` + b.String() + `</tr></table></body></html>`
}

// A column that leaves a table is not read from the cells of its neighbours.
func TestAColumnThatLeavesATableIsNotReadFromItsNeighbour(t *testing.T) {
	for _, gone := range []int{1, 2, 3} {
		t.Run(chairs()[gone].head, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				b := &workers.Board{Body: tableOf(chairs()...)}
				site := demo.Site{Name: "chairs", Title: "Chairs", Base: strings.TrimSuffix(o.Serve(b), "/")}
				watch := o.Add(site, o.Propose(site))
				o.MustVisit(watch)
				at := o.Sequence()
				b.Set(func(b *workers.Board) { b.Body = tableOf(slices.Delete(chairs(), gone, gone+1)...) })
				for range 4 {
					o.Visit(watch)
				}
				for _, told := range o.Told(at) {
					if !strings.HasSuffix(told, "→<nil>") {
						o.Errorf("told %s", told)
					}
				}
			})
		})
	}
}

// Two columns that are equal when a page is learned are two fields: they may differ later.
func TestTwoColumnsThatAreEqualTodayAreBothWatched(t *testing.T) {
	prices := strings.Split("€ 40,€ 52,€ 61,€ 75,€ 83,€ 94,€ 99,€ 120", ",")
	for _, c := range []struct {
		name, first, second string
		cells               []string
		later, told         string
	}{
		{"prices", "Price", "List price", prices, "€ 70", "slots.list_price € 61→€ 70"},
		{"numbers", "Home", "Away", strings.Fields("0 0 0 0 0 0 0 0"), "3", "slots.away 0→3"},
		{"words", "Made in", "Sold in", strings.Fields("Leeds Hull York Leeds Bath Derby Hull Ely"), "Skye", "slots.sold_in York→Skye"},
	} {
		t.Run(c.name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				page := func(cells []string) string {
					return tableOf(append(chairs()[:2], column{c.first, c.cells}, column{c.second, cells})...)
				}
				b := &workers.Board{Body: page(c.cells)}
				site := demo.Site{Name: "chairs", Title: "Chairs", Base: strings.TrimSuffix(o.Serve(b), "/")}
				watch := o.Add(site, o.Propose(site))
				o.MustVisit(watch)
				at := o.Sequence()
				later := slices.Clone(c.cells)
				later[2] = c.later
				b.Set(func(b *workers.Board) { b.Body = page(later) })
				o.MustVisit(watch)
				o.Want(at, "entity_changed Carter "+c.told)
			})
		})
	}
}
