package regions

import (
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Type is what the values of a slot seem to be.
type Type string

const (
	TypeTitle    Type = "title"
	TypeDate     Type = "date"
	TypeTime     Type = "time"
	TypePrice    Type = "price"
	TypeDuration Type = "duration"
	TypeURL      Type = "url"
	TypeImage    Type = "image"
	TypePerson   Type = "person"
	TypePlace    Type = "place"
	TypeNumber   Type = "number"
	TypeStatus   Type = "status"
	TypeLabel    Type = "label" // the same in all records: what another slot is called, or a button
	TypeLong     Type = "long"  // prose
	TypeText     Type = "text"
)

// Column is a column of a region: what stands at the same place in its records.
type Column struct {
	Name     string        // for the schema item: lower case, unique in its region
	Type     Type          // by its values, its markup and its words
	Label    string        // what the page itself calls it: a column heading, a term, "Price:"
	Path     string        // of tags and classes, from the record; "" is the record itself
	Attr     string        // "" for text
	Column   int           // of a table, from 1; 0 elsewhere
	Present  float64       // share of records that have it
	Distinct float64       // share of its values that are different
	Values   []ColumnValue // one for each record
	Mixed    bool          // holds the text of other slots too

	piece bool   // a text beside elements
	part  bool   // a part of the text of its node
	list  uint64 // the key of a list in the record, whose texts it holds
	in    uint64 // the key of the mixed text around it
	sign  string // the currency that stands before it
	names bool   // its values are the label of another slot
}

// ColumnValue is what one record has in a slot.
type ColumnValue struct {
	Text string // as written, on one line; "" when there is none
	Node *html.Node
}

// maxSlots is how many slots are kept, the most present first.
const maxSlots = 80

// alignment is slots in the making.
type alignment struct {
	region *Region
	grid   grid
	slots  []*Column
	order  []float64 // where each stands in its records, on average
	count  []float64
	at     map[uint64]int
	parts  map[uint64]map[int]int // of mixed texts: how many records have how many parts
}

// Slots are the columns of a region in reading order. There are none once the context has ended.
func Slots(ctx context.Context, r Region, o Options) []Column {
	if r.page == nil || len(r.runs) == 0 {
		return nil
	}
	a := alignment{region: &r, at: map[uint64]int{}, parts: map[uint64]map[int]int{}}
	rows := map[*html.Node]bool{}
	if r.Kind == Rows {
		for _, part := range r.runs {
			rows[r.page.flat[part.from].node] = true
		}
		a.grid = gridOf(r.page.doc, rows)
	}
	whole := r.Kind == Nodes || r.Kind == Rows || r.Kind == Cells
	records, form := make([][]unit, len(r.runs)), layout{a.grid.column, r.page.oneHeading(r.runs), r.page.adverts(r.runs)}
	for i, part := range r.runs {
		if ctx.Err() != nil {
			return nil
		}
		records[i] = r.page.unitsOf(part, whole, form)
	}
	r.page.byTheirLabels(records)
	for i, part := range r.runs {
		if ctx.Err() != nil {
			return nil
		}
		a.read(i, part, whole, records[i])
	}
	a.enumerations(o.Dates)
	a.tidy()
	a.recognise(o.Dates)
	slots := make([]Column, len(a.slots))
	for i, s := range a.slots {
		slots[i] = *s
	}
	return slots
}

// read puts the values of one record into their slots.
func (a *alignment) read(record int, part run, whole bool, units []unit) {
	page := a.region.page
	parts := map[uint64]int{}
	for k, u := range units {
		if u.in != 0 && u.attr == "" {
			parts[u.in]++
		}
		slot := a.slot(u.key, u, whole, part)
		a.put(slot, record, ColumnValue{u.text, u.node}, float64(k))
		a.slots[slot].Mixed = a.slots[slot].Mixed || u.mixed
	}
	for key, n := range parts {
		if a.parts[key] == nil {
			a.parts[key] = map[int]int{}
		}
		a.parts[key][n]++
	}
	for _, above := range a.grid.above[page.flat[part.from].node] {
		slot := a.slot(columnKey(above.column), unit{node: above.cell.Node, at: -1}, whole, part)
		a.put(slot, record, ColumnValue{above.cell.Text, above.cell.Node}, float64(above.column))
	}
}

// columnKey is the key of the text of a cell, as unitWork gives it.
func columnKey(column int) uint64 {
	start := uint64(pathStart)
	return start*prime ^ uint64(column+1)*73 ^ prime
}

func (a *alignment) slot(key uint64, u unit, whole bool, part run) int {
	if i, ok := a.at[key]; ok {
		return i
	}
	s := &Column{Attr: u.attr, Label: u.label, names: u.names, piece: u.piece, part: u.part, in: u.in}
	s.Values = make([]ColumnValue, len(a.region.runs))
	if u.list {
		s.list = key
	}
	if u.at >= 0 {
		root := a.region.page.flat[part.from].node
		if !whole {
			root = root.Parent
		}
		s.Path = pathFrom(root, u.node)
	}
	s.Column = a.columnOf(u.node)
	a.at[key] = len(a.slots)
	a.slots = append(a.slots, s)
	a.order = append(a.order, 0)
	a.count = append(a.count, 0)
	return len(a.slots) - 1
}

func (a *alignment) put(slot, record int, v ColumnValue, place float64) {
	if a.slots[slot].Values[record].Text != "" {
		return
	}
	a.slots[slot].Values[record] = v
	a.order[slot] += place
	a.count[slot]++
}

// columnOf is the column that a node stands in, from 1.
func (a *alignment) columnOf(n *html.Node) int {
	for ; n != nil && n.DataAtom != atom.Tr; n = n.Parent {
		if column, ok := a.grid.column[n]; ok {
			return column + 1
		}
	}
	return 0
}

// prose says whether a mixed text has parts as they come, a sentence with links,
// rather than the same parts in most records, "Price: 12".
func (a *alignment) prose(key uint64) bool {
	most, all := 0, 0
	for _, n := range a.parts[key] {
		most, all = max(most, n), all+n
	}
	return all > 2 && float64(most) < 0.7*float64(all)
}

// enumerations keep lists in the records whole where these have more and fewer texts of no
// certain type, as the notes of a release: which is the second says nothing, and a longer list
// has more texts than any before. Of other lists the parts are kept.
func (a *alignment) enumerations(o dates.Options) {
	drop := map[*Column]bool{}
	for _, s := range a.slots {
		if s.list == 0 {
			continue
		}
		parts := slices.DeleteFunc(slices.Clone(a.slots), func(p *Column) bool { return p.in != s.list })
		typed := slices.ContainsFunc(parts, func(p *Column) bool { return !slices.Contains([]Type{TypeText, TypeLong, TypeLabel}, typeOf(p, o)) })
		if len(a.parts[s.list]) < 2 || typed {
			for _, p := range parts {
				p.in = s.in // of what is around the list
			}
			parts = []*Column{s}
		}
		for _, p := range parts {
			drop[p] = true
		}
	}
	for i := len(a.slots) - 1; i >= 0; i-- {
		if drop[a.slots[i]] {
			a.slots, a.order, a.count = slices.Delete(a.slots, i, i+1), slices.Delete(a.order, i, i+1), slices.Delete(a.count, i, i+1)
		}
	}
}

// tidy drops what is too rare or says nothing new, and puts slots in reading order.
func (a *alignment) tidy() {
	n := float64(len(a.region.runs))
	type placed struct {
		slot  *Column
		place float64
	}
	var kept []placed
	said := map[uint64][]string{}
	for i, s := range a.slots {
		if s.in != 0 && s.Attr == "" && a.prose(s.in) || a.copies(s, said) {
			continue
		}
		s.Present = a.count[i] / n
		seen := map[string]bool{}
		for _, v := range s.Values {
			if v.Text != "" {
				seen[v.Text] = true
			}
		}
		s.Distinct = float64(len(seen)) / a.count[i]
		kept = append(kept, placed{s, a.order[i] / a.count[i]})
	}
	slices.SortStableFunc(kept, func(x, y placed) int { return compare(y.slot.Present, x.slot.Present) })
	kept = kept[:min(len(kept), maxSlots)]
	slices.SortStableFunc(kept, func(x, y placed) int { return compare(x.place, y.place) })
	a.slots = a.slots[:0]
	for _, k := range kept {
		a.slots = append(a.slots, k.slot)
	}
}

// copies says whether a slot is a copy for other screens: it says the same as one before. What the page itself calls otherwise
// is none. The names of all that say something are kept.
func (a *alignment) copies(s *Column, said map[uint64][]string) bool {
	says, name := s.says(), ""
	if s.Attr == "" {
		name = s.Label
	}
	if s.Attr == "" && name == "" && s.Column > 0 {
		name = strings.TrimSpace(a.grid.header[s.Column-1])
	}
	names, known := said[says]
	if known && (name == "" || slices.Contains(names, "") || slices.Contains(names, name)) {
		return true
	}
	said[says] = append(names, name)
	return false
}

// says is a hash of all values.
func (s *Column) says() uint64 {
	h := hashText(s.Attr)
	for _, v := range s.Values {
		h = (h ^ hashText(v.Text)) * prime
	}
	return h
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// recognise says what slots are and what they are called.
func (a *alignment) recognise(o dates.Options) {
	for _, s := range a.slots {
		if s.Type = typeOf(s, o); s.Type == TypeLabel && s.Label != "" {
			s.Type = TypeText // it has its own label, and says the same in all records
		}
	}
	a.labels()
	if best := a.title(); best != nil {
		best.Type = TypeTitle
	}
	a.name()
}

// pathFrom writes the tags and classes that lead from a record to a node.
func pathFrom(root, n *html.Node) string {
	var steps []string
	for ; n != nil && n != root && len(steps) < 12; n = n.Parent {
		if n.Type == html.ElementNode {
			steps = append(steps, step(n))
		}
	}
	slices.Reverse(steps)
	return strings.Join(steps, " > ")
}

// step is an element as a selector names it.
func step(n *html.Node) string {
	out := n.Data
	kept := 0
	for name := range strings.FieldsSeq(dom.Attr(n, "class")) {
		if steady(name) && plainName(name) && kept < 2 {
			out += "." + name
			kept++
		}
	}
	return out
}

// plainName says whether a class name can stand in a selector as it is.
func plainName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' && i > 0) {
			return false
		}
	}
	return name != ""
}
