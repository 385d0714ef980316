// Package tenancy does the work of the remote calls, and builds the feeds that are served.
package tenancy

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/door/grpc"
	"curlew/internal/door/rest"
	"curlew/internal/extract"
	"curlew/internal/ops/setup"
	"curlew/internal/read/blueprint"
	"curlew/internal/web/fetch"
	"curlew/internal/web/robots"
	"curlew/internal/work/onboard"
	"curlew/internal/work/pages"
)

// Calls sets up the remote calls of this process.
func Calls(i *setup.Installation, accounts *auth.Service) (grpc.Options, error) {
	d, err := openDesk(i)
	return grpc.Options{Gate: rpcGate{i, accounts.Authenticate, accounts}, House: d, Rate: rest.DefaultRateLimit(), Now: time.Now, Log: i.Log}, err
}

// rpcGate lets the remote calls know who asks, as the API does.
type rpcGate struct {
	i            *setup.Installation
	authenticate func(*http.Request) (auth.Identity, error)
	accounts     *auth.Service
}

// Caller tells who calls.
func (g rpcGate) Caller(r *http.Request) (grpc.Caller, error) {
	who, err := g.authenticate(r)
	if err != nil {
		return grpc.Caller{}, err
	}
	who.Door = "grpc"
	return grpc.Caller{Org: who.Org, Subject: who.Actor(), May: auth.Can(who, auth.EditBlueprints), Record: func(ctx context.Context, operation, thing string) error {
		return g.i.Store.Accounts().Record(ctx, who.Org, g.accounts.Entry(who, operation, thing, nil))
	}}, nil
}

// desk is where a process does at once what remote calls ask for. It reads pages as
// "curlew fetch" does, and keeps nothing.
type desk struct {
	i        *setup.Installation
	teachers onboard.Teachers // nil where no model is configured
}

func openDesk(i *setup.Installation) (*desk, error) {
	i.OpenWay()
	teachers, err := i.Teachers()
	return &desk{i: i, teachers: teachers}, err
}

// Open opens the desk for an org.
func (d *desk) Open(who grpc.Caller) grpc.Backend {
	return &errand{desk: d, org: who.Org, seen: map[string]*fetch.Capture{}}
}

// errand is one remote call of an org.
type errand struct {
	*desk
	org curlew.OrgID

	mu   sync.Mutex
	seen map[string]*fetch.Capture // pages are asked for once
}

// teacher is the model that an org may ask about a source; nil where there is none.
func (e *errand) teacher(source curlew.SourceID) onboard.Teacher {
	if e.teachers == nil {
		return nil
	}
	return e.teachers(e.org, source)
}

// ask asks for a page once it is its turn, which is at most as far away as the call may
// take, and counts it against the budget of the org.
func (e *errand) ask(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	request.Org, request.Budgets = e.org, []curlew.DayBudget{{Most: int64(e.i.Config.Fetch.PerOrgDay)}}
	if e.i.Delay != nil {
		request.Delay = (*time.Duration)(e.i.Delay)
	}
	for {
		result, err := e.i.Reading.Reader.Fetcher.Fetch(ctx, request)
		var busy *fetch.BusyError
		if !errors.As(err, &busy) {
			return result, err
		}
		if end, ok := ctx.Deadline(); !ok || time.Until(end) < busy.Wait {
			return nil, busy.Fault()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(busy.Wait):
		}
	}
}

// Fetch asks for a page on its own.
func (e *errand) Fetch(ctx context.Context, address string, render bool) (*fetch.Capture, error) {
	request := fetch.PageRequest{URL: address}
	if render {
		request.Adapter = curlew.AdapterBrowser
		if e.i.Reading.Browser == nil {
			return nil, curlew.Permanent("no_browser", "this installation has no browser: leave out render, or set fetch.browser")
		}
	}
	return e.ask(ctx, request)
}

// online is the web as an errand sees it.
type online struct{ *errand }

// Fetch asks for a page, once.
func (o online) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	key := r.Method + " " + r.URL + " " + string(r.Body) + " " + string(r.Adapter)
	o.mu.Lock()
	known := o.seen[key]
	o.mu.Unlock()
	if known != nil {
		return known, nil
	}
	result, err := o.ask(ctx, r)
	if err == nil {
		o.mu.Lock()
		o.seen[key] = result
		o.mu.Unlock()
	}
	return result, err
}

// Robots tells what a site allows.
func (o online) Robots(ctx context.Context, target *url.URL, fresh bool) (robots.SiteRules, error) {
	return o.i.Reading.Reader.Fetcher.Robots(ctx, target, fresh)
}

// sheet is a web of the one page that somebody sent.
type sheet struct {
	page grpc.Page
	at   time.Time
}

// Fetch gives the page.
func (s sheet) Fetch(_ context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	if r.URL != s.page.URL || r.Method != "" && r.Method != http.MethodGet {
		return nil, curlew.Refused("not_asked", "only the page that was sent is read: give its address instead of its text")
	}
	page := curlew.Page{URL: r.URL, FinalURL: r.URL, Status: http.StatusOK, Outcome: curlew.OutcomeFetched, Adapter: curlew.AdapterDirect,
		ContentType: "text/html", Charset: "utf-8", Bytes: int64(len(s.page.HTML)), Complete: true, FetchedAt: s.at}
	return &fetch.Capture{Page: page, Body: []byte(s.page.HTML)}, nil
}

// Robots allows everything: nobody is asked.
func (s sheet) Robots(context.Context, *url.URL, bool) (robots.SiteRules, error) {
	return robots.FromStatus(http.StatusNotFound, nil), nil
}

// web is where a page is to be had.
func (e *errand) web(p grpc.Page) pages.PageSource {
	if p.HTML != "" {
		return sheet{page: p, at: e.i.Now()}
	}
	return online{e}
}

// material asks for a page and takes nothing but a complete one.
func (e *errand) material(ctx context.Context, web pages.PageSource, ask extract.RequestSpec) (extract.Material, error) {
	request := fetch.PageRequest{URL: ask.URL, Method: ask.Method, Body: ask.Body}
	if len(ask.Body) > 0 {
		request.ContentType = "application/json"
	}
	result, err := web.Fetch(ctx, request)
	if err != nil {
		return extract.Material{}, err
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		return extract.Material{}, curlew.Permanent("not_fetched", "%s was not fetched: %s", ask.URL, result.Page.OutcomeWords())
	}
	return pages.MaterialOf(result, e.i.Now()), nil
}

// kept is a blueprint that a caller gave, or one of the org by its id.
func (e *errand) kept(ctx context.Context, r grpc.Rules) (*blueprint.Blueprint, curlew.Blueprint, error) {
	if r.ID == "" {
		return r.Blueprint, curlew.Blueprint{}, nil
	}
	row, err := e.i.Store.Org(e.org).Blueprints().Get(ctx, r.ID)
	if err != nil {
		return nil, row, err
	}
	b, err := blueprint.Parse(row.Rules)
	return b, row, err
}
