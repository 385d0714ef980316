package browser

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// RenderRequest is one page to render.
type RenderRequest struct {
	URL       string
	UserAgent string
	// Header is sent along to the origin of URL and to no other.
	Header http.Header
	Budget RenderBudget
	// Allow is asked before every request that the page makes, its own
	// navigations and redirects included; what it refuses is not sent. It may
	// be called concurrently. Nil allows everything.
	Allow func(ctx context.Context, url string) error
}

// RenderBudget bounds one rendering. Zero means the default.
type RenderBudget struct {
	Time     time.Duration // from the start to the HTML: 30 s
	Bytes    int           // of HTML: 10 MiB
	Transfer int64         // bytes over the wire, both ways: 50 MiB
	Requests int           // that the page may send: 200
	Scrolls  int           // to the bottom: 10; negative means none
	Clicks   int           // on "load more": 10; negative means none
}

// DefaultBudget is what a page may cost.
func DefaultBudget() RenderBudget {
	return RenderBudget{Time: 30 * time.Second, Bytes: 10 << 20, Transfer: 50 << 20, Requests: 200, Scrolls: 10, Clicks: 10}
}

func (b RenderBudget) filled() RenderBudget {
	d := DefaultBudget()
	fill(&b.Time, d.Time)
	fill(&b.Bytes, d.Bytes)
	fill(&b.Transfer, d.Transfer)
	fill(&b.Requests, d.Requests)
	fill(&b.Scrolls, d.Scrolls)
	fill(&b.Clicks, d.Clicks)
	return b
}

func fill[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

// filled completes a request and refuses what cannot be a page.
func (r RenderRequest) filled(o Options) (RenderRequest, error) {
	u, err := url.Parse(r.URL)
	if err != nil || u.Host == "" && (u.Scheme == "http" || u.Scheme == "https") {
		return r, curlew.Permanent("navigation_failed", "%q is not the address of a page", text.Clip(r.URL, 200))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return r, curlew.Refused("scheme_forbidden",
			"the URL %q has the scheme %q; only http and https are rendered", text.Clip(r.URL, 200), text.Clip(u.Scheme, 200))
	}
	r.Budget = r.Budget.filled()
	fill(&r.UserAgent, o.UserAgent)
	if r.Allow == nil {
		r.Allow = func(context.Context, string) error { return nil }
	}
	return r, nil
}

// RenderedPage is what a page showed.
type RenderedPage struct {
	URL      string // where the page ended up
	Status   int
	Header   http.Header
	HTML     []byte           // the document as it stood after the page came to rest
	Complete bool             // nothing was cut short, refused or still on its way
	Why      string           // it is not complete
	Calls    []RecordedCall   // what the page's scripts asked for, in order
	Refused  []BlockedRequest // what Allow refused, at most maxRefused
	Actions  []string         // what was done to the page, in order
	Requests int              // sent
	Transfer int64            // bytes over the wire, both ways
	Took     time.Duration
}

// RecordedCall is a request by which a page fetched its data. Headers are not kept:
// they may hold secrets.
type RecordedCall struct {
	Method       string
	URL          string
	Status       int    // 0 when there was no answer
	ContentType  string // of the response
	RequestBody  []byte // at most maxRequestBody
	ResponseBody []byte // of JSON and its kin, at most maxBody each and maxBodies in all
	Cut          bool   // a body was left out or cut short
}

// BlockedRequest is a request that Allow refused.
type BlockedRequest struct {
	URL string
	Why error
}

const (
	maxRequestBody = 64 << 10
	maxBody        = 1 << 20
	maxBodies      = 8 << 20
	maxCalls       = 200
	maxRefused     = 50
)
