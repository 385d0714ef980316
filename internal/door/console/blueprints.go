package console

import (
	"context"
	"slices"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

type blueprintList struct {
	Blueprints []blueprintRow
	Sources    []curlew.Source
	Schemas    []curlew.Schema
	Statuses   []curlew.BlueprintStatus
	Tiers      []curlew.Tier
	Filter     store.BlueprintFilter
	Next       string
}

type blueprintRow struct {
	curlew.Blueprint
	Where string
	Score *int // of the source, where it is read by this version
}

var (
	blueprintStatuses = []curlew.BlueprintStatus{curlew.BlueprintActive, curlew.BlueprintDraft, curlew.BlueprintArchived}
	tiers             = []curlew.Tier{curlew.TierStructured, curlew.TierAPI, curlew.TierBundle, curlew.TierHTML, curlew.TierLLM}
)

func listBlueprints(ctx context.Context, v *visit) (view, error) {
	l := blueprintList{Schemas: v.kinds, Statuses: blueprintStatuses, Tiers: tiers,
		Filter: store.BlueprintFilter{Source: of[curlew.SourceID](v, "source"), Schema: v.ofKind("schema"), Tier: chosen(v, "tier", tiers...),
			Status: chosen(v, "status", curlew.BlueprintDraft, curlew.BlueprintActive, curlew.BlueprintFailed, curlew.BlueprintArchived)}}
	all, err := v.read.Blueprints().ListBefore(ctx, l.Filter, v.window())
	if err != nil {
		return view{}, err
	}
	all, l.Next = paged(v, all, func(b curlew.Blueprint) string { return string(b.ID) })
	var names map[curlew.SourceID]string
	names, l.Sources, err = sourceNames(ctx, v)
	for _, b := range all {
		row := blueprintRow{Blueprint: b, Where: names[b.Source]}
		at := slices.IndexFunc(l.Sources, func(s curlew.Source) bool { return s.ID == b.Source })
		if at >= 0 && b.Status == curlew.BlueprintActive {
			row.Score = l.Sources[at].Quality
		}
		l.Blueprints = append(l.Blueprints, row)
	}
	return view{"blueprints", "Blueprints", l}, err
}

// blueprintPage is a blueprint with its other versions, and who reads by it.
type blueprintPage struct {
	curlew.Blueprint
	Explained
	Where    string
	Watches  []curlew.Watch
	Versions []curlew.Blueprint
	Against  curlew.BlueprintID
	Other    int // its version
	Sides    []blueprint.PartDiff
	Same     int // parts that do not differ
}

// mostVersions bounds the versions that a page shows.
const mostVersions = 100

func showBlueprint(ctx context.Context, v *visit) (view, error) {
	b, err := v.read.Blueprints().Get(ctx, curlew.BlueprintID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	source, err := v.read.Sources().Get(ctx, b.Source)
	if err != nil {
		return view{}, err
	}
	p := blueprintPage{Blueprint: b, Explained: inWords(b), Where: text.Clip(clean(source.Name), 80)}
	watches, err := v.read.Watches().List(ctx, store.WatchFilter{Source: b.Source}, store.Window{Limit: 100})
	if err != nil {
		return view{}, err
	}
	p.Watches = slices.DeleteFunc(watches, func(w curlew.Watch) bool { return w.Blueprint != b.ID })
	all, err := v.read.Blueprints().ListBefore(ctx, store.BlueprintFilter{Source: b.Source, Schema: b.Schema},
		store.Window{Limit: mostVersions})
	if err != nil {
		return view{}, err
	}
	p.Versions = slices.DeleteFunc(all, func(o curlew.Blueprint) bool { return o.PageType != b.PageType })
	if err := p.compare(ctx, v); err != nil {
		return view{}, err
	}
	return view{"blueprint", text.Clip("Blueprint of "+p.Where, 100), p}, nil
}

// compare lays the version that the address names beside this one; without a name, the
// one before.
func (p *blueprintPage) compare(ctx context.Context, v *visit) error {
	p.Against = curlew.BlueprintID(v.query("against"))
	for _, o := range p.Versions {
		if p.Against == "" && o.Version < p.Version {
			p.Against = o.ID
		}
		if o.ID == p.Against {
			p.Other = o.Version
		}
	}
	if p.Against == "" || p.Against == p.ID {
		p.Against = ""
		return nil
	}
	if p.Other == 0 {
		return curlew.NotFound("blueprint", string(p.Against))
	}
	before, err := v.read.Blueprints().Get(ctx, p.Against)
	after := p.Blueprint
	if p.Other > p.Version {
		before, after = after, before
	}
	for _, s := range sidesOf(before, after) {
		if s.Differs() {
			p.Sides = append(p.Sides, s)
		} else {
			p.Same++
		}
	}
	return err
}

func activate(ctx context.Context, v *visit) (string, error) {
	c := app.ActivateBlueprint{ID: curlew.BlueprintID(v.PathValue("id"))}
	v.command(&c)
	_, err := v.app.ActivateBlueprint(ctx, v.who, c)
	return "/blueprints/" + string(c.ID) + "?done=activate", err
}
