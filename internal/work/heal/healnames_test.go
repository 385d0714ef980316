package heal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// applications is a list that calls its things by what they are about; its redesign puts the
// reference into the headings.
func applications(cards bool, last string) string {
	var list strings.Builder
	about := strings.Split("Two storey side extension,New shop front,Felling of one oak,Change of use to a bakery,Loft conversion,Rear dormer,"+
		"Bicycle store,Solar panels on the roof,Garden room,Replacement of windows", ",")
	for i, title := range about {
		reference, status := fmt.Sprintf("26/018%02d/FUL", 11+i*7), []string{"Registered", "Approved", "Refused"}[i%3]
		if i == len(about)-1 {
			status = last
		}
		if cards {
			fmt.Fprintf(&list, `<article class="app"><h3><a href="/apps/%d">%s</a></h3><p class="about">%s</p><dl><dt>Status</dt><dd>%s</dd></dl></article>`,
				i, reference, title, status)
			continue
		}
		fmt.Fprintf(&list, `<tr><td><a href="/view?id=%d">%s</a></td><td>%s</td><td>%s</td></tr>`, i, title, reference, status)
	}
	if cards {
		return `<html lang="en"><head><title>Applications</title></head><body><h1>Planning register</h1><section>` + list.String() + `</section></body></html>`
	}
	return `<html lang="en"><head><title>Applications</title></head><body><h1>Planning register</h1><table><tr><th>Proposal</th><th>Reference</th>` +
		`<th>Status</th></tr>` + list.String() + `</table></body></html>`
}

// A redesign may call things by something else. What they are known by stays their name, and only
// what changed is told.
func TestAHealedListKeepsTheNamesThatThingsAreKnownBy(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b := &workers.Board{Body: applications(false, "Registered")}
		site := demo.Site{Name: "register", Title: "Register", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = applications(true, "Withdrawn") })
		o.Visit(watch)
		o.Quiet()
		heals, _ := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 1)
		if len(o.ChangesAfter(at)) == 0 {
			t.Fatalf("not healed: %+v", heals)
		}
		o.MustVisit(watch)
		o.Want(at, "source_healed", "entity_changed Replacement of windows slots.status Registered→Withdrawn")
	})
}
