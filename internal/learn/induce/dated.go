package induce

import (
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// leastSure is how much of an independent reading rules must find again, of every
// field that the schema requires, for being preferred to the reader itself.
const leastSure = 0.9

// sure says whether the rules of a blueprint find almost all that the schema requires.
func (p Proof) sure(kind curlew.Schema) bool {
	return !slices.ContainsFunc(kind.Required(), func(name string) bool { return p.share([]string{name}) < leastSure })
}

// lacks names a field that the schema requires and a blueprint has no rule for.
func lacks(b *blueprint.Blueprint) string {
	if isDated(b) {
		return ""
	}
	for _, name := range b.Kind().Required() {
		if _, ok := b.Fields[name]; !ok {
			return name
		}
	}
	return ""
}

// byReader is what stands in proofs where a field has no rule of its own.
const byReader = "the reader of dated entries"

func isDated(b *blueprint.Blueprint) bool {
	return b.Records != nil && b.Records.Shape == blueprint.ShapeDated
}

// learnDated writes a blueprint that leaves entries to the reader of dates: pages with
// the year in a heading and the month over a column, say, for which rules are too
// weak. Around are entries that the container has to hold.
func learnDated(indexes []*pageIndex, around []entry, days *blueprint.Range) (*blueprint.Blueprint, map[*pageIndex][]curlew.Draft) {
	open := datedBlueprint("", days)
	all := readDated(open, indexes)
	if len(all) == 0 {
		return nil, nil
	}
	best := open
	for _, css := range containers(indexes, around) {
		b := datedBlueprint(css, days)
		if inside := readDated(b, indexes); len(inside) == len(indexes) {
			best, all = b, inside
			break
		}
	}
	var pages [][]curlew.Draft
	for _, s := range indexes {
		pages = append(pages, all[s])
	}
	best.URL, best.Expect = indexes[0].doc.URL().String(), blueprint.ExpectationsOf(pages...)
	return best, all
}

func datedBlueprint(css string, days *blueprint.Range) *blueprint.Blueprint {
	return &blueprint.Blueprint{Language: 1, Schema: curlew.SchemaEvent, Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: css, Shape: blueprint.ShapeDated, Days: days}, Fields: map[string]blueprint.FieldRules{}}
}

// readDated are the records of the pages that have any.
func readDated(b *blueprint.Blueprint, indexes []*pageIndex) map[*pageIndex][]curlew.Draft {
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return nil
	}
	all := map[*pageIndex][]curlew.Draft{}
	for _, s := range indexes {
		if drafts := compiled.Apply(s.page()).Drafts; len(drafts) > 0 {
			all[s] = drafts
		}
	}
	return all
}

// maxContainers bounds the containers that are tried.
const maxContainers = 3

// containers are selectors of the smallest elements that hold all entries, by names
// that people gave and that no other element of the page has.
func containers(indexes []*pageIndex, around []entry) []string {
	if len(around) < 2 || len(sheetsOf(around)) < len(indexes) {
		return nil
	}
	var all []string
	for n := around[0].node; n != nil && n.Type == html.ElementNode && n.Data != "body" && len(all) < maxContainers; n = n.Parent {
		if slices.ContainsFunc(around, func(e entry) bool { return e.index == around[0].index && !dom.Within(e.node, n) }) {
			continue
		}
		for _, m := range marksOf(n) {
			if (m.id != "" || m.class != "") && m.odds() >= oddsClass && m.holds(around) {
				all = append(all, m.css())
				break
			}
		}
	}
	return all
}

// holds says whether a mark is that of one element on every page, which holds all
// entries of the page.
func (m mark) holds(all []entry) bool {
	for _, s := range sheetsOf(all) {
		var found *html.Node
		for n := range s.doc.Tree().Descendants() {
			if n.Type != html.ElementNode || !slices.Contains(marksOf(n), m) {
				continue
			}
			if found != nil {
				return false
			}
			found = n
		}
		if found == nil || slices.ContainsFunc(all, func(e entry) bool { return e.index == s && !dom.Within(e.node, found) }) {
			return false
		}
	}
	return true
}

// maxProved is how many entries are looked for one by one all over their pages.
const maxProved = 40

// datedProof counts what the reader finds again of what is known.
func datedProof(drafts map[*pageIndex][]curlew.Draft, indexes []*pageIndex, known []entry) Proof {
	const note = "read by the reader of dated entries: the dates are put together from several places of the page"
	p := Proof{Pages: len(indexes), Notes: []string{note}}
	for _, found := range drafts {
		p.Records += len(found)
	}
	known = spread(known, maxProved)
	t := trial{}
	for _, e := range known {
		t.samples = append(t.samples, sample{want: e.fields})
	}
	for _, field := range t.fields() {
		f := proveAnywhere(field, known, drafts)
		f.Rule = byReader
		p.Fields = append(p.Fields, f)
	}
	return p
}

// alike compares the records of a blueprint with those that the reader finds on the
// pages: twice the common ones by all of both. Where the reader finds none, it is no
// judge.
func (h *healing) alike(drafts map[*pageIndex][]curlew.Draft) float64 {
	both, all := 0, 0
	for _, s := range h.indexes {
		left := map[string]int{}
		for _, d := range drafts[s] {
			left[h.label(s, d)]++
		}
		read := h.uncut()[s]
		for _, d := range read {
			if label := h.label(s, d); left[label] > 0 {
				left[label]--
				both++
			}
		}
		all += len(read) + len(drafts[s])
	}
	if all == 0 || total(h.uncut()) == 0 {
		return 1
	}
	return 2 * float64(both) / float64(all)
}

// label is what records are compared by: events by their day, others by their name.
func (h *healing) label(s *pageIndex, d curlew.Draft) string {
	if h.old.Schema == curlew.SchemaEvent {
		return s.dayOf(d)
	}
	return nameOf(d)
}

// uncut is what the pages have when they are read without rules, on whatever day.
func (h *healing) uncut() map[*pageIndex][]curlew.Draft {
	if h.reader != nil {
		return h.readerGave
	}
	return h.open
}

// dayOf is the day on which a draft begins, as a text.
func (s *pageIndex) dayOf(d curlew.Draft) string {
	for _, raw := range d.Fields.Texts("starts_at") {
		if found := s.datesIn(text.Collapse(raw)); len(found) > 0 {
			return found[0].Start.Format(time.DateOnly)
		}
	}
	return ""
}
