package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// CrawlReader composes discovering and reading.
type CrawlReader struct {
	Reader *pages.PageReader
	Each   func(page curlew.Page, body []byte) // told of each page that was fetched, several at once; nil for nobody
}

// Opening is what a crawl begins with.
type Opening struct {
	Found   []curlew.Visit // seeds and what sitemaps list now
	Known   []curlew.Visit // remembered from earlier crawls, and not found so far
	Log     []curlew.LogLine
	Partial bool // a sitemap was not read to its end: what is missing may be there
}

// Open reads robots.txt afresh and finds the first URLs: the seeds and, where
// asked for, what sitemaps list. known are the URLs that earlier crawls found and
// were allowed to fetch: if one of them is forbidden now, a person should look.
func (c *CrawlReader) Open(ctx context.Context, plan CrawlPlan, known []curlew.Found) (Opening, error) {
	o := opening{CrawlReader: c, plan: plan}
	var err error
	if o.admission, err = plan.admission(); err != nil {
		return o.Opening, err
	}
	seen := map[string]bool{}
	add := func(to *[]curlew.Visit, v curlew.Visit) {
		if !seen[v.Key] {
			seen[v.Key] = true
			*to = append(*to, v)
		}
	}
	for _, seed := range plan.Seeds {
		clean, err := urls.Canonical(seed, "")
		if err != nil {
			return o.Opening, curlew.Refused("url_refused", "%q is not an address that can be crawled", seed).Because(err)
		}
		add(&o.Found, curlew.Visit{URL: clean, Key: urls.Key(clean)})
		found, err := o.site(ctx, clean, known)
		if err != nil {
			return o.Opening, err
		}
		for _, v := range found {
			add(&o.Found, v)
		}
	}
	for _, f := range known {
		if _, refusal := o.admission.Admit(f.URL, curlew.Visit{URL: f.FoundOn, Depth: f.Depth - 1}, 0); refusal == urls.RefusalNone {
			add(&o.Known, curlew.Visit{URL: f.URL, Key: f.Key, FoundOn: f.FoundOn, Depth: f.Depth})
		}
	}
	return o.Opening, urls.CheckFloor(len(o.Found), plan.MinURLs)
}

// opening is an opening while it is made.
type opening struct {
	*CrawlReader
	Opening
	plan      CrawlPlan
	admission urls.Admission
}

// site asks for a site's rules and sitemaps.
func (o *opening) site(ctx context.Context, seed string, known []curlew.Found) ([]curlew.Visit, error) {
	target, err := url.Parse(seed)
	if err != nil {
		return nil, err
	}
	policy, err := o.Reader.Fetcher.Robots(ctx, target, true)
	if err != nil {
		return nil, err
	}
	if err := policy.Check(fetch.Token, seed); err != nil {
		return nil, err
	}
	for _, f := range known {
		if urls.Site(f.URL) != urls.Site(seed) || f.Outcome == "" {
			continue
		}
		if verdict := policy.Allowed(fetch.Token, f.URL); !verdict.Allowed {
			return nil, curlew.Refused("robots_changed", "robots.txt now forbids %s, which was allowed before: line %d says %q; read it "+
				"before you crawl again",
				f.URL, verdict.Line, verdict.Rule)
		}
	}
	if !o.plan.Sitemaps {
		return nil, nil
	}
	return o.sitemaps(ctx, target, policy.File.Sitemaps())
}

// Visited is what came of one URL.
type Visited struct {
	Visit  curlew.Visit   // its state and reason set
	Result *fetch.Capture // without its body
	Links  []curlew.Visit
	Reason urls.FetchReason // why it was asked for, or why not
}

// Batch is what came of some URLs.
type Batch struct {
	Visited []Visited
	Rest    time.Duration // a host wants to be left alone for so long
}

// The time of one Visit: URLs are begun for so long, and one that is not done by
// the end has failed, so that a crawl goes on whatever servers do.
const (
	beginFor  = 5 * time.Second
	pageTime  = 20 * time.Second
	visitTime = 24 * time.Second
)

// Visit asks for URLs, several at once, and finds their links. URLs whose host is
// busy, or for which there was no time, are not among the visited: their turn
// comes later.
func (c *CrawlReader) Visit(ctx context.Context, plan CrawlPlan, visits []curlew.Visit, known map[string]curlew.Found) (Batch, error) {
	admission, err := plan.admission()
	if err != nil {
		return Batch{}, err
	}
	all := make([]*Visited, len(visits))
	var mu sync.Mutex
	var batch Batch
	var failed error
	slots := make(chan struct{}, max(1, plan.Concurrency))
	var group sync.WaitGroup
	began := time.Now()
	limited, cancel := context.WithTimeoutCause(ctx, visitTime, errTooSlow)
	defer cancel()
	for i, visit := range visits {
		slots <- struct{}{}
		if time.Since(began) > beginFor {
			break
		}
		group.Go(func() {
			defer func() { <-slots }()
			visited, err := c.visit(limited, plan, admission, visit, known[visit.Key])
			var busy *fetch.BusyError
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.As(err, &busy):
				batch.Rest = max(batch.Rest, busy.Wait)
			case err != nil:
				failed = err
			default:
				all[i] = visited
			}
		})
	}
	group.Wait()
	for _, v := range all {
		if v != nil {
			batch.Visited = append(batch.Visited, *v)
		}
	}
	if failed != nil && len(batch.Visited) == 0 { // else what was read is kept first, and the next Visit fails
		return Batch{}, failed
	}
	return batch, ctx.Err()
}

var errTooSlow = curlew.Temporary("too_slow", "it took longer than a page may take")

// visit asks for one URL. A page that cannot be had is a result of the crawl,
// not its failure; what concerns the whole crawl (a budget, the archive's disk) is.
func (c *CrawlReader) visit(
	ctx context.Context, plan CrawlPlan, admission urls.Admission, visit curlew.Visit, known curlew.Found,
) (*Visited, error) {
	reason := decide(visit, known, plan.Refetch)
	if !reason.Fetch() {
		visit.State, visit.Reason = curlew.VisitSkipped, string(reason)
		return &Visited{Visit: visit, Reason: reason}, nil
	}
	budget := egress.DefaultBudget()
	budget.Time = pageTime
	request := fetch.PageRequest{Org: plan.Org, URL: visit.URL, Delay: plan.Delay, Budget: budget, Adapter: plan.Adapter,
		Budgets: []curlew.DayBudget{{Most: plan.OrgPerDay}, {Subject: plan.Scope(), Most: plan.PerDay}}}
	if plan.PerDay == 0 && plan.OrgPerDay == 0 {
		request.Budgets = nil
	}
	if !plan.Refetch && known.Digest != "" {
		request.ETag, request.LastModified = known.ETag, known.LastModified
	}
	result, err := c.Reader.Read(ctx, request)
	switch fault := curlew.AsFault(err); {
	case errors.Is(context.Cause(ctx), errTooSlow):
		visit.State, visit.Reason = curlew.VisitFailed, errTooSlow.Sentence
		return &Visited{Visit: visit, Reason: reason}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
	case errors.As(err, new(*fetch.BusyError)), errors.Is(fault, curlew.ErrOverBudget), errors.Is(fault, curlew.ErrDiskFull),
		errors.Is(fault, fetch.ErrNoContact), errors.Is(fault, curlew.ErrUnexpected):
		return nil, err
	default:
		visit.State, visit.Reason = curlew.VisitFailed, fault.Sentence
		return &Visited{Visit: visit, Reason: reason}, nil
	}
	visit.State, visit.Reason = stateOf(result.Page)
	visited := &Visited{Visit: visit, Result: result, Links: links(admission, visit, result), Reason: reason}
	if c.Each != nil && result.Page.Outcome == curlew.OutcomeFetched {
		c.Each(result.Page, result.Body)
	}
	result.Body = nil // archived and read: a batch of bodies would fill the memory
	return visited, nil
}

// decide is the sitemap's word on whether a page must be asked for. A URL whose
// page we do not have is always asked for.
func decide(visit curlew.Visit, known curlew.Found, refetch bool) urls.FetchReason {
	switch {
	case known.FetchedAt == nil:
		return urls.FirstSeen
	case refetch:
		return urls.Forced
	}
	return urls.Decide(&urls.LogEntry{LastMod: known.LastMod}, urls.SitemapURL{URL: visit.URL, LastMod: visit.LastMod}, known.Digest != "")
}

func stateOf(page curlew.Page) (curlew.VisitState, string) {
	switch page.Outcome {
	case curlew.OutcomeFetched, curlew.OutcomeNotModified:
		return curlew.VisitDone, string(page.Outcome)
	}
	reason := string(page.Outcome)
	if page.Block != "" {
		reason += " (" + string(page.Block) + ")"
	}
	return curlew.VisitFailed, fmt.Sprintf("%s: %s", reason, page.Why)
}

// links finds what a page leads to, within the crawl.
func links(admission urls.Admission, from curlew.Visit, result *fetch.Capture) []curlew.Visit {
	if result.Page.Outcome != curlew.OutcomeFetched || admission.MaxDepth > 0 && from.Depth >= admission.MaxDepth {
		return nil
	}
	index, err := pages.Links(pages.MaterialOf(result, result.Page.FetchedAt))
	if err != nil || index.NoFollow {
		return nil
	}
	var found []curlew.Visit
	for _, link := range index.Links {
		// ReadIndex has looked for traps already; only the scope is left to ask.
		if link.NoFollow || link.Trap != urls.RefusalNone || admission.Scope.AdmitsLink(link) != urls.RefusalNone {
			continue
		}
		found = append(found, curlew.Visit{URL: link.URL, Key: link.Key, FoundOn: from.URL, Depth: from.Depth + 1})
	}
	return found
}

// sitemapBudget is the size of an uncompressed sitemap that the protocol allows.
var sitemapBudget = egress.Budget{Body: 50 << 20, Time: time.Minute, Redirects: 5}
