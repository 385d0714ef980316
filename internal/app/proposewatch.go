package app

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// ProposeWatch finds a way to watch a page, or tries a blueprint on it. Nothing is kept.
type ProposeWatch struct {
	URL      string            `json:"url" min:"1" maxlen:"2000"`
	Schema   curlew.SchemaName `json:"schema,omitempty" maxlen:"100"`  // "" finds out
	Region   string            `json:"region,omitempty" maxlen:"1000"` // of the kind page: the CSS selector of the part that is read
	Rules    json.RawMessage   `json:"blueprint,omitempty"`            // read the page by this one
	Timezone *string           `json:"timezone,omitempty" maxlen:"60"`
	Delay    *curlew.Duration  `json:"delay,omitempty"` // between requests
	Again    bool              `json:"-"`               // although the page is watched already

	Step func(url string) `json:"-"` // told before each request; may be nil
}

// Check says what is wrong with the command.
func (c ProposeWatch) Check() curlew.Problems {
	all := bounds(c)
	if c.URL != "" {
		all.Add("url", curlew.AddressProblem(c.URL))
	}
	checkSchema(&all, c.Schema)
	checkRegion(&all, string(c.Schema), c.Region)
	if c.Rules != nil {
		checkRules(&all, "blueprint", c.Rules)
	}
	if c.Timezone != nil {
		all.Add("timezone", ZoneProblem(*c.Timezone))
	}
	all.Add("delay", DelayProblem(c.Delay))
	return all
}

// WatchProposal is a way to watch a page, and what it reads there.
type WatchProposal struct {
	URL        string            `json:"url"`
	Site       string            `json:"site,omitempty"`  // as it calls itself
	Title      string            `json:"title,omitempty"` // as it calls the page
	Schema     curlew.SchemaName `json:"schema"`
	Tier       curlew.Tier       `json:"tier"`
	Records    int               `json:"records"`
	Pagination string            `json:"pagination,omitempty"`
	Follows    []string          `json:"follows,omitempty"` // fields that lead to detail pages
	Sample     []curlew.Values   `json:"sample"`
	Others     []curlew.Tier     `json:"other_ways,omitempty"`
	Sure       float64           `json:"score"`              // how likely this is what the page is about, from 0 to 1
	Readings   []onboard.Finding `json:"readings,omitempty"` // what else the page can be read as, where a person is to choose

	Choose    string               `json:"-"` // why a person is to choose; "" where it may be watched
	Blueprint *blueprint.Blueprint `json:"-"`
	Icon      *curlew.Picture      `json:"-"` // of the site
}

// Learned is the proposal's blueprint as AddWatch takes it. What a candidate would wait with
// for a person is not watched.
func (p WatchProposal) Learned() (*curlew.Blueprint, error) {
	if p.Choose != "" {
		return nil, curlew.Permanent(curlew.ErrNotFeasible, "%s; it can be read as %s. Nothing is watched: add it as a candidate "+
			"(curlew add) and choose", p.Choose, p.likely())
	}
	rules, err := blueprint.Marshal(p.Blueprint)
	if err != nil {
		return nil, err
	}
	return &curlew.Blueprint{Schema: p.Schema, PageType: p.Blueprint.Page, Tier: p.Tier, Rules: rules, TestURL: p.URL}, nil
}

// likely is what the page can be read as, with how likely each is.
func (p WatchProposal) likely() string {
	words := []string{}
	for _, f := range append([]onboard.Finding{{Kind: p.Schema, Sure: p.Sure, Count: p.Records}}, p.Readings...) {
		words = append(words, f.String())
	}
	return strings.Join(words, ", ")
}

// ProposeWatch finds a way to watch a page.
func (a *App) ProposeWatch(ctx context.Context, who auth.Identity, c ProposeWatch) (WatchProposal, error) {
	if err := (verb{"proposeWatch", auth.EditWatches}).may(who, c); err != nil {
		return WatchProposal{}, err
	}
	address, err := urls.Canonical(c.URL, "")
	if err != nil {
		return WatchProposal{}, err
	}
	c.URL = address
	if !c.Again { // before the site is asked for anything
		if err := watch.WatchedAlready(ctx, a.i.Store.Org(who.Org), c.place(), ""); err != nil {
			return WatchProposal{}, err
		}
	}
	if c.Step == nil {
		c.Step = func(string) {}
	}
	web := setup.PacedWeb{Fetcher: a.i.Reading.Reader.Fetcher, Delay: (*time.Duration)(c.Delay)}
	if c.Rules != nil {
		return a.tryRules(ctx, who, web, c)
	}
	if _, err := a.kindNamed(ctx, who.Org, c.Schema); err != nil {
		return WatchProposal{}, err
	}
	candidate, err := ProposeCandidate{URL: c.URL, Kind: string(c.Schema), Region: c.Region}.candidate(who.Org)
	if err != nil {
		return WatchProposal{}, err
	}
	o := a.i.Onboard
	o.Web, o.Asks = web, c.Step
	zone := ""
	set(&zone, c.Timezone)
	offer, err := o.Preview(ctx, candidate, zone)
	if err != nil {
		return WatchProposal{}, err
	}
	p := offer.Best.Proposal
	out := proposalOf(p.URL, p.Blueprint, p.Sample)
	out.Schema, out.Tier, out.Records, out.Sure = p.Schema, p.Tier, p.Records, p.Sure
	if offer.Verdict == quality.VerdictReview {
		out.Choose, out.Readings = offer.Why, offer.Found()[1:]
	}
	out.Site, out.Title = p.Names()
	out.Icon = p.Icon(ctx)
	for _, other := range p.Others {
		out.Others = append(out.Others, other.Tier)
	}
	return out, nil
}

// place is what is to be watched.
func (c ProposeWatch) place() watch.Place {
	b := curlew.Blueprint{Schema: c.Schema, Rules: c.Rules}
	switch rules, err := blueprint.Parse(c.Rules); {
	case c.Rules != nil && err == nil:
		b.Schema = rules.Schema
	case c.Region != "":
		return watch.Place{URL: c.URL, Kind: curlew.SchemaPage, Region: c.Region}
	}
	return watch.PlaceOf(curlew.Watch{URL: c.URL}, b)
}

// tryRules reads the page by a blueprint that somebody wrote or learned.
func (a *App) tryRules(ctx context.Context, who auth.Identity, web setup.PacedWeb, c ProposeWatch) (none WatchProposal, err error) {
	o, err := a.readingAs(ctx, who, c)
	if err != nil {
		return none, err
	}
	b, err := blueprint.Parse(c.Rules)
	if err != nil {
		return none, curlew.Wrong("blueprint", err)
	}
	if c.Schema != "" && c.Schema != b.Schema {
		return none, otherSchema(b)
	}
	compiled, err := extract.Compile(b)
	if err != nil {
		return none, curlew.Wrong("blueprint", err)
	}
	first := compiled.First(c.URL)
	c.Step(first.URL)
	request := fetch.PageRequest{URL: first.URL, Method: first.Method, Body: first.Body}
	if len(first.Body) > 0 {
		request.ContentType = "application/json"
	}
	result, err := web.Fetch(ctx, request)
	if err != nil {
		return none, err
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		return none, curlew.Permanent("not_fetched", "%s was not fetched: %s", first.URL, result.Page.OutcomeWords())
	}
	applied := compiled.Apply(ctx, pages.MaterialOf(result, a.i.Now()), o.Applying())
	if applied.Fault != nil {
		return none, applied.Fault
	}
	if len(applied.Readings) == 0 || !applied.Whole() {
		why := "it finds no records there"
		if len(applied.Fit.Reasons) > 0 {
			why = applied.Fit.Reasons[0]
		}
		return none, curlew.Permanent(watch.ErrUnfit, "the blueprint does not fit %s: %s", c.URL, why)
	}
	if b.Expect == nil {
		b.Expect = compiled.Expect(applied.Readings)
	}
	return proposalOf(c.URL, b, applied.Readings), nil
}

// readingAs are the options by which rules are applied.
func (a *App) readingAs(ctx context.Context, who auth.Identity, c ProposeWatch) (extract.ExtractOptions, error) {
	kind, err := a.kindNamed(ctx, who.Org, c.Schema)
	if err != nil {
		return extract.ExtractOptions{}, err
	}
	o, err := pages.Options(ctx, a.i.Store.Org(who.Org), kind)
	if c.Timezone != nil {
		o.Zone = zoneOf(*c.Timezone)
	}
	return o, err
}

// proposalOf is a way to watch a page by a blueprint that gives these records.
func proposalOf(address string, b *blueprint.Blueprint, records []extract.ReadRecord) WatchProposal {
	p := WatchProposal{URL: address, Schema: b.Schema, Tier: b.Tier, Records: len(records), Sure: 1, Blueprint: b}
	for _, r := range records[:min(3, len(records))] {
		p.Sample = append(p.Sample, r.Record.Fields)
	}
	if b.Pagination != nil {
		p.Pagination = b.Pagination.Kind
	}
	for _, f := range b.Follow {
		p.Follows = append(p.Follows, f.Field)
	}
	return p
}
