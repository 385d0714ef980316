package watch

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Plan is what a run of a watch was asked to do.
type Plan struct {
	Watch   curlew.WatchID `json:"watch_id"`
	Trigger string         `json:"trigger"`           // schedule, news, manual or replay
	Force   bool           `json:"force,omitempty"`   // publish although nothing changed
	Archive bool           `json:"archive,omitempty"` // read the archived pages again and ask for none
}

// TriggerNews is why a run begins that asks what tells news, and reads the list only if
// there are any.
const TriggerNews = "news"

// URLLog names the URL log of a watch.
func URLLog(id curlew.WatchID) string { return "watch:" + string(id) }

// URLLogOf names the URL log in which a run writes: that of its watch, or of the crawled site.
func URLLogOf(run curlew.Run) string {
	if run.Kind == curlew.RunWatch {
		return URLLog(PlanOf(run).Watch)
	}
	return run.Scope
}

// PlanOf is the plan of a watch's run; empty for a run of another kind.
func PlanOf(run curlew.Run) (plan Plan) {
	if run.Kind == curlew.RunWatch {
		_ = json.Unmarshal(run.Plan, &plan) // what cannot be read names no watch
	}
	return plan
}

// ScopeOf is the scope of all runs that check a source: one at a time does.
func ScopeOf(id curlew.SourceID) string { return "source:" + string(id) }

// newRun is the run of a watch.
func newRun(watch curlew.Watch, plan Plan) (runs.NewRun, error) {
	raw, err := json.Marshal(plan)
	if err != nil {
		return runs.NewRun{}, fmt.Errorf("plan of a watch: %w", err)
	}
	return runs.NewRun{Kind: curlew.RunWatch, Scope: ScopeOf(watch.Source), Plan: json.RawMessage(raw), LimitKey: runs.HostOf(watch.URL)}, nil
}

// Start starts a run of a watch now.
func Start(ctx context.Context, jobs *runs.Jobs, w store.WriteScope, id curlew.WatchID, plan Plan) (curlew.Run, error) {
	watch, err := w.Watches().Get(ctx, id)
	if err != nil {
		return curlew.Run{}, err
	}
	plan.Watch = id
	n, err := newRun(watch, plan)
	if err != nil {
		return curlew.Run{}, err
	}
	return jobs.StartWithin(ctx, w, n)
}
