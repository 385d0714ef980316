package onboard

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/recognise"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// Inspection looks at a site before anything is read from it.
type Inspection struct {
	Web     pages.PageSource
	Now     time.Time
	Options extract.ExtractOptions
	Step    func(what string) // summaryOf before each request; nil for nobody
}

// scriptBytes bounds a script that is searched for addresses.
const scriptBytes = 2 << 20

// Inspected is a page with everything that was read of it.
type Inspected struct {
	Report   feasibility.Report
	Home     extract.Material
	Readings []extract.Reading // of the page, the best first

	input   feasibility.Input
	shown   *learning // nil where nobody learns yet
	instead string    // why another page was read than the instructions name
}

// address is that of the page.
func (i Inspected) address() string { return cmp.Or(i.Report.URL, i.input.URL) }

// Inspect reads the page and probes what it names. A page that may not or cannot be read
// is a report too.
func (i Inspection) Inspect(ctx context.Context, address string) (Inspected, error) {
	found, err := i.Read(ctx, address)
	if err != nil {
		return Inspected{}, err
	}
	return i.Probe(ctx, found), nil
}

// Read fetches the page and lets every reader read it. Nothing is reported yet, unless
// there is nothing to read.
func (i Inspection) Read(ctx context.Context, address string) (Inspected, error) {
	in := feasibility.Input{URL: address, Now: i.Now, Schema: i.Options.Schema}
	target, err := url.Parse(address)
	if err != nil || target.Host == "" {
		return Inspected{}, curlew.Permanent("wrong_url", "%q is not an address: it must begin with http:// or https://", address)
	}
	i.step("robots.txt")
	policy, err := i.Web.Robots(ctx, target, false)
	if err != nil {
		return Inspected{}, err
	}
	if policy.Check(fetch.Token, address) != nil { // what is remembered of it may be a day old
		if policy, err = i.Web.Robots(ctx, target, true); err != nil {
			return Inspected{}, err
		}
	}
	in.Robots = robotsOf(policy, address)
	if fault := curlew.AsFault(policy.Check(fetch.Token, address)); fault != nil {
		if fault.Kind == curlew.KindTemporary { // robots.txt could not be had: it forbids nothing yet
			return Inspected{}, fault
		}
		in.Fault = fault.Sentence
		return Inspected{Report: feasibility.Assess(ctx, in)}, nil
	}
	i.step(address)
	result, err := i.Web.Fetch(ctx, fetch.PageRequest{URL: address})
	if err != nil {
		return Inspected{}, err
	}
	if passing(result.Page) {
		return Inspected{}, curlew.Temporary("site_failed", "the site could not show %s: %s", address, result.Page.Why)
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		in.Fault = refusal(result.Page)
		return Inspected{Report: feasibility.Assess(ctx, in)}, nil
	}
	home := pages.MaterialOf(result, i.Now).Ready()
	if fault := home.FileFault(); fault != nil {
		in.Fault = "The page could not be read: " + fault.Sentence + "."
		return Inspected{Report: feasibility.Assess(ctx, in)}, nil
	}
	if home = i.firstPart(ctx, home); home.Body == nil {
		in.Fault = "None of the sitemaps that this index lists could be read. Give the address of one of them."
		return Inspected{Report: feasibility.Assess(ctx, in)}, nil
	}
	in.Page = snapshotOf(home, result.Header)
	return i.read(ctx, in, home), nil
}

// mostParts is how many sitemaps of an index are tried.
const mostParts = 5

// firstPart stands for an index of sitemaps when it is judged: the first of them that can be
// read, at the address of the index. Any other page is what it is.
func (i Inspection) firstPart(ctx context.Context, home extract.Material) extract.Material {
	if !home.IsIndex() {
		return home
	}
	todo, seen := home.Parts(), map[string]bool{}
	for len(todo) > 0 && len(seen) < mostParts {
		address := todo[0]
		if todo = todo[1:]; seen[address] {
			continue
		}
		seen[address] = true
		result := i.try(ctx, fetch.PageRequest{URL: address})
		if result == nil {
			continue
		}
		part := pages.MaterialOf(result, i.Now)
		if part.IsPart() {
			part.URL = home.URL
			return part.Ready()
		}
		todo = append(part.Parts(), todo...) // an index in the index
	}
	return extract.Material{}
}

// readAt reads the page that instructions name, or the one that was given where there is
// none.
func (i Inspection) readAt(ctx context.Context, address string, in Instructions) (Inspected, error) {
	at := in.At(address)
	found, err := i.Read(ctx, at)
	if at == address || err == nil && found.Home.Body != nil {
		return found, err
	}
	if err != nil && curlew.AsFault(err).Kind == curlew.KindTemporary {
		return found, err // it may be there the next time
	}
	why := found.Report.Reason
	if err != nil {
		why = curlew.AsFault(err).Sentence
	}
	given, fault := i.Read(ctx, address)
	if fault != nil || given.Home.Body == nil {
		found.Report.Reason = "The instructions name " + at + ". " + found.Report.Reason
		return found, err
	}
	given.instead = InsteadOf(at, why)
	return given, nil
}

// InsteadOf says that not the page which instructions name is read, and why.
func InsteadOf(address, why string) string {
	return fmt.Sprintf("another page is read instead of %s: %s", address, why)
}

// Probe asks the APIs and feeds that a page and its software name, and reports what was
// read.
func (i Inspection) Probe(ctx context.Context, found Inspected) Inspected {
	if found.Home.Body == nil {
		return found
	}
	in := found.input
	i.probes(ctx, &in, found.Home)
	if i.Options.Schema == "" && len(found.Readings) > 0 && found.Readings[0].Schema == curlew.SchemaItem {
		i.details(ctx, &in, found.Readings[0].Records)
	}
	done := i.report(ctx, in, found.Home, found.Readings)
	done.instead = found.instead
	return done
}

// Offline reports on a page that is at hand, and sends no request.
func (i Inspection) Offline(ctx context.Context, m extract.Material) Inspected {
	return i.report(ctx, i.at(m), m, extract.Readings(ctx, m, i.Options))
}

func (i Inspection) at(m extract.Material) feasibility.Input {
	return feasibility.Input{
		URL: m.URL, Now: i.Now, Schema: i.Options.Schema, Robots: feasibility.Robots{Allowed: true}, Page: snapshotOf(m, nil),
	}
}

// read lets every reader read the page.
func (i Inspection) read(ctx context.Context, in feasibility.Input, home extract.Material) Inspected {
	options := i.Options
	options.Step = i.Step
	return Inspected{Home: home, Readings: extract.Readings(ctx, home, options), input: in}
}

func (i Inspection) report(ctx context.Context, in feasibility.Input, home extract.Material, readings []extract.Reading) Inspected {
	in.Browser = home.Adapter == curlew.AdapterBrowser
	for _, r := range readings {
		in.Readings = append(in.Readings, feasibility.TierResult{Tier: r.Tier, Also: r.Also, Schema: r.Schema, Single: r.Single, Sure: r.Score,
			Records: fieldsOf(r.Records)})
	}
	done := Inspected{Home: home, Readings: readings}
	if fault := home.Guarded(guard.Feasibility, func() { done.Report = feasibility.Assess(ctx, in) }); fault != nil {
		in.Fault = fault.Sentence
		done.Report = feasibility.Assess(ctx, in)
	}
	return done
}

// details reads the structured data of some detail pages: where all of them are of one
// kind, they tell what a plain list is of.
func (i Inspection) details(ctx context.Context, in *feasibility.Input, records []extract.ReadRecord) {
	found := feasibility.TierResult{Tier: curlew.TierStructured}
	for _, r := range spread(records, in.URL) {
		result := i.try(ctx, fetch.PageRequest{URL: extract.AddressIn(records[r].Record, "url")})
		if result == nil {
			return
		}
		e := extract.Extract(ctx, pages.MaterialOf(result, i.Now), extract.ExtractOptions{Tier: curlew.TierStructured, Unverified: true})
		if len(e.Readings) != 1 || !e.Readings[0].Main || found.Schema != "" && e.Schema != found.Schema {
			return
		}
		found.Schema, found.Records = e.Schema, append(found.Records, e.Readings[0].Record.Fields)
	}
	in.Answers = append(in.Answers, found)
}

func fieldsOf(records []extract.ReadRecord) []curlew.Values {
	all := make([]curlew.Values, 0, len(records))
	for _, r := range records {
		all = append(all, r.Record.Fields)
	}
	return all
}

// probes asks the APIs and feeds that the page, its scripts or its software name. Where a reader of the page fails, the site is
// judged without them.
func (i Inspection) probes(ctx context.Context, in *feasibility.Input, home extract.Material) {
	var endpoints []feasibility.Endpoint
	var scripts []string
	var probes []feasibility.Probe
	_ = home.Guarded(guard.Feasibility, func() {
		in.Software = append([]feasibility.CMS{}, feasibility.Recognise(in.Page)...) // none is an answer too
		if endpoints = feasibility.Endpoints(ctx, in.Page); len(endpoints) == 0 {
			scripts = feasibility.ScriptsWorthReading(in.Page)
		}
	})
	if len(endpoints) == 0 {
		for _, address := range scripts {
			if result := i.try(ctx, fetch.PageRequest{URL: address}); result != nil {
				in.Scripts = append(in.Scripts, string(result.Body[:min(len(result.Body), scriptBytes)]))
			}
		}
	}
	_ = home.Guarded(guard.Feasibility, func() {
		if len(in.Scripts) > 0 {
			endpoints = feasibility.Endpoints(ctx, in.Page, in.Scripts...)
		}
		probes = feasibility.Probes(in.Page, in.Software, endpoints)
	})
	for _, probe := range probes {
		if !feasibility.Redundant(probe, in.Findings) {
			i.probe(ctx, probe, in)
		}
	}
}

// mostSteps bounds a conversation with an API: a directory, its list, its next page.
const mostSteps = 3

// probe asks one endpoint, and follows its answer. What an open endpoint gives is
// read at once: it shows which records a blueprint would give.
func (i Inspection) probe(ctx context.Context, p feasibility.Probe, in *feasibility.Input) {
	for range mostSteps {
		request := fetch.PageRequest{URL: p.URL, Adapter: curlew.AdapterDirect}
		if p.Method != "" && p.Method != http.MethodGet {
			request.Method, request.Body, request.ContentType = p.Method, []byte(p.Body), "application/json"
		}
		i.step(p.URL)
		result, err := i.Web.Fetch(ctx, request)
		if err != nil {
			return
		}
		var found feasibility.ProbeResult
		answer := pages.MaterialOf(result, i.Now)
		fault := answer.Guarded(guard.Feasibility, func() {
			found = feasibility.Judge(p, feasibility.ProbeAnswer{Status: result.Page.Status, ContentType: result.Page.ContentType,
				Body: text.UTF8(result.Body, result.Page.Charset)})
			if found.State == feasibility.ProbeOpen {
				in.Answers = append(in.Answers, i.answers(ctx, answer, found)...)
			}
		})
		if fault != nil {
			return
		}
		in.Findings = append(in.Findings, found)
		if found.Next == nil || feasibility.Redundant(*found.Next, in.Findings) {
			return
		}
		p = *found.Next
	}
}

// answers reads an open endpoint's answer: by the blueprint that was found for it, or as
// the feed that it is.
func (i Inspection) answers(ctx context.Context, m extract.Material, found feasibility.ProbeResult) []feasibility.TierResult {
	x := &extract.Extractor{ExtractOptions: i.Options, Material: m, Document: m.Document()}
	tiers := x.Tiers(ctx)
	if found.Blueprint != nil {
		tiers = x.Apply([]recognise.Recognition{{Schema: found.Schema, Blueprint: found.Blueprint, Confidence: 1}})
	}
	var all []feasibility.TierResult
	for _, h := range tiers {
		all = append(all, feasibility.TierResult{Tier: curlew.TierAPI, Schema: h.Schema, Records: fieldsOf(x.Read(h))})
	}
	return all
}

// try asks for a page and gives nil for anything but a whole one.
func (i Inspection) try(ctx context.Context, request fetch.PageRequest) *fetch.Capture {
	i.step(request.URL)
	result, err := i.Web.Fetch(ctx, request)
	if err != nil || result.Page.Outcome != curlew.OutcomeFetched {
		return nil
	}
	return result
}

func (i Inspection) step(what string) {
	if i.Step != nil {
		i.Step(what)
	}
}

func snapshotOf(m extract.Material, header http.Header) feasibility.Snapshot {
	document := m.Document()
	return feasibility.Snapshot{Document: document, Graph: structured.Read(document), Header: header, Calls: m.Calls}
}

func robotsOf(p robots.SiteRules, address string) feasibility.Robots {
	verdict := p.Allowed(fetch.Token, address)
	r := feasibility.Robots{Allowed: verdict.Allowed, Rule: verdict.Rule, Sitemaps: p.File.Sitemaps()}
	if delay, ok := p.File.CrawlDelay(fetch.Token); ok {
		r.Delay = delay
	}
	return r
}
