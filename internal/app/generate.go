package app

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/pages"
)

// Generated is what was learned: the trial that won, and all of them.
type Generated struct {
	Best   onboard.Trial
	How    string
	Trials []onboard.Trial
	Proof  *induce.Proof // where values were known
}

// GenerateBlueprint learns how to read a page: by all ways that onboarding knows, and from known
// values where there are some. What finds most of these wins, then what is judged best.
func (a *App) GenerateBlueprint(ctx context.Context, who auth.Identity, c GenerateBlueprint) (Generated, error) {
	c.Page = c.Page.placed()
	return remote(ctx, a.as(who), "generateBlueprint", c, func(ctx context.Context, e *remoteCall) (Generated, error) {
		return e.generate(ctx, c)
	})
}

func (e *remoteCall) generate(ctx context.Context, t GenerateBlueprint) (Generated, error) {
	kind, err := e.a.kindNamed(ctx, e.org, t.Schema)
	if err != nil {
		return Generated{}, err
	}
	t.kind = kind
	own, err := e.a.i.Store.Org(e.org).Kinds().Own(ctx)
	if err != nil {
		return Generated{}, err
	}
	in, schema := onboard.ReadInstructions(t.Instructions, own...), t.Schema
	options, err := pages.Options(ctx, e.a.i.Store.Org(e.org), kind)
	if err != nil {
		return Generated{}, err
	}
	options.Asserted, options.Zone = schema != "", zoneOf(cmp.Or(t.Timezone, in.Zone))
	if t.Page.HTML == "" {
		t.Page.URL = in.At(t.Page.URL)
	}
	web := e.web(t.Page)
	var out Generated
	var failed error
	if len(t.Known) > 0 {
		trial, err := e.fewShot(ctx, web, t, options.Applying())
		if err == nil {
			out.Trials = append(out.Trials, trial)
		}
		failed = err
	}
	if schema != curlew.SchemaCustom {
		teacher, err := e.teacher("")
		if err != nil {
			return out, err
		}
		o := onboard.Onboarding{Proposing: onboard.Proposing{Web: web, Now: e.a.i.Now, Teacher: teacher, Options: options}}
		_, trials, err := o.Generate(ctx, onboard.Analysis{URL: t.Page.URL}, in)
		out.Trials = append(out.Trials, trials...)
		failed = cmp.Or(err, failed)
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	out.Trials = append(out.Trials, e.others(ctx, web, out.Trials, t.Type, options.Applying())...)
	best, ok := chosen(out.Trials, t.Type, t.Known)
	switch {
	case !ok && failed != nil:
		return out, failed
	case !ok:
		return out, curlew.Permanent(curlew.ErrNotFeasible,
			"no way was found to read this as a %s page: leave out page_type, or give known values", t.Type)
	}
	out.Best, out.How = best, best.What
	if len(t.Known) > 0 {
		proof := foundAgain(best.Proposal.Readings, t.Known)
		out.Proof = &proof
	}
	return out, nil
}

// fewShot learns from known values on the page.
func (e *remoteCall) fewShot(
	ctx context.Context, web pages.PageSource, t GenerateBlueprint, o extract.ApplyOptions,
) (onboard.Trial, error) {
	page, err := e.material(ctx, web, extract.RequestSpec{URL: t.Page.URL})
	if err != nil {
		return onboard.Trial{}, err
	}
	doc := page.Document()
	var samples []induce.LabelledPage
	for _, k := range t.Known {
		samples = append(samples, induce.LabelledPage{Document: doc, Now: page.Now, Fields: k})
	}
	b, _, err := induce.FewShot(ctx, t.kind, samples)
	if err != nil {
		return onboard.Trial{}, err
	}
	trial, err := tried(ctx, b, page, o)
	trial.What = "learned from known values"
	return trial, err
}

// tried applies a blueprint to its page, learns what to expect there, and judges it.
func tried(ctx context.Context, b *blueprint.Blueprint, page extract.Material, o extract.ApplyOptions) (onboard.Trial, error) {
	compiled, err := extract.Compile(b)
	if err != nil {
		return onboard.Trial{}, err
	}
	applied := compiled.Apply(ctx, page, o)
	if applied.Fault != nil {
		return onboard.Trial{}, applied.Fault
	}
	if len(applied.Readings) == 0 {
		return onboard.Trial{}, curlew.Permanent(curlew.ErrNotFeasible, "the rules that were learned give no records")
	}
	own := *b
	own.URL = cmp.Or(own.URL, page.URL)
	own.Expect = compiled.Expect(applied.Readings)
	own.Expect.Ended = extract.Ended(page)
	return trialOf(ctx, &own, page, applied.Readings, nil), ctx.Err()
}

// others tries what was proposed and not tested, where nothing that was tested is of the
// wanted type.
func (e *remoteCall) others(
	ctx context.Context, web pages.PageSource, trials []onboard.Trial, want curlew.PageType, o extract.ApplyOptions,
) (more []onboard.Trial) {
	if want == "" || slices.ContainsFunc(trials, func(t onboard.Trial) bool { return isOf(t, want) }) {
		return nil
	}
	for _, t := range trials {
		for _, p := range t.Proposal.Others {
			if p.Blueprint.Page != want {
				continue
			}
			page, err := e.material(ctx, web, extract.RequestSpec{URL: p.URL})
			if err != nil {
				continue
			}
			if trial, err := tried(ctx, p.Blueprint, page, o); err == nil {
				trial.What = "the best way to read it as a " + string(want) + " page"
				return []onboard.Trial{trial}
			}
		}
	}
	return nil
}

func isOf(t onboard.Trial, want curlew.PageType) bool {
	b := t.Proposal.Blueprint
	return b != nil && (want == "" || b.Page == want)
}

// chosen is the trial that finds most of the known values, then the one that passed and
// has the best score.
func chosen(trials []onboard.Trial, want curlew.PageType, known []KnownValues) (best onboard.Trial, ok bool) {
	most := -1
	for _, t := range trials {
		if !isOf(t, want) {
			continue
		}
		proof := foundAgain(t.Proposal.Readings, known)
		found, _ := proof.Found()
		better := t.Passed && !best.Passed || t.Passed == best.Passed && t.Score > best.Score
		if found > most || found == most && better {
			best, most, ok = t, found, true
		}
	}
	return best, ok
}

// foundAgain counts which known values records have: each known record is held against
// the one that has most of it.
func foundAgain(readings []extract.ReadRecord, known []KnownValues) induce.Proof {
	proof := induce.Proof{Pages: 1, Records: len(readings)}
	fields := map[string]*induce.FieldProof{}
	for _, k := range known {
		var best map[string]int
		most := -1
		for _, r := range readings {
			has, n := map[string]int{}, 0
			for name, values := range k {
				for _, v := range values {
					if shows(r.Record, name, v) {
						has[name]++
						n++
					}
				}
			}
			if n > most {
				best, most = has, n
			}
		}
		for name, values := range k {
			f := fields[name]
			if f == nil {
				f = &induce.FieldProof{Field: name}
				fields[name] = f
			}
			f.Known += len(values)
			f.Found += best[name]
			if best[name] < len(values) && len(f.Missing) < 5 {
				f.Missing = append(f.Missing, strings.Join(values, "; "))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		proof.Fields = append(proof.Fields, *fields[name])
	}
	return proof
}

// shows says whether a record has a value, or read it from such a text.
func shows(r curlew.Record, field, value string) bool {
	is, ok := r.Fields[field]
	if !ok {
		return false
	}
	want := text.Fold(text.Collapse(value))
	reads := func(s string) bool { return text.Fold(text.Collapse(s)) == want }
	if reads(curlew.ValueText(is)) || strings.Contains(text.Fold(text.Collapse(r.Provenance[field].Text)), want) {
		return true
	}
	if all, many := is.([]string); many {
		return slices.ContainsFunc(all, reads)
	}
	return false
}
