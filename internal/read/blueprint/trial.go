package blueprint

import (
	"golang.org/x/net/html"

	"curlew/internal/curlew"
)

// Trial is a page on which many rules are tried, one by one, in records that are
// found once. A rule gives there what it gives when its blueprint is applied.
type Trial struct {
	page    Page
	base    *run
	records []record
}

// NewTrial finds the records of a page. Without a selector the page is one.
func NewTrial(selector *Selector, p Page) (*Trial, error) {
	nothing := ""
	compiled, err := Compile(single(selector, Field{Rules: []Rule{{Constant: &nothing}}}))
	if err != nil {
		return nil, err
	}
	t := &Trial{page: p, base: compiled.begin(p)}
	t.base.parts = map[partOf][]finding{}
	t.records = t.base.records()
	t.records = t.records[:min(len(t.records), maxRecords)]
	return t, nil
}

// NewTrialOf finds the records of a page as a blueprint does, also those that are left
// to the reader of dated entries.
func NewTrialOf(b *Blueprint, p Page) (*Trial, error) {
	if !b.dated() {
		return NewTrial(b.Records, p)
	}
	compiled, err := Compile(b)
	if err != nil {
		return nil, err
	}
	t, err := NewTrial(nil, p)
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
func single(selector *Selector, f Field) *Blueprint {
	b := &Blueprint{Language: 1, Schema: SchemaCustom, Page: curlew.PageSingle, Tier: curlew.TierHTML, Records: selector, Fields: map[string]Field{"c": f}}
	if selector != nil {
		b.Page = curlew.PageList
	}
	return b
}

// Records is how many there are.
func (t *Trial) Records() int { return len(t.records) }

// Node is where a record begins.
func (t *Trial) Node(i int) string { return t.base.whereIs(t.records[i]) }

// Element is where a record begins; nil of data.
func (t *Trial) Element(i int) *html.Node {
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
func (t *Trial) Roots(i int) []*html.Node { return t.records[i].roots }

// Text is the whole text of a record.
func (t *Trial) Text(i int) string { return t.base.textOf(t.records[i]) }

// Attempt is one field, ready to be tried.
type Attempt struct{ compiled *Compiled }

// NewAttempt compiles a field.
func NewAttempt(f Field) (*Attempt, error) {
	c := compiler{}
	rules := c.rules("/fields/c", f)
	if err := c.fault(); err != nil {
		return nil, err
	}
	return &Attempt{&Compiled{blueprint: single(nil, f), fields: []compiledField{{name: "c", rules: rules, many: f.Many}}}}, nil
}

// Try gives what a field gives in the records of these numbers, each time in their
// order.
func (t *Trial) Try(a *Attempt, records []int, each func(record int, values []string)) {
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
	t.base.leaves, t.base.graph = r.leaves, r.graph
}

// run begins a reading that goes on with what was prepared for others.
func (t *Trial) run(a *Attempt) *run {
	r := *t.base
	r.Compiled, r.budget, r.shared = a.compiled, newBudget(), map[*rule][]finding{}
	return &r
}
