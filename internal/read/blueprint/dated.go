package blueprint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/events"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// dated says whether the records are found by the reader of dated entries, which
// knows fields of its own.
func (b *Blueprint) dated() bool { return b.Records != nil && b.Records.Shape == ShapeDated }

// LeftToReaders is a blueprint that names the readers of a kind as its rule.
func LeftToReaders(kind curlew.Schema, page curlew.PageType, tier curlew.Tier) *Blueprint {
	return &Blueprint{Language: 1, Schema: kind.Name, Own: kind.Own(), Page: page, Tier: tier, Records: &Selector{Shape: ShapeReaders},
		Fields: map[string]FieldRules{}}
}

// ByReaders says whether the page is left to Curlew's own readers of pages and feeds.
// They are no business of this package: applying such a blueprint gives nothing.
func (b *Blueprint) ByReaders() bool { return b.Records != nil && b.Records.Shape == ShapeReaders }

// ByModel says whether a language model reads the page at each check.
func (b *Blueprint) ByModel() bool { return b.ByReaders() && b.Tier == curlew.TierLLM }

// Gives says whether records may have a field: there are rules for it, or a reader
// may find it.
func (b *Blueprint) Gives(name string) bool {
	if _, ok := b.Fields[name]; ok || !b.dated() && !b.ByReaders() {
		return ok
	}
	_, ok := b.Kind().Field(name)
	return ok
}

// datedRecords checks what stands beside the shape dated.
func (c *compiler) datedRecords(place string, b *Blueprint) {
	days := b.Records.Days
	switch {
	case !b.dated() && days != nil:
		c.add(place+"/days", "they choose among dated entries: set shape to dated")
	case b.ByReaders() && (len(b.Fields) > 0 || b.Schema == curlew.SchemaCustom):
		c.add(place+"/shape", "the readers know the fields of a schema by themselves: leave fields empty, and name a schema of Curlew's own")
	case b.dated() && (b.Schema != curlew.SchemaEvent || b.Page != curlew.PageList || b.Tier != curlew.TierHTML):
		c.add(place+"/shape", "dated entries are events in a list of the tier html")
	}
	if days != nil && (days.Max < days.Min || days.Min < -maxDays || days.Max > maxDays) {
		c.add(place+"/days", "min and max must be in order, and at most %d", maxDays)
	}
}

// part compiles which part of a page is read as its text.
func (c *compiler) part(place string, b *Blueprint, out *records) {
	s := b.Records
	text := b.ByReaders() && b.Schema == curlew.SchemaPage
	switch {
	case b.ByReaders() && len(given(*s)) > 0 && !text:
		c.add(place+"/shape", "the readers look at the whole page: give no selector")
	case len(s.Without) > 0 && !text:
		c.add(place+"/without", "it leaves out parts of a page's text: set schema to page and shape to readers")
	case len(s.Without) > maxWithout:
		c.add(place+"/without", "at most %d", maxWithout)
		return
	}
	for i, one := range s.Without {
		css, figures, _ := strings.Cut(one, "##")
		out.without = append(out.without, leftOut{c.css(fmt.Sprintf("%s/without/%d", place, i), css), figures})
	}
}

const maxWithout = 100

// leftOut is a part of a page's text that is not read.
type leftOut struct {
	css     *cssSelector
	figures string // the words beside the figures in it that are left out; "" for all of it
}

// Part are the elements whose text a blueprint of the kind page reads, those that are left out of them, and the words
// beside figures that are; within is nil where it names none.
func (c *Compiled) Part(doc *dom.Document) (within, without []*html.Node, figures map[*html.Node][]string) {
	if c.selector == nil {
		return nil, nil, nil
	}
	figures = map[*html.Node][]string{}
	r := c.begin(PageInput{Document: doc})
	if c.selector.css != nil || c.selector.xpath != nil {
		within = append([]*html.Node{}, r.beginnings(c.selector)...)
	}
	for _, s := range c.selector.without {
		nodes := r.pick(s.css, under(doc.Tree()))
		if s.figures == "" {
			without = append(without, nodes...)
			continue
		}
		for _, n := range nodes {
			figures[n] = append(figures[n], s.figures)
		}
	}
	return within, without, figures
}

// maxDays bounds how far from the day of reading entries may be asked for.
const maxDays = 100_000

// dated reads the page's dated entries. Rules complete or replace what the reader
// found in each.
func (r *run) dated() Output {
	o := events.Options{Now: r.now, Lang: r.lang}
	if x := r.blueprint.Context; x != nil && x.Language != "" {
		o.Lang = x.Language
	}
	if days := r.selector.days; days != nil && !r.now.IsZero() {
		o.Since, o.Until = r.now.AddDate(0, 0, days.Min), r.now.AddDate(0, 0, days.Max)
	}
	inside := r.container()
	var result Output
	for _, d := range events.Read(r.doc, o) {
		if len(result.Drafts) >= MostRecords || r.budget.exhausted() != "" {
			break
		}
		if !inside(d.Node) {
			continue
		}
		d.Text = text.CutBytes(d.Text, maxRecordText)
		rec := record{place: d.Node}
		if n := r.doc.At(d.Node); n != nil {
			rec.roots = []*html.Node{n}
		}
		r.scratch.next()
		if lacks := r.fill(&d, rec); lacks != "" {
			result.Dropped = append(result.Dropped, Drop{Node: d.Node, Why: "it has no " + lacks})
			continue
		}
		d.URL = r.addressOf(d)
		result.Drafts = append(result.Drafts, d)
	}
	r.identify(result.Drafts)
	result.Cut = r.budget.exhausted()
	return result
}

// container tells the places that are inside of what the selector matches; without
// one, all are.
func (r *run) container() func(place string) bool {
	s := r.selector
	if s.css == nil && s.xpath == nil {
		return func(string) bool { return true }
	}
	var around []string
	for _, roots := range r.shaped(s) {
		around = append(around, r.pathOf(roots[0]))
	}
	return func(place string) bool {
		return slices.ContainsFunc(around, func(path string) bool { return place == path || strings.HasPrefix(place, path+"/") })
	}
}
