package onboard_test

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/web/browser"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// mostDrawn is how many pages have to be drawn of a site whose list comes from an API of
// its own: the list, and one of those that it leads to.
const mostDrawn = 2

// A page that is empty without a browser is taken in like any other: an address, no
// hands, no model.
func TestASiteDrawnByScriptIsOnboardedInARealBrowser(t *testing.T) {
	if _, err := browser.Available(""); err != nil {
		t.Skipf("this test needs a real browser: %v", err)
	}
	observe(t, false, func(o *watching) {
		drawn := o.browsing()
		onboard := o.Onboarding()
		defer o.Work()()
		site, err := o.Web.Site("spa")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		c, err := onboard.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: site.URL(), Name: site.Title, Priority: curlew.PriorityNormal, AutoDeploy: true})
		if err != nil {
			t.Fatal(err)
		}
		o.Until("the candidate to settle", func() bool { return workers.Settled(o.Candidate(c.ID)) })
		took, pages := time.Since(began), drawn.all()
		o.Quiet()
		right, all := o.deployed(site, o.Candidate(c.ID), took)
		o.Logf("spa is live after %s, %s of it drawing %d pages; %d of %d fields are true", took.Round(time.Millisecond), time.Duration(drawn.time.Load()).Round(time.Millisecond), len(pages), right, all)
		if truth, err := o.Web.Truth(site.Name); err != nil || all < len(truth)*len(site.Fields)*9/10 {
			t.Errorf("%d fields of %d workshops were compared (%v)", all, len(truth), err)
		}
		if len(pages) == 0 || len(pages) > mostDrawn {
			t.Errorf("it drew %q", pages)
		}
		if slices.Sort(pages); len(slices.Compact(slices.Clone(pages))) != len(pages) {
			t.Errorf("a page was drawn twice: %q", pages)
		}
	})
}

// drawing knows which pages a browser drew.
type drawing struct {
	fetch.BrowserAdapter
	time  atomic.Int64 // in nanoseconds
	mu    sync.Mutex
	pages []string
}

func (d *drawing) Get(ctx context.Context, a fetch.AdapterRequest) (*egress.Response, []fetch.PageCall, error) {
	began := time.Now()
	defer func() {
		d.time.Add(int64(time.Since(began)))
		d.mu.Lock()
		d.pages = append(d.pages, a.URL)
		d.mu.Unlock()
	}()
	return d.BrowserAdapter.Get(ctx, a)
}

func (d *drawing) all() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.pages)
}

// browsing gives a test a browser, for what has to be drawn.
func (o *watching) browsing() *drawing {
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: workers.EveryPort()})
	o.Cleanup(client.Close)
	chromium := browser.New(browser.Options{Dial: client.DialContext})
	o.Cleanup(func() { _ = chromium.Close() })
	drawn := &drawing{BrowserAdapter: fetch.BrowserAdapter{Browser: chromium}}
	o.Fetcher = fetch.New(fetch.Options{Client: client, Hosts: o.Store, Version: "test", Now: o.Now, MayHurry: func(string) bool { return true }, Fallback: []fetch.Adapter{drawn}})
	o.Checker.Watching.Reader.Fetcher = o.Fetcher
	return drawn
}
