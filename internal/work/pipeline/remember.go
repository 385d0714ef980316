package pipeline

import (
	"context"
	"maps"
	"sync"

	"curlew/internal/curlew"
	"curlew/internal/web/fetch"
)

// remembering asks for every page once.
type remembering struct {
	PageSource
	*pages
}

// pages are what was fetched, by what was asked for.
type pages struct {
	mu      sync.Mutex
	results map[string]*fetch.Capture
}

type pagesKey struct{}

// Remember lets the steps of one piece of work share the pages that they ask for: what
// the analysis of a site has fetched, or had drawn by a browser, need not be fetched
// again to learn how to read it. What is remembered lives as long as the context.
func Remember(ctx context.Context) context.Context {
	return context.WithValue(ctx, pagesKey{}, &pages{results: map[string]*fetch.Capture{}})
}

// remember begins a step: pages that failed before it are asked for again.
func remember(ctx context.Context, web PageSource) *remembering {
	known, ok := ctx.Value(pagesKey{}).(*pages)
	if !ok {
		known = &pages{results: map[string]*fetch.Capture{}}
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	maps.DeleteFunc(known.results, func(_ string, r *fetch.Capture) bool { return r.Page.Outcome != curlew.OutcomeFetched })
	return &remembering{PageSource: web, pages: known}
}

// Fetch gives what was fetched before, or asks.
func (r *remembering) Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	if known := r.find(request); known != nil {
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

// find gives what was fetched before; nil when it was not.
func (p *pages) find(request fetch.PageRequest) *fetch.Capture {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.results[keyOf(request, request.Adapter)]
	if known == nil && request.Adapter == "" { // an API that was asked directly is as good
		known = p.results[keyOf(request, curlew.AdapterDirect)]
	}
	return known
}

func keyOf(request fetch.PageRequest, adapter curlew.AdapterName) string {
	return request.Method + " " + request.URL + " " + string(request.Body) + " " + string(adapter)
}
