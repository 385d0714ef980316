package crawl

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// CrawlMode is whether a crawl asks for one page after another or for several at once.
type CrawlMode string

// The modes.
const (
	Sequential CrawlMode = "sequential"
	Concurrent CrawlMode = "concurrent"
)

// What holds where nobody says how many.
const (
	defaultPages  = 100
	defaultAtOnce = 4
)

// CrawlPlan is what a crawl was asked to do.
type CrawlPlan struct {
	Org         curlew.OrgID       `json:"-"` // whose crawl it is; the run says so
	Mode        CrawlMode          `json:"mode,omitempty"`
	Metadata    curlew.Values      `json:"metadata,omitempty"` // of whoever asked for it
	By          string             `json:"submitted_by,omitempty"`
	Seeds       []string           `json:"seeds"`
	MaxPages    int                `json:"max_pages"`
	Depth       int                `json:"depth"`
	SameHost    bool               `json:"same_host"` // else the same registrable site
	Include     []string           `json:"include,omitempty"`
	Exclude     []string           `json:"exclude,omitempty"`
	Adapter     curlew.AdapterName `json:"adapter,omitempty"` // only this one; "" lets fetch decide
	Sitemaps    bool               `json:"sitemaps"`          // begin with what the site lists
	Concurrency int                `json:"concurrency"`       // pages at once
	Delay       *time.Duration     `json:"delay,omitempty"`
	MinURLs     int                `json:"min_urls"` // fewer found at the beginning is a failure
	Refetch     bool               `json:"refetch"`  // fetch pages again even if they have not changed
	PerDay      int64              `json:"per_day"`
	OrgPerDay   int64              `json:"org_per_day"`
}

// Complete adds whole sites to a plan, by their home pages and what their sitemaps list, and what holds where it says
// nothing; or it says what is wrong with it.
func (p CrawlPlan) Complete(domains []string) (CrawlPlan, error) {
	p.Seeds = slices.Clone(p.Seeds)
	for _, domain := range domains {
		p.Seeds = append(p.Seeds, "https://"+domain+"/")
	}
	p.Sitemaps = p.Sitemaps || len(domains) > 0
	p.MaxPages, p.Concurrency, p.Mode = cmp.Or(p.MaxPages, defaultPages), cmp.Or(p.Concurrency, defaultAtOnce), cmp.Or(p.Mode, Concurrent)
	if p.Mode == Sequential {
		p.Concurrency = 1
	}
	_, err := p.admission() // its patterns are of RE2, which takes no longer than the text is
	return p, err
}

// AboveFloor lets a crawl of a source that begins with its sitemaps find as many URLs as the source must have, unless the plan
// says how many.
func (p CrawlPlan) AboveFloor(ctx context.Context, s store.WriteScope) (CrawlPlan, error) {
	if !p.Sitemaps || p.MinURLs > 0 {
		return p, nil
	}
	source, err := p.source(ctx, s)
	p.MinURLs = source.MinURLs
	return p, err
}

// source is the source whose site is crawled; none where it is not one.
func (p CrawlPlan) source(ctx context.Context, s store.WriteScope) (curlew.Source, error) {
	site, err := curlew.OriginOf(p.Seeds[0])
	if err != nil {
		return curlew.Source{}, nil
	}
	source, err := s.Sources().At(ctx, site)
	if errors.Is(err, curlew.ErrNotFound) {
		return curlew.Source{}, nil
	}
	return source, err
}

// Start starts a crawl.
func Start(ctx context.Context, jobs *runs.Jobs, w store.WriteScope, plan CrawlPlan, priority curlew.Priority) (curlew.Run, error) {
	return jobs.StartWithin(ctx, w, runs.NewRun{Kind: curlew.RunCrawl, Scope: plan.Scope(), Plan: plan, Total: int64(plan.MaxPages),
		Priority: priority, LimitKey: plan.host()})
}

// Scope names the crawl in the URL log and among the runs: one per host.
func (p CrawlPlan) Scope() string {
	if host := p.host(); host != "" {
		return "crawl:" + host
	}
	return "crawl"
}

func (p CrawlPlan) host() string {
	if len(p.Seeds) == 0 {
		return ""
	}
	return runs.HostOf(p.Seeds[0])
}

// admission decides which URLs belong to the crawl. How many pages are asked for
// is counted where they are asked for.
func (p CrawlPlan) admission() (urls.Admission, error) {
	scope, err := urls.NewCrawlScope(urls.ScopeRules{Starts: p.Seeds, SameHost: p.SameHost, Include: p.Include, Exclude: p.Exclude})
	return urls.Admission{Scope: scope, MaxDepth: p.Depth, MaxPages: math.MaxInt}, err
}
