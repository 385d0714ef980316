package blueprint

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// run is the reading of one page. What is needed of the page is prepared at most
// once, and only when a rule asks for it.
type run struct {
	*Compiled
	doc    *dom.Document
	budget *budget
	now    time.Time
	lang   string

	graph   *structured.Graph
	body    *locatedValue
	paths   map[*html.Node]string
	places  map[*html.Node]int // of elements with many siblings: see position
	stem    stem
	visible *visibleText
	kept    func() *visibleText  // see Page.Keep
	shared  map[*rule][]finding  // values of rules that look at the whole page
	above   map[string][]finding // the matches of heading rules, in document order, by what they look for
	grids   map[*html.Node]*grid
	told    map[*rule][][]finding // what each of these gives, of the rules that were asked
	parts   map[partOf][]finding  // nil: not kept, like the next two
	picked  map[pick][]*html.Node
	texts   map[*html.Node]string

	scratch *scratch
}

// partOf is a part of a join in a record, by the first node of that.
type partOf struct {
	identity string
	record   *html.Node
}

// record is one place on the page that holds an entity.
type record struct {
	roots []*html.Node  // none, the one, or several siblings
	open  bool          // see region
	data  *locatedValue // a JSON value or an item
	root  *locatedValue // the JSON value that data stands in
	place string        // of data; of nodes it is found out when asked for
}

// finding is a text that a rule found.
type finding struct {
	text     string
	original string     // before transforms
	node     *html.Node // where it stands; nil for data
	place    string     // where it stands, as a path
	unread   bool       // the text is still to be read from the node
}

// Apply reads one page. It may run concurrently with itself.
func (c *Compiled) Apply(p PageInput) Output {
	r := c.begin(p)
	if c.blueprint.ByReaders() {
		return Output{}
	}
	if c.selector != nil && c.selector.shape == ShapeDated {
		return r.dated()
	}
	var result Output
	records := r.records()
	for _, rec := range records {
		if len(result.Drafts) >= MostRecords || r.budget.exhausted() != "" {
			break
		}
		r.scratch.next()
		draft, lacks := r.draft(rec)
		if lacks != "" {
			result.Dropped = append(result.Dropped, Drop{Node: draft.Node, Why: "it has no " + lacks})
			continue
		}
		if result.Drafts == nil {
			result.Drafts = make([]curlew.Draft, 0, min(len(records), MostRecords))
		}
		result.Drafts = append(result.Drafts, draft)
	}
	r.identify(result.Drafts)
	result.Cut = r.budget.exhausted()
	return result
}

func (c *Compiled) begin(p PageInput) *run {
	doc := p.Document
	if doc == nil {
		doc = dom.New(nil, "")
	}
	return &run{Compiled: c, doc: doc, graph: p.Graph, kept: p.texts, now: p.Now, lang: p.Lang, budget: newBudget(),
		paths: map[*html.Node]string{}, places: map[*html.Node]int{},
		shared: map[*rule][]finding{}, above: map[string][]finding{}, told: map[*rule][][]finding{},
		grids: map[*html.Node]*grid{}, scratch: &scratch{}}
}

// draft reads all fields of a record. It names the first required field that the
// record lacks.
func (r *run) draft(rec record) (d curlew.Draft, lacks string) {
	d = curlew.Draft{Schema: r.blueprint.Schema, Own: r.own, Fields: make(curlew.Values, len(r.fields)),
		Provenance: make(map[string]curlew.Evidence, len(r.fields)),
		Node:       r.whereIs(rec), Text: r.textOf(rec), Confidence: 1}
	lacks = r.fill(&d, rec)
	d.Confidence = max(0.5, math.Round(d.Confidence*100)/100)
	d.URL = r.addressOf(d)
	return d, lacks
}

// fill writes what the rules of all fields give into a draft. It names the first
// required field that the draft lacks then.
func (r *run) fill(d *curlew.Draft, rec record) (lacks string) {
	for i := range r.fields {
		f := &r.fields[i]
		values, used := r.field(f, rec)
		if len(values) > 0 {
			r.keep(d, f, values, used)
		} else if _, has := d.Fields[f.name]; f.required && lacks == "" && !has {
			lacks = f.name
		}
	}
	return lacks
}

// Fallbacks cost confidence: the first rule is what the sample looked like.
const (
	fallbackCost      = 0.05 // of the value, for each rule that failed before
	draftFallbackCost = 0.02 // of the whole draft
)

// keep writes the values of a field and where they came from into the draft.
func (r *run) keep(d *curlew.Draft, f *compiledField, values []finding, used int) {
	var value any = values[0].text
	if f.many {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = v.text
		}
		value = texts
	}
	evidence := curlew.Evidence{Tier: r.blueprint.Tier, Rule: f.rules[used].readable, Node: r.placeOf(values[0]),
		Text: values[0].original, Confidence: max(0.5, 1-fallbackCost*float64(used))}
	if slot, ok := strings.CutPrefix(f.name, "slots."); ok && f.slot {
		d.KeepSlot(slot, value, evidence)
	} else {
		d.Fields[f.name], d.Provenance[f.name] = value, evidence
	}
	d.Confidence -= draftFallbackCost * float64(used)
}

// field gives the values of the first rule that has any, and which rule that was.
func (r *run) field(f *compiledField, rec record) ([]finding, int) {
	for i, rule := range f.rules {
		values := r.values(rule, rec, f.many)
		if f.address {
			values = transform{Transform: Transform{Op: "url"}}.apply(values, r.doc)
		}
		if len(values) > maxMany {
			values = values[:maxMany]
		}
		if len(values) > 0 && !r.elsewhere(f, rule, values[0]) {
			return values, i
		}
	}
	return nil, 0
}

// values are what a rule gives in a record: one, unless many are asked for. What
// does not depend on the record is found once.
func (r *run) values(rule *rule, rec record, many bool) []finding {
	if !rule.onPage() {
		return r.choose(rule, rec, many)
	}
	values, ok := r.shared[rule]
	if !ok {
		values = slices.Clone(r.choose(rule, rec, many))
		r.shared[rule] = values
	}
	return values
}

// fewMatches is how many matches are looked for at first when one is wanted.
const fewMatches = 4

// choose takes the first or last finding that gives a value, or all.
func (r *run) choose(rule *rule, rec record, many bool) []finding {
	all := many && rule.from != FromHeading
	for _, t := range rule.do {
		all = all || t.isList()
	}
	if all {
		found := r.findings(rule, rec, 0)
		return r.finish(rule, found[:min(len(found), maxMany)])
	}
	if rule.from == FromHeading && !rule.last && !rule.onPage() && rule.path == nil {
		return r.nearest(rule, rec)
	}
	if !rule.last {
		found := r.findings(rule, rec, fewMatches)
		if values := r.one(rule, found); len(values) > 0 || len(found) < fewMatches {
			return values
		}
	}
	return r.one(rule, r.findings(rule, rec, 0))
}

// one takes the first or last finding that gives a value.
func (r *run) one(rule *rule, found []finding) []finding {
	for i := range found {
		if rule.last {
			i = len(found) - 1 - i
		}
		if values := r.finish(rule, found[i:i+1]); len(values) > 0 {
			return values[:1]
		}
		if !r.budget.spend(1) {
			break
		}
	}
	return nil
}

// finish cleans texts, keeps the originals, and runs the transforms. The findings are
// used up.
func (r *run) finish(rule *rule, found []finding) []finding {
	values := found[:0]
	for _, f := range found {
		if f.unread {
			f.text, f.unread = r.read(f.node), false
			if rule.toPay && dom.HoldsFormer(f.node) {
				f.text, f.original = dom.ToPay(f.node), text.CutBytes(f.text, maxEvidence)
			}
		}
		f.text = strings.TrimSpace(strings.ToValidUTF8(text.CutBytes(f.text, maxValue), ""))
		if text.OnlyMarks(f.text) || !r.budget.read(len(f.text)) {
			continue
		}
		if f.original == "" {
			f.original = text.CutBytes(f.text, maxEvidence)
		}
		if rule.constant != nil {
			f.text = *rule.constant
		}
		values = append(values, f)
	}
	for _, t := range rule.do {
		values = t.apply(values, r.doc)
	}
	return values
}

// maxEvidence bounds the original text that is kept with a value.
const maxEvidence = 2_000

// textOf is the whole visible text of a record; of data it is all their texts.
func (r *run) textOf(rec record) string {
	var s string
	switch {
	case rec.data != nil:
		s = r.dataText(*rec.data)
	default:
		s = r.nodesText(rec.roots)
	}
	r.budget.read(len(s))
	r.budget.spend(len(s) / textPerStep)
	return text.CutBytes(s, maxRecordText)
}

// nodesText is the visible text of nodes, one after the other.
func (r *run) nodesText(nodes []*html.Node) string {
	switch {
	case len(nodes) == 0:
		return ""
	case len(nodes) == 1 && nodes[0].Type == html.ElementNode || nodes[0].Type == html.DocumentNode:
		return strings.TrimSpace(dom.Text(nodes[0]))
	}
	return r.text().join(r.text().under(nodes))
}

// dataText are the texts in a value, one per line.
func (r *run) dataText(s locatedValue) string {
	if item, ok := s.value.(*structured.Item); ok && item.Syntax != structured.JSONLD && item.Node != "" {
		if n := r.doc.At(item.Node); n != nil && !dom.Hidden(n) {
			if text := strings.TrimSpace(dom.Text(n)); text != "" {
				return text
			}
		}
	}
	var out strings.Builder
	writeTexts(&out, s, r.budget, 0)
	return strings.TrimSpace(out.String())
}

func writeTexts(out *strings.Builder, s locatedValue, b *budget, depth int) {
	if depth > 8 || out.Len() > maxRecordText {
		return
	}
	switch v := s.value.(type) {
	case map[string]any:
		for _, member := range members(locatedValue{}, v, b) {
			writeTexts(out, member, b, depth+1)
		}
	case *structured.Item:
		for _, key := range sortedKeys(v.Properties) {
			writeTexts(out, locatedValue{value: v.Properties[key]}, b, depth+1)
		}
	case []any, []structured.Value:
		for _, e := range elements(s, b) {
			writeTexts(out, e, b, depth+1)
		}
	default:
		for _, f := range scalars([]locatedValue{s}, b) {
			out.WriteString(f.text + "\n")
		}
	}
}
