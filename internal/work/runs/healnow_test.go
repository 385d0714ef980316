package runs_test

import (
	"errors"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAPersonAsksForASourceToBeHealed(t *testing.T) {
	observe(t, false, func(o *observatory) {
		o.healing()
		defer o.work()()
		site := feasible(o.web)[0]
		watch := o.add(site, o.propose(site))
		if _, err := o.HealNow(t.Context(), curlew.DefaultOrg, watch.Source, "", "ada"); !errors.Is(err, curlew.Code("nothing_to_heal")) {
			t.Errorf("before the first visit: %v", err)
		}
		o.mustVisit(watch)
		if _, err := o.HealNow(t.Context(), curlew.DefaultOrg, watch.Source, "wat_nobodys", "ada"); !errors.Is(err, curlew.ErrNotFound) {
			t.Errorf("a watch of others: %v", err)
		}
		run, err := o.HealNow(t.Context(), curlew.DefaultOrg, watch.Source, watch.ID, "ada")
		if err != nil {
			t.Fatal(err)
		}
		o.quiet()
		heal, err := o.store.Org(curlew.DefaultOrg).Heals().Get(t.Context(), run.ID)
		if err != nil || heal.Outcome != curlew.HealKept || heal.Report.Cause != "requested by ada" {
			t.Errorf("%+v %v", heal, err)
		}
		if after, err := o.store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID); err != nil || after.Blueprint != watch.Blueprint {
			t.Errorf("what fits was not kept: %+v %v", after, err)
		}
	})
}
