package onboard

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/extract"
	"curlew/internal/learn/feasibility"
	"curlew/internal/read/recognise"
	"curlew/internal/read/structured"
	"curlew/internal/text"
	"curlew/internal/web/fetch"
	"curlew/internal/web/robots"
	"curlew/internal/work/pages"
)

// Inspection looks at a site before anything is read from it.
type Inspection struct {
	Web     pages.PageSource
	Now     time.Time
	Options extract.ExtractOptions
	Step    func(what string) // told before each request; nil for nobody
}

// scriptBytes bounds a script that is searched for addresses.
const scriptBytes = 2 << 20

// Inspect asks for the page, for two or three that it links to and for the doors
// that its software may have, and judges whether the site can be read. A page that
// may not or cannot be read is a report too.
func (i Inspection) Inspect(ctx context.Context, address string) (feasibility.Report, error) {
	in := feasibility.Input{URL: address, Now: i.Now, Schema: i.Options.Schema}
	target, err := url.Parse(address)
	if err != nil || target.Host == "" {
		return feasibility.Report{}, curlew.Permanent("wrong_url", "%q is not an address: it must begin with http:// or https://", address)
	}
	i.step("robots.txt")
	policy, err := i.Web.Robots(ctx, target, false)
	if err != nil {
		return feasibility.Report{}, err
	}
	in.Robots = robotsOf(policy, address)
	if err := policy.Check(fetch.Token, address); err != nil {
		in.Fault = curlew.AsFault(err).Sentence
		return feasibility.Assess(in), nil
	}
	i.step(address)
	result, err := i.Web.Fetch(ctx, fetch.PageRequest{URL: address})
	if err != nil {
		return feasibility.Report{}, err
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		in.Fault = "The page could not be read: " + outcome(result.Page) + "."
		return feasibility.Assess(in), nil
	}
	home := pages.MaterialOf(result, i.Now)
	in.Browser = result.Page.Adapter == curlew.AdapterBrowser
	in.Pages = []feasibility.Snapshot{pageOf(home, result.Header)}
	i.look(ctx, &in)
	return i.assess(in, home), nil
}

// Around judges a page that is at hand as Inspect does: with what it links to and the
// doors that its software may have. What cannot be had in time is left out.
func (i Inspection) Around(ctx context.Context, m extract.Material) feasibility.Report {
	in := feasibility.Input{URL: m.URL, Now: i.Now, Schema: i.Options.Schema, Robots: feasibility.Robots{Allowed: true},
		Pages: []feasibility.Snapshot{pageOf(m, nil)}, Browser: m.Adapter == curlew.AdapterBrowser}
	i.look(ctx, &in)
	return i.assess(in, m)
}

// Offline judges a page that is at hand, and asks nobody.
func (i Inspection) Offline(m extract.Material) feasibility.Report {
	in := feasibility.Input{URL: m.URL, Now: i.Now, Schema: i.Options.Schema, Robots: feasibility.Robots{Allowed: true},
		Pages: []feasibility.Snapshot{pageOf(m, nil)}}
	if m.Adapter == curlew.AdapterBrowser {
		in.Browser = true
	}
	return i.assess(in, m)
}

// look follows the links, scripts and doors that promise most. None of them is
// needed: what cannot be had is left out. Where a page had to be drawn and the calls
// that it was seen to make bring what it shows, one more has to be drawn at most.
func (i Inspection) look(ctx context.Context, in *feasibility.Input) {
	links := feasibility.LinksWorthReading(in.Pages[0].Document)
	if !in.Browser {
		i.links(ctx, in, links)
		i.doors(ctx, in)
		return
	}
	i.doors(ctx, in)
	if brought(in) {
		links = links[:min(len(links), 1)]
	}
	i.links(ctx, in, links)
}

// links reads pages that the first one leads to.
func (i Inspection) links(ctx context.Context, in *feasibility.Input, links []string) {
	for _, address := range links {
		if result := i.try(ctx, fetch.PageRequest{URL: address}); result != nil {
			in.Pages = append(in.Pages, pageOf(pages.MaterialOf(result, i.Now), result.Header))
		}
	}
}

// doors asks the APIs and feeds that the page, its scripts or its software speak of.
func (i Inspection) doors(ctx context.Context, in *feasibility.Input) {
	first := in.Pages[0]
	software := feasibility.Recognise(first)
	endpoints := feasibility.Endpoints(first)
	if len(endpoints) == 0 {
		for _, address := range feasibility.ScriptsWorthReading(first) {
			if result := i.try(ctx, fetch.PageRequest{URL: address}); result != nil {
				in.Scripts = append(in.Scripts, string(result.Body[:min(len(result.Body), scriptBytes)]))
			}
		}
		endpoints = feasibility.Endpoints(first, in.Scripts...)
	}
	for _, probe := range feasibility.Probes(first, software, endpoints) {
		if !feasibility.Redundant(probe, in.Findings) {
			i.probe(ctx, probe, in)
		}
	}
}

// leastBrought and leastShown say when an API holds what a page is about: so many
// records, and so many of their names on the page. Fewer letters than leastLetters may
// stand anywhere.
const leastBrought, leastShown, leastLetters = 3, 0.8, 5

// brought says whether an open door gives, for the asking, records that the page shows.
func brought(in *feasibility.Input) bool {
	s := text.Letters(in.Pages[0].Document.VisibleText())
	for _, t := range in.Trials {
		if t.Tier != curlew.TierAPI || len(t.Drafts) < leastBrought || in.Schema != "" && t.Schema != in.Schema {
			continue
		}
		shown := 0
		for _, d := range t.Drafts {
			if name := text.Letters(extract.NameOf(d.Fields)); len(name) >= leastLetters && strings.Contains(s, name) {
				shown++
			}
		}
		if float64(shown) >= leastShown*float64(len(t.Drafts)) {
			return true
		}
	}
	return false
}

// mostSteps bounds a conversation with an API: a directory, its list, its next page.
const mostSteps = 3

// probe asks one door, and on where its answer leads. What an open door gives is
// read at once: it shows what a blueprint would bring.
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
		found := feasibility.Judge(p, feasibility.ProbeAnswer{Status: result.Page.Status, ContentType: result.Page.ContentType,
			Body: text.UTF8(result.Body, result.Page.Charset)})
		in.Findings = append(in.Findings, found)
		if found.State == feasibility.DoorOpen {
			in.Trials = append(in.Trials, i.trials(pages.MaterialOf(result, i.Now), found)...)
		}
		if found.Next == nil || feasibility.Redundant(*found.Next, in.Findings) {
			return
		}
		p = *found.Next
	}
}

// trials reads an open door's answer: by the blueprint that was found for it, or as
// the feed that it is.
func (i Inspection) trials(m extract.Material, found feasibility.ProbeResult) []feasibility.TierResult {
	x := &extract.Extractor{ExtractOptions: i.Options, Material: m, Document: m.Document()}
	hauls := x.Tiers()
	if found.Blueprint != nil {
		hauls = x.Apply([]recognise.Recognition{{Schema: found.Schema, Blueprint: found.Blueprint, Confidence: 1}})
	}
	var all []feasibility.TierResult
	for _, h := range hauls {
		all = append(all, feasibility.TierResult{Tier: curlew.TierAPI, Schema: h.Schema, Drafts: h.Drafts})
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

// assess lets every tier try, and judges. The sample is what a record would look
// like in the end, from the tier that is recommended.
func (i Inspection) assess(in feasibility.Input, home extract.Material) feasibility.Report {
	x := &extract.Extractor{ExtractOptions: i.Options, Material: home, Document: in.Pages[0].Document, Items: in.Pages[0].Graph}
	for _, h := range x.Tiers() {
		if h.Tier != curlew.TierHTML { // what is merely seen is judged by its structure
			in.Trials = append(in.Trials, feasibility.TierResult{Tier: h.Tier, Schema: h.Schema, Drafts: h.Drafts})
		}
	}
	report := feasibility.Assess(in)
	report.Sample = nil
	if report.Strategy == curlew.TierHTML {
		x.Schema, x.Asserted = report.Schema, true
		if seen := extract.Choose(x.FromSight(nil), report.Schema); seen != nil {
			in.Trials = append(in.Trials, feasibility.TierResult{Tier: seen.Tier, Schema: seen.Schema, Drafts: seen.Drafts})
		}
	}
	in.Trials = append(in.Trials, i.details(in, report))
	for _, t := range in.Trials {
		if t.Schema != report.Schema || t.Tier != report.Strategy || len(t.Drafts) <= len(report.Sample) {
			continue
		}
		report.Sample = nil
		for _, r := range x.Read(extract.TierDrafts{Schema: t.Schema, Tier: t.Tier, Drafts: t.Drafts[:min(mostSamples, len(t.Drafts))], Main: -1}) {
			report.Sample = append(report.Sample, r.Record.Fields)
		}
	}
	return report
}

// details is what the pages that the list leads to say of themselves.
func (i Inspection) details(in feasibility.Input, report feasibility.Report) feasibility.TierResult {
	t := feasibility.TierResult{Tier: report.Strategy, Schema: report.Schema}
	for _, p := range in.Pages[1:] {
		o := i.Options
		o.Schema = report.Schema
		x := &extract.Extractor{ExtractOptions: o, Material: extract.Material{URL: p.Document.URL().String(), Now: i.Now}, Document: p.Document, Items: p.Graph}
		for _, h := range append(x.FromItems(), x.FromState()...) {
			if h.Tier == t.Tier && h.Main >= 0 {
				t.Drafts = append(t.Drafts, x.WithPageAddress(h.Drafts[h.Main]))
			}
		}
	}
	return t
}

// mostSamples is how many records the report shows.
const mostSamples = 3

func pageOf(m extract.Material, header http.Header) feasibility.Snapshot {
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

func outcome(p curlew.Page) string {
	word := string(p.Outcome)
	if p.Block != "" {
		word += " (" + string(p.Block) + ")"
	}
	if p.Why != "" {
		word += ", " + p.Why
	}
	return word
}
