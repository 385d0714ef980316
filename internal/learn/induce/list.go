package induce

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// fromLists learns lists from some of their records.
func fromLists(kind curlew.Schema, pages []LabelledPage, indexes map[*dom.Document]*pageIndex) (*blueprint.Blueprint, Proof, error) {
	var all []entry
	known := 0
	for _, p := range pages {
		if len(p.Fields) == 0 {
			continue
		}
		known++
		all = append(all, entry{index: indexes[p.Document], fields: valuesOf(p.Fields)})
	}
	located := locateEntries(all)
	if err := ended(all); err != nil {
		return nil, Proof{}, err
	}
	if len(located) == 0 {
		return nil, Proof{}, curlew.Permanent(curlew.ErrNotFound, "none of the %d known records was found on its page", known)
	}
	b, proof, err := learnList(kind, located, all, 0)
	proof.Notes = append(proof.Notes, unplaced(all, located)...)
	return b, proof, err
}

// unplaced names the known records that were not found as records of their pages.
func unplaced(all, located []entry) []string {
	var notes []string
	for i, e := range all {
		if !slices.ContainsFunc(located, func(o entry) bool { return sameFields(o, e) }) && len(notes) < maxMissing {
			notes = append(notes, fmt.Sprintf("known record %d (%s) could not be placed on its page: nothing was learned from it", i+1,
				e.inWords()))
		}
	}
	if missing := len(all) - len(located); missing > maxMissing {
		notes = append(notes, fmt.Sprintf("nor could %d others", missing-maxMissing))
	}
	return notes
}

func sameFields(a, b entry) bool {
	return a.index == b.index && maps.EqualFunc(a.fields, b.fields, func(x, y []value) bool {
		return slices.EqualFunc(x, y, func(v, w value) bool { return v.key == w.key })
	})
}

// inWords are the values of a record on one line.
func (e entry) inWords() string {
	var all []string
	for _, name := range sortedNames(e.fields) {
		for _, v := range e.fields[name] {
			all = append(all, v.text)
		}
	}
	return text.Clip(strings.Join(all, ", "), 80)
}

// learnList writes a blueprint for entries whose places are known, and proves it on
// all that are known. Total is how many records their pages have; 0 is unknown.
func learnList(kind curlew.Schema, located, known []entry, total int) (*blueprint.Blueprint, Proof, error) {
	gather(located)
	var best *blueprint.Blueprint
	var proof Proof
	top := -1.0
	var tried [][]*html.Node
	for _, l := range listings(located, total) {
		if slices.ContainsFunc(tried, func(found []*html.Node) bool { return slices.Equal(found, l.found) }) {
			continue // the same records: the same rules
		}
		tried = append(tried, l.found)
		b, p, worth := learnFields(kind, l, located, total)
		if b != nil && worth > top {
			best, proof, top = b, p, worth
		}
		if top >= 1 { // nothing finds more
			break
		}
	}
	if err := ended(located); err != nil {
		return nil, proof, err
	}
	if best == nil {
		return nil, proof, curlew.Permanent("not_learned", "no rule finds the records of this page again")
	}
	if missing := len(known) - len(located); missing > 0 {
		proof.Lost = missing
	}
	return best, proof, nil
}

// ended is the error of the context under which is learned, once it has ended.
func ended(all []entry) error {
	if len(all) == 0 {
		return nil
	}
	return all[0].index.ctx.Err()
}

// maxTrial is how many records of a list rules are tried in; all take part in the proof.
const maxTrial = 60

// learnFields learns all fields of the records that one selector finds.
func learnFields(kind curlew.Schema, l listing, all []entry, total int) (*blueprint.Blueprint, Proof, float64) {
	t := trial{kind: kind, records: &l.selector}
	t.words = newVocabulary(sheetsOf(all))
	for _, e := range all {
		t.samples = append(t.samples, sample{index: e.index, node: e.index.doc.Path(e.node), roots: e.roots, text: e.text, line: e.line,
			want: e.fields, known: true})
	}
	known := t.samples
	t.samples = spread(known, maxTrial)
	t.grounds = newGrounds(t.samples, t.records)
	b := &blueprint.Blueprint{Language: 1, Schema: kind.Name, Own: kind.Own(), Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &l.selector, Fields: map[string]blueprint.FieldRules{}}
	odds := map[string]float64{}
	fields := t.fields()
	for _, field := range fields {
		if t.ended() != nil {
			return nil, Proof{}, 0
		}
		chosen, many := t.learn(field)
		if len(chosen) == 0 {
			continue
		}
		f := blueprint.FieldRules{Rules: rulesOf(chosen), Many: many, Required: t.requires(field, chosen)}
		if !f.Required && named(kind, field) { // better the first line than no name, and so no record
			f.Rules = append(f.Rules, blueprint.Rule{Do: []blueprint.Transform{{Op: "line", N: 1}}})
		}
		b.Fields[field] = f
		odds[field] = chosen[0].odds * l.odds
	}
	t.samples = known
	b, p, err := t.finish(b, fields, odds)
	if err != nil {
		return nil, p, 0
	}
	found, values := p.Found()
	worth := float64(found) / float64(max(1, values))
	if total > 0 && p.Records > total {
		worth *= float64(total) / float64(p.Records)
	}
	return b, p, worth
}

// requires says whether records without a field are none: a field of which the schema
// says so, and whose rules find it in almost every entry.
func (t trial) requires(field string, chosen []candidate) bool {
	f, ok := t.kind.Field(field)
	covered := 0
	for i := range t.samples {
		if slices.ContainsFunc(chosen, func(c candidate) bool { return c.covers[i] }) {
			covered++
		}
	}
	return ok && f.Required && covered*20 >= len(t.samples)*19
}

// named says whether a field is what records of a schema are called by, and must have.
func named(kind curlew.Schema, field string) bool {
	f, ok := kind.Field(field)
	return ok && f.Required && f.Type == curlew.TypeText
}

// locateEntries finds for each known record the part of the page that holds its values
// and those of no other record.
func locateEntries(all []entry) []entry {
	spots := make([]*html.Node, len(all))
	above := fieldsAbove(all)
	for i, e := range all {
		if ended(all) != nil {
			return nil
		}
		e.fields = e.ownFields(above)
		spots[i] = e.nearest()
	}
	var located []entry
	for i, e := range all {
		if spots[i] == nil {
			continue
		}
		e.node = widest(spots[i], spots, i)
		located = append(located, e)
	}
	return dropNested(located)
}

// ownFields are the values of a record without the fields that stand above several
// records, such as the day in a heading.
func (e entry) ownFields(above map[string]bool) map[string][]value {
	own := maps.Clone(e.fields)
	maps.DeleteFunc(own, func(name string, _ []value) bool { return above[name] })
	if len(own) == 0 {
		return e.fields
	}
	return own
}

// fieldsAbove are the fields with values that stand above several records.
func fieldsAbove(all []entry) map[string]bool {
	above := map[string]bool{}
	for _, e := range all {
		for name, values := range e.fields {
			above[name] = above[name] || slices.ContainsFunc(values, func(v value) bool { return e.sharesAbove(name, v, all) })
		}
	}
	return above
}

// sharesAbove says whether more known records have a value than the page has places for it.
func (e entry) sharesAbove(name string, v value, all []entry) bool {
	records := 0
	for _, other := range all {
		if other.index == e.index && slices.ContainsFunc(other.fields[name], func(o value) bool { return o.key == v.key }) {
			records++
		}
	}
	if records < 2 {
		return false
	}
	nodes := map[*html.Node]bool{}
	for _, p := range e.index.places(v, nil) {
		nodes[p.node()] = true
	}
	return len(nodes) > 0 && len(nodes) < records
}

// nearest is the smallest element that holds a value of every field that is on the
// page at all.
func (e entry) nearest() *html.Node {
	var best *html.Node
	top := 0
	for _, n := range e.anchors() {
		for up := 0; n != nil && n.Type == html.ElementNode && up < 12 && n.Data != "body"; n, up = n.Parent, up+1 {
			has := e.holds(n)
			smaller := best != nil && deeper(e.index, n, best) && dom.Within(n, best)
			if has > top || has == top && smaller {
				best, top = n, has
			}
			if top == len(e.fields) {
				break
			}
		}
	}
	return best
}

// anchors are the places of the record's rarest value.
func (e entry) anchors() []*html.Node {
	var best []place
	for _, name := range sortedNames(e.fields) {
		for _, v := range e.fields[name] {
			if found := e.index.places(v, nil); len(found) > 0 && (best == nil || len(found) < len(best)) {
				best = found
			}
		}
	}
	var nodes []*html.Node
	for _, p := range best {
		if n := p.node(); n != nil && !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func sortedNames(fields map[string][]value) []string {
	return slices.Sorted(maps.Keys(fields))
}

// holds counts the fields of which a value stands in a node.
func (e entry) holds(n *html.Node) int {
	text := dom.Line(n)
	if len(text) > maxValue {
		return 0
	}
	k := key(text)
	count := 0
	for _, name := range sortedNames(e.fields) {
		if slices.ContainsFunc(e.fields[name], func(v value) bool { return holdsWord(k, v.key) || e.index.likeness(v, text) > 0 }) {
			count++
		}
	}
	return count
}

// widest climbs from a record's spot as long as no other record's spot is inside.
func widest(n *html.Node, spots []*html.Node, own int) *html.Node {
	for n.Parent != nil && n.Parent.Type == html.ElementNode && n.Parent.Data != "body" {
		for i, other := range spots {
			if i != own && other != nil && other != spots[own] && dom.Within(other, n.Parent) {
				return n
			}
		}
		n = n.Parent
	}
	return n
}

func deeper(s *pageIndex, a, b *html.Node) bool { return s.extents[a].order > s.extents[b].order }

// dropNested keeps of entries inside each other the inner ones, in document order, and
// each element once.
func dropNested(all []entry) []entry {
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.index.extents[a.node].order, b.index.extents[b.node].order) })
	var out []entry
	for i, e := range all {
		inner := slices.ContainsFunc(all[i+1:], func(o entry) bool {
			return o.index == e.index && o.node != e.node && dom.Within(o.node, e.node)
		})
		double := len(out) > 0 && out[len(out)-1].node == e.node
		if !inner && !double {
			out = append(out, e)
		}
	}
	return out
}
