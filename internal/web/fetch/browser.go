package fetch

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/browser"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// BrowserAdapter is a headless Chromium, for pages that only exist in one.
type BrowserAdapter struct{ Browser *browser.Browser }

// Name is the adapter's name.
func (BrowserAdapter) Name() curlew.AdapterName { return curlew.AdapterBrowser }

// Get renders the page.
func (b BrowserAdapter) Get(ctx context.Context, a AdapterRequest) (*egress.Response, []PageCall, error) {
	if err := a.Inspect(ctx, a.URL); err != nil {
		return nil, nil, err
	}
	rendered, err := b.Browser.Render(ctx, browser.RenderRequest{URL: a.URL, UserAgent: a.Header.Get("User-Agent"), Allow: a.Inspect})
	if err != nil {
		return nil, nil, err
	}
	answer := &egress.Response{URL: rendered.URL, Status: rendered.Status, Proto: "HTTP/1.1", Header: rendered.Header,
		Body: rendered.HTML, Complete: rendered.Complete, Took: rendered.Took}
	if !rendered.Complete {
		answer.Why = egress.CutShort
	}
	answer.Header.Set("Content-Type", "text/html; charset=utf-8") // what was serialised, whatever was sent
	answer.Header.Del("Content-Encoding")
	calls := make([]PageCall, len(rendered.Calls))
	for i, c := range rendered.Calls {
		calls[i] = PageCall{Method: c.Method, URL: c.URL, ContentType: c.ContentType, Status: c.Status, RequestBody: c.RequestBody,
			Body: c.ResponseBody}
	}
	return answer, calls, nil
}
