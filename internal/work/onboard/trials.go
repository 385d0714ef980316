package onboard

import (
	"cmp"
	"context"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// Onboarding takes a site from its address to something that can be deployed.
type Onboarding struct {
	Proposing
	Relatives []Relative // sources of the org, of which the most similar are examples

	examples []*blueprint.Blueprint
	deaf     *bool // the teacher had no answer once
}

// MaxIterations bounds the loop of generating and testing.
const MaxIterations = 5

// Analysis is what was found out about a site, and where on it.
type Analysis struct {
	URL        string             `json:"url"`                    // the page to begin with, which may be a neighbour of the one that was given
	Site       string             `json:"site,omitempty"`         // what the site calls itself
	Title      string             `json:"title,omitempty"`        // of the page, without the name of the site
	Understood string             `json:"instructions,omitempty"` // what was understood of the instructions, and what was not
	Report     feasibility.Report `json:"report"`
	Tried      []string           `json:"tried,omitempty"`    // neighbours that were read
	Sketch     string             `json:"sketch,omitempty"`   // of the page's structure
	Read       []Finding          `json:"readings,omitempty"` // of the page, the best first
	Missed     string             `json:"missed,omitempty"`   // why nothing is of the kind that was asked for: all else is offered instead

	inspected *Inspected
}

// Finding is what a reader found on a page.
type Finding struct {
	Kind  curlew.SchemaName `json:"kind"`
	Tier  curlew.Tier       `json:"tier"`
	Count int               `json:"count"`
	Sure  float64           `json:"score"`
	Names []string          `json:"names,omitempty"` // of some of its records
}

// String is it in words: 8 events (62 %).
func (f Finding) String() string {
	words := curlew.Counted(f.Count, string(f.Kind))
	if likely := curlew.Likelihood(f.Sure); likely != "" {
		words += " (" + likely + ")"
	}
	return words
}

// FindingOf sums up a reading.
func FindingOf(r extract.Reading) Finding {
	f := Finding{Kind: r.Schema, Tier: r.Tier, Count: len(r.Records), Sure: math.Round(r.Score*100) / 100}
	for _, record := range r.Records[:min(len(r.Records), mostShown)] {
		if name := text.Clip(record.Record.Name(), longestName); name != "" {
			f.Names = append(f.Names, name)
		}
	}
	return f
}

// analysisOf sums up what was read of a page.
func analysisOf(address string, i Inspected, in Instructions) Analysis {
	a := Analysis{URL: address, Understood: in.summaryOf(i), Report: i.Report, inspected: &i}
	if in.Own != nil && !a.Feasible() {
		a.Report.Reason += " Each needs its " + strings.Join(in.Own.Required(), ", ") + "."
	}
	a.Site, a.Title = Names(i.Home)
	for _, r := range i.Readings {
		a.Read = append(a.Read, FindingOf(r))
	}
	if len(i.Readings) > 0 && !i.Home.Document().IsJSON() && !extract.LooksLikeFeed(i.Home.Body) {
		a.Sketch = Sketch(i.Home.Document().Fingerprint())
	}
	return a
}

// reference is that of the archived page, or its address where there is none.
func (a Analysis) reference() string {
	if a.inspected == nil {
		return a.URL
	}
	return cmp.Or(a.inspected.Home.Archived, a.URL)
}

// Feasible says whether the site can be read: a page of it was read, or an endpoint of it
// gave records.
func (a Analysis) Feasible() bool { return a.Report.Verdict != feasibility.Reject }

// promising says whether a page is likely to be what a person wants of its site.
func (a Analysis) promising() bool {
	return a.Report.Score >= feasibility.Gate || len(a.Read) > 0 && a.Read[0].Sure >= extract.Sure && a.Read[0].Kind != curlew.SchemaPage
}

// Analyse reads the page, and where that is the home of a site and not promising its neighbours: pages that
// it links to and whose addresses name what people want to watch.
func (o Onboarding) Analyse(ctx context.Context, address string, in Instructions) (a Analysis, err error) {
	err = guard.Call(ctx, guard.Onboard, address, func(ctx context.Context) error {
		a, err = o.analyse(ctx, address, in)
		return err
	})
	return a, err
}

func (o Onboarding) analyse(ctx context.Context, address string, in Instructions) (Analysis, error) {
	inspection := o.inspection(ctx, in)
	if o.Inspected == nil {
		found, err := inspection.readAt(ctx, address, in)
		if err != nil {
			return Analysis{URL: in.At(address)}, err
		}
		o.Inspected = &found
	}
	address = o.Inspected.address()
	shown := o.learnAhead(ctx, in)
	found := inspection.Probe(ctx, *o.Inspected)
	found.shown = shown
	a := analysisOf(address, found, in)
	if a.promising() || found.Home.Body == nil || !isHome(address) {
		return a, nil // who names a page of a site wants that page
	}
	for _, next := range neighbours(found.Home.Document(), address) {
		a.Tried = append(a.Tried, next)
		other, err := inspection.Inspect(ctx, next)
		if err != nil {
			continue
		}
		other.instead = found.instead
		if n := analysisOf(next, other, in); n.Feasible() && n.promising() && n.Read[0].Kind != curlew.SchemaPage {
			n.Tried = a.Tried
			return n, nil
		}
	}
	return a, nil
}

// elseOffered analyses a page again for whatever it has, where it has nothing of the kind that a person named.
func (o Onboarding) elseOffered(ctx context.Context, a Analysis, in Instructions) Analysis {
	if a.Feasible() || in.Schema == "" || !a.Report.Robots.Allowed || a.inspected.Home.Body == nil {
		return a
	}
	in = in.ofAnyKind()
	inspection, home := o.inspection(ctx, in), a.inspected.Home
	found := inspection.read(ctx, inspection.at(home), home)
	o.Inspected = &found
	other, err := o.Analyse(ctx, a.URL, in)
	if err != nil || !other.Feasible() {
		return a
	}
	other.Missed, other.Tried, other.Understood, other.Report.Robots = a.Report.Reason, a.Tried, a.Understood, a.Report.Robots
	return other
}

// isHome says whether an address is that of a site as a whole, or of one of its languages.
func isHome(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	first := strings.Trim(u.Path, "/")
	return len(first) <= len("en") || strings.HasPrefix(first, "index.") && !strings.Contains(first, "/")
}

// learnAhead begins to learn the list that the page shows where it will be asked for; nil
// where it will not.
func (o Onboarding) learnAhead(ctx context.Context, in Instructions) *learning {
	o = o.instructed(in)
	l := Search{Proposing: o.Proposing, Home: o.Inspected.Home, Readings: o.Inspected.Readings}
	l.Schema = l.kind()
	r := l.reading()
	if r == nil || r.Single || l.Schema == curlew.SchemaPage || l.Selector != "" || l.Home.Document().IsJSON() {
		return nil
	}
	return learnBeside(ctx, *o.Inspected, l.Options.KindOf(l.Schema))
}

// Read lets every reader read the page, and asks for nothing else: the first part of Analyse.
func (o Onboarding) Read(ctx context.Context, address string, in Instructions) (a Analysis, err error) {
	err = guard.Call(ctx, guard.Onboard, address, func(ctx context.Context) error {
		a = Analysis{URL: in.At(address)}
		found, err := o.inspection(ctx, in).readAt(ctx, address, in)
		if err == nil {
			a = analysisOf(found.address(), found, in)
		}
		return err
	})
	return a, err
}

func (o Onboarding) inspection(ctx context.Context, in Instructions) Inspection {
	return Inspection{Web: pages.Cached(ctx, o.Web), Now: o.Now(), Options: o.instructed(in).Options, Step: o.Step}
}

// instructed takes what the instructions say of kind, time zone and place.
func (o Onboarding) instructed(in Instructions) Onboarding {
	if o.Options.Schema == "" {
		o.Options.Schema, o.Options.Own = in.Schema, in.Own
	}
	if o.Options.Zone == nil && in.Zone != "" {
		o.Options.Zone, _ = time.LoadLocation(in.Zone)
	}
	o.Selector = in.Selector
	return o
}

// promising are what pages with lists are called in their addresses.
var promising = []string{
	"event", "agenda", "calendar", "kalend", "wydarzen", "veranstalt", "programm", "termin", "evenement", "evento",
	"whats-on", "what-s-on", "concert", "koncert", "job", "career", "karriere", "vacature", "stellen", "praca", "news", "aktuell",
	"nyheter", "product", "shop", "kalender", "schedule",
}

// mostNeighbours bounds how many other pages are judged before a site is given up.
const mostNeighbours = 3

// neighbours are the pages of the site whose addresses promise what its first one lacks.
func neighbours(page *dom.Document, address string) []string {
	var all []string
	seen := map[string]bool{urls.Key(address): true}
	take := func(link string) {
		u, err := url.Parse(link)
		if err != nil || len(all) >= mostNeighbours || !urls.SameSite(link, address) || seen[urls.Key(link)] {
			return
		}
		seen[urls.Key(link)] = true
		u.Fragment = ""
		all = append(all, u.String())
	}
	for _, l := range page.Links() {
		u, err := url.Parse(l.URL)
		if err != nil || strings.Count(strings.Trim(u.Path, "/"), "/") > 1 || u.RawQuery != "" {
			continue
		}
		if slices.ContainsFunc(promising, func(word string) bool { return strings.Contains(strings.ToLower(u.Path), word) }) {
			take(l.URL)
		}
	}
	return all
}

// Trial is one way of reading a site, tried and judged.
type Trial struct {
	Iteration int               `json:"iteration"`
	Tier      curlew.Tier       `json:"tier"`
	What      string            `json:"what"` // what was changed or tried
	Before    int               `json:"score_before"`
	Score     int               `json:"score"`
	Passed    bool              `json:"passed"`
	Feedback  []string          `json:"feedback,omitempty"` // what was wrong, for the next one
	Card      quality.Scorecard `json:"card"`

	Proposal Proposal `json:"-"`
}

// Generate tries the ways of reading a page, tests each on a sample, and feeds what
// was wrong into the next, until one is good or all are used up. The best comes back,
// and all that were tried.
func (o Onboarding) Generate(ctx context.Context, a Analysis, in Instructions) (best Trial, all []Trial, err error) {
	err = guard.Call(ctx, guard.Onboard, a.reference(), func(ctx context.Context) error {
		best, all, err = o.generate(ctx, a, in)
		return err
	})
	return best, all, err
}

func (o Onboarding) generate(ctx context.Context, a Analysis, in Instructions) (best Trial, all []Trial, err error) {
	o = o.instructed(in)
	o.Inspected = a.inspected
	o.examples, o.deaf = a.Nearest(in.Schema, o.Relatives), new(bool)
	o.Priors = append(o.Priors, o.examples...)
	proposal, err := o.Propose(ctx, a.URL)
	if err == nil {
		best, all = o.loop(ctx, append([]Proposal{proposal}, proposal.Others...), in)
		best.Proposal.besides(proposal)
	}
	if o.Teacher == nil || best.Card.Verdict.Deploys() || proposal.Search == nil || ctx.Err() != nil {
		return best, all, err
	}
	trial := o.taught(ctx, proposal.Search, len(all)+1, best.Score)
	all = append(all, trial)
	if in.Schema != "" && in.Schema != curlew.SchemaPage && err != nil && trial.Proposal.Blueprint == nil && ctx.Err() == nil {
		trial = o.readByTeacher(ctx, proposal.Search, len(all)+1, best.Score)
		all = append(all, trial)
	}
	if trial.Proposal.Blueprint != nil && (err != nil || trial.better(best)) {
		return trial, all, nil
	}
	return best, all, err
}

// loop tests one way after the other, and feeds what was wrong into the next.
func (o Onboarding) loop(ctx context.Context, queue []Proposal, in Instructions) (best Trial, all []Trial) {
	what, before := "the reading with the most records", 0
	for i := 0; i < MaxIterations && len(queue) > 0; i++ {
		next := queue[0]
		queue = queue[1:]
		if in.Language != "" {
			speak(next.Blueprint, in.Language)
			next.readBy = nil
		}
		trial := o.test(ctx, next)
		trial.Iteration, trial.What, trial.Before = i+1, what, before
		if next.Prior {
			trial.What += ", as a similar source is read"
		}
		all = append(all, trial)
		if i == 0 || trial.better(best) {
			best = trial
		}
		if trial.Card.Verdict == quality.VerdictDeploy {
			break
		}
		before, what = best.Score, "the next best way"
		if amended, how := amend(trial); amended != nil {
			queue, what = append([]Proposal{*amended}, queue...), how
		}
	}
	return unhurried(best, all), all
}

// unhurried leaves it to a person where a model's doubts alone speak for the best trial:
// a way that measures better was passed over for it.
func unhurried(best Trial, all []Trial) Trial {
	for _, t := range all {
		if best.Card.Verdict.Deploys() && t.Card.Judgement != nil && t.Card.Judgement.Doubted() && t.Score > best.Score {
			best.Card = best.Card.Reserved("A way that measures better was passed over on a model's word alone.")
		}
	}
	return best
}

func (t Trial) better(than Trial) bool {
	if t.Card.Verdict.Deploys() != than.Card.Verdict.Deploys() {
		return t.Card.Verdict.Deploys()
	}
	if t.Passed != than.Passed {
		return t.Passed
	}
	return t.Score > than.Score
}

func speak(b *blueprint.Blueprint, language string) {
	context := blueprint.Locale{}
	if b.Context != nil {
		context = *b.Context
	}
	context.Language = language
	b.Context = &context
}

// test reads a sample and judges it.
func (o Onboarding) test(ctx context.Context, p Proposal) Trial {
	t := Trial{Tier: p.Tier, Proposal: p}
	samples, reachable := p.samples(ctx)
	var records []curlew.Record
	for _, s := range samples {
		records = append(records, s.Record)
	}
	judgement := quality.Judge(ctx, samples, dates.Options{Now: o.Now()})
	measured := quality.Quality(quality.Sample{Schema: p.Schema, Records: records, Reachable: reachable, Now: o.Now()})
	t.Card = measured.With(judgement)
	if o.Teacher != nil && t.Card.Verdict.Deploys() && (o.deaf == nil || !*o.deaf) && ctx.Err() == nil {
		opinion := SecondOpinion(ctx, o.Teacher, samples)
		if o.deaf != nil {
			*o.deaf = !opinion.Answered // it is not waited for again
		}
		judgement = judgement.WithOpinion(opinion)
		t.Card = measured.With(judgement)
	}
	if p.onWord {
		t.Card = t.Card.Reserved("It was changed on a model's word alone.")
	}
	t.Card.At, t.Card.Attempts = o.Now(), MaxIterations
	t.Score, t.Passed, t.Feedback = t.Card.Score, judgement.Passed, judgement.Feedback()
	return t
}

// Draft is the blueprint of a proposal as a source keeps it.
func (p Proposal) Draft(source curlew.SourceID) (curlew.Blueprint, error) {
	rules, err := blueprint.Marshal(p.Blueprint)
	return curlew.Blueprint{Source: source, Schema: p.Schema, PageType: p.Blueprint.Page, Tier: p.Tier, Rules: rules, TestURL: p.URL}, err
}

// testRecords is how many records are tested with their detail pages; of lists without,
// more cost nothing.
const testRecords, testListed = 5, 30

// samples reads a sample by a proposal: list and detail pages together, with the pages.
func (p Proposal) samples(ctx context.Context) ([]quality.SampleRecord, map[string]int) {
	recipe, err := extract.Compile(p.Blueprint)
	if err != nil {
		return nil, nil
	}
	material, err := p.Search.Material(ctx, recipe.First(p.URL))
	if err != nil {
		return nil, nil
	}
	o := p.Search.Options.Applying()
	list := material.Document()
	readings := p.Readings
	if p.readBy != p.Blueprint {
		readings = recipe.Apply(ctx, material, o).Readings
	}
	most := testListed
	if len(recipe.Follow) > 0 {
		most = testRecords
	}
	var all []quality.SampleRecord
	reachable := map[string]int{}
	for _, i := range Evenly(len(readings), most) {
		r := readings[i]
		s := quality.SampleRecord{Record: r.Record, Node: r.Node, Pages: []*dom.Document{list}}
		for _, lead := range recipe.Follow {
			address := extract.AddressIn(r.Record, lead.Field)
			if address == "" {
				continue
			}
			own, err := p.Search.Material(ctx, extract.RequestSpec{URL: address})
			if err != nil {
				reachable[address] = 0
				continue
			}
			reachable[address] = 200
			if more := lead.Compiled.Detail(s.Record, lead.Compiled.Apply(ctx, own, o)); more != nil {
				s.Record = extract.Merge(s.Record, *more)
				s.Pages = append(s.Pages, own.Document())
			}
		}
		if s.Record.Whole() {
			all = append(all, s)
		}
	}
	if len(reachable) == 0 {
		reachable = nil
	}
	return all, reachable
}

// Evenly picks some of n, from all over.
func Evenly(n, most int) []int {
	if n <= most {
		most = n
	}
	picked := make([]int, 0, most)
	for i := range most {
		picked = append(picked, i*n/most)
	}
	return picked
}
