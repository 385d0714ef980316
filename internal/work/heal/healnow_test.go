package heal_test

import (
	"errors"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/heal"
)

func TestAPersonAsksForASourceToBeHealed(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		site := workers.Feasible(o.Web)[0]
		watch := o.Add(site, o.Propose(site))
		now := func(only curlew.WatchID) (run curlew.Run, err error) {
			err = o.Write(func(w store.WriteScope) error {
				run, err = heal.Now(t.Context(), o.Jobs, w, heal.Asked{Source: watch.Source, Watch: only, By: "ada"})
				return err
			})
			return run, err
		}
		if _, err := now(""); !errors.Is(err, curlew.Code("nothing_to_heal")) {
			t.Errorf("before the first visit: %v", err)
		}
		o.MustVisit(watch)
		if _, err := now("wat_nobodys"); !errors.Is(err, curlew.ErrNotFound) {
			t.Errorf("a watch of others: %v", err)
		}
		run, err := now(watch.ID)
		if err != nil {
			t.Fatal(err)
		}
		o.Quiet()
		heal, err := o.Store.Org(curlew.DefaultOrg).Heals().Get(t.Context(), run.ID)
		if err != nil || heal.Outcome != curlew.HealKept || heal.Report.Cause != "requested by ada" {
			t.Errorf("%+v %v", heal, err)
		}
		if after, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID); err != nil || after.Blueprint != watch.Blueprint {
			t.Errorf("what fits was not kept: %+v %v", after, err)
		}
	})
}
