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
