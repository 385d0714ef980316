package crawl_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/crawl"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// crawling lets a test crawl.
func (o *watching) crawling() {
	o.Slicers[curlew.RunCrawl] = crawl.Crawl{Store: o.Store, Crawl: &crawl.CrawlReader{Reader: o.Checker.Watching.Reader}, Outbox: o.Checker.Outbox}
}

// crawl crawls and waits for its end.
func (o *watching) crawl(plan crawl.CrawlPlan) curlew.Run {
	o.Helper()
	run, err := o.Start(o.Context(), curlew.DefaultOrg, runs.NewRun{Kind: curlew.RunCrawl, Scope: plan.Scope(), Plan: plan})
	if err != nil {
		o.Fatal(err)
	}
	return o.Ended(run)
}

// A crawl that its budget ends says how much of what the sitemaps name it has read.
func TestACrawlSaysWhatItsBudgetLeavesOut(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.crawling()
		defer o.Work()()
		d := &workers.Depot{Detail: map[string]string{}, Badges: map[string]string{}, Sitemap: map[string]string{}}
		run := o.crawl(crawl.CrawlPlan{Seeds: []string{o.Serve(d)}, MaxPages: 3, Depth: 1, SameHost: true, Concurrency: 1, Sitemaps: true})
		if said := o.Said(run); run.Counters[curlew.CountWarnings] != 1 || !strings.Contains(said, "3 of ") || !strings.Contains(said, "max_pages") {
			t.Errorf("the crawl said %s", said)
		}
	})
}

// That nobody said who asks is for whoever runs the installation, not for those who are told of changes.
func TestWantOfAContactIsNotTold(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.crawling()
		defer o.Work()()
		run := o.crawl(crawl.CrawlPlan{Seeds: []string{"http://depot.example/"}, MaxPages: 3, Depth: 1, SameHost: true, Concurrency: 1})
		if run.State != curlew.RunFailed || !strings.Contains(run.Summary, "contact") {
			t.Errorf("the crawl %s: %s", run.State, run.Summary)
		}
		rules := workers.BoardRules
		watch := o.Add(demo.Site{Name: "depot", Title: "Depot", Base: "http://depot.example"},
			onboard.Proposal{URL: "http://depot.example/", Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &rules})
		if run := o.Visit(watch); run.State != curlew.RunFailed || !strings.Contains(run.Summary, "contact") {
			t.Errorf("the watch %s: %s", run.State, run.Summary)
		}
		o.Want(0)
	})
}
