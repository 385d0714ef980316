package events

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/text"
)

// structure says how the page is built: runs of entries of one make, and the
// sentences that hold for all.
func (r *reader) structure(drafts []curlew.Draft) Structure {
	var s Structure
	type kind struct {
		parent *html.Node
		make   string
		shape  Shape
	}
	groups := map[kind][]int{}
	var order []kind
	for i, e := range r.entries {
		if e.node == nil {
			continue
		}
		k := kind{e.node.Parent, makeOf(e.node), e.shape}
		if e.shape == ShapeLines {
			k.parent = e.node
		}
		if len(groups[k]) == 0 {
			order = append(order, k)
		}
		groups[k] = append(groups[k], i)
	}
	for _, k := range order {
		s.Regions = append(s.Regions, r.region(groups[k], drafts))
	}
	slices.SortStableFunc(s.Regions, func(a, b EntryList) int { return cmp.Compare(len(b.Nodes), len(a.Nodes)) })
	if c := nearest(r.standing.clocks, r.entries[0].span.first); c != nil {
		l := &r.lines[c.line]
		s.Clock = Sentence{Value: l.text[c.clock.begin:c.clock.end], Node: r.doc.Path(l.holder), Text: text.CutWords(l.text, 500)}
	}
	if p := nearest(r.standing.places, r.entries[0].span.first); p != nil {
		l := &r.lines[p.place.line]
		s.Place = Sentence{Value: cmp.Or(p.place.name, p.place.address), Node: r.doc.Path(l.holder), Text: text.CutWords(l.text, 500)}
	}
	return s
}

func (r *reader) region(entries []int, drafts []curlew.Draft) EntryList {
	first := r.entries[entries[0]]
	out := EntryList{Shape: first.shape, Fields: map[string]FieldSource{}}
	container := first.node.Parent
	if first.shape == ShapeLines {
		container = first.node
	}
	out.Container = r.doc.Path(container)
	for _, i := range entries {
		out.Nodes = append(out.Nodes, r.doc.Path(r.entries[i].node))
	}
	out.Starts = selectorOf(first.node)
	if first.shape == ShapeGroup {
		out.Starts, out.Until = r.groupBounds(first)
	}
	for _, field := range [...]string{"title", "starts_at", "ends_at", "url", "venue_name", "venue_address", "status"} {
		if source, ok := r.sourceOf(field, entries, drafts); ok {
			out.Fields[field] = source
		}
	}
	return out
}

// groupBounds is what the first node of a group looks like, and the heading of
// higher rank that ends the last.
func (r *reader) groupBounds(e *entry) (starts, until string) {
	n := r.lines[e.span.first].holder
	for n.Parent != nil && n.Parent != e.node.Parent && n != e.node {
		n = n.Parent
	}
	if level := r.lines[e.span.first].level; level > 1 && level < 7 {
		for k := 1; k < level; k++ {
			until += ", h" + string(rune('0'+k))
		}
	}
	return selectorOf(n), strings.TrimPrefix(until, ", ")
}

// sourceOf is where most entries of a region have a field from.
func (r *reader) sourceOf(field string, entries []int, drafts []curlew.Draft) (FieldSource, bool) {
	counts := map[FieldSource]int{}
	var best FieldSource
	example := ""
	for _, i := range entries {
		evidence, ok := drafts[i].Provenance[field]
		if !ok {
			continue
		}
		source := placeOf(evidence, drafts[i].Node)
		counts[source]++
		if counts[source] > counts[best] {
			best, example = source, evidence.Node
		}
	}
	if counts[best] == 0 {
		return FieldSource{}, false
	}
	best.Share = float64(counts[best]) / float64(len(entries))
	if best.Origin == OriginRecord {
		best.Column = r.columnOf(example)
	}
	return best, true
}

func placeOf(evidence curlew.Evidence, entry string) FieldSource {
	if rest, inside := strings.CutPrefix(evidence.Node, entry); inside && entry != "" && (rest == "" || rest[0] == '/') {
		return FieldSource{Origin: OriginRecord, Path: strings.TrimPrefix(rest, "/")}
	}
	if strings.Contains(evidence.Rule, "heading above") {
		return FieldSource{Origin: OriginHeading, Path: evidence.Node}
	}
	return FieldSource{Origin: OriginPage, Path: evidence.Node}
}

// columnOf is the head of the column that an element stands in.
func (r *reader) columnOf(path string) string {
	n := r.doc.At(path)
	if n == nil {
		return ""
	}
	cell := cellOf(n)
	if cell == nil {
		return ""
	}
	if heads, c := r.headsOf(tableOf(cell)), r.spotOf(cell).column; c < len(heads) {
		return heads[c]
	}
	return ""
}

// selectorOf is the tag of an element with its classes, as CSS.
func selectorOf(n *html.Node) string {
	out := n.Data
	for _, class := range dom.Classes(n) {
		plain := strings.IndexFunc(class, func(c rune) bool {
			return !(c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
		}) < 0
		if plain && (class[0] < '0' || class[0] > '9') && class[0] != '-' {
			out += "." + class
		}
	}
	return out
}
