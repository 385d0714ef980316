package teach

import (
	"context"
	"maps"
	"slices"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/extract"
	"curlew/internal/learn/induce"
	"curlew/internal/read/blueprint"
	"curlew/internal/work/onboard"
)

// learnOwn learns own pages with all that was taught about them.
func (l *Lesson) learnOwn() ([]blueprint.Follow, error) {
	own := l.Own
	rules, err := l.withoutRemoved(slices.Clone(own.First))
	if err != nil || len(own.Taught) == 0 && len(own.Removed) == 0 {
		return own.First, err
	}
	if len(own.Taught) > 0 {
		if rules, err = l.withTaught(rules); err != nil {
			return nil, err
		}
	}
	for i, f := range rules {
		if f.Field == own.Field {
			if rules[i].With, err = l.expectOwn(f.With); err != nil {
				return nil, err
			}
		}
	}
	return rules, nil
}

// withoutRemoved takes fields out of the rules. A reader cannot be told not to find
// something, so what it found besides is learned from what the pages show.
func (l *Lesson) withoutRemoved(rules []blueprint.Follow) ([]blueprint.Follow, error) {
	if len(l.Own.Removed) == 0 {
		return rules, nil
	}
	var kept []blueprint.Follow
	for _, f := range rules {
		if f.Field != l.Own.Field {
			kept = append(kept, f)
			continue
		}
		with := *f.With
		if with.ByReaders() {
			if !l.findsRemoved(f) {
				kept = append(kept, f)
				continue
			}
			shown, err := l.shownOwn(f)
			if err != nil {
				return nil, err
			}
			with = *shown
		}
		with.Fields = maps.Clone(with.Fields)
		for _, name := range l.Own.Removed {
			delete(with.Fields, name)
		}
		if len(with.Fields) > 0 {
			kept = append(kept, blueprint.Follow{Field: f.Field, With: &with})
		}
	}
	return kept, nil
}

// findsRemoved says whether rules find a field that nobody wants.
func (l *Lesson) findsRemoved(f blueprint.Follow) bool {
	for i := range l.Own.Pages {
		applied, err := l.applyOwn([]blueprint.Follow{f}, l.Listed(ownNames[i]), ownNames[i])
		if err != nil || len(applied.Readings) == 0 {
			continue
		}
		for _, name := range l.Own.Removed {
			if _, has := applied.Readings[0].Record.Fields[name]; has {
				return true
			}
		}
	}
	return false
}

// shownOwn learns from what own pages show what a reader found in their data and the list
// lacks.
func (l *Lesson) shownOwn(f blueprint.Follow) (*blueprint.Blueprint, error) {
	var known []induce.LabelledPage
	wanted := map[string]bool{}
	for i := range l.Own.Pages {
		name, listed := ownNames[i], l.Listed(ownNames[i])
		applied, err := l.applyOwn([]blueprint.Follow{f}, listed, name)
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
		known = append(known, induce.LabelledPage{Document: l.Document(name), Now: l.material(name).Now, Fields: fields})
	}
	b, _, err := induce.FewShot(context.Background(), l.Wish.Schema, known)
	if err != nil {
		return nil, curlew.Permanent("only_data", "%s stands in data for machines, of which no part can be left out, and the page does not "+
			"show the rest so that it could be learned: read only the list, or keep it",
			strings.ReplaceAll(strings.Join(l.Own.Removed, ", "), "_", " "))
	}
	maps.DeleteFunc(b.Fields, func(field string, _ blueprint.FieldRules) bool { return !wanted[field] })
	b.Expect, b.Identity, b.Context = nil, nil, f.With.Context
	return b, nil
}

// withTaught adds what was taught: to the rules that read what own pages show, which come
// last so that what a person says wins.
func (l *Lesson) withTaught(rules []blueprint.Follow) ([]blueprint.Follow, error) {
	shown := &blueprint.Blueprint{Language: 1, Schema: l.Wish.Schema, Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Fields: map[string]blueprint.FieldRules{}, Context: l.Blueprint().Context}
	at := -1
	for i, f := range rules {
		if f.Field == l.Own.Field && f.With.Tier == curlew.TierHTML && f.With.Records == nil {
			at = i
		}
	}
	if at >= 0 {
		shown = rules[at].With
		rules = slices.Delete(slices.Clone(rules), at, at+1)
	}
	example := induce.Example{Fields: map[string][]string{}}
	for _, t := range l.Own.Taught {
		example.Fields[t.Field] = []string{t.Value}
	}
	taught, _, err := induce.Teach(shown, l.Document(OwnPage), l.material(OwnPage).Now, []induce.Example{example}, l.ownDocuments()...)
	if err != nil {
		return nil, err
	}
	taught.Identity = nil // the list knows who is who
	return append(rules, blueprint.Follow{Field: l.Own.Field, With: taught}), nil
}

// expectOwn gives rules what own pages look like.
func (l *Lesson) expectOwn(with *blueprint.Blueprint) (*blueprint.Blueprint, error) {
	b := *with
	b.Expect = nil
	recipe, err := extract.NewRecipe(&b)
	if err != nil {
		return nil, err
	}
	var seen [][]extract.ReadRecord
	for i := range l.Own.Pages {
		if applied := recipe.Apply(l.material(ownNames[i]), extract.ApplyOptions{}); applied.Fault == nil && len(applied.Readings) > 0 {
			seen = append(seen, applied.Readings)
		}
	}
	b.Expect = recipe.Expect(seen...)
	b.Expect.Records = nil
	return &b, nil
}

func sorted(names map[string]bool) []string { return slices.Sorted(maps.Keys(names)) }
