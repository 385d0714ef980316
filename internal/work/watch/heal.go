package watch

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// HealPlan is what a healing was asked to do: by a check, or by a person.
type HealPlan struct {
	Watch  curlew.WatchID `json:"watch_id"`
	Page   curlew.PageID  `json:"page_id,omitempty"`
	Cause  string         `json:"cause"`
	Partly bool           `json:"partly,omitempty"` // the blueprint still gives records, but lost fields
	Shown  bool           `json:"shown,omitempty"`  // and the page still shows them: where nothing reads them, a person has to look

	Details []string `json:"details,omitempty"` // fields that detail pages lost, while the list fits
}

// HealRun is the run that heals a watch. A source is healed by one run at a time.
func HealRun(watch curlew.Watch, p HealPlan) runs.NewRun {
	p.Watch = watch.ID
	return runs.NewRun{Kind: curlew.RunHeal, Scope: "heal:" + string(watch.Source), Plan: p, LimitKey: runs.HostOf(watch.URL)}
}

// startHeal starts the healing of a watch in the transaction that found out that it is
// needed.
func (w Checker) startHeal(ctx context.Context, s store.WriteScope, watch curlew.Watch, p HealPlan) error {
	if p.Page == "" {
		return nil // without the page there is nothing to learn from
	}
	return runs.StartOnce(ctx, s, w.Outbox.Queue, HealRun(watch, p), 0)
}
