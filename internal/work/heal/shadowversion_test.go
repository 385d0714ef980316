package heal_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// draft keeps another version of what a watch is read by, and lets nobody follow.
func (o *watching) draft(watch curlew.Watch, rules blueprint.Blueprint) (kept curlew.Blueprint) {
	o.Helper()
	text, err := blueprint.Marshal(&rules)
	if err != nil {
		o.Fatal(err)
	}
	err = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		kept, err = w.Blueprints().Add(o.Context(), curlew.Blueprint{Source: watch.Source, Schema: rules.Schema, PageType: rules.Page, Tier: rules.Tier, Rules: text, TestURL: watch.URL})
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return kept
}

// A version that a person made is held against the same as one that a healing learned.
func TestAVersionOfAPersonReadsInTheShadowBeforeAnybodyFollowsIt(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		healing := heal.Heal{Checker: o.Checker, Web: func(curlew.Watch) pages.PageSource { return o.Unpaced() }}
		same, fewer := workers.BoardRules, workers.BoardRules
		same.Records = &blueprint.Selector{CSS: "li.card"}
		fewer.Records = &blueprint.Selector{CSS: "#list > li.card:nth-child(-n+2)"}
		fewer.Expect = nil

		good := o.draft(watch, same)
		shadows, err := healing.ShadowVersion(t.Context(), curlew.DefaultOrg, good.ID, "")
		if err != nil || len(shadows) != 1 || shadows.Refusal() != nil {
			o.Fatalf("%+v, %v", shadows, err)
		}
		if s := shadows[0].Shadow; s.Before.Version != 1 || s.After.Version != 2 || s.Known.Both != 6 || s.Fresh.Both != 6 || s.Archived == nil || s.Archived.Both != 6 {
			o.Errorf("the shadow says %+v", s)
		}
		bad := o.draft(watch, fewer)
		shadows, err = healing.ShadowVersion(t.Context(), curlew.DefaultOrg, bad.ID, watch.ID)
		if err != nil || curlew.AsFault(shadows.Refusal()) == nil || !strings.Contains(shadows.Refusal().Error(), "version 3 would lose data of the watch "+string(watch.ID)) {
			o.Fatalf("%+v, %v", shadows, err)
		}
		if is, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID); err != nil || is.Blueprint != watch.Blueprint {
			o.Errorf("trying switched the watch to %s (%v)", is.Blueprint, err)
		}

		if _, _, err := o.Activate(bad.ID, ""); err != nil {
			o.Fatal(err)
		}
		shadows, err = healing.ShadowRollback(t.Context(), curlew.DefaultOrg, watch.Source, heal.Earlier{Version: 1})
		if err != nil || len(shadows) != 1 || shadows.Refusal() != nil || shadows[0].Shadow.After.Version != 1 {
			o.Errorf("going back: %+v, %v", shadows, err)
		}
		b.Set(func(b *workers.Board) {
			b.Body = "<html><body>" + strings.Repeat("We are being rebuilt. ", 60) + "</body></html>"
		})
		if shadows, err = healing.ShadowRollback(t.Context(), curlew.DefaultOrg, watch.Source, heal.Earlier{Version: 1}); err != nil || shadows.Refusal() == nil {
			o.Errorf("a page on which nothing is read speaks for a version: %+v, %v", shadows, err)
		}
	})
}
