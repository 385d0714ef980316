package app

import (
	"cmp"
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// Tested is what a blueprint gave.
type Tested struct {
	URL     string
	Applied extract.Applied
	Trial   onboard.Trial   // the judgement on the whole records
	Faults  []*curlew.Fault // of what could not be read
}

// TestBlueprint reads a page by a blueprint, with the detail pages of some of its records.
func (a *App) TestBlueprint(ctx context.Context, who auth.Identity, c TestBlueprint) (Tested, error) {
	c.Page = c.Page.placed()
	return remote(ctx, a.as(who), "testBlueprint", c, func(ctx context.Context, e *remoteCall) (Tested, error) {
		return e.test(ctx, c)
	})
}

func (e *remoteCall) test(ctx context.Context, t TestBlueprint) (Tested, error) {
	b, row, err := e.kept(ctx, t.RulesInput)
	if err != nil {
		return Tested{}, err
	}
	if t.Schema != "" && b.Schema != t.Schema {
		return Tested{}, otherSchema(b)
	}
	compiled, err := extract.Compile(b)
	if err != nil {
		return Tested{}, err
	}
	if t.Page.URL == "" {
		if t.Page.URL = cmp.Or(row.TestURL, b.URL); t.Page.URL == "" {
			return Tested{}, curlew.Permanent("bad_request", "the blueprint names no page: give one")
		}
	}
	web := e.web(t.Page)
	page, err := e.first(ctx, web, compiled, t.Page)
	if err != nil {
		return Tested{}, err
	}
	options, err := pages.Options(ctx, e.a.i.Store.Org(e.org), b.Kind())
	if err != nil {
		return Tested{}, err
	}
	o := options.Applying()
	o.Zone = zoneOf(t.Timezone)
	out := Tested{URL: page.URL, Applied: compiled.Apply(ctx, page, o)}
	followed := map[int][]*dom.Document{}
	for i := range out.Applied.Readings[:min(t.Follow, len(out.Applied.Readings))] {
		for _, lead := range compiled.Follow {
			detail, err := e.follow(ctx, web, lead, &out.Applied.Readings[i].Record, o)
			if err != nil {
				out.Faults = append(out.Faults, curlew.AsFault(err))
			} else if detail != nil {
				followed[i] = append(followed[i], detail)
			}
		}
	}
	out.Trial = trialOf(ctx, b, page, out.Applied.Readings, followed)
	return out, nil
}

// follow adds to a record what its detail page says, and returns that page; none where
// the record leads nowhere.
func (e *remoteCall) follow(
	ctx context.Context, web pages.PageSource, lead extract.Lead, r *curlew.Record, o extract.ApplyOptions,
) (*dom.Document, error) {
	address, _ := r.Fields[lead.Field].(string)
	if address == "" && lead.Field == "url" {
		address = r.URL
	}
	if address == "" {
		return nil, nil
	}
	detail, err := e.material(ctx, web, extract.RequestSpec{URL: address})
	if err != nil {
		return nil, err
	}
	more := lead.Compiled.Detail(*r, lead.Compiled.Apply(ctx, detail, o))
	if more == nil {
		return nil, curlew.Permanent("no_detail", "%s does not describe the record that links to it", address)
	}
	*r = extract.Merge(*r, *more)
	return detail.Document(), nil
}

// mostJudged is how many records are judged, as many as when a source is taken in.
const mostJudged = 30

// trialOf judges what a blueprint gave on a page, by records from all over it. more are
// the detail pages of records, by their places; these are always judged.
func trialOf(
	ctx context.Context, b *blueprint.Blueprint, page extract.Material, readings []extract.ReadRecord, more map[int][]*dom.Document,
) onboard.Trial {
	doc := page.Document()
	var samples []quality.SampleRecord
	var records []curlew.Record
	step := max(1, len(readings)/mostJudged)
	for i, r := range readings {
		if len(more[i]) == 0 && (i%step != 0 || len(records) >= mostJudged) {
			continue
		}
		if r.Record.Whole() {
			samples = append(samples, quality.SampleRecord{Record: r.Record, Node: r.Node, Pages: append([]*dom.Document{doc}, more[i]...)})
			records = append(records, r.Record)
		}
	}
	judgement := quality.Judge(ctx, samples, dates.Options{Now: page.Now})
	t := onboard.Trial{Tier: b.Tier, Card: quality.Quality(quality.Sample{Schema: b.Schema, Records: records, Now: page.Now}).With(judgement)}
	t.Score, t.Passed, t.Feedback = t.Card.Score, judgement.Passed, judgement.Feedback()
	t.Proposal = onboard.Proposal{URL: page.URL, Schema: b.Schema, Tier: b.Tier, Blueprint: b, Records: len(readings), Readings: readings}
	return t
}

// otherSchema says that a blueprint is not of the schema that was named.
func otherSchema(b *blueprint.Blueprint) error {
	return curlew.Problems{{Field: "schema", Sentence: fmt.Sprintf("the blueprint is of the schema %q: name that, or none", b.Schema)}}
}
