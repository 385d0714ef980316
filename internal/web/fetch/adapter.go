package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// Adapter is a way to get at a page.
type Adapter interface {
	Name() curlew.AdapterName
	Get(ctx context.Context, a AdapterRequest) (*egress.Response, []PageCall, error)
}

// AdapterRequest is what an adapter is asked for.
type AdapterRequest struct {
	Method  string // "" means GET
	URL     string
	Body    []byte
	Header  http.Header
	Budget  egress.Budget
	Inspect func(ctx context.Context, url string) error // robots and policy, for every URL on the way
}

// direct is plain HTTP.
type direct struct{ client Client }

func (direct) Name() curlew.AdapterName { return curlew.AdapterDirect }

func (d direct) Get(ctx context.Context, a AdapterRequest) (*egress.Response, []PageCall, error) {
	answer, err := d.client.Do(ctx, egress.Request{Method: a.Method, URL: a.URL, Header: a.Header, Body: a.Body, Budget: a.Budget,
		Inspect: func(h egress.Hop) error { return a.Inspect(ctx, h.URL) }})
	return answer, nil, err
}

// Proxy is a service that fetches for us; its address is a template in which
// {url} stands for the page.
type Proxy struct {
	Client   Client
	Template string
}

// Name is the adapter's name.
func (Proxy) Name() curlew.AdapterName { return curlew.AdapterProxy }

// Get asks the service.
func (p Proxy) Get(ctx context.Context, a AdapterRequest) (*egress.Response, []PageCall, error) {
	if err := a.Inspect(ctx, a.URL); err != nil {
		return nil, nil, err
	}
	address := strings.ReplaceAll(p.Template, "{url}", url.QueryEscape(a.URL))
	answer, err := p.Client.Do(ctx, egress.Request{URL: address, Header: a.Header, Budget: a.Budget})
	if err != nil {
		return nil, nil, err
	}
	answer.URL, answer.Chain = a.URL, nil // the service is no part of the page's way
	return answer, nil, nil
}

// tries is how often an adapter is asked when the network fails under it.
const tries = 2

// through asks one adapter after the other until one is not blocked. The reason
// for passing on is kept with the page.
func (f *Fetcher) through(ctx context.Context, r PageRequest, target *url.URL, gap time.Duration) (*Capture, error) {
	var last *Capture
	var lastErr error
	var why []string
	for _, adapter := range f.adapters {
		if r.Adapter != "" && adapter.Name() != r.Adapter {
			continue
		}
		if r.Method != "" && adapter.Name() != curlew.AdapterDirect {
			break
		}
		result, err := f.ask(ctx, r, target, gap, adapter)
		if err != nil {
			if ctx.Err() != nil || curlew.AsFault(err).Kind == curlew.KindRefused || errors.As(err, new(*BusyError)) || last == nil {
				return nil, err
			}
			lastErr = err
			why = append(why, fmt.Sprintf("%s: %s", adapter.Name(), curlew.AsFault(err).Sentence))
			continue
		}
		result.Page.FallbackWhy = strings.Join(why, "; ")
		if result.Page.Outcome != curlew.OutcomeBlocked || result.Page.Block == curlew.BlockRateLimited {
			return result, nil
		}
		why = append(why, fmt.Sprintf("%s: %s", adapter.Name(), result.Page.Block))
		last = result
	}
	if last == nil && lastErr == nil {
		return nil, curlew.Permanent("no_adapter", "unknown adapter %q: use direct, browser or proxy", r.Adapter)
	}
	return last, nil
}

// ask lets one adapter try, again when the network failed in a way that may pass.
func (f *Fetcher) ask(ctx context.Context, r PageRequest, target *url.URL, gap time.Duration, adapter Adapter) (*Capture, error) {
	ask := AdapterRequest{Method: r.Method, URL: r.URL, Body: r.Body, Header: f.header(r), Budget: r.Budget, Inspect: f.inspect}
	if ask.Budget == (egress.Budget{}) {
		ask.Budget = egress.DefaultBudget()
	}
	var waited time.Duration
	for try := 1; ; try++ {
		wait, err := f.turn(ctx, target.Host, gap)
		if err != nil {
			return nil, err
		}
		waited += wait
		began := f.o.Now()
		answer, calls, err := adapter.Get(ctx, ask)
		if err == nil {
			result, err := f.result(ctx, r, target.Host, exchange{adapter.Name(), ask.Header, answer, calls, began})
			result.Waited = waited
			return result, err
		}
		fault := curlew.AsFault(err)
		if ctx.Err() != nil || fault.Kind != curlew.KindTemporary || errors.Is(err, curlew.ErrTimeout) || try >= tries {
			return nil, err
		}
	}
}

// inspect checks a URL on the way against its own site's rules.
func (f *Fetcher) inspect(ctx context.Context, raw string) error {
	target, err := url.Parse(raw)
	if err != nil {
		return curlew.Refused("url_refused", "%q is not an address that can be fetched", raw)
	}
	policy, err := f.Robots(ctx, target, false)
	if err != nil {
		return err
	}
	return policy.Check(Token, raw)
}

// exchange is a request as an adapter sent it, and what it got.
type exchange struct {
	adapter curlew.AdapterName
	sent    http.Header
	answer  *egress.Response
	calls   []PageCall
	began   time.Time
}

func (f *Fetcher) result(ctx context.Context, r PageRequest, host string, x exchange) (*Capture, error) {
	answer, judged := x.answer, x.answer
	if x.adapter == curlew.AdapterBrowser { // what it would show without scripts says nothing of what it shows
		drawn := *answer
		drawn.Body = without(answer.Body, element("noscript"))
		judged = &drawn
	}
	verdict := Classify(judged, r.ETag != "" || r.LastModified != "")
	page := curlew.Page{Org: r.Org, URL: r.URL, FinalURL: answer.URL, Status: answer.Status, Outcome: verdict.Outcome,
		Block: verdict.Block, Why: verdict.Why, Adapter: x.adapter, ContentType: answer.Header.Get("Content-Type"),
		ETag: answer.Header.Get("ETag"), LastModified: answer.Header.Get("Last-Modified"), Bytes: int64(len(answer.Body)),
		Complete: verdict.Outcome == curlew.OutcomeFetched && answer.Complete, TookMillis: answer.Took.Milliseconds(), FetchedAt: x.began}
	for _, hop := range answer.Chain {
		page.Redirects = append(page.Redirects, curlew.Hop{URL: hop.URL, Status: hop.Status})
	}
	if page.Outcome == curlew.OutcomeFetched {
		page.Charset = Charset(answer.Body, page.ContentType)
	}
	remote := ""
	if answer.Remote.IsValid() {
		remote = answer.Remote.Addr().String()
	}
	return &Capture{Page: page, Body: answer.Body, Header: answer.Header, RequestHeader: x.sent, Proto: answer.Proto,
		RemoteIP: remote, Calls: x.calls, took: answer.Took}, f.rest(ctx, host, page.Status, answer.Header)
}
