package feasibility

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/text"
)

// score adds up the lines.
func (v *view) score() {
	v.line("JSON-LD, microdata or the like", 40, v.structuredPoints)
	v.line("API or feed", 30, v.apiPoints)
	v.line("Server-side bundle", 25, v.bundlePoints)
	v.line("Structured HTML", 15, v.htmlPoints)
	v.line("Drawn by script alone", 5, v.scriptPoints)
	v.line("Records with the values that matter", 20, v.contentPoints)
	v.line("Place, or who stands behind it", 10, v.placePoints)
	v.line("How the list goes on", 10, v.pagingPoints)
	v.line("Proof: regular records in plain HTML", 15, v.proofPoints)
	sum := 0
	for _, l := range v.report.Breakdown {
		sum += l.Points
	}
	v.report.Score = min(100, sum)
}

func (v *view) line(name string, most int, judge func() (float64, string)) {
	part, why := judge()
	points := int(math.Round(math.Max(0, math.Min(1, part)) * float64(most)))
	v.report.Breakdown = append(v.report.Breakdown, Line{name, points, most, why})
}

// fits says whether a format is about what the site is about.
func (v *view) fits(f DataFormat) bool { return f.Schema == v.schema && f.Records > 0 }

func (v *view) structuredPoints() (float64, string) {
	best, why := 0.0, "none found"
	for _, f := range v.formats {
		if f.Tier != curlew.TierStructured || f.Name == "opengraph" && v.schema != curlew.SchemaProduct || !v.fits(f) {
			continue
		}
		if part := share(f.Complete, f.Records); part > best {
			best, why = part, fmt.Sprintf("%s: %s, %d with all required fields", f.Name, text.Plural(f.Records, "record", "records"), f.Complete)
		}
	}
	if best > 0 {
		best = max(best, 0.25)
	}
	return best, why
}

// apiPoints counts open doors fully, and declared but unasked feeds by half.
func (v *view) apiPoints() (float64, string) {
	best, why := 0.0, "none found"
	take := func(part float64, reason string) {
		if part > best {
			best, why = part, reason
		}
	}
	for _, f := range v.in.Findings {
		take(v.openPoints(f))
	}
	for _, e := range v.report.Endpoints {
		take(v.endpointPoints(e))
	}
	return best, why
}

// openPoints is what the answer of an API is worth.
func (v *view) openPoints(f ProbeResult) (float64, string) {
	if f.State != DoorOpen || f.Entities == 0 {
		return 0, ""
	}
	reason := clean(f.Probe.URL, 80) + " answers with " + text.Plural(f.Entities, "entry", "entries")
	switch {
	case f.Schema == v.schema || f.Schema == "" || f.Schema == curlew.SchemaItem:
		return 1, reason
	case f.Probe.Kind == EndpointFeed:
		return 0.5, reason + ", as a feed of news"
	}
	return 0, ""
}

// endpointPoints is what an endpoint is worth that was seen in use or is declared.
func (v *view) endpointPoints(e Endpoint) (float64, string) {
	if e.Found == "traffic" && e.Entities > 0 {
		return 1, "recorded: " + clean(e.URL, 80)
	}
	about := e.Kind == EndpointFeed && v.schema == curlew.SchemaArticle || e.Kind == EndpointCalendar && v.schema == curlew.SchemaEvent
	if about && e.Score > 5 && len(v.in.Findings) == 0 {
		return 0.5, "declared, not asked yet: " + clean(e.URL, 80)
	}
	return 0, ""
}

func (v *view) bundlePoints() (float64, string) {
	f, ok := find(v.formats, "bundle")
	if !ok || f.Records == 0 {
		return 0, "none found"
	}
	return 1, strings.Join(f.Evidence[:min(2, len(f.Evidence))], ", ")
}

func (v *view) htmlPoints() (float64, string) {
	f, ok := find(v.formats, "html")
	if !ok {
		return 0, "no repeated records with dates, prices or places"
	}
	return share(f.Complete, f.Records), text.Plural(f.Records, "record", "records") + " of one structure"
}

func (v *view) scriptPoints() (float64, string) {
	if v.browser {
		return 1, "a browser can draw it"
	}
	return 0, "not needed"
}

// contentPoints: half for how many records there are, half for the share that has
// what makes a record of the schema.
func (v *view) contentPoints() (float64, string) {
	if v.traits.n == 0 {
		return 0, "no records seen"
	}
	enough := math.Min(1, float64(v.traits.n)/5)
	if v.inDetail() {
		enough = 1
	}
	primary := v.traits.primary(v.schema)
	part := (enough + primary) / 2 * math.Min(1, 2*primary)
	return part, fmt.Sprintf("%s, %s with %s", text.Plural(v.traits.n, "record", "records"), percent(primary), primaryWord(v.schema))
}

// inDetail says whether the records were read from pages of their own, of which
// only two or three were fetched.
func (v *view) inDetail() bool {
	home, _ := find(v.home, "html")
	return home.Records >= 5 && v.traits.n < 5
}

func primaryWord(s curlew.SchemaName) string {
	switch s {
	case curlew.SchemaEvent, curlew.SchemaArticle:
		return "dates"
	case curlew.SchemaProduct:
		return "prices"
	case curlew.SchemaOrganization:
		return "addresses or telephone numbers"
	}
	return "the values that matter"
}

func (v *view) placePoints() (float64, string) {
	part := v.traits.second(v.schema)
	if part < 0.5 && v.schema == curlew.SchemaEvent && oneAddress(v.in.Pages[0]) {
		return 0.5, "one address for all, on the page"
	}
	return part, percent(part) + " of the records"
}

func (v *view) pagingPoints() (float64, string) {
	if slices.ContainsFunc(v.in.Findings, v.pagedAPI) {
		return 1, "the API has pages"
	}
	if v.trap != "" {
		return 0, "no end in sight"
	}
	switch p := v.report.Pagination; p.Kind {
	case PagesNumbered, PagesNext, PagesCursor:
		return 1, string(p.Kind)
	case PagesMore, PagesInfinite:
		if p.Next != "" || v.apiRecords() > 0 {
			return 1, "more is loaded from a known address"
		}
		return 0.5, "more is loaded by script"
	case PagesCalendar:
		return 0.8, "month by month"
	}
	if v.traits.n >= 8 || v.apiRecords() >= 8 {
		return 1, "everything stands on one page"
	}
	return 0, "none, and few records"
}

// pagedAPI says whether an open API leads through all its entities of the schema.
func (v *view) pagedAPI(f ProbeResult) bool {
	paged := f.Blueprint != nil && f.Blueprint.Pagination != nil
	return paged && f.State == DoorOpen && f.Schema == v.schema
}

func (v *view) apiRecords() int {
	f, _ := find(v.formats, "api")
	return f.Records
}

// proofPoints: where nothing but HTML speaks, records that are regular throughout
// are the proof that it can be read.
func (v *view) proofPoints() (float64, string) {
	f, ok := find(v.formats, "html")
	for _, t := range v.in.Trials {
		if t.Tier == curlew.TierHTML && t.Schema == v.schema && len(t.Drafts) > 0 {
			complete := completeDrafts(t)
			if len(t.Drafts) >= fewestForProof {
				return share(complete, len(t.Drafts)), fmt.Sprintf("a trial read %d records, %d of them complete", len(t.Drafts), complete)
			}
			return 0, fmt.Sprintf("a trial read only %s", text.Plural(len(t.Drafts), "record", "records"))
		}
	}
	switch {
	case v.trap != "":
		return 0, "not for a list without end"
	case !ok || f.Records < fewestForProof:
		return 0, "too few records in HTML"
	}
	return share(f.Complete, f.Records), fmt.Sprintf("%d of %d records have a title and a typed value", f.Complete, f.Records)
}

// fewestForProof is how many regular records prove a structure: fewer happen by
// chance, such as the dishes of a menu or the entries of a small blog.
const fewestForProof = 6

func completeDrafts(t TierResult) int {
	schema, err := curlew.SchemaByName(t.Schema)
	if err != nil {
		return 0
	}
	n := 0
	for _, d := range t.Drafts {
		full := true
		for _, field := range schema.Fields {
			if value, ok := d.Fields[field.Name]; field.Required && (!ok || value == nil || value == "") {
				full = false
			}
		}
		if full {
			n++
		}
	}
	return n
}
