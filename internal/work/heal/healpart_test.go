package heal_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// A page in the same design with few of the known things may have come in part: one check does not make its few entries the
// whole list, a second one does.
func TestAListThatComesInPartOnceDoesNotHealToThePart(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		whole := rulings(2018, false)
		at := strings.Index(whole, "</tr><tr><td>10/04/2018") // after the head and the first entry
		part := whole[:at] + "</tr></table></body></html>"
		b := &workers.Board{Body: whole}
		site := demo.Site{Name: "court", Title: "Court", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		sequence := o.Sequence()
		check := func(body string) curlew.Run {
			b.Set(func(b *workers.Board) { b.Body = body })
			run := o.Visit(watch)
			o.Quiet()
			return run
		}
		if run := check(part); run.State != curlew.RunFailed {
			t.Fatalf("%s: %s", run.State, run.Summary)
		}
		heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 2)
		if err != nil || len(heals) != 1 || heals[0].Outcome != curlew.HealFailed {
			t.Fatalf("heals %d, error %v", len(heals), err)
		}
		if run := check(whole); run.State != curlew.RunSucceeded {
			t.Errorf("whole again: %s", run.Summary)
		}
		o.Want(sequence)
		check(part)
		check(part)
		if run := check(part); run.State != curlew.RunSucceeded {
			t.Errorf("a list that stays short is not read: %s", run.Summary)
		}
	})
}
