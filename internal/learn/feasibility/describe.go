package feasibility

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// view is a report in the making.
type view struct {
	in     Input
	report *Report
	read   []TierResult // of the kind, the best first: the page's reading and what endpoints answered
	trap   string       // why the further pages never end, or ""
}

func (v *view) rendering() {
	_, shell := scriptOnly(v.in.Page.Document)
	v.report.Rendering = RenderingNeed{Browser: v.in.Browser || shell, Sentence: "Static HTML (no script needed)"}
	if v.report.Rendering.Browser {
		v.report.Rendering.Sentence = "Needs a browser: the page is empty until its script runs"
	}
}

// chooseKind takes the kind that was asked for, or that of the best reading of the page,
// or, where that is a plain list or nothing, the kind that its endpoints name.
func (v *view) chooseKind() {
	kind := v.in.Schema
	if kind == "" && len(v.in.Readings) > 0 {
		kind = v.in.Readings[0].Schema
	}
	if v.in.Schema == "" && (kind == "" || kind == curlew.SchemaItem || kind == curlew.SchemaPage) {
		if best := slices.MaxFunc(append(v.in.Answers, TierResult{Schema: kind}), byKind); len(best.Records) > 0 {
			kind = best.Schema
		}
	}
	v.report.Schema = kind
	for i, t := range slices.Concat(v.in.Readings, v.in.Answers) {
		if t.Schema == kind && (len(t.Records) > 0 || i < len(v.in.Readings)) { // a feed without entries was read too
			v.read = append(v.read, t)
		}
	}
	v.strategy()
}

// byKind prefers entities of a kind to news, and news to plain lists; then more of them.
func byKind(a, b TierResult) int {
	rank := func(t TierResult) int {
		switch {
		case t.Schema == "" || t.Schema == curlew.SchemaItem || t.Schema == curlew.SchemaPage:
			return 0
		case t.Schema == curlew.SchemaArticle:
			return 1
		}
		return 2
	}
	if d := rank(a) - rank(b); d != 0 {
		return d
	}
	return len(a.Records) - len(b.Records)
}

// strategy is the cheapest tier that gave records of the kind, and the others.
func (v *view) strategy() {
	var tiers []curlew.Tier
	for _, t := range []curlew.Tier{curlew.TierStructured, curlew.TierAPI, curlew.TierBundle, curlew.TierHTML} {
		if slices.ContainsFunc(v.read, func(r TierResult) bool { return r.Tier == t || slices.Contains(r.Also, t) }) {
			tiers = append(tiers, t)
		}
	}
	if len(tiers) > 0 {
		v.report.Strategy, v.report.Alternatives = tiers[0], tiers[1:]
	}
}

// records are those of the fullest reading of the kind.
func (v *view) records() []curlew.Values {
	var most []curlew.Values
	for _, t := range v.read {
		if len(t.Records) > len(most) {
			most = t.Records
		}
	}
	return most
}

// describe fills in sample, coverage and dates.
func (v *view) describe() {
	r := v.report
	if len(v.read) == 0 {
		return
	}
	r.Sample = v.read[0].Records[:min(mostSamples, len(v.read[0].Records))]
	r.Coverage = coverageOf(r.Schema, v.records())
	var days []time.Time
	for _, values := range v.records() {
		if day, ok := dayOf(values); ok && day.Year() > 1990 && day.Year() < 2100 {
			days = append(days, day)
		}
	}
	if len(days) == 0 {
		return
	}
	slices.SortFunc(days, time.Time.Compare)
	first, last := days[0], days[len(days)-1]
	r.From, r.To = first.Format(time.DateOnly), last.Format(time.DateOnly)
	weeks := max(1, last.Sub(first).Hours()/24/7)
	r.PerWeek = float64(int(float64(len(days))/weeks*10)) / 10
}

// dayOf is the day that a record is of.
func dayOf(values curlew.Values) (time.Time, bool) {
	for _, name := range []string{"starts_at", "published_at", "posted_date", "date"} {
		if s, _ := values[name].(string); len(s) >= len(time.DateOnly) {
			if day, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)]); err == nil {
				return day, true
			}
		}
	}
	return time.Time{}, false
}

func coverageOf(kind curlew.SchemaName, records []curlew.Values) []Coverage {
	schema, err := curlew.SchemaByName(kind)
	if err != nil || len(records) == 0 {
		return nil
	}
	var all []Coverage
	for _, field := range schema.Fields {
		if part := having(records, field.Name); part > 0 || field.Required {
			all = append(all, Coverage{field.Name, part})
		}
	}
	return all
}

// having is the share of the records that have one of some fields.
func having(records []curlew.Values, fields ...string) float64 {
	n := 0
	for _, values := range records {
		if slices.ContainsFunc(fields, func(name string) bool { return values[name] != nil && values[name] != "" }) {
			n++
		}
	}
	return math.Round(float64(n)/float64(max(1, len(records)))*1000) / 1000
}

// amounts estimates how many entities there are, and how many requests a day reading
// them takes.
func (v *view) amounts() {
	r := v.report
	r.Entities = len(v.records())
	if r.Pagination.Count > 1 && v.trap == "" {
		r.Entities *= min(r.Pagination.Count, 10_000)
	}
	lists := max(1, min(r.Pagination.Count, mostLists))
	for _, f := range v.in.Findings {
		if f.State != ProbeOpen || f.Schema != r.Schema || max(f.Total, f.Entities) == 0 {
			continue
		}
		r.Entities = max(r.Entities, f.Total, f.Entities)
		if f.Entities > 0 && f.Total > 0 {
			lists = max(1, min(mostLists, (f.Total+f.Entities-1)/f.Entities))
		}
	}
	rounds := 1
	if r.PerWeek >= 14 {
		rounds = 2
	}
	details := int(math.Ceil(r.PerWeek / 7))
	if r.Strategy == curlew.TierAPI {
		details = 0
	}
	r.RequestsPerDay = rounds*lists + details + 1 // robots.txt
}

// mostLists bounds the pages of a list that are counted as requests.
const mostLists = 50

func percent(share float64) string { return fmt.Sprintf("%d %%", int(share*100+0.5)) }
