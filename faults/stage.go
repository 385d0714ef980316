package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// stage is a sample web of which two sites are watched: a shop with a list and own
// pages, and a calendar of several pages. Its days pass when the campaign says so.
type stage struct {
	web     *demo.Web
	watched []proposed
	close   func()
	unread  map[string]int // changes that even an undisturbed run cannot tell from these pages
}

// proposed is a site and how to watch it, found out once.
type proposed struct {
	site  demo.Site
	way   onboard.Proposal
	rules json.RawMessage
}

// newStage opens a sample web and finds out how to watch its sites. The store is only
// for the pace of its hosts.
func newStage(ctx context.Context, hosts *store.Store, names ...string) (*stage, error) {
	s, err := openStage(ctx)
	if err != nil {
		return nil, err
	}
	var ports []uint16
	for _, site := range s.web.Sites() {
		ports = append(ports, portOf(site.Base))
	}
	client := egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: ports})
	defer client.Close()
	web := hurried{fetch.New(fetch.Options{Client: client, Hosts: hosts, Version: "faults", MayHurry: func(string) bool { return true }})}
	for _, name := range names {
		p, err := s.propose(ctx, web, name)
		if err != nil {
			s.close()
			return nil, fmt.Errorf("how to watch %s: %w", name, err)
		}
		s.watched = append(s.watched, p)
	}
	return s, nil
}

func openStage(ctx context.Context) (*stage, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &stage{web: demo.New(demo.Options{Today: time.Now()})}
	s.close = func() { cancel(); s.web.Wait() }
	if err := s.web.Start(ctx, demo.Addresses{}); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// another opens the same sample web on other ports, to be watched in the same way.
func (s *stage) another(ctx context.Context) (*stage, error) {
	copied, err := openStage(ctx)
	if err != nil {
		return nil, err
	}
	copied.unread = s.unread
	for _, p := range s.watched {
		here := p.site.Base
		if p.site, err = copied.web.Site(p.site.Name); err != nil {
			copied.close()
			return nil, err
		}
		p.way.URL = strings.ReplaceAll(p.way.URL, here, p.site.Base)
		p.rules = json.RawMessage(strings.ReplaceAll(string(p.rules), here, p.site.Base))
		copied.watched = append(copied.watched, p)
	}
	return copied, nil
}

func (s *stage) propose(ctx context.Context, web pages.PageSource, name string) (p proposed, err error) {
	if p.site, err = s.web.Site(name); err != nil {
		return p, err
	}
	if p.way, err = (onboard.Proposing{Web: web, Now: time.Now}).Propose(ctx, p.site.URL()); err != nil {
		return p, err
	}
	p.rules, err = blueprint.Marshal(p.way.Blueprint)
	return p, err
}

// hurried asks the sample web without waiting.
type hurried struct{ *fetch.Fetcher }

// Fetch asks at once.
func (h hurried) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	r.Delay = new(time.Duration)
	return h.Fetcher.Fetch(ctx, r)
}

func portOf(address string) uint16 {
	u, err := url.Parse(address)
	if err != nil {
		return 0
	}
	var port uint16
	_, _ = fmt.Sscan(u.Port(), &port)
	return port
}

// ports are those of the watched sites and of the sinks, as the setting wants them.
func (s *stage) ports(sinks []*sink) string {
	var all []string
	for _, p := range s.watched {
		all = append(all, fmt.Sprint(portOf(p.site.Base)))
	}
	for _, k := range sinks {
		all = append(all, k.port())
	}
	return strings.Join(all, ",")
}

// watch begins to watch the sites in an installation. Detail pages are read at every
// visit, since the clock of the processes does not pass with the days of the web.
func (s *stage) watch(ctx context.Context, t *target) (watches []curlew.WatchID, err error) {
	none := curlew.Duration(0)
	settings := curlew.WatchSettings{Delay: &none, DetailsEvery: 1}
	err = t.store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
		watches = nil
		for _, p := range s.watched {
			source, err := w.Sources().Add(ctx, curlew.Source{Name: p.site.Title, BaseURL: p.site.Base, Trust: curlew.TrustProbation})
			if err != nil {
				return err
			}
			b, err := w.Blueprints().Add(ctx, curlew.Blueprint{Source: source.ID, Schema: p.way.Schema, PageType: p.way.Blueprint.Page,
				Tier:  p.way.Tier,
				Rules: p.rules, TestURL: p.way.URL})
			if err != nil {
				return err
			}
			watch, err := w.Watches().Add(ctx, curlew.Watch{Source: source.ID, Blueprint: b.ID, URL: p.way.URL, Name: p.site.Name,
				Schedule: "@yearly",
				Status:   curlew.WatchActive, Settings: settings})
			if err != nil {
				return err
			}
			watches = append(watches, watch.ID)
		}
		return nil
	})
	return watches, err
}
