package teach

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// learnDetail learns detail pages with all that was taught about them.
func (l *Training) learnDetail(ctx context.Context) ([]blueprint.Follow, error) {
	own := l.Detail
	rules, err := l.withoutRemoved(ctx, slices.Clone(own.First))
	if err != nil || len(own.Taught) == 0 && len(own.Removed) == 0 {
		return own.First, err
	}
	if len(own.Taught) > 0 {
		if rules, err = l.withTaught(ctx, rules); err != nil {
			return nil, err
		}
	}
	for i, f := range rules {
		if f.Field == own.Field {
			if rules[i].With, err = l.expectDetail(ctx, f.With); err != nil {
				return nil, err
			}
		}
	}
	return rules, nil
}

// withoutRemoved takes fields out of the rules. A reader cannot be told not to find
// something, so what it found besides is learned from what the pages show.
func (l *Training) withoutRemoved(ctx context.Context, rules []blueprint.Follow) ([]blueprint.Follow, error) {
	if len(l.Detail.Removed) == 0 {
		return rules, nil
	}
	var kept []blueprint.Follow
	for _, f := range rules {
		if f.Field != l.Detail.Field {
			kept = append(kept, f)
			continue
		}
		with := *f.With
		if with.ByReaders() {
			if !l.findsRemoved(ctx, f) {
				kept = append(kept, f)
				continue
			}
			shown, err := l.shownDetail(ctx, f)
			if err != nil {
				return nil, err
			}
			with = *shown
		}
		with.Fields = maps.Clone(with.Fields)
		for _, name := range l.Detail.Removed {
			delete(with.Fields, name)
		}
		if len(with.Fields) > 0 {
			kept = append(kept, blueprint.Follow{Field: f.Field, With: &with})
		}
	}
	return kept, nil
}

// findsRemoved says whether rules find a field that nobody wants.
func (l *Training) findsRemoved(ctx context.Context, f blueprint.Follow) bool {
	for i := range l.Detail.Pages {
		applied, err := l.applyDetail(ctx, []blueprint.Follow{f}, l.Listed(ctx, detailNames[i]), detailNames[i])
		if err != nil || len(applied.Readings) == 0 {
			continue
		}
		for _, name := range l.Detail.Removed {
			if _, has := applied.Readings[0].Record.Fields[name]; has {
				return true
			}
		}
	}
	return false
}

// shownDetail learns from what detail pages show what a reader found in their data and the list
// lacks.
func (l *Training) shownDetail(ctx context.Context, f blueprint.Follow) (*blueprint.Blueprint, error) {
	var known []induce.LabelledPage
	wanted := map[string]bool{}
	for i := range l.Detail.Pages {
		name, listed := detailNames[i], l.Listed(ctx, detailNames[i])
		applied, err := l.applyDetail(ctx, []blueprint.Follow{f}, listed, name)
		if err != nil {
			return nil, err
		}
		fields := map[string][]string{}
		if len(applied.Readings) > 0 {
			fields = l.knownOf(applied.Readings[0], nil)
			for field, value := range applied.Readings[0].Record.Fields {
				if onboard.Fuller(listed.Fields[field], value) {
					wanted[field] = true
				}
			}
		}
		known = append(known, induce.LabelledPage{Document: l.Document(name), Now: l.Material(name).Now, Fields: fields})
	}
	b, _, err := induce.FewShot(ctx, l.Goal.Kind(), known)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, curlew.Permanent("only_data", "%s comes from structured data, which cannot be read in part, and the page does not "+
			"show the other fields in a way that can be learned: read only the list, or keep this field",
			strings.ReplaceAll(strings.Join(l.Detail.Removed, ", "), "_", " "))
	}
	maps.DeleteFunc(b.Fields, func(field string, _ blueprint.FieldRules) bool { return !wanted[field] })
	b.Expect, b.Identity, b.Context = nil, nil, f.With.Context
	return b, nil
}

// withTaught adds what was taught: to the rules that read what detail pages show, which come
// last so that what a person says wins.
func (l *Training) withTaught(ctx context.Context, rules []blueprint.Follow) ([]blueprint.Follow, error) {
	shown := &blueprint.Blueprint{Language: 1, Schema: l.Goal.Schema, Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Fields: map[string]blueprint.FieldRules{}, Context: l.Blueprint().Context}
	at := -1
	for i, f := range rules {
		if f.Field == l.Detail.Field && f.With.Tier == curlew.TierHTML && f.With.Records == nil {
			at = i
		}
	}
	if at >= 0 {
		shown = rules[at].With
		rules = slices.Delete(slices.Clone(rules), at, at+1)
	}
	example := induce.Example{Fields: map[string][]string{}}
	for _, t := range l.Detail.Taught {
		example.Fields[t.Field] = []string{t.Value}
	}
	page := induce.DatedPage{Document: l.Document(DetailPage), Now: l.Material(DetailPage).Now}
	taught, _, err := induce.Teach(ctx, shown, page, []induce.Example{example}, l.detailDocuments()...)
	if err != nil {
		return nil, err
	}
	taught.Identity = nil // the list knows who is who
	return append(rules, blueprint.Follow{Field: l.Detail.Field, With: taught}), nil
}

// expectDetail gives rules what detail pages look like.
func (l *Training) expectDetail(ctx context.Context, with *blueprint.Blueprint) (*blueprint.Blueprint, error) {
	b := *with
	b.Expect = nil
	compiled, err := extract.Compile(&b)
	if err != nil {
		return nil, err
	}
	var seen [][]extract.ReadRecord
	for i := range l.Detail.Pages {
		if applied := compiled.Apply(ctx, l.Material(detailNames[i]), l.applying()); applied.Fault == nil && len(applied.Readings) > 0 {
			seen = append(seen, applied.Readings)
		}
	}
	b.Expect = compiled.Expect(seen...)
	b.Expect.Records = nil
	return &b, nil
}

func sorted(names map[string]bool) []string { return slices.Sorted(maps.Keys(names)) }
