package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// figure is what one page took, in milliseconds.
type figure struct {
	KB      int     `json:"kb"`
	Extract float64 `json:"extract"`
	Onboard float64 `json:"onboard"`
	Verdict string  `json:"verdict"`
}

func (f figure) ratio() float64 { return f.Onboard / f.Extract }

// collect measures page by page.
func collect(ctx context.Context, s sizes, p measure.Progress) (*table, error) {
	all, err := realPages(ctx, s.pages)
	if err != nil {
		return nil, err
	}
	t := &table{}
	for i, page := range all {
		f, err := page.race(ctx, s.tries)
		if err != nil {
			return nil, err
		}
		p.Say("page %d of %d, %d KB: extracted in %.0f ms, %s after %.0f ms, %.1f × extracting", i+1, len(all), f.KB, f.Extract, f.Verdict, f.Onboard, f.ratio())
		t.Figures = append(t.Figures, f)
	}
	return t, nil
}

// race takes extracting and onboarding in turns, and keeps the fastest of each.
func (p page) race(ctx context.Context, tries int) (figure, error) {
	address, port, end, err := p.serve()
	if err != nil {
		return figure{}, err
	}
	defer end()
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: []uint16{port}})
	defer client.Close()
	web := hurried{fetch.New(fetch.Options{Client: client, Hosts: &fetch.Alone{}, Version: "1", MayHurry: func(string) bool { return true }})}
	f := figure{KB: len(p.body) / 1000, Extract: math.Inf(1), Onboard: math.Inf(1)}
	for range tries {
		err = clock(&f.Extract, func() error { return extractAt(ctx, web, address) })
		if err != nil {
			return f, err
		}
		err = clock(&f.Onboard, func() error { f.Verdict = onboardAt(ctx, web, address); return nil })
		if err != nil {
			return f, err
		}
	}
	return f, ctx.Err()
}

func clock(least *float64, do func() error) error {
	began := time.Now()
	err := do()
	*least = min(*least, float64(time.Since(began).Microseconds())/1000)
	return err
}

// extractAt does what "curlew extract" does with an address.
func extractAt(ctx context.Context, web pages.PageSource, address string) error {
	target, err := url.Parse(address)
	if err != nil {
		return err
	}
	if _, err := web.Robots(ctx, target, false); err != nil {
		return err
	}
	result, err := web.Fetch(ctx, fetch.PageRequest{URL: address})
	if err != nil {
		return err
	}
	extract.Extract(ctx, pages.MaterialOf(result, time.Now()), extract.ExtractOptions{})
	return nil
}

// onboardAt does what an onboarding does until its verdict, and tells it.
func onboardAt(ctx context.Context, web pages.PageSource, address string) string {
	ctx = pages.WithCache(ctx)
	o := onboard.Onboarding{Proposing: onboard.Proposing{Web: web, Now: time.Now}}
	offer, err := o.Preview(ctx, address, onboard.ReadInstructions(""), true)
	if err == nil {
		_, err = offer.Choices()
	}
	if err != nil {
		return "rejected"
	}
	return string(offer.Verdict)
}

// hurried asks our own sites without a pause.
type hurried struct{ *fetch.Fetcher }

func (h hurried) Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	none := time.Duration(0)
	request.Delay = &none
	return h.Fetcher.Fetch(ctx, request)
}

// serve gives the page at its own path of a site of its own.
func (p page) serve() (address string, port uint16, end func(), err error) {
	from, err := url.Parse(p.address)
	if err != nil {
		return "", 0, nil, err
	}
	site := httptest.NewUnstartedServer(nil)
	here := site.Listener.Addr().String()
	body := bytes.ReplaceAll(p.body, []byte(from.Scheme+"://"+from.Host), []byte("http://"+here))
	path := cmp.Or(from.EscapedPath(), "/")
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != path || r.URL.RawQuery != from.RawQuery {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(body)
	})
	site.Start()
	from.Scheme, from.Host, from.Path = "http", here, cmp.Or(from.Path, "/")
	at, err := strconv.ParseUint(from.Port(), 10, 16)
	if err != nil {
		return "", 0, nil, fmt.Errorf("the port of a site: %w", err)
	}
	return from.String(), uint16(at), site.Close, nil
}
