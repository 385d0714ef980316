package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/pages"
)

const errSitemapFailed curlew.Code = "sitemap_failed"

// sitemaps reads the sitemaps of a site: those that robots.txt names, else the
// usual one if it is there. A sitemap that is named and cannot be read fails the
// discovery: without it, what is missing could not be told from what is gone.
func (o *opening) sitemaps(ctx context.Context, site *url.URL, named []string) ([]curlew.Visit, error) {
	guessed := len(named) == 0
	if guessed {
		named = []string{"/sitemap.xml"}
	}
	var found []curlew.Visit
	type pending struct {
		url   string
		depth int
	}
	var queue []pending
	for _, s := range named {
		if u, err := site.Parse(s); err == nil {
			queue = append(queue, pending{u.String(), 1})
		}
	}
	seen := map[string]bool{}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if seen[next.url] || next.depth > urls.MaxSitemapDepth {
			continue
		}
		seen[next.url] = true
		var namedBy []string
		if !guessed {
			namedBy = []string{site.Host}
		}
		sitemap, err := o.sitemap(ctx, o.plan, next.url, namedBy)
		if err != nil {
			if guessed && errors.Is(err, errSitemapFailed) {
				return nil, nil
			}
			return nil, err
		}
		for _, e := range sitemap.Entries {
			if visit, refusal := o.admission.Admit(e.URL, curlew.Visit{URL: next.url}, 0); refusal == urls.RefusalNone {
				visit.LastMod = e.LastMod
				found = append(found, visit)
			}
		}
		for _, child := range sitemap.Children {
			queue = append(queue, pending{child.URL, next.depth + 1})
		}
		o.Log = append(o.Log, sitemapLines(next.url, sitemap)...)
		o.Partial = o.Partial || !sitemap.Complete()
	}
	return found, nil
}

// sitemap asks for one sitemap.
func (c *CrawlReader) sitemap(ctx context.Context, plan CrawlPlan, address string, namedBy []string) (*urls.Sitemap, error) {
	result, err := c.Reader.Read(ctx, fetch.PageRequest{Org: plan.Org, URL: address, Delay: plan.Delay, Adapter: curlew.AdapterDirect,
		Budget: sitemapBudget})
	if err != nil {
		return nil, err
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		return nil, curlew.Permanent(errSitemapFailed, "the sitemap %s could not be read: %s (status %d)", address,
			curlew.CodeWords(result.Page.Outcome), result.Page.Status)
	}
	return pages.Sitemap(result.Body, result.Page, namedBy...)
}

func sitemapLines(address string, s *urls.Sitemap) []curlew.LogLine {
	lines := []curlew.LogLine{{Level: curlew.LogInfo,
		Text: fmt.Sprintf("sitemap %s: %d URLs, %d further sitemaps", address, len(s.Entries), len(s.Children))}}
	if !s.Complete() {
		lines = append(lines, curlew.LogLine{Level: curlew.LogWarn, Text: fmt.Sprintf("sitemap %s was not read to its end", address)})
	}
	for i, w := range s.Warnings {
		if i == 5 {
			lines = append(lines, curlew.LogLine{Level: curlew.LogWarn, Text: fmt.Sprintf("… and %d further warnings", len(s.Warnings)-5+s.Omitted)})
			break
		}
		lines = append(lines, curlew.LogLine{Level: curlew.LogWarn, Text: fmt.Sprintf("sitemap %s, line %d: %s", address, w.Line, w.Sentence)})
	}
	return lines
}
