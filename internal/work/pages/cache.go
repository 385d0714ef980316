package pages

import (
	"cmp"
	"context"
	"maps"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// Cache asks for every page once.
type Cache struct {
	PageSource
	*captures
}

// captures are what was fetched, by what was asked for.
type captures struct {
	mu      sync.Mutex
	results map[string]*fetch.Capture
}

type cacheKey struct{}

// WithCache lets the steps of one piece of work share the pages that they ask for: what
// the analysis of a site has fetched, or had drawn by a browser, need not be fetched
// again to learn how to read it. What is remembered lives as long as the context.
func WithCache(ctx context.Context) context.Context {
	return context.WithValue(ctx, cacheKey{}, &captures{results: map[string]*fetch.Capture{}})
}

// Cached begins a step: pages that failed before it are asked for again.
func Cached(ctx context.Context, web PageSource) *Cache {
	known, ok := ctx.Value(cacheKey{}).(*captures)
	if !ok {
		known = &captures{results: map[string]*fetch.Capture{}}
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	maps.DeleteFunc(known.results, func(_ string, r *fetch.Capture) bool { return r.Page.Outcome != curlew.OutcomeFetched })
	return &Cache{PageSource: web, captures: known}
}

// Fetch gives what was fetched before, or asks.
func (r *Cache) Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	if known := r.Find(request); known != nil {
		guard.Takes(ctx, cmp.Or(known.Page.ArchiveRef, known.Page.FinalURL))
		return known, nil
	}
	result, err := r.PageSource.Fetch(ctx, request)
	if err == nil {
		r.mu.Lock()
		r.results[keyOf(request, request.Adapter)] = result
		r.mu.Unlock()
	}
	return result, err
}

// Find gives what was fetched before; nil when it was not.
func (c *captures) Find(request fetch.PageRequest) *fetch.Capture {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.results[keyOf(request, request.Adapter)]
	if known == nil && request.Adapter == "" { // an API that was asked directly is as good
		known = c.results[keyOf(request, curlew.AdapterDirect)]
	}
	return known
}

func keyOf(request fetch.PageRequest, adapter curlew.AdapterName) string {
	return request.Method + " " + request.URL + " " + string(request.Body) + " " + string(adapter)
}
