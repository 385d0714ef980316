package heal

import (
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// healRun is the run that heals a watch. A source is healed by one run at a time.
func healRun(watch curlew.Watch, p curlew.HealPlan) runs.NewRun {
	p.Watch = watch.ID
	return runs.NewRun{Kind: curlew.RunHeal, Scope: "heal:" + string(watch.Source), Plan: p, LimitKey: runs.HostOf(watch.URL)}
}

// Starter starts the healing that a check asks for.
func Starter(q *queue.Queue) func(context.Context, store.WriteScope, curlew.Watch, curlew.HealPlan) error {
	return func(ctx context.Context, s store.WriteScope, watch curlew.Watch, p curlew.HealPlan) error {
		if p.Page == "" {
			return nil // without the page there is nothing to learn from
		}
		return runs.StartOnce(ctx, s, q, healRun(watch, p), 0)
	}
}

// Asked is a healing that a person asks for.
type Asked struct {
	Source curlew.SourceID
	Watch  curlew.WatchID // without, the first one of which a page is archived
	By     string
}

// Now learns a watch of a source anew because a person asks for it: from the page that was
// archived last. What still fits is kept, and a failure counts only where something is
// wrong already.
func Now(ctx context.Context, jobs *runs.Jobs, w store.WriteScope, a Asked) (run curlew.Run, err error) {
	source, err := w.Sources().Get(ctx, a.Source)
	if err != nil {
		return run, err
	}
	if source.Trust == curlew.TrustArchived {
		return run, curlew.Refused("source_archived", "the source is archived: it is no longer read")
	}
	watches, err := w.Watches().List(ctx, store.WatchFilter{Source: a.Source}, store.Window{Limit: 1000})
	if err != nil {
		return run, err
	}
	for _, of := range watches {
		if a.Watch != "" && of.ID != a.Watch {
			continue
		}
		page, err := w.Pages().At(ctx, of.URL, time.Time{})
		if errors.Is(err, curlew.ErrNotFound) {
			continue
		}
		if err != nil {
			return run, err
		}
		return jobs.StartWithin(ctx, w, healRun(of, curlew.HealPlan{Page: page.ID, Cause: "requested by " + a.By,
			Partly: source.Trust != curlew.TrustBroken && of.Status != curlew.WatchError}))
	}
	if a.Watch != "" {
		if of, err := w.Watches().Get(ctx, a.Watch); err != nil || of.Source != a.Source {
			return run, curlew.NotFound("watch", string(a.Watch))
		}
	}
	return run, curlew.Refused("nothing_to_heal", "no page of this source is archived yet: check one of its watches first")
}
