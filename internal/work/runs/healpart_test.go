package runs_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// A page in the same design with few of the known things may have come in part: one check does not make its few entries the
// whole list, a second one does.
func TestAListThatComesInPartOnceDoesNotHealToThePart(t *testing.T) {
	observe(t, false, func(o *observatory) {
		o.healing()
		defer o.work()()
		whole := rulings(2018, false)
		at := strings.Index(whole, "</tr><tr><td>10/04/2018") // after the head and the first entry
		part := whole[:at] + "</tr></table></body></html>"
		b := &board{body: whole}
		site := demo.Site{Name: "court", Title: "Court", Base: strings.TrimSuffix(o.serve(b), "/")}
		watch := o.add(site, o.propose(site))
		o.mustVisit(watch)
		sequence := o.sequence()
		check := func(body string) curlew.Run {
			b.set(func(b *board) { b.body = body })
			run := o.visit(watch)
			o.quiet()
			return run
		}
		if run := check(part); run.State != curlew.RunFailed {
			t.Fatalf("%s: %s", run.State, run.Summary)
		}
		heals, err := o.store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 2)
		if err != nil || len(heals) != 1 || heals[0].Outcome != curlew.HealFailed {
			t.Fatalf("heals %d, error %v", len(heals), err)
		}
		if run := check(whole); run.State != curlew.RunSucceeded {
			t.Errorf("whole again: %s", run.Summary)
		}
		o.want(sequence)
		check(part)
		check(part)
		if run := check(part); run.State != curlew.RunSucceeded {
			t.Errorf("a list that stays short is not read: %s", run.Summary)
		}
	})
}
