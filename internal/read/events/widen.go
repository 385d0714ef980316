package events

import (
	"cmp"
	"slices"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// widen adds what belongs to entries whose element holds little but the date: the
// heading before it, or the siblings after it up to the next entry.
func (r *reader) widen() {
	slices.SortStableFunc(r.entries, func(a, b *entry) int { return a.span.first - b.span.first })
	parents := map[*html.Node][]int{}
	var order []*html.Node
	for i, e := range r.entries {
		if e.shape != shapeNode || e.node == nil {
			continue
		}
		if len(parents[e.node.Parent]) == 0 {
			order = append(order, e.node.Parent)
		}
		parents[e.node.Parent] = append(parents[e.node.Parent], i)
	}
	for _, parent := range order {
		r.widenAmong(parent, parents[parent])
	}
}

func (r *reader) widenAmong(parent *html.Node, own []int) {
	thin, led := 0, 0
	for _, i := range own {
		e := r.entries[i]
		if r.thin(e) {
			thin++
		}
		if r.leader(e, i) > 0 {
			led++
		}
	}
	row := false
	switch r.entries[own[0]].node.DataAtom {
	case atom.Td:
		return
	case atom.Li, atom.Tr:
		row = true
	}
	switch {
	case !row && led*5 >= len(own)*3 && len(own) > 1:
		for _, i := range own {
			r.lead(r.entries[i], r.leader(r.entries[i], i))
		}
	case thin*2 > len(own):
		most := 0
		for k, i := range own {
			if k == len(own)-1 && k > 0 { // what follows the last may be about all
				r.follow(r.entries[i], i, parent, most)
				break
			}
			most = max(most, r.follow(r.entries[i], i, parent, 200))
		}
	}
}

func (r *reader) thin(e *entry) bool { return r.substance(e.span) < 2 }

// leader is how many lines before an entry are its heading: one that stands right
// before it, after the entry before.
func (r *reader) leader(e *entry, i int) int {
	first := e.span.first
	floor := 0
	if i > 0 {
		floor = r.entries[i-1].span.last
	}
	if first == 0 || first-1 < floor {
		return 0
	}
	own := r.lines[first].level
	for back := 1; back <= 3 && first-back >= floor; back++ {
		l := &r.lines[first-back]
		if l.level > 0 && !r.isContext(first-back) && own != l.level {
			if own > 0 && own < l.level || wordCount(r.bare(first-back)) == 0 || !r.beside(l.holder, e.node) {
				return 0
			}
			return back
		}
		if len(l.text) > 120 {
			return 0
		}
	}
	return 0
}

// proof is where a value was read, by what rule, and how sure that is.
type proof struct {
	node *html.Node
	text string
	rule string
	sure float64
}

// beside says whether a heading stands in a small sibling of an element.
func (r *reader) beside(heading, n *html.Node) bool {
	for range 4 {
		if heading == nil || heading.Parent == n.Parent {
			break
		}
		heading = heading.Parent
	}
	if heading == nil || heading.Parent != n.Parent {
		return false
	}
	s := r.spans[heading]
	return s.last-s.first <= 3
}

func (r *reader) lead(e *entry, back int) {
	if back > 0 {
		e.span.first -= back
		e.shape = shapeGroup
	}
}

// follow adds the lines after an entry up to the next entry, a heading of at least
// its rank, or the end of the parent.
func (r *reader) follow(e *entry, i int, parent *html.Node, most int) int {
	last := r.spans[parent].last
	if i+1 < len(r.entries) {
		last = min(last, r.entries[i+1].span.first)
	}
	rank := r.lines[e.span.first].level
	rank = cmp.Or(rank, 7)
	end := e.span.last
	for k := e.span.last; k < last && k < e.span.last+most; k++ {
		higher := r.lines[k].level > 0 && r.lines[k].level < rank && !(rank < 7 && r.itemHead(k, parent))
		if higher || r.isContext(k) && r.lines[k].level > 0 {
			break
		}
		end = k + 1
	}
	if end == e.span.last+most { // what is bound by a number of lines ends with an element all the same
		for n := e.node.NextSibling; n != nil; n = n.NextSibling {
			if s, ok := r.spans[n]; ok && s.first < end {
				end = min(last, max(end, s.last))
			}
		}
	}
	added := end - e.span.last
	if added > 0 {
		e.span.last, e.shape = end, shapeGroup
	}
	return added
}

// itemHead tells a linked heading further inside of an element than its own children: it
// names an item there, and opens no part of the page.
func (r *reader) itemHead(i int, within *html.Node) bool {
	holder := r.lines[i].holder
	return holder.Parent != within && linkAround(r.lines[i].pieces[0].node) != nil
}

// splitByTime cuts a day with several timed items into one entry each, and one with a single item like those around it.
func (r *reader) splitByTime() {
	cut := make([][]*entry, len(r.entries))
	makes := map[string]bool{} // of the items of days that have several
	for i, e := range r.entries {
		if cut[i] = r.timedItems(e); len(cut[i]) > 1 {
			makes[makeOf(cut[i][0].node)] = true
			continue
		}
		for _, split := range []func(*entry) []*entry{r.headedItems, r.sheetItems, r.splitShowings} {
			if parts := split(e); len(parts) > 1 {
				cut[i] = parts
				break
			}
		}
	}
	var out []*entry
	for i, e := range r.entries {
		switch parts := cut[i]; {
		case len(parts) > 1:
			out = append(out, parts...)
		case len(parts) == 1 && r.narrow(parts[0], makes):
			out = append(out, parts[0])
		default:
			out = append(out, e)
		}
	}
	r.entries = out
}

// narrow makes an item begin at the element around its time that has one of some makes, and says whether there is one.
func (r *reader) narrow(item *entry, makes map[string]bool) bool {
	for n := r.lines[item.clock.line].holder; n != nil && n != item.node.Parent; n = n.Parent {
		s, ok := r.spans[n]
		if !ok || !makes[makeOf(n)] {
			continue
		}
		if item.node, item.shape = n, shapeNode; r.substance(s) < 1 {
			s.last, item.shape = item.span.last, shapeGroup
		}
		item.span = s
		return true
	}
	return false
}

func (r *reader) timedItems(e *entry) []*entry {
	if e.date.hasClock || e.shape == shapeLines || e.span.last-e.span.first < 3 {
		return nil
	}
	parts, makes := r.timedParts(e)
	if len(makes) > 1 {
		return nil
	}
	for k, p := range parts { // the time alone: what it is about follows
		if r.substance(p.span) < 1 {
			p.span.last = e.span.last
			if k+1 < len(parts) {
				p.span.last = parts[k+1].span.first
			}
			p.shape = shapeGroup
		}
		if r.substance(p.span) < 1 {
			return nil
		}
	}
	return parts
}

// timedParts cuts an entry at the lines that begin with a time, and tells of what makes
// the elements around these are.
func (r *reader) timedParts(e *entry) (parts []*entry, makes map[string]bool) {
	makes = map[string]bool{}
	for i := e.span.first; i < e.span.last; i++ {
		c, ok := r.clockAtStart(i)
		if !ok || i >= e.date.line && i <= e.date.lastLine {
			continue
		}
		n := r.itemOf(i, e)
		if len(parts) > 0 {
			previous := parts[len(parts)-1]
			if previous.node == n {
				continue // its end, or when doors open
			}
			previous.span.last = min(previous.span.last, i)
		}
		makes[makeOf(n)] = true
		s := r.spans[n]
		if s.first > i || s.last <= i || s.first < e.span.first {
			s = span{i, e.span.last}
		}
		parts = append(parts, &entry{date: e.date, node: n, span: s, clock: c})
	}
	return parts, makes
}

// headedItems cuts a day whose items have headings of one make, most with a time or all of
// them links.
func (r *reader) headedItems(e *entry) []*entry {
	if e.date.hasClock || e.shape == shapeLines || e.span.last-e.span.first < 5 {
		return nil
	}
	level := 7
	for i := e.date.lastLine + 1; i < e.span.last; i++ {
		if l := r.lines[i].level; l > 0 {
			level = min(level, l)
		}
	}
	var heads []int
	for i := e.date.lastLine + 1; i < e.span.last; i++ {
		if r.lines[i].level == level && level < 7 && wordCount(r.bare(i)) > 0 {
			heads = append(heads, i)
		}
	}
	if len(heads) < 2 {
		return nil
	}
	return r.headed(e, heads)
}

func (r *reader) headed(e *entry, heads []int) []*entry {
	var parts []*entry
	makes, timed := map[string]bool{}, 0
	for k, i := range heads {
		n := r.lines[i].holder
		makes[makeOf(n)] = true
		within := span{e.date.lastLine + 1, e.span.last}
		if k > 0 {
			within.first = max(within.first, heads[k-1]+1)
		}
		if k+1 < len(heads) {
			within.last = min(within.last, heads[k+1])
		}
		n = r.highestWithin(n, within)
		if k > 0 {
			parts[k-1].span.last = r.spans[n].first
		}
		parts = append(parts, &entry{date: e.date, node: n, span: span{r.spans[n].first, e.span.last}})
	}
	for _, part := range parts {
		if part.clock = r.clockIn(part.span); part.clock != nil {
			timed++
		}
	}
	other := func(i int) bool { return !r.itemHead(i, e.node.Parent) }
	linked := r.lines[e.date.line].level > 0 && r.dateOnly(e.date.line) && !slices.ContainsFunc(heads, other)
	if len(makes) > 1 || timed*2 < len(parts) && !linked {
		return nil
	}
	return parts
}

// highestWithin is the highest element around a node that holds no line outside a span.
func (r *reader) highestWithin(n *html.Node, within span) *html.Node {
	for up := n.Parent; up != nil; up = up.Parent {
		s, ok := r.spans[up]
		if !ok {
			continue
		}
		if s.first < within.first || s.last > within.last {
			break
		}
		n = up
	}
	return n
}

// itemOf is the highest element around a line that holds no other line beginning
// with a time.
func (r *reader) itemOf(i int, e *entry) *html.Node {
	best := r.lines[i].holder
	for n := best; n != nil && n != e.node; n = n.Parent {
		s, ok := r.spans[n]
		if !ok {
			continue
		}
		if s.first < e.span.first || s.last > e.span.last {
			break
		}
		for k := s.first; k < s.last; k++ {
			if _, timed := r.clockAtStart(k); timed && k != i {
				return best
			}
		}
		best = n
	}
	return best
}

// clockAtStart reads a time at the beginning of a line.
func (r *reader) clockAtStart(i int) (*clock, bool) {
	text := r.lines[i].text
	if text == "" || len(text) > 300 || !hasDigits(text[:min(10, len(text))]) || r.at[i] < r.at[i+1] {
		return nil, false
	}
	m := timeText().FindStringIndex(text)
	if m == nil || m[0] > 4 {
		return nil, false
	}
	c, ok := r.timeOnly(text[m[0]:min(len(text), m[1]+16)])
	if !ok {
		return nil, false
	}
	return &clock{Clock: c, line: i, begin: m[0], end: m[1]}, true
}

// carry makes entries of rows and list entries that have a time but leave the day
// to the row before them.
func (r *reader) carry() {
	var out []*entry
	for i, e := range r.entries {
		out = append(out, e)
		if !e.mayCarry() {
			continue
		}
		limit := len(r.lines)
		if i+1 < len(r.entries) {
			limit = r.entries[i+1].span.first
		}
		for n := e.node.NextSibling; n != nil && len(out) < maxDates; n = n.NextSibling {
			if n.Type != html.ElementNode {
				continue
			}
			s, ok := r.spans[n]
			if !ok || s.last > limit || makeOf(n) != makeOf(e.node) || !r.carried(s) || r.saysInstead(e, s) {
				break
			}
			out = append(out, &entry{date: e.date, node: n, span: s, clock: r.clockIn(s)})
		}
	}
	r.entries = out
}

// mayCarry tells entries whose day may hold for those after them.
func (e *entry) mayCarry() bool {
	if e.shape != shapeNode || e.node == nil {
		return false
	}
	if e.node.DataAtom == atom.Div && dom.Attr(e.node, "class") == "" {
		return false
	}
	return e.node.DataAtom == atom.Tr || isPart(e.node)
}

// carried tells a part of the page that has a time and no day.
func (r *reader) carried(s span) bool {
	return len(r.within(s)) == 0 && r.timed(s) && r.substance(s) >= 1
}

// saysInstead says whether a part of the page has other words where an entry has its day:
// "Date to be confirmed, 7pm".
func (r *reader) saysInstead(e *entry, s span) bool {
	holder := r.lines[e.date.line].holder
	if dom.Attr(holder, "class") == "" {
		return false
	}
	for i := s.first; i < s.last; i++ {
		if makeOf(r.lines[i].holder) == makeOf(holder) && wordCount(r.bare(i)) > 0 {
			return true
		}
	}
	return false
}

func (r *reader) timed(s span) bool {
	return s.last-s.first < 30 && r.clockIn(s) != nil
}
