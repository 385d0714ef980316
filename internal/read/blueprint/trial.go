package blueprint

import (
	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/net/html"
)

// RuleTester is a page on which many rules are tried, one by one, in records that are
// found once. A rule gives there what it gives when its blueprint is applied.
type RuleTester struct {
	base    *run
	records []record
}

// NewRuleTester finds the records of a page. Without a selector the page is one.
func NewRuleTester(selector *Selector, p PageInput) (*RuleTester, error) {
	nothing := ""
	compiled, err := Compile(single(selector, FieldRules{Rules: []Rule{{Constant: &nothing}}}))
	if err != nil {
		return nil, err
	}
	t := &RuleTester{base: compiled.begin(p)}
	t.base.parts = map[partOf][]finding{}
	t.base.picked, t.base.texts = map[pick][]*html.Node{}, map[*html.Node]string{}
	t.records = t.base.records()
	t.records = t.records[:min(len(t.records), MostRecords)]
	return t, nil
}

// NewRuleTesterOf finds the records of a page as a blueprint does, also those that are left
// to the reader of dated entries.
func NewRuleTesterOf(b *Blueprint, p PageInput) (*RuleTester, error) {
	if !b.dated() {
		return NewRuleTester(b.Records, p)
	}
	compiled, err := Compile(b)
	if err != nil {
		return nil, err
	}
	t, err := NewRuleTester(nil, p)
	if err != nil {
		return nil, err
	}
	t.records = nil
	for _, d := range compiled.Apply(p).Drafts {
		if n := p.Document.At(d.Node); n != nil {
			t.records = append(t.records, record{roots: []*html.Node{n}})
		}
	}
	return t, nil
}

// single is a blueprint with one field.
func single(selector *Selector, f FieldRules) *Blueprint {
	b := &Blueprint{Language: 1, Schema: curlew.SchemaCustom, Page: curlew.PageSingle, Tier: curlew.TierHTML, Records: selector,
		Fields: map[string]FieldRules{"c": f}}
	if selector != nil {
		b.Page = curlew.PageList
	}
	return b
}

// Records is how many there are.
func (t *RuleTester) Records() int { return len(t.records) }

// Node is where a record begins.
func (t *RuleTester) Node(i int) string { return t.base.whereIs(t.records[i]) }

// Element is where a record begins; nil of data.
func (t *RuleTester) Element(i int) *html.Node {
	if len(t.records[i].roots) == 0 {
		return nil
	}
	n := t.records[i].roots[0]
	for n != nil && n.Type != html.ElementNode {
		n = n.Parent
	}
	return n
}

// Roots are the nodes of a record; none of data.
func (t *RuleTester) Roots(i int) []*html.Node { return t.records[i].roots }

// Text is the whole text of a record.
func (t *RuleTester) Text(i int) string { return t.base.textOf(t.records[i]) }

// CompiledField is one field, ready to be tried.
type CompiledField struct{ compiled *Compiled }

// FieldCompiler compiles fields that look for much the same: a selector is compiled once.
type FieldCompiler struct{ known selectors }

// Compile compiles the rules of a field.
func (k *FieldCompiler) Compile(field curlew.Field, f FieldRules) (*CompiledField, error) {
	if k.known.css == nil {
		k.known = selectors{css: map[string]*cssSelector{}, xpath: map[string]*xpathSelector{}}
	}
	c := compiler{known: &k.known}
	rules := forField(field, c.rules("/fields/c", f))
	if err := c.fault(); err != nil {
		return nil, err
	}
	return &CompiledField{&Compiled{blueprint: single(nil, f), fields: []compiledField{{name: "c", rules: rules, many: f.Many}}}}, nil
}

// Try gives what a field gives in the records of these numbers, each time in their
// order.
func (t *RuleTester) Try(a *CompiledField, records []int, each func(record int, values []string)) {
	r := t.run(a)
	for _, i := range records {
		if r.budget.exhausted() != "" {
			break
		}
		r.scratch.next()
		found, _ := r.field(&r.fields[0], t.records[i])
		texts := make([]string, len(found))
		for j, f := range found {
			texts[j] = f.text
		}
		if len(texts) > 1 && !r.fields[0].many {
			texts = texts[:1]
		}
		each(i, texts)
	}
	t.base.visible, t.base.graph = r.visible, r.graph
}

// run begins a reading that goes on with what was prepared for others.
func (t *RuleTester) run(a *CompiledField) *run {
	r := *t.base
	r.Compiled, r.budget, r.shared = a.compiled, newBudget(), map[*rule][]finding{}
	r.told = map[*rule][][]finding{}
	return &r
}
