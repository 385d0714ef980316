package runs

import (
	"context"
	"errors"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// HealNow learns a watch of a source anew because a person asks for it: from the page
// that was archived last. Without a watch it is the first one that has such a page. What
// still fits is kept, and a failure counts only where something is wrong already.
func (j *Jobs) HealNow(
	ctx context.Context, org curlew.OrgID, id curlew.SourceID, only curlew.WatchID, who string,
) (run curlew.Run, err error) {
	scope := j.store.Org(org)
	source, err := scope.Sources().Get(ctx, id)
	if err != nil {
		return run, err
	}
	if source.Trust == curlew.TrustArchived {
		return run, curlew.Refused("source_archived", "the source is archived: it is no longer read")
	}
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: id}, store.Window{Limit: 1000})
	if err != nil {
		return run, err
	}
	for _, watch := range watches {
		if only != "" && watch.ID != only {
			continue
		}
		page, err := scope.Pages().At(ctx, watch.URL, time.Time{})
		if errors.Is(err, curlew.ErrNotFound) {
			continue
		}
		if err != nil {
			return run, err
		}
		plan := HealPlan{Watch: watch.ID, Page: page.ID, Cause: "requested by " + who,
			Partly: source.Trust != curlew.TrustBroken && watch.Status != curlew.WatchError}
		return j.Start(ctx, org, NewRun{Kind: curlew.RunHeal, Scope: "heal:" + string(id), Plan: plan, LimitKey: HostOf(watch.URL)})
	}
	if only != "" {
		if watch, err := scope.Watches().Get(ctx, only); err != nil || watch.Source != id {
			return run, curlew.NotFound("watch", string(only))
		}
	}
	return run, curlew.Refused("nothing_to_heal", "no page of this source is archived yet: check one of its watches first")
}
