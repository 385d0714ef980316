package watch

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// startHeal starts the healing of a watch in the transaction that found out that it is
// needed. A source is healed by one run at a time.
func (w Checker) startHeal(ctx context.Context, s store.WriteScope, watch curlew.Watch, p runs.HealPlan) error {
	if p.Page == "" {
		return nil // without the page there is nothing to learn from
	}
	p.Watch = watch.ID
	return runs.StartOnce(ctx, s, w.Outbox.Queue, runs.NewRun{Kind: curlew.RunHeal, Scope: "heal:" + string(watch.Source), Plan: p,
		LimitKey: runs.HostOf(watch.URL)}, 0)
}
