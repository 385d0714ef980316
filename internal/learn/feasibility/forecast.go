package feasibility

import (
	"math"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/text"
)

// forecast estimates how much there is and what reading it costs.
func (v *view) forecast() {
	r := v.report
	records := v.traits.n
	for _, t := range v.in.Trials {
		if t.Schema == v.schema {
			records = max(records, len(t.Drafts))
		}
	}
	home, _ := find(v.home, "html")
	r.Entities = max(records, home.Records)
	if r.Pagination.Count > 1 && v.trap == "" {
		r.Entities *= min(r.Pagination.Count, 10_000)
	}
	lists := max(1, min(r.Pagination.Count, 50))
	for _, f := range v.in.Findings {
		if f.State == DoorOpen && f.Schema == v.schema && max(f.Total, f.Entities) > 0 {
			r.Entities = max(r.Entities, f.Total, f.Entities)
			if f.Entities > 0 && f.Total > 0 {
				lists = max(1, min(50, int(math.Ceil(float64(f.Total)/float64(f.Entities)))))
			}
		}
	}
	r.Strategy, r.Alternatives = v.strategy()
	rounds := 1
	if r.PerWeek >= 14 {
		rounds = 2
	}
	details := int(math.Ceil(r.PerWeek / 7))
	if r.Strategy == curlew.TierAPI {
		details = 0
	}
	r.RequestsPerDay = rounds*lists + details + 1 // robots.txt
	if r.Strategy == curlew.TierLLM {
		r.ModelPerMonth = math.Round(v.in.ModelCost*float64(rounds*lists+details)*30*100) / 100
	}
}

// strategy is the cheapest tier that gives records of the schema, and the others.
func (v *view) strategy() (curlew.Tier, []curlew.Tier) {
	works := v.workingTiers()
	var tiers []curlew.Tier
	for _, t := range []curlew.Tier{curlew.TierStructured, curlew.TierAPI, curlew.TierBundle, curlew.TierHTML} {
		if works[t] {
			tiers = append(tiers, t)
		}
	}
	if v.in.ModelCost > 0 {
		tiers = append(tiers, curlew.TierLLM)
	}
	if len(tiers) == 0 {
		return "", nil
	}
	return tiers[0], tiers[1:]
}

// workingTiers are those by which records of the schema can be read.
func (v *view) workingTiers() map[curlew.Tier]bool {
	works := map[curlew.Tier]bool{}
	for _, f := range v.formats {
		if f.Name == "opengraph" || f.Name == "script_only" || f.Records == 0 {
			continue
		}
		if f.Schema == v.schema || f.Name == "html" || f.Schema == "" {
			works[f.Tier] = works[f.Tier] || f.Complete*2 >= f.Records
		}
	}
	for _, t := range v.in.Trials {
		if t.Schema == v.schema && len(t.Drafts) > 0 {
			works[t.Tier] = true
		}
	}
	return works
}

// risks writes down what may go wrong, and what speaks for the site.
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
	risk(v.trap != "", "A trap: "+v.trap)
	risk(v.browser, "The page needs a browser, which costs more and breaks sooner")
	unknown := r.Pagination.Kind == PagesInfinite || r.Pagination.Kind == PagesMore && r.Pagination.Next == ""
	risk(unknown, "More is loaded by script, from an address that is not known")
	risk(r.Robots.Delay.Seconds() >= 10, "robots.txt asks for long pauses between requests")
	risk(r.Strategy == curlew.TierHTML, "Plain HTML: a redesign will break the blueprint until it heals")
	for _, c := range r.Coverage {
		risk(c.Share > 0 && c.Share < 0.9 && important(c.Field), clean(c.Field, 40)+" is missing in "+percent(1-c.Share)+" of the records")
	}
	for _, f := range v.in.Findings {
		risk(f.State == DoorClosed, "An API is there but closed: "+clean(f.Probe.URL, 80))
	}
	v.dateSigns(good, risk)
	good(r.Robots.Allowed, "robots.txt allows reading the page")
	good(len(r.Robots.Sitemaps) > 0 || v.in.Sitemap > 0, "The site has a sitemap")
	good(r.Strategy == curlew.TierAPI || r.Strategy == curlew.TierStructured, "The data are meant for machines: redesigns do no harm")
	good(len(r.Alternatives) > 0, "There is more than one way to the data")
	good(!v.browser, "No browser is needed")
}

func important(field string) bool {
	switch field {
	case "title", "name", "headline", "starts_at", "startDate", "location", "venue_name", "price", "offers", "date", "place":
		return true
	}
	return false
}

func (v *view) dateSigns(good, risk func(bool, string)) {
	iso := 0
	for _, s := range v.dates {
		if _, ok := dayOf(s); ok {
			iso++
		}
	}
	good(len(v.dates) > 0 && iso == len(v.dates) && v.report.Strategy != curlew.TierHTML, "Dates are ISO 8601: nothing to guess")
	risk(v.schema == curlew.SchemaEvent && v.report.To != "" && v.report.To < v.in.Now.Format("2006-01-02"), "All dates lie in the past")
}

// decide is the gate, with the sentence that a person reads.
func (v *view) decide() {
	r := v.report
	switch {
	case !r.Robots.Allowed:
		r.Verdict = Reject
		r.Reason = "The site's robots.txt does not allow reading this address" + inBrackets(r.Robots.Rule) + "."
	case v.trap != "" && r.Strategy != curlew.TierStructured && r.Strategy != curlew.TierAPI:
		r.Verdict, r.Endless = Reject, true
		r.Reason = "A crawl would never end here: " + v.trap + "."
	case r.Score < Gate:
		r.Verdict, r.Reason = Reject, v.shortfall()
	default:
		r.Verdict = Proceed
		r.Reason = v.praise()
	}
	if r.Verdict == Reject {
		r.Recommendation = "Reject"
		return
	}
	r.Recommendation = "Proceed with " + tierName(r.Strategy)
	if r.Score >= 80 {
		r.Recommendation += ", high confidence"
	}
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + clean(text, 80) + ")"
}

// shortfall says why a site stays under the gate.
func (v *view) shortfall() string {
	few := v.report.Entities
	switch {
	case v.traits.n == 0 && v.browser:
		return "The page is empty until its script runs, and no address of its data was found."
	case v.prose && v.traits.primary(v.schema) < 0.5, v.prose && v.traits.n == 0:
		return "The page is running text: no list of events, products, jobs, articles or organizations was found."
	case v.traits.n == 0:
		return "Nothing on the page repeats that looks like events, products, jobs, articles or organizations."
	case few < 8 && v.report.Pagination.Kind == PagesNone:
		return "There is too little to watch: " + text.Plural(few, "entry", "entries") + " on one page, and no further pages."
	}
	weakest, gap := "", -1
	for _, l := range v.report.Breakdown[5:8] {
		if l.Most-l.Points > gap {
			weakest, gap = strings.ToLower(l.Name)+" ("+l.Why+")", l.Most-l.Points
		}
	}
	return "Too little can be relied on: no data for machines, and weak in " + weakest + "."
}

func (v *view) praise() string {
	r := v.report
	what := map[curlew.SchemaName]string{
		curlew.SchemaEvent: "events", curlew.SchemaProduct: "products", curlew.SchemaJob: "jobs", curlew.SchemaArticle: "articles",
		curlew.SchemaOrganization: "organizations", curlew.SchemaItem: "entries",
	}[v.schema]
	return "About " + text.Plural(r.Entities, what[:len(what)-1], what) + " can be read by " + tierName(r.Strategy) + "."
}

func tierName(t curlew.Tier) string {
	switch t {
	case curlew.TierStructured:
		return "structured data"
	case curlew.TierAPI:
		return "an API or feed"
	case curlew.TierBundle:
		return "the page's script state"
	case curlew.TierHTML:
		return "selectors in HTML"
	case curlew.TierLLM:
		return "a model"
	}
	return "no known way"
}
