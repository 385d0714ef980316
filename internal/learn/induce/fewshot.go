package induce

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// LabelledPage is a page and what is known to stand on it. Without fields it is a page of
// the same kind, on which rules have to agree. Several of one document are the
// records of a list.
type LabelledPage struct {
	Document *dom.Document
	Now      time.Time // when the page was as it is; for dates without a year
	Fields   map[string][]string
}

// FewShot learns from a few pages with known values how to find the same fields on
// other pages of the site. It stops when the context ends.
func FewShot(ctx context.Context, kind curlew.Schema, pages []LabelledPage) (*blueprint.Blueprint, Proof, error) {
	t := trial{kind: kind}
	indexes := map[*dom.Document]*pageIndex{}
	count := map[*dom.Document]int{}
	for _, p := range pages {
		if indexes[p.Document] == nil {
			indexes[p.Document] = newPageIndex(ctx, p.Document, p.Now)
		}
		if len(p.Fields) > 0 {
			if count[p.Document]++; count[p.Document] > 1 {
				return fromLists(kind, pages, indexes)
			}
		}
		t.samples = append(t.samples, sample{index: indexes[p.Document], want: valuesOf(p.Fields), known: len(p.Fields) > 0})
	}
	return t.fewShot()
}

// fewShot learns from samples that are whole pages.
func (t trial) fewShot() (*blueprint.Blueprint, Proof, error) {
	t.words = newVocabulary(t.indexes())
	fields := t.fields()
	if len(fields) == 0 {
		return nil, Proof{}, curlew.Permanent("nothing_known", "no known values were given: each line names a file and fields with their values")
	}
	order := settleOrder(t.samples)
	b := &blueprint.Blueprint{Language: 1, Schema: t.kind.Name, Own: t.kind.Own(), Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Fields: map[string]blueprint.FieldRules{}}
	odds := map[string]float64{}
	for _, field := range fields {
		if err := t.ended(); err != nil {
			return nil, Proof{}, err
		}
		if chosen, many := t.learn(field); len(chosen) > 0 {
			b.Fields[field] = blueprint.FieldRules{Rules: t.asTaught(field, rulesOf(chosen)), Many: many}
			odds[field] = chosen[0].odds
		}
	}
	b.SetDateOrder(order)
	t.leaveToArticle(b)
	return t.finish(b, fields, odds)
}

// valuesOf prepares known values; empty ones do not count.
func valuesOf(fields map[string][]string) map[string][]value {
	out := map[string][]value{}
	for name, all := range fields {
		for _, text := range all {
			if v := newValue(text); v.key != "" {
				out[name] = append(out[name], v)
			}
		}
	}
	return out
}

// fields are the names of all fields of which a value is known.
func (t trial) fields() []string {
	names := map[string]bool{}
	for _, s := range t.samples {
		for name := range s.want {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// listed is how many records of lists the samples are; 0 where they are pages.
func (t trial) listed() int {
	if t.records == nil {
		return 0
	}
	return len(t.samples)
}

// learn finds the rules of one field, and whether it has several values.
func (t trial) learn(field string) ([]candidate, bool) {
	var values []value
	samples, many := 0, false
	for _, s := range t.samples {
		values = append(values, s.want[field]...)
		many = many || len(s.want[field]) > 1
		if len(s.want[field]) > 0 {
			samples++
		}
	}
	f := &family{seen: map[string]bool{}, words: t.words}
	share := max(leastCandidates, maxCandidates/max(1, len(values)))
	if t.records == nil && t.large() { // what one reading of the page can try
		share = max(1, batch/max(1, len(values)))
	}
	teachers := t.having(field)
	if t.records != nil {
		teachers = spread(teachers, maxTeachers)
	}
	for _, s := range teachers {
		if t.ended() != nil {
			return nil, many
		}
		if len(f.all) < 2*maxCandidates {
			f.from(s, field, share)
		}
	}
	t.run(f.all, field, many)
	if !many && t.records != nil && t.isMoment(field) {
		f.all = t.moments(field, f.all)
	}
	if t.records != nil && !settled(f.all, samples) {
		f.all = append(f.all, t.outside(field, values)...)
	}
	return choose(f.all, values, samples, t.listed()), many
}

// settled says whether a rule is right in all records that have the field, so that none
// has to be sought outside of them.
func settled(all []candidate, samples int) bool {
	return slices.ContainsFunc(all, func(c candidate) bool {
		return c.right == samples && c.wrong == 0 && c.extra == 0 && c.odds >= leastFallback
	})
}

// large says whether a page is larger than any that people write.
func (t trial) large() bool {
	return slices.ContainsFunc(t.indexes(), func(s *pageIndex) bool { return len(s.texts) > largePage })
}

// having are the samples of which a value of the field is known.
func (t trial) having(field string) []sample {
	var all []sample
	for _, s := range t.samples {
		if len(s.want[field]) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// from makes the rules that one sample suggests, so many for each value.
func (f *family) from(s sample, field string, share int) {
	f.index, f.root, f.roots = s.index, nil, s.roots
	var in scope
	if len(s.roots) > 0 {
		in = s.roots
		f.root = s.roots[0]
		if len(s.roots) > 1 {
			f.root = f.root.Parent
		}
	}
	for _, v := range s.want[field] {
		f.limit = len(f.all) + share
		for _, p := range s.index.places(v, s.own(field, v, in)) {
			f.lead(p)
		}
	}
}

// own is the part of a record where a value stands, where another field that the page calls otherwise has the same: two
// columns that are equal today. Else it is the whole record.
func (s sample) own(field string, v value, in scope) scope {
	at := s.index.doc.At(v.at)
	if v.at == "" || at == nil || len(s.index.places(v, scope{at})) == 0 {
		return in
	}
	for name, values := range s.want {
		if name != field && len(values) == 1 && values[0].key == v.key && values[0].at != "" && values[0].at != v.at {
			return scope{at}
		}
	}
	return in
}

// finish validates a blueprint, adds what its sample looks like, and proves it.
func (t trial) finish(b *blueprint.Blueprint, fields []string, odds map[string]float64) (*blueprint.Blueprint, Proof, error) {
	if len(b.Fields) == 0 {
		return nil, t.proof(nil, fields, odds), curlew.Permanent(curlew.ErrNotFound, "none of the known values was found on its page")
	}
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return nil, Proof{}, err
	}
	drafts := map[*pageIndex][]curlew.Draft{}
	for _, s := range t.indexes() {
		drafts[s] = compiled.Apply(s.page()).Drafts
	}
	p := t.proof(drafts, fields, odds)
	if found, _ := p.Found(); found == 0 {
		return nil, p, curlew.Permanent(curlew.ErrNotFound, "no rule finds the known values again")
	}
	var pages [][]curlew.Draft
	for _, s := range t.indexes() {
		pages = append(pages, drafts[s])
		if b.URL == "" {
			b.URL = s.doc.URL().String()
		}
	}
	b.Expect = blueprint.ExpectationsOf(pages...)
	return b, p, nil
}

// indexes are the different pages of the samples, in order.
func (t trial) indexes() []*pageIndex {
	var all []*pageIndex
	for _, s := range t.samples {
		if !slices.Contains(all, s.index) {
			all = append(all, s.index)
		}
	}
	return all
}

// proof counts what the drafts of all pages have of what is known.
func (t trial) proof(drafts map[*pageIndex][]curlew.Draft, fields []string, odds map[string]float64) Proof {
	p := Proof{Pages: len(t.indexes())}
	for _, found := range drafts {
		p.Records += len(found)
	}
	of := t.draftsOf(drafts)
	for _, field := range fields {
		f := FieldProof{Field: field, Odds: math.Round(odds[field]*100) / 100}
		for i, s := range t.samples {
			t.prove(&f, s, of[i])
		}
		p.Fields = append(p.Fields, f)
	}
	return p
}

// draftsOf are what the samples became; nil where there is nothing.
func (t trial) draftsOf(drafts map[*pageIndex][]curlew.Draft) []*curlew.Draft {
	of := make([]*curlew.Draft, len(t.samples))
	known := map[*pageIndex]*registry{}
	for i, s := range t.samples {
		if known[s.index] == nil {
			known[s.index] = registryOfDrafts(drafts[s.index])
		}
		if at := known[s.index].find(s); at >= 0 {
			of[i] = &drafts[s.index][at]
		}
	}
	return of
}

// prove counts the values of one field of one sample.
func (t trial) prove(f *FieldProof, s sample, d *curlew.Draft) {
	for _, v := range s.want[f.Field] {
		f.Known++
		got := []string{}
		if d != nil {
			got = d.Fields.Texts(f.Field)
		}
		switch {
		case slices.ContainsFunc(got, func(text string) bool { return s.index.likeness(v, text) > 0.4 }):
			f.Found++
			f.Located++
			f.Rule = d.Provenance[f.Field].Rule
		case t.records != nil:
			f.miss(v.text)
		default:
			if len(s.index.places(v, nil)) > 0 {
				f.Located++
			}
			f.miss(v.text)
		}
	}
}
