package onboard

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// Offer is what a page can be read as, the best first, and what becomes of it where nobody
// chooses.
type Offer struct {
	Analysis Analysis
	Best     Trial
	Trials   []Trial
	Verdict  quality.Verdict
	Why      string
	Readings []Proposal // that of the best trial, and the page's others by their readers
}

// Preview goes the whole way of a candidate, and keeps nothing. Zone is that of times which name
// none, where somebody said it.
func (o Onboard) Preview(ctx context.Context, c curlew.Candidate, zone string) (Offer, error) {
	onboarding, in, err := o.generating(ctx, c)
	if err != nil {
		return Offer{}, err
	}
	in.Zone = cmp.Or(zone, in.Zone)
	return onboarding.Preview(ctx, c.URL, in, c.AutoDeploy)
}

// generating is an onboarding that learns from other sources of the org, and may ask its teacher.
func (o Onboard) generating(ctx context.Context, c curlew.Candidate) (Onboarding, Instructions, error) {
	onboarding, in, err := o.onboarding(ctx, c)
	if err == nil {
		onboarding.Teacher = o.Teacher.Of(c.Org, c.Source)
		onboarding.Relatives, err = o.relatives(ctx, c.Org, c.Source)
	}
	return onboarding, in, err
}

// PreviewOf does the same with a page that is at hand.
func (o Onboarding) PreviewOf(ctx context.Context, page extract.Material, in Instructions) (Offer, error) {
	inspection := o.inspection(ctx, in)
	found := inspection.read(ctx, inspection.at(page), page)
	o.Inspected = &found
	return o.Preview(ctx, page.URL, in, true)
}

// Preview analyses a page and offers its readings.
func (o Onboarding) Preview(ctx context.Context, address string, in Instructions, auto bool) (Offer, error) {
	a, err := o.Analyse(ctx, address, in)
	switch {
	case err != nil:
		return Offer{}, err
	case !a.Report.Robots.Allowed:
		return Offer{Analysis: a}, curlew.Refused(ErrRobotsDisallowed, "%s", a.Report.Reason)
	case !a.Feasible() && (o.Teacher == nil || !a.leftToTeacher(in)):
		return Offer{Analysis: a}, curlew.Permanent(curlew.ErrNotFeasible, "%s", a.Report.Reason)
	}
	offer, err := o.Offer(ctx, a, in, auto)
	for i, p := range offer.Readings {
		offer.Readings[i].Readings = slices.DeleteFunc(slices.Clone(p.Readings), func(one extract.ReadRecord) bool {
			return p.Schema != curlew.SchemaPage && !publish.Wanted(in.settings(), one.Record.Fields, o.Now())
		})
	}
	return offer, err
}

// Offer tries the ways to read an analysed page, and decides. Auto is false where a person
// wants the last word.
func (o Onboarding) Offer(ctx context.Context, a Analysis, in Instructions, auto bool) (offer Offer, err error) {
	offer.Analysis = a
	if offer.Best, offer.Trials, err = o.Generate(ctx, a, in); err != nil {
		return offer, err
	}
	offer.Verdict, offer.Why = offer.Best.Decide(auto)
	if missing := offer.Best.Proposal.missing(); len(missing) > 0 {
		offer.Why = strings.TrimSuffix(offer.Why, ".") + "; not found on the page: " + strings.Join(missing, ", ")
	}
	offer.Readings, err = offer.Best.Proposal.offered(ctx, offer.Verdict == quality.VerdictReview)
	return offer, err
}

// missing are the fields that no record has, of an org's own kind, which somebody defined for them, or of one
// that somebody asked for and that is not sure.
func (p Proposal) missing() (names []string) {
	if p.Blueprint == nil || p.Records == 0 {
		return nil
	}
	kind := p.Blueprint.Kind()
	own, doubted := kind.Own() != nil, p.Search != nil && p.Search.Options.Schema == p.Schema && p.Sure < extract.Sure
	for _, f := range kind.Fields {
		if !own && !(doubted && Informative(kind, f)) {
			continue
		}
		has := func(r extract.ReadRecord) bool { return r.Record.Fields[f.Name] != nil }
		if !slices.ContainsFunc(p.Readings, has) && !slices.ContainsFunc(p.Sample, has) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Choices are the readings as a candidate keeps them.
func (o Offer) Choices() (all []Choice, err error) {
	for _, p := range o.Readings {
		c, err := p.choice()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Found sums the readings up.
func (o Offer) Found() (all []Finding) {
	for _, p := range o.Readings {
		all = append(all, FindingOf(p.Reading()))
	}
	return all
}

// Reading is what a proposal gives, with what speaks for and against the page's own reading of that kind.
func (p Proposal) Reading() extract.Reading {
	r := extract.Reading{Schema: p.Schema, Tier: p.Tier, Score: p.Sure, Records: p.Readings, Single: p.Blueprint.Page == curlew.PageSingle}
	if p.Search != nil {
		of := *p.Search
		of.Schema = p.Schema
		if own := of.reading(); own != nil {
			r.Signs = own.Signs
		}
	}
	return r
}

// mostChoices is how many readings are offered, and mostShown how many records of each.
const mostChoices, mostShown = 5, 3

// offered are the readings that a person may choose from, the best first: the tested
// proposal, and the page's other readings by their readers. Where somebody is to choose,
// the page's text is offered without what differs between two looks at once.
func (p Proposal) offered(ctx context.Context, waits bool) ([]Proposal, error) {
	all := []Proposal{p}
	if p.Search == nil {
		return all, nil
	}
	for i, r := range p.Search.Readings {
		last := i == len(p.Search.Readings)-1 // the text of the page is always among them
		if r.Schema == p.Schema || len(all) >= mostChoices-1 && !last {
			continue
		}
		b := p.Search.leftToReader(ctx, r)
		if waits && r.Schema == curlew.SchemaPage {
			b.Records.Without = p.Search.restless(ctx)
		}
		compiled, err := extract.Compile(b)
		if err != nil {
			return nil, err
		}
		b.URL, b.Expect = p.Search.Home.URL, compiled.Expect(r.Records)
		b.Expect.Ended = extract.Ended(p.Search.Home)
		all = append(all, Proposal{URL: b.URL, Schema: r.Schema, Tier: r.Tier, Blueprint: b, Records: len(r.Records),
			Readings: r.Records, Sample: r.Records, Sure: r.Score, Search: p.Search})
	}
	slices.SortStableFunc(all[1:], func(a, b Proposal) int { return cmp.Compare(b.Sure, a.Sure) })
	return all, nil
}

// Choice is a reading of a page that a person may choose, as a candidate keeps it.
type Choice struct {
	Kind   curlew.SchemaName `json:"kind"`
	Tier   curlew.Tier       `json:"tier"`
	URL    string            `json:"url"`
	Sure   float64           `json:"score"` // how likely it is the right one, from 0 to 1
	Count  int               `json:"count"`
	Single bool              `json:"single,omitempty"`
	Where  string            `json:"where,omitempty"` // on the page: the path of its first record
	Sample []curlew.Values   `json:"sample"`
	Coded  []string          `json:"coded,omitempty"` // slots in which letters follow digits, as in "16E": they hold no numbers
	Rules  []byte            `json:"rules"`           // the blueprint
}

func (p Proposal) choice() (Choice, error) {
	rules, err := blueprint.Marshal(p.Blueprint)
	c := Choice{
		Kind: p.Schema, Tier: p.Tier, URL: p.URL, Sure: p.Sure, Count: p.Records, Rules: rules,
		Single: p.Blueprint.Page == curlew.PageSingle,
	}
	for _, r := range p.Sample[:min(len(p.Sample), mostShown)] {
		c.Sample = append(c.Sample, r.Record.Fields)
	}
	if len(p.Readings) > 0 {
		c.Where = p.Readings[0].Node
	}
	c.Coded = coded(p.Readings)
	return c, err
}

var digitAndLetter = text.Pattern(`\d\pL`)

// coded are the slots in which letters follow digits.
func coded(records []extract.ReadRecord) (slots []string) {
	found := map[string]bool{}
	for _, r := range records {
		for path, value := range r.Record.Fields.Flat() {
			said, _ := value.(string)
			if strings.HasPrefix(path, "slots.") && !found[path] && digitAndLetter().MatchString(said) {
				found[path], slots = true, append(slots, path)
			}
		}
	}
	slices.Sort(slots)
	return slots
}

// Of is the kind of its records.
func (c Choice) Of() curlew.Schema {
	b, err := blueprint.Parse(c.Rules)
	if err != nil {
		return c.Kind.Kind()
	}
	return b.Kind()
}

// Found sums it up.
func (c Choice) Found() Finding {
	f, kind := Finding{Kind: c.Kind, Tier: c.Tier, Count: c.Count, Sure: c.Sure}, c.Of()
	for _, fields := range c.Sample {
		f.Names = append(f.Names, text.Collapse(kind.TitleOf(fields)))
	}
	return f
}
