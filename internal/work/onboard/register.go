package onboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// register keeps the blueprint and the watch of a candidate, and its source where the site
// is none yet; the watch is paused until it is deployed. Ways that lost are kept as drafts,
// for healing.
func (o Onboard) register(
	ctx context.Context, w store.WriteScope, c curlew.Candidate, p Proposal, in Instructions,
) (curlew.Candidate, error) {
	source, err := o.source(ctx, w, c, p, in)
	if err != nil {
		return c, err
	}
	if picture := ReportOf(c).Picture; picture != nil {
		if err := w.Sources().SetPicture(ctx, source.ID, *picture); err != nil {
			return c, err
		}
	}
	added := curlew.Watch{
		Source: source.ID, URL: p.URL, Name: watchName(c, p.URL), Schedule: o.Schedule, Settings: in.settings(), Status: curlew.WatchPaused,
	}
	draft, err := p.Draft(source.ID)
	if err != nil {
		return c, err
	}
	if err := watch.WatchedAlready(ctx, w.Scope, watch.PlaceOf(added, draft), ""); err != nil {
		return c, err
	}
	b, err := w.Blueprints().AddLine(ctx, draft)
	if err != nil {
		return c, err
	}
	if b, err = w.Blueprints().Activate(ctx, b.ID); err != nil {
		return c, err
	}
	for _, other := range p.Others[:min(len(p.Others), mostOthers)] {
		if _, err := o.keepBlueprint(ctx, w, b, other); err != nil {
			return c, err
		}
	}
	if o.Delay != nil {
		delay := curlew.Duration(*o.Delay)
		added.Settings.Delay = &delay
	}
	added.Blueprint = b.ID
	added, err = w.Watches().Add(ctx, added)
	c.Source, c.Watch = source.ID, added.ID
	return c, err
}

// mostOthers is how many ways that lost are kept.
const mostOthers = 2

// source is that of the site, which is made where there is none.
func (o Onboard) source(ctx context.Context, w store.WriteScope, c curlew.Candidate, p Proposal, in Instructions) (curlew.Source, error) {
	site, err := curlew.OriginOf(p.URL)
	if err != nil {
		return curlew.Source{}, err
	}
	source, err := w.Sources().At(ctx, site)
	if errors.Is(err, curlew.ErrNotFound) {
		source, err = redirectsBack(ctx, w, c.URL, site)
	}
	if !errors.Is(err, curlew.ErrNotFound) {
		return source, err
	}
	until := o.Wall().Add(watch.Probation)
	return w.Sources().Add(ctx, curlew.Source{Name: cmp.Or(c.Name, curlew.NameOf(site)), BaseURL: site, Trust: curlew.TrustPaused,
		ProbationUntil: &until, Quality: c.Quality, Why: "it waits for review",
		Rules: curlew.SourceRules{Zone: in.Zone, Instructions: c.Instructions}})
}

// redirectsBack is the source of the site that was asked, where it redirects to another site that was seen to redirect to it.
func redirectsBack(ctx context.Context, w store.WriteScope, asked, site string) (curlew.Source, error) {
	from, err := curlew.OriginOf(asked)
	if err != nil || from == site {
		return curlew.Source{}, curlew.ErrNotFound
	}
	source, err := w.Sources().At(ctx, from)
	if err != nil {
		return source, err
	}
	known, err := w.Candidates().List(ctx, store.CandidateFilter{Source: source.ID}, store.Window{})
	for _, c := range known {
		if one, _ := curlew.OriginOf(c.URL); one == site {
			return source, nil
		}
	}
	return curlew.Source{}, cmp.Or(err, error(curlew.ErrNotFound))
}

// ReportOf is what a candidate keeps of its onboarding; of one that cannot be read, nothing.
func ReportOf(c curlew.Candidate) (report CandidateReport) {
	if json.Unmarshal(c.Report, &report) != nil {
		return CandidateReport{}
	}
	return report
}

// keepBlueprint keeps a draft in the line of another blueprint.
func (o Onboard) keepBlueprint(ctx context.Context, w store.WriteScope, of curlew.Blueprint, p Proposal) (curlew.Blueprint, error) {
	b, err := p.Draft(of.Source)
	if err != nil {
		return b, err
	}
	b.Line = of.Line
	return w.Blueprints().Add(ctx, b)
}

// deploy lets the source of a tested candidate go.
func (o Onboard) deploy(ctx context.Context, w store.WriteScope, c curlew.Candidate, why string) error {
	source, err := w.Sources().Lock(ctx, c.Source)
	if err != nil {
		return err
	}
	if source.Trust != curlew.TrustStable {
		source.Trust, source.Why = curlew.TrustProbation, ""
	}
	if err := w.Sources().Save(ctx, source); err != nil {
		return err
	}
	watches, err := w.Watches().List(ctx, store.WatchFilter{Source: source.ID}, store.Window{})
	if err != nil {
		return err
	}
	now := o.Wall()
	for _, watch := range watches {
		if c.Watch != "" && watch.ID != c.Watch {
			continue
		}
		watch.Status, watch.NextRunAt = curlew.WatchActive, &now
		if err := w.Watches().Save(ctx, watch); err != nil {
			return err
		}
	}
	c.Review = false
	if err := w.Candidates().Save(ctx, c); err != nil {
		return err
	}
	_, err = w.Candidates().Move(ctx, c.ID, curlew.CandidateDeployed, why)
	return err
}
