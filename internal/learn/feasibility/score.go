package feasibility

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// tierPoints are the points of the specification for how the data are carried.
var tierPoints = []struct {
	tier curlew.Tier
	name string
	most int
}{
	{curlew.TierStructured, "Structured data", 40}, {curlew.TierAPI, "API or feed", 30},
	{curlew.TierBundle, "State of the page's scripts", 25}, {curlew.TierHTML, "Structure of the HTML", 15},
}

// score adds up what was read. A reading that is sure counts at least as much as that.
func (v *view) score() {
	r := v.report
	for _, t := range tierPoints {
		n := 0
		for _, read := range v.read {
			if read.Tier == t.tier || slices.Contains(read.Also, t.tier) {
				n = max(n, len(read.Records))
			}
		}
		v.line(t.name, t.most, math.Min(1, float64(n)), text.Plural(n, "record", "records"))
	}
	records := v.records()
	enough := math.Min(1, float64(len(records))/enoughRecords)
	if len(v.read) > 0 && v.read[0].Single {
		enough = 1
	}
	v.line("Records with what their kind requires", 20, enough, text.Plural(len(records), "record", "records"))
	place := having(records, "venue_name", "venue_address", "city", "address", "location",
		"company", "brand", "seller", "author", "organizer", "image_url")
	v.line("Place, or who is behind it", 10, place, percent(place)+" of the records")
	paging, why := v.paging()
	v.line("Further pages", 10, paging, why)
	sum := 0
	for _, l := range r.Breakdown {
		sum += l.Points
	}
	r.Score = min(100, sum)
	if sure := v.sure(); int(sure*100) > r.Score {
		r.Breakdown = append(r.Breakdown, Line{"Confidence in the reading", int(sure*100) - r.Score, 100 - r.Score, percent(sure)})
		r.Score = int(sure * 100)
	}
}

// enoughRecords make a list.
const enoughRecords = 5

func (v *view) line(name string, most int, part float64, why string) {
	v.report.Breakdown = append(v.report.Breakdown, Line{name, int(math.Round(part * float64(most))), most, why})
}

// sure is how likely the reading of the page is what the page is about.
func (v *view) sure() float64 {
	if len(v.read) == 0 {
		return 0
	}
	return v.read[0].Sure
}

func (v *view) paging() (float64, string) {
	if v.trap != "" {
		return 0, "without end: only the first page is read"
	}
	switch p := v.report.Pagination; p.Kind {
	case PagesNumbered, PagesNext, PagesCursor:
		return 1, string(p.Kind)
	case PagesMore, PagesInfinite:
		if p.Next != "" {
			return 1, "more is loaded from a known address"
		}
		return 0.5, "more is loaded by script"
	case PagesCalendar:
		return 0.8, "month by month"
	}
	if len(v.records()) >= 8 {
		return 1, "everything is on one page"
	}
	return 0, "none, and few records"
}

// risks lists what may go wrong, and what speaks for the site.
func (v *view) risks() {
	r := v.report
	risk := func(holds bool, sentence string) {
		if holds {
			r.Risks = append(r.Risks, sentence)
		}
	}
	good := func(holds bool, sentence string) {
		if holds {
			r.Good = append(r.Good, sentence)
		}
	}
	risk(v.trap != "", "Its further pages never end, so only the first one is read: "+v.trap)
	risk(r.Rendering.Browser, "The page needs a browser, which costs more and breaks sooner")
	unknown := r.Pagination.Kind == PagesInfinite || r.Pagination.Kind == PagesMore && r.Pagination.Next == ""
	risk(unknown, "More is loaded by script, from an address that is not known")
	risk(r.Robots.Delay.Seconds() >= 10, "robots.txt asks for long pauses between requests")
	risk(r.Strategy == curlew.TierHTML, "Plain HTML: a redesign will break the blueprint until it heals")
	for _, c := range r.Coverage {
		important := slices.Contains([]string{"title", "name", "starts_at", "venue_name", "price", "date"}, c.Field)
		risk(important && c.Share > 0 && c.Share < 0.9, text.OneLine(c.Field, 40)+" is missing in "+percent(1-c.Share)+" of the records")
	}
	for _, f := range v.in.Findings {
		risk(f.State == ProbeClosed, "There is an API, but it is closed: "+text.OneLine(f.Probe.URL, 80))
	}
	risk(r.Schema == curlew.SchemaEvent && r.To != "" && r.To < v.in.Now.Format("2006-01-02"), "All dates are in the past")
	good(r.Robots.Allowed, "robots.txt allows reading the page")
	good(len(r.Robots.Sitemaps) > 0, "The site has a sitemap")
	good(r.Strategy == curlew.TierAPI || r.Strategy == curlew.TierStructured, "The data are meant for programs: a redesign does no harm")
	good(len(r.Alternatives) > 0, "The data can be read in more than one way")
	good(!r.Rendering.Browser, "No browser is needed")
}

// decide says whether the site can be read, in a sentence.
func (v *view) decide() {
	r := v.report
	if len(v.read) == 0 {
		r.Verdict, r.Recommendation, r.Reason = Reject, "Reject", v.nothing()
		return
	}
	r.Verdict = Proceed
	r.Recommendation = "Proceed with " + curlew.ReadFrom(r.Strategy)
	if r.Score >= 80 {
		r.Recommendation += ", high confidence"
	}
	r.Reason = fmt.Sprintf("About %s can be read from %s.", counted(r.Entities, r.Schema), v.from())
	if r.Entities == 0 {
		r.Reason = "The feed is empty now: entries are read when they appear."
	}
}

// from is what the page is read from: a file that is no page has no HTML.
func (v *view) from() string {
	kind := strings.Join(v.in.Page.Header["Content-Type"], "")
	if v.report.Strategy == curlew.TierHTML && kind != "" && !strings.Contains(kind, "html") {
		return "the file"
	}
	return curlew.ReadFrom(cmp.Or(v.report.Strategy, curlew.TierHTML))
}

// nothing says why nothing could be read.
func (v *view) nothing() string {
	switch {
	case v.report.Rendering.Browser:
		return "The page is empty until its script runs, and no address of its data was found."
	case strings.TrimSpace(v.in.Page.Document.VisibleText()) == "":
		return "The page has no text: open its address in a browser, and give that of a page that shows something."
	case v.in.Schema == curlew.SchemaPage:
		return "The page has no text that could be read."
	case v.in.Schema != "":
		return fmt.Sprintf("No %s was found on the page.", kindWord(v.in.Schema))
	}
	return "The page has neither a list nor an article that could be read."
}

func kindWord(kind curlew.SchemaName) string {
	if kind == curlew.SchemaItem {
		return "entry"
	}
	return string(kind)
}

// counted is a number of records with the word for them.
func counted(n int, kind curlew.SchemaName) string { return curlew.Counted(n, kindWord(kind)) }

func inBrackets(about string) string {
	if about == "" {
		return ""
	}
	return " (" + text.OneLine(about, 80) + ")"
}
