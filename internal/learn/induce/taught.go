package induce

import (
	"context"
	"maps"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// Example is what a person pointed at in one record of a page.
type Example struct {
	Node   string // of the record; "" is the page
	Text   string // of the record, where several have one node
	Fields map[string][]string
}

// ErrNotTaught refuses to teach a page that is read from data.
const ErrNotTaught curlew.Code = "not_taught"

// Teach learns the fields of which examples are given, in the records that a blueprint
// finds on a page. Records without examples say whether a rule is one for all. All else
// of the blueprint stays as it is. Others are pages of the same kind. It fails where the blueprint
// reads data that nobody can point at, and stops when the context ends.
func Teach(
	ctx context.Context, b *blueprint.Blueprint, page DatedPage, examples []Example, others ...*dom.Document,
) (*blueprint.Blueprint, Proof, error) {
	if b.Tier != curlew.TierHTML || b.ByReaders() {
		return nil, Proof{}, curlew.Permanent(ErrNotTaught, "this page is read from data rather than from what it shows")
	}
	t := trial{kind: b.Kind(), records: b.Records}
	found, err := t.gatherSamples(b, newPageIndex(ctx, page.Document, page.Now), examples)
	if err != nil {
		return nil, Proof{}, err
	}
	for _, other := range others {
		if b.Records == nil { // of lists the records themselves agree or do not
			t.samples = append(t.samples, sample{index: newPageIndex(ctx, other, page.Now)})
		}
	}
	t.words = newVocabulary(t.indexes())
	if found != nil {
		t.grounds = &grounds{pages: []*blueprint.RuleTester{found}, page: make([]int, len(t.samples)), record: make([]int, len(t.samples))}
		places := registryOf(found)
		for i, s := range t.samples {
			t.grounds.record[i] = places.find(s)
		}
	}
	taught := *b
	taught.Fields, taught.Expect = maps.Clone(b.Fields), nil
	if taught.Fields == nil {
		taught.Fields = map[string]blueprint.FieldRules{}
	}
	odds := map[string]float64{}
	fields := t.fields()
	for _, field := range fields {
		chosen, many := t.about(field).learn(field)
		if ctx.Err() != nil {
			return nil, Proof{}, ctx.Err()
		}
		if len(chosen) == 0 {
			return nil, t.proof(nil, fields, odds), curlew.Permanent("not_learned",
				"no rule finds “%s” as %s: point at a smaller or larger part of the page, or choose another list", pointed(t, field), field)
		}
		// A silent one leans on what only this record says.
		chosen = slices.DeleteFunc(chosen, func(c candidate) bool { return c.silent && !chosen[0].silent })
		taught.Fields[field] = blueprint.FieldRules{Rules: rulesOf(chosen), Many: many, Required: b.Fields[field].Required}
		odds[field] = chosen[0].odds
	}
	return t.finish(&taught, fields, odds)
}

// about is the trial of one field: a record in which only another was pointed at says nothing
// of this one, whether it has it or not.
func (t trial) about(field string) trial {
	t.samples = slices.Clone(t.samples)
	for i, s := range t.samples {
		t.samples[i].known = len(s.want[field]) > 0
	}
	return t
}

// pointed is one of the values that are known of a field.
func pointed(t trial, field string) string {
	for _, s := range t.samples {
		if len(s.want[field]) > 0 {
			return s.want[field][0].text
		}
	}
	return ""
}

// gatherSamples makes samples of the records of a page; those of which examples are
// given come first. It gives the records; nil where the page is one.
func (t *trial) gatherSamples(b *blueprint.Blueprint, s *pageIndex, examples []Example) (*blueprint.RuleTester, error) {
	if b.Records == nil {
		want := map[string][]string{}
		for _, e := range examples {
			maps.Copy(want, e.Fields)
		}
		t.samples = []sample{{index: s, want: valuesOf(want)}}
		return nil, nil
	}
	found, err := blueprint.NewRuleTesterOf(b, s.page())
	if err != nil {
		return nil, err
	}
	line := t.records.Shape == blueprint.ShapeLines || t.records.Shape == blueprint.ShapeParagraphs
	wants, err := wantedIn(registryOf(found), examples, line)
	if err != nil {
		return nil, err
	}
	var known, others []sample
	for i := range found.Records() {
		roots := found.Roots(i)
		if len(roots) == 0 {
			continue
		}
		one := sample{index: s, node: found.Node(i), roots: roots, text: found.Text(i), line: line}
		if want, is := wants[i]; is {
			one.want = valuesOf(want)
			known = append(known, one)
		} else {
			others = append(others, one)
		}
	}
	t.samples = slices.Concat(known, spread(others, maxTrial))
	return found, nil
}

// wantedIn are the known values by the number of their record.
func wantedIn(places *registry, examples []Example, line bool) (map[int]map[string][]string, error) {
	wants := map[int]map[string][]string{}
	for _, e := range examples {
		at := places.find(sample{node: e.Node, text: e.Text, line: line})
		if at < 0 {
			return nil, curlew.Permanent("no_record", "the record that you pointed into is no longer found: choose the list again")
		}
		if wants[at] == nil {
			wants[at] = map[string][]string{}
		}
		maps.Copy(wants[at], e.Fields)
	}
	return wants, nil
}

// InSchema gives the fields of the items of a list the names of another schema; what that has
// no name for is left out.
func InSchema(items []curlew.Draft, kind curlew.Schema) []curlew.Draft {
	names := itemNames(kind, items)
	if kind.Name == curlew.SchemaEvent {
		names = map[string]string{"title": "title", "url": "url", "image_url": "image_url", "date": "starts_at", "price": "price_min"}
	}
	if names == nil {
		return items
	}
	drafts := make([]curlew.Draft, len(items))
	for i := range items {
		drafts[i] = renamed(items[i], kind, names)
	}
	return drafts
}
