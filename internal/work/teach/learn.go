package teach

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// begin finds the ways and takes the one that brings most.
func (l *Training) begin(ctx context.Context) error {
	l.Ways = l.ways(ctx)
	best := -1.0
	var why error
	for _, w := range l.Ways {
		if strings.HasPrefix(w.Key, "list:") && best > 0 {
			continue // for a person to choose
		}
		trial := *l
		if err := trial.take(ctx, w.Key); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if why = err; w.Key == "selector" {
				l.Notes = append(l.Notes, "your selector could not be followed: "+curlew.AsFault(err).Sentence)
			}
			continue
		}
		if worth := trial.worth(ctx, w); worth > best {
			best = worth
			l.Way, l.First, l.Rules, l.Proof = w.Key, trial.First, trial.Rules, trial.Proof
		}
	}
	l.Ways = slices.DeleteFunc(l.Ways, func(w ReadingOption) bool { return w.Key == "selector" && w.Records == 0 }) // somebody was told
	if l.Way == "" && l.Goal.Page == curlew.PageList {
		note := "no list of " + string(l.Goal.Schema) + " entries was found on this page"
		if why != nil {
			note += ": " + curlew.AsFault(why).Sentence
		}
		l.Notes = append(l.Notes, note)
	}
	return nil
}

// worth compares ways: how much their records tell. What a source is read by now comes
// first as long as it finds anything, since that is what somebody wants to correct.
func (l *Training) worth(ctx context.Context, w ReadingOption) float64 {
	applied, err := l.Applied(ctx, ThePage)
	if err != nil || len(applied.Readings) == 0 {
		return 0
	}
	switch w.Key {
	case "selector":
		return 2e9 // that was asked for
	case "base":
		return 1e9
	}
	fields := 0
	for _, r := range applied.Readings {
		if r.Record.Whole() {
			fields += len(r.Record.Fields)
		}
	}
	steady := map[curlew.Tier]float64{curlew.TierStructured: 1, curlew.TierAPI: 1, curlew.TierBundle: 0.9}[w.Tier]
	if steady == 0 {
		steady = 0.8
	}
	return float64(fields) * steady
}

// Choose reads another list of the page. What was taught about the one before is forgotten.
func (l *Training) Choose(ctx context.Context, key string) error {
	if !slices.ContainsFunc(l.Ways, func(w ReadingOption) bool { return w.Key == key }) {
		return curlew.Permanent("no_such_way", "this page has no such list: choose one of those that are shown")
	}
	was := *l
	l.Taught, l.Removed, l.Test, l.Lost = nil, nil, nil, nil
	if err := l.guarded(func() error { return l.take(ctx, key) }); err != nil {
		*l = was
		return err
	}
	return nil
}

// take learns a way, without anything that was taught.
func (l *Training) take(ctx context.Context, key string) error {
	b, err := l.learnWay(ctx, key)
	if err != nil {
		return err
	}
	if key != "base" {
		l.dress(ctx, b, l.Document(ThePage))
	}
	first, err := blueprint.Marshal(b)
	if err != nil {
		return err
	}
	l.Way, l.First = key, first
	return l.accept(ctx, b)
}

// accept takes a blueprint as what was learned, if it reads the page.
func (l *Training) accept(ctx context.Context, b *blueprint.Blueprint) error {
	l.lead(b)
	compiled, err := extract.Compile(b)
	if err != nil {
		return err
	}
	m := l.Material(ThePage)
	b.Expect = nil // the page is what is to be expected from now on
	applied := compiled.Apply(ctx, m, l.applying())
	if applied.Fault != nil {
		return applied.Fault
	}
	if len(applied.Readings) == 0 {
		return curlew.Permanent("no_records", "the rules find no records on the page")
	}
	b.URL, b.Expect = l.Goal.URL, compiled.Expect(applied.Readings)
	b.Expect.Ended = extract.Ended(m)
	rules, err := blueprint.Marshal(b)
	l.Rules = rules
	return err
}

// Applied is what the rules give on a page of the training.
func (l *Training) Applied(ctx context.Context, name string) (extract.Applied, error) {
	b := l.Blueprint()
	switch {
	case b == nil:
		return extract.Applied{}, nil
	case slices.Contains(detailNames, name):
		if l.Detail == nil {
			return extract.Applied{}, nil
		}
		return l.applyDetail(ctx, l.Detail.Rules, l.Listed(ctx, name), name)
	case name == TestDetailPage:
		if !l.Has(name) || l.Detail == nil {
			return extract.Applied{}, nil
		}
		return l.applyDetail(ctx, l.Detail.Rules, l.Test.Detail.Listed, name)
	}
	return l.apply(ctx, b, name)
}

func (l *Training) applying() extract.ApplyOptions { return l.extracting().Applying() }

func (l *Training) apply(ctx context.Context, b *blueprint.Blueprint, name string) (extract.Applied, error) {
	compiled, err := extract.Compile(b)
	if err != nil {
		return extract.Applied{}, err
	}
	return compiled.Apply(ctx, l.Material(name), l.applying()), nil
}

// relearn learns with all that was taught.
func (l *Training) relearn(ctx context.Context) error {
	return l.guarded(func() error {
		first := parsed(l.First)
		if first == nil && len(l.Taught) == 0 {
			l.Rules = nil
			return nil
		}
		b, err := l.learnTaught(ctx, first)
		if err != nil {
			return err
		}
		if err := l.reproduces(ctx, b); err != nil {
			return err
		}
		l.Test = nil // what was tried were other rules
		if err := l.accept(ctx, b); err != nil {
			return err
		}
		l.Lost = l.lost(ctx, first, b)
		return nil
	})
}

// lost are the fields that one blueprint finds and another does not; nobody asked to
// leave them out.
func (l *Training) lost(ctx context.Context, first, now *blueprint.Blueprint) []string {
	if first == nil {
		return nil
	}
	had, has := l.found(ctx, first), l.found(ctx, now)
	maps.DeleteFunc(had, func(name string, _ bool) bool { return has[name] || slices.Contains(l.Removed, name) })
	return slices.Sorted(maps.Keys(had))
}

// found are the fields that a blueprint finds on the page.
func (l *Training) found(ctx context.Context, b *blueprint.Blueprint) map[string]bool {
	names := map[string]bool{}
	applied, err := l.apply(ctx, b, ThePage)
	if err != nil {
		return names
	}
	for _, r := range applied.Readings {
		for name := range r.Record.Fields {
			names[name] = true
		}
		for name := range r.Record.Fields.Flat() {
			names[name] = true
		}
	}
	return names
}

func (l *Training) learnTaught(ctx context.Context, first *blueprint.Blueprint) (*blueprint.Blueprint, error) {
	if first == nil {
		return l.fromExamples(ctx, nil)
	}
	b := *first
	b.Fields, b.Expect = maps.Clone(first.Fields), nil
	for _, name := range l.Removed {
		if _, own := b.Fields[name]; !own { // a reader found it, and cannot be told not to
			return l.fromScratch(ctx, first)
		}
		delete(b.Fields, name)
	}
	if len(l.Taught) == 0 {
		return &b, nil
	}
	taught, err := l.teach(ctx, &b)
	if errors.Is(err, induce.ErrNotTaught) {
		return l.fromScratch(ctx, first)
	}
	return taught, err
}

// fromScratch learns to read from what the page shows what was read from its data so far,
// and then what was taught.
func (l *Training) fromScratch(ctx context.Context, first *blueprint.Blueprint) (*blueprint.Blueprint, error) {
	b, err := l.fromExamples(ctx, first)
	if first.Page == curlew.PageSingle {
		return b, err
	}
	if seen, failed := l.learnWay(ctx, "sight"); failed == nil && (err != nil || l.tells(ctx, seen) > l.tells(ctx, b)) {
		for _, name := range l.Removed {
			delete(seen.Fields, name)
		}
		seen.Expect, seen.Context, seen.Pagination = nil, first.Context, first.Pagination
		b, err = seen, nil
	}
	if err != nil || len(l.Taught) == 0 {
		return b, err
	}
	return l.teach(ctx, b)
}

// tells is how many values a blueprint finds on the page.
func (l *Training) tells(ctx context.Context, b *blueprint.Blueprint) (n int) {
	applied, err := l.apply(ctx, b, ThePage)
	if err != nil {
		return 0
	}
	for _, r := range applied.Readings {
		if r.Record.Whole() {
			n += len(r.Record.Fields)
		}
	}
	return n
}

// teach adds what was taught to a blueprint that reads what the page shows.
func (l *Training) teach(ctx context.Context, b *blueprint.Blueprint) (*blueprint.Blueprint, error) {
	applied, err := l.apply(ctx, b, ThePage)
	if err != nil {
		return nil, err
	}
	page := induce.DatedPage{Document: l.Document(ThePage), Now: l.Page.At}
	taught, proof, err := induce.Teach(ctx, b, page, l.examples(b, applied.Readings), l.others()...)
	if err == nil {
		l.Proof = proof
	}
	return taught, err
}

// others are further pages of the same kind, on which rules have to agree.
func (l *Training) others() []*dom.Document {
	if l.Test == nil || l.Goal.Page != curlew.PageSingle {
		return nil
	}
	return []*dom.Document{l.Document(TestPage)}
}

// examples are what was taught, by the record of a blueprint in which it stands.
func (l *Training) examples(b *blueprint.Blueprint, readings []extract.ReadRecord) []induce.Example {
	index := sanitize.Number(l.Document(ThePage))
	var all []induce.Example
	for _, t := range l.Taught {
		e := induce.Example{Node: t.Node, Text: t.Record, Fields: map[string][]string{}}
		if b.Page == curlew.PageSingle {
			e.Node, e.Text = "", ""
		} else if i := l.recordAt(b, readings, index.Node(t.Place), t.ID); i >= 0 {
			e.Node, e.Text = readings[i].Node, readings[i].Text
		}
		at := slices.IndexFunc(all, func(o induce.Example) bool { return o.Node == e.Node && o.Text == e.Text })
		if at < 0 {
			at = len(all)
			all = append(all, e)
		}
		all[at].Fields[t.Field] = []string{t.Value}
	}
	return all
}

// mostKnown bounds the records that known values are taken from.
const mostKnown = 40

// fromExamples learns everything anew from what is known to stand on the page: what was
// found there before, corrected by what was taught.
func (l *Training) fromExamples(ctx context.Context, first *blueprint.Blueprint) (*blueprint.Blueprint, error) {
	taught := map[string]bool{}
	values := map[string][]string{}
	for _, t := range l.Taught {
		taught[t.Field], values[t.Field] = true, []string{t.Value}
	}
	known, err := l.knownBy(ctx, first, taught)
	if err != nil {
		return nil, err
	}
	if len(known) == 0 {
		known = []induce.LabelledPage{{Document: l.Document(ThePage), Now: l.Page.At, Fields: values}}
	}
	if len(known) == 1 && l.Goal.Page == curlew.PageList {
		return nil, curlew.Permanent("too_few", "one record is not enough to learn a list: choose another list of the page, or "+
			"read it as a single page")
	}
	for _, other := range l.others() {
		known = append(known, induce.LabelledPage{Document: other, Now: l.Page.At})
	}
	b, proof, err := induce.FewShot(ctx, l.Goal.Kind(), known)
	if err != nil {
		return nil, err
	}
	l.Proof = proof
	if lost := lostOf(proof, taught); lost != "" && l.Goal.Page == curlew.PageSingle {
		return nil, curlew.Permanent("not_learned", "no rule finds that %s: point at a smaller or larger part of the page", lost)
	}
	if first != nil {
		b.Context, b.Pagination = first.Context, first.Pagination
	}
	return b, nil
}

// knownBy are the records that a blueprint finds on the page, as known ones, corrected; none
// where there is no blueprint.
func (l *Training) knownBy(ctx context.Context, first *blueprint.Blueprint, taught map[string]bool) ([]induce.LabelledPage, error) {
	if first == nil {
		return nil, nil
	}
	applied, err := l.apply(ctx, first, ThePage)
	if err != nil {
		return nil, err
	}
	doc := l.Document(ThePage)
	texts := sanitize.IndexTexts(doc)
	var known []induce.LabelledPage
	for _, r := range applied.Readings[:min(len(applied.Readings), mostKnown)] {
		fields := l.knownOf(r, taught)
		if n := texts.Find(r.Record.Name(), nil); n != nil && fields["url"] != nil && sanitize.LinkAt(n) != "" {
			fields["url"] = []string{doc.Resolve(sanitize.LinkAt(n))} // structured data spell it their own way
		}
		known = append(known, induce.LabelledPage{Document: doc, Now: l.Page.At, Fields: fields})
	}
	return known, nil
}

// lostOf is a taught field that is not found again.
func lostOf(p induce.Proof, taught map[string]bool) string {
	for _, f := range p.Fields {
		if taught[f.Field] && f.Found == 0 {
			return f.Field
		}
	}
	return ""
}

// knownOf are the values of a record as they stand on the page, corrected.
func (l *Training) knownOf(r extract.ReadRecord, taught map[string]bool) map[string][]string {
	fields := map[string][]string{}
	for name, value := range r.Record.Fields {
		evidence := r.Record.Provenance[name]
		if taught[name] || slices.Contains(l.Removed, name) || evidence.Text == "" || evidence.Seen == curlew.SeenDerived || name == "slots" {
			continue
		}
		text := evidence.Text
		if s, ok := value.(string); ok && strings.HasPrefix(s, "http") {
			text = s
		}
		fields[name] = []string{text}
	}
	for _, t := range l.Taught {
		if l.Goal.Page == curlew.PageSingle {
			fields[t.Field] = []string{t.Value}
		}
	}
	return fields
}

// Remove leaves a field out; a field that the schema requires stays.
func (l *Training) Remove(ctx context.Context, field string) error {
	if f, ok := l.Goal.Kind().Field(field); ok && f.Required {
		return curlew.Permanent("field_required", "every %s needs its %s: point at the right one instead", l.Goal.Schema, field)
	}
	return l.change(ctx, func() {
		l.Taught = slices.DeleteFunc(l.Taught, func(t Taught) bool { return t.Field == field })
		if !slices.Contains(l.Removed, field) {
			l.Removed = append(l.Removed, field)
		}
	})
}

// Restore forgets what was said about a field.
func (l *Training) Restore(ctx context.Context, field string) error {
	return l.change(ctx, func() {
		l.Taught = slices.DeleteFunc(l.Taught, func(t Taught) bool { return t.Field == field })
		l.Removed = slices.DeleteFunc(l.Removed, func(name string) bool { return name == field })
	})
}

// change changes what was taught and learns anew; where that fails, all is as before.
func (l *Training) change(ctx context.Context, edit func()) error {
	was := *l
	l.Taught, l.Removed, l.Question = slices.Clone(l.Taught), slices.Clone(l.Removed), nil
	edit()
	if err := l.relearn(ctx); err != nil {
		*l = was
		return err
	}
	return nil
}

// Draft is the blueprint as a source keeps it.
func (l *Training) Draft() (curlew.Blueprint, error) {
	b := l.Blueprint()
	if b == nil {
		return curlew.Blueprint{}, curlew.Permanent("nothing_learned", "nothing is learned yet: choose a list, or point at the values")
	}
	var rules json.RawMessage = l.Rules
	return curlew.Blueprint{Schema: b.Schema, PageType: b.Page, Tier: b.Tier, Rules: rules, TestURL: l.Goal.URL}, nil
}
