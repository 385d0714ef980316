package crawl_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/crawl"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Whoever is told of a failed watch is told of a failed crawl too.
func TestAFailedCrawlIsTold(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Slicers[curlew.RunCrawl] = crawl.Crawl{Store: o.Store, Crawl: &crawl.CrawlReader{Reader: o.Checker.Watching.Reader}, Outbox: o.Checker.Outbox}
		defer o.Work()()
		d, _ := o.Stocked()
		d.Set(func(*workers.Board) { d.Robots = "Disallow: /\n" })
		at := o.Sequence()
		plan := crawl.CrawlPlan{Seeds: []string{o.Serve(d)}, MaxPages: 5, Depth: 1, SameHost: true, Concurrency: 1}
		run, err := o.Start(t.Context(), curlew.DefaultOrg, runs.NewRun{Kind: curlew.RunCrawl, Scope: plan.Scope(), Plan: plan})
		if err != nil {
			t.Fatal(err)
		}
		if run = o.Ended(run); run.State != curlew.RunFailed {
			t.Fatalf("the crawl %s: %s", run.State, run.Summary)
		}
		o.Want(at, "watch_error")
	})
}
