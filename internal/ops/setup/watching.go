package setup

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// watchSlicer is what works off the runs of watches in this process.
func (i *Installation) watchSlicer(r *Reading) watch.Checker {
	w := i.Config.Watch
	watching := &watch.Watching{Reader: r.Reader, Version: i.Version}
	if r.Archive != nil {
		watching.Past = r.Archive
	}
	return watch.Checker{Store: i.Store, Watching: watching, Outbox: i.Outbox, Now: i.Now, Wall: time.Now, Paces: &watch.Paces{},
		Heal: heal.Starter(i.Queue),
		Defaults: watch.WatchDefaults{DetailsEvery: w.DetailsEvery, MaxPages: w.MaxPages, RemovalShare: float64(w.RemovalPercent) / 100,
			ConfirmAfter: w.ConfirmAfter, Failures: w.Failures, Budgets: i.dayBudgets}}
}

// dayBudgets are those of an org and a source, where the configuration sets any.
func (i *Installation) dayBudgets(_ curlew.OrgID, source curlew.SourceID) []curlew.DayBudget {
	f := i.Config.Fetch
	if f.PerOrgDay == 0 && f.PerSourceDay == 0 {
		return nil
	}
	return []curlew.DayBudget{{Most: int64(f.PerOrgDay)}, {Subject: "source:" + string(source), Most: int64(f.PerSourceDay)}}
}

// paced asks at the pace of a watch.
type paced struct {
	*fetch.Fetcher
	delay *curlew.Duration
}

// Fetch asks for a page.
func (p paced) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	if p.delay != nil {
		delay := time.Duration(*p.delay)
		r.Delay = &delay
	}
	return p.Fetcher.Fetch(ctx, r)
}
