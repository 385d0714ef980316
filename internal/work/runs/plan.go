package runs

import (
	"encoding/json"

	"github.com/curlew-data/curlew/internal/curlew"
)

// HealPlan is what a healing was asked to do.
type HealPlan struct {
	Watch  curlew.WatchID `json:"watch_id"`
	Page   curlew.PageID  `json:"page_id,omitempty"`
	Cause  string         `json:"cause"`
	Partly bool           `json:"partly,omitempty"` // the blueprint still gives records, but lost fields

	Details []string `json:"details,omitempty"` // fields that detail pages lost, while the list fits
}

// WatchPlan is what a run of a watch was asked to do.
type WatchPlan struct {
	Watch   curlew.WatchID `json:"watch_id"`
	Trigger string         `json:"trigger"`           // schedule, news, manual or replay
	Force   bool           `json:"force,omitempty"`   // publish although nothing changed
	Archive bool           `json:"archive,omitempty"` // read the archived pages again and ask for none
}

// TriggerNews is why a run begins that asks what tells news, and reads the list only if
// there are any.
const TriggerNews = "news"

// WatchURLs names the URL log of a watch.
func WatchURLs(id curlew.WatchID) string { return "watch:" + string(id) }

// URLsOf names the URL log in which a run writes: that of its watch, or of the crawled site.
func URLsOf(run curlew.Run) string {
	if run.Kind == curlew.RunWatch {
		return WatchURLs(PlanOf(run).Watch)
	}
	return run.Scope
}

// PlanOf is the plan of a watch's run; empty for a run of another kind.
func PlanOf(run curlew.Run) (plan WatchPlan) {
	if run.Kind == curlew.RunWatch {
		_ = json.Unmarshal(run.Plan, &plan) // what cannot be read names no watch
	}
	return plan
}
