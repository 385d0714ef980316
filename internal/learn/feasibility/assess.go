package feasibility

import (
	"fmt"
	"slices"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/text/dates"
)

// view is what Assess has gathered.
type view struct {
	in      Input
	report  *Report
	formats []DataFormat  // of all pages
	home    []DataFormat  // of the first page
	regions []ListSummary // of the first page
	schema  curlew.SchemaName
	traits  traits
	details traits // of the pages that the records lead to
	dates   []string
	trap    string // why the site is one, or ""
	browser bool
	prose   bool
}

// Assess judges whether a site is worth reading regularly, and how. The weights are
// those of the specification; decision 0011 tells what was added and why.
func Assess(in Input) Report {
	r := Report{URL: in.URL, AnalyzedAt: in.Now.UTC(), Robots: in.Robots, Probes: in.Findings, Pagination: DetectedPagination{Kind: PagesNone}}
	v := &view{in: in, report: &r}
	if len(in.Pages) == 0 || in.Fault != "" {
		return v.unread()
	}
	first := in.Pages[0]
	r.Language, _ = first.Document.Language()
	r.CMS = Recognise(first)
	r.Endpoints = Endpoints(first, in.Scripts...)
	r.Pagination = ReadPagination(first.Document)
	v.look()
	v.chooseSchema()
	v.describe()
	v.score()
	v.forecast()
	v.risks()
	v.decide()
	r.Outreach = Outreach(in.URL, r.Schema, r.CMS, in.Findings)
	return r
}

// unread is the report on a page that could not be read.
func (v *view) unread() Report {
	r := v.report
	r.Verdict, r.Reason = Reject, v.in.Fault
	if r.Reason == "" {
		r.Reason = "The page could not be read."
	}
	if !v.in.Robots.Allowed && v.in.Robots.Rule != "" {
		r.Reason = "The site's robots.txt does not allow reading this address (" + clean(v.in.Robots.Rule, 80) + ")."
	}
	r.Recommendation = "Reject"
	return *r
}

// look reads the formats of all pages and decides whether a script draws them.
func (v *view) look() {
	when := dates.Options{Now: v.in.Now, Lang: v.report.Language}
	for i, p := range v.in.Pages {
		regions := regionsOf(p.Document, when)
		found := formatsOf(p, regions, when)
		if i == 0 {
			v.home, v.regions = found, regions
		}
		for _, f := range found {
			v.merge(f)
		}
	}
	v.readDetails(when)
	_, shell := find(v.home, "script_only")
	v.browser = v.in.Browser || shell
	v.report.Rendering = RenderingNeed{Browser: v.browser, Sentence: "Static HTML (no script needed)"}
	if v.browser {
		v.report.Rendering.Sentence = "Needs a browser: the page is empty until its script runs"
	}
	if f, ok := apiFormat(v.in.Findings, v.report.Endpoints); ok {
		v.formats = append(v.formats, f)
	}
	v.report.Formats = v.formats
	v.trap = trapOf(v.in.Pages[0].Document, v.report.Pagination)
	v.prose = isProse(v.in.Pages[0].Document)
}

// merge keeps one entry per format: that of the page with most records, and notes
// that others have it too.
func (v *view) merge(f DataFormat) {
	for i, old := range v.formats {
		if old.Name != f.Name {
			continue
		}
		if f.Records > old.Records || old.Schema == "" && f.Schema != "" {
			v.formats[i] = f
		}
		return
	}
	v.formats = append(v.formats, f)
}

func find(formats []DataFormat, name string) (DataFormat, bool) {
	i := slices.IndexFunc(formats, func(f DataFormat) bool { return f.Name == name })
	if i < 0 {
		return DataFormat{}, false
	}
	return formats[i], true
}

// apiFormat sums up what open APIs hold.
func apiFormat(findings []ProbeResult, endpoints []Endpoint) (DataFormat, bool) {
	f := DataFormat{Name: "api", Tier: curlew.TierAPI}
	for _, x := range findings {
		if x.State != DoorOpen || x.Entities == 0 {
			continue
		}
		f.Evidence = append(f.Evidence, clean(x.Probe.URL+": "+x.Sentence, 160))
		if better(x, f) {
			f.Records, f.Complete, f.Schema, f.traits, f.dates = x.Entities, x.Entities, x.Schema, x.traits, x.dates
		}
	}
	for _, e := range endpoints {
		if e.Entities > 0 && e.Found == "traffic" {
			f.Evidence = append(f.Evidence, clean(e.URL+": recorded while the page was drawn", 160))
			f.Records = max(f.Records, e.Entities)
		}
	}
	return f, len(f.Evidence) > 0
}

// better prefers APIs with entities of a schema, then to more of them.
func better(x ProbeResult, f DataFormat) bool {
	rank := func(s curlew.SchemaName) int {
		switch s {
		case "", curlew.SchemaItem:
			return 0
		case curlew.SchemaArticle:
			return 1
		}
		return 2
	}
	if rank(x.Schema) != rank(f.Schema) {
		return rank(x.Schema) > rank(f.Schema)
	}
	return x.Entities > f.Records
}

// chooseSchema settles what the site is about: what was asked for, what a trial
// read, what the vocabulary says, what the records look like.
func (v *view) chooseSchema() {
	v.schema = v.in.Schema
	v.traits = traits{share: map[trait]float64{}}
	tried := v.chooseByTrial()
	best := 0.0
	for _, f := range v.formats {
		if f.Schema == "" || f.Records == 0 || f.Name == "opengraph" {
			continue
		}
		if weight := formatWeight(f); !tried && weight > best && v.wants(f.Schema) {
			best = weight
			v.schema, v.traits = f.Schema, f.traits
		}
		v.dates = append(v.dates, f.dates...)
	}
	if v.schema == "" {
		v.schema = curlew.SchemaItem
	}
	for _, f := range v.formats {
		if f.Schema == v.schema || f.Name == "html" {
			v.traits = richer(v.traits, f.traits)
		}
	}
	v.traits = richer(v.traits, traits{share: v.details.share})
}

// chooseByTrial takes the schema of the trial that read most, if any read something.
func (v *view) chooseByTrial() bool {
	most := 0
	for _, t := range v.in.Trials {
		if len(t.Drafts) > most && v.wants(t.Schema) {
			most = len(t.Drafts)
			v.schema, v.traits = t.Schema, traitsOfDrafts(t.Drafts)
		}
	}
	return most > 0
}

// wants says whether a schema is the one asked for, or any will do.
func (v *view) wants(schema curlew.SchemaName) bool {
	return v.in.Schema == "" || schema == v.in.Schema
}

// formatWeight prefers formats that name their schema over guesses.
func formatWeight(f DataFormat) float64 {
	weight := map[string]float64{"json-ld": 4, "microdata": 3, "rdfa": 3, "microformats": 2, "api": 3, "bundle": 2, "html": 1}[f.Name]
	if f.Name == "api" && f.Schema == curlew.SchemaArticle {
		weight = 0.8 // feeds and posts: most sites have news beside what they are about
	}
	if f.Schema == curlew.SchemaItem || f.Schema == curlew.SchemaOrganization && f.Records < 3 {
		weight /= 4
	}
	if f.Records >= 3 {
		weight *= 2
	}
	return weight
}

// richer takes the larger share of each trait: what one format lacks another has.
func richer(a, b traits) traits {
	out := traits{n: max(a.n, b.n), share: map[trait]float64{}, long: max(a.long, b.long)}
	for _, t := range []traits{a, b} {
		for name, s := range t.share {
			out.share[name] = max(out.share[name], s)
		}
	}
	return out
}

// describe fills in coverage, sample and dates.
func (v *view) describe() {
	r := v.report
	r.Schema = v.schema
	var drafts []curlew.Draft
	for _, t := range v.in.Trials {
		if t.Schema == v.schema && len(t.Drafts) > len(drafts) {
			drafts = t.Drafts
		}
	}
	for _, d := range drafts[:min(3, len(drafts))] {
		r.Sample = append(r.Sample, d.Fields)
	}
	r.Coverage = coverageOf(v.schema, drafts)
	for _, d := range drafts {
		for _, name := range []string{"starts_at", "published_at", "posted_date", "date"} {
			if s := asText(d.Fields[name]); s != "" {
				v.dates = append(v.dates, s)
			}
		}
	}
	if len(r.Coverage) == 0 {
		for _, f := range v.formats {
			if f.Schema == v.schema && len(f.Fields) > 0 {
				r.Coverage = f.Fields
				break
			}
		}
	}
	v.span()
}

func coverageOf(name curlew.SchemaName, drafts []curlew.Draft) []Coverage {
	schema, err := curlew.SchemaByName(name)
	if err != nil || len(drafts) == 0 {
		return nil
	}
	var all []Coverage
	for _, field := range schema.Fields {
		n := 0
		for _, d := range drafts {
			if value, ok := d.Fields[field.Name]; ok && value != nil && value != "" {
				n++
			}
		}
		if n > 0 || field.Required {
			all = append(all, Coverage{field.Name, share(n, len(drafts))})
		}
	}
	return all
}

// span is the range of dates, and how many come each week within it.
func (v *view) span() {
	var days []time.Time
	for _, s := range v.dates {
		if t, ok := dayOf(s); ok && t.Year() > 1990 && t.Year() < 2100 {
			days = append(days, t)
		}
	}
	if len(days) == 0 {
		return
	}
	slices.SortFunc(days, func(a, b time.Time) int { return a.Compare(b) })
	v.report.From, v.report.To = days[0].Format(time.DateOnly), days[len(days)-1].Format(time.DateOnly)
	weeks := max(1, days[len(days)-1].Sub(days[0]).Hours()/24/7)
	v.report.PerWeek = float64(int(float64(len(days))/weeks*10)) / 10
}

func dayOf(s string) (time.Time, bool) {
	if len(s) < 10 {
		return time.Time{}, false
	}
	t, err := time.Parse(time.DateOnly, s[:10])
	return t, err == nil
}

func percent(share float64) string { return fmt.Sprintf("%d %%", int(share*100+0.5)) }
