package app

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// remoteCall is one call of a program that waits: it reads pages as "curlew fetch" does, each once, and
// keeps nothing.
type remoteCall struct {
	a    *App
	org  curlew.OrgID
	mu   sync.Mutex
	seen map[string]*fetch.Capture
}

// remoteCommand knows what the audit log says it was about.
type remoteCommand interface {
	command
	about() string
}

func (c FetchPage) about() string         { return c.URL }
func (c GenerateBlueprint) about() string { return c.Page.URL }
func (c TestBlueprint) about() string     { return cmp.Or(string(c.ID), c.Page.URL) }
func (c RepairBlueprint) about() string   { return cmp.Or(string(c.ID), c.Page.URL) }

// reading is the work of a remote call.
type reading[T any] func(ctx context.Context, e *remoteCall) (T, error)

// remote works for a program that waits, and then writes down that it was done. It asks websites, so
// that it works before its transaction.
func remote[T any](ctx context.Context, by caller, name string, c remoteCommand, work reading[T]) (T, error) {
	v := verb{name, auth.EditBlueprints}
	var out T
	err := v.may(by.who, c)
	if err == nil {
		err = guard.Call(ctx, guard.RPC, name+" "+c.about(), func(ctx context.Context) (err error) {
			out, err = work(ctx, &remoteCall{a: by.app, org: by.who.Org, seen: map[string]*fetch.Capture{}})
			return err
		})
	}
	if err != nil {
		return out, err
	}
	return do(ctx, by, v, c, func(_ context.Context, tx *Tx) (T, error) {
		tx.About(text.Clip(c.about(), 300))
		return out, nil
	})
}

// FetchPage asks for a page. Every answer of a server is a result.
type FetchPage struct {
	URL    string `json:"url" min:"1" maxlen:"2000"`
	Render bool   `json:"render,omitempty"` // by a browser
}

// Check says what is wrong with the command.
func (c FetchPage) Check() curlew.Problems {
	all := bounds(c)
	if c.URL != "" {
		all.Add("url", curlew.AddressProblem(c.URL))
	}
	return all
}

// FetchPage asks for a page.
func (a *App) FetchPage(ctx context.Context, who auth.Identity, c FetchPage) (*fetch.Capture, error) {
	return remote(ctx, a.as(who), "fetchHTML", c, func(ctx context.Context, e *remoteCall) (*fetch.Capture, error) {
		request := fetch.PageRequest{URL: c.URL}
		if c.Render {
			request.Adapter = curlew.AdapterBrowser
			if a.i.Reading.Browser == nil {
				return nil, curlew.Permanent("no_browser", "this installation has no browser: leave out render, or set fetch.browser")
			}
		}
		return e.ask(ctx, request)
	})
}

// teacher is the model that an org may ask about a source; nil where there is none.
func (e *remoteCall) teacher(source curlew.SourceID) (onboard.Teacher, error) {
	teachers, err := e.a.teachers()
	if err != nil || teachers == nil {
		return nil, err
	}
	return teachers(e.org, source), nil
}

// ask asks for a page once it is its turn, which is at most as far away as the call may
// take, and counts it against the budget of the org.
func (e *remoteCall) ask(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	request.Org, request.Budgets = e.org, []curlew.DayBudget{{Most: int64(e.a.i.Config.Fetch.PerOrgDay)}}
	if e.a.i.Delay != nil {
		request.Delay = (*time.Duration)(e.a.i.Delay)
	}
	for {
		result, err := e.a.i.Reading.Reader.Fetcher.Fetch(ctx, request)
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

// online is the web as a remote call sees it.
type online struct{ *remoteCall }

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
	return o.a.i.Reading.Reader.Fetcher.Robots(ctx, target, fresh)
}

// singlePage is a web of the one page that somebody sent.
type singlePage struct {
	page PageInput
	at   time.Time
}

// Fetch gives the page.
func (s singlePage) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	if r.URL != s.page.URL || r.Method != "" && r.Method != http.MethodGet {
		return nil, curlew.Refused("not_asked", "only the page that was sent is read: give its address instead of its text")
	}
	guard.Takes(ctx, r.URL)
	page := curlew.Page{URL: r.URL, FinalURL: r.URL, Status: http.StatusOK, Outcome: curlew.OutcomeFetched, Adapter: curlew.AdapterDirect,
		ContentType: "text/html", Charset: "utf-8", Bytes: int64(len(s.page.HTML)), Complete: true, FetchedAt: s.at}
	return &fetch.Capture{Page: page, Body: []byte(s.page.HTML)}, nil
}

// Robots allows everything: nobody is asked.
func (s singlePage) Robots(context.Context, *url.URL, bool) (robots.SiteRules, error) {
	return robots.FromStatus(http.StatusNotFound, nil), nil
}

// web is where a page is to be had.
func (e *remoteCall) web(p PageInput) pages.PageSource {
	if p.HTML != "" {
		return singlePage{page: p, at: e.a.i.Now()}
	}
	return online{e}
}

// material asks for a page and takes nothing but a complete one.
func (e *remoteCall) material(ctx context.Context, web pages.PageSource, ask extract.RequestSpec) (extract.Material, error) {
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
	return pages.MaterialOf(result, e.a.i.Now()), nil
}

// first asks for the page that a blueprint begins with.
func (e *remoteCall) first(ctx context.Context, web pages.PageSource, compiled *extract.Compiled, p PageInput) (extract.Material, error) {
	if p.HTML != "" {
		return e.material(ctx, web, extract.RequestSpec{URL: p.URL})
	}
	return e.material(ctx, web, compiled.First(p.URL))
}

// kept is a blueprint that a caller gave, or one of the org by its id.
func (e *remoteCall) kept(ctx context.Context, r RulesInput) (*blueprint.Blueprint, curlew.Blueprint, error) {
	if r.ID == "" {
		b, err := blueprint.Parse(r.Rules)
		return b, curlew.Blueprint{}, err
	}
	row, err := e.a.i.Store.Org(e.org).Blueprints().Get(ctx, r.ID)
	if err != nil {
		return nil, row, err
	}
	b, err := blueprint.Parse(row.Rules)
	return b, row, err
}
