package heal

import (
	"context"
	"fmt"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Former is a version by which a watch was read before, and where.
type Former struct {
	ID      curlew.BlueprintID
	Version int
	URL     string
	Rules   *extract.Compiled
}

// mostFormer bounds the former versions that are tried.
const mostFormer = 5

// former are the last versions by which a watch was read before, the newest first.
func former(ctx context.Context, scope store.Scope, watch curlew.Watch) ([]Former, error) {
	from, err := scope.Blueprints().Get(ctx, watch.Blueprint)
	if err != nil {
		return nil, err
	}
	all, err := scope.Blueprints().List(ctx, store.BlueprintFilter{Source: watch.Source}, store.Window{Limit: 100_000})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b curlew.Blueprint) int { return b.Version - a.Version })
	var some []Former
	for _, b := range all {
		if !b.SameLine(from) || b.Status != curlew.BlueprintArchived || b.ID == from.ID || len(some) == mostFormer {
			continue
		}
		if rules, err := extract.CompileRules(b.Rules); err == nil {
			some = append(some, Former{b.ID, b.Version, AddressBefore(watch, from, b), rules})
		}
	}
	return some, nil
}

// formerly goes back to a former version that reads the page again, proved as anything that is learned: a site may go back, or
// try two designs at a time.
func (m Repair) formerly(ctx context.Context, out *Repaired, note noting) bool {
	look, present := m.search(ctx), m.present(ctx)
	if len(out.Report.Details) > 0 {
		present = -1 // the list says nothing of them
	}
	for _, f := range m.Former {
		page, err := look.Material(ctx, f.Rules.First(f.URL))
		if err != nil {
			continue
		}
		applied := f.Rules.Apply(ctx, page, m.applying())
		a := m.agree(onboard.Proposal{Readings: applied.Readings})
		known := a.again() >= leastKnownAgain && a.sameness() >= leastSameValues
		if !applied.Whole() || len(applied.Fit.Fields) > 0 || !known || a.worth() <= present {
			continue
		}
		b := f.Rules.Blueprint
		p := onboard.Proposal{URL: f.URL, Schema: b.Schema, Tier: b.Tier, Blueprint: b, Readings: applied.Readings, Search: look}
		shadow, err := m.shadow(ctx, p)
		if err != nil || !shadow.Agrees || len(out.Report.Details) > 0 && !regains(shadow, out.Report.Details) {
			continue
		}
		out.Former, out.Proposal, out.Report.Shadow = f.ID, p, &shadow
		out.Report.How = fmt.Sprintf("by version %d, which read it before", f.Version)
		out.Report.Changes = blueprint.Diff(m.Old.Blueprint, b)
		note(true, "version %d reads it again: found again %d of %d that could be found", f.Version, shadow.Known.Both, shadow.Known.Old)
		return true
	}
	return false
}
