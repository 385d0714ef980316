package blueprint

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// records is a record selector, ready to run.
type records struct {
	rule
	shape  Shape
	until  *cssSelector
	starts *regexp.Regexp
	days   *Range

	without []leftOut // see Part
}

// records finds the places that hold entities. Without a selector the whole page is
// one.
func (r *run) records() []record {
	s := r.selector
	switch {
	case s == nil:
		return []record{r.wholePage()}
	case s.items != nil:
		return r.itemRecords(s)
	case s.path != nil:
		root := r.state(s.in)
		if root == nil {
			return nil
		}
		return r.dataRecords(s.path, s.path.walk(*root, r.budget), root)
	}
	var all []record
	for _, roots := range r.shaped(s) {
		if len(roots) == 1 && roots[0].DataAtom == atom.Tr && (dom.BoldHead(roots[0]) || r.belowColumns(roots[0])) {
			continue // it names the columns, or is none of the list
		}
		all = append(all, record{roots: roots, open: s.shape != ShapeNode})
	}
	return all
}

// belowColumns says whether a row of a table of several columns has but one cell: the numbers of pages, a message.
func (r *run) belowColumns(tr *html.Node) bool {
	if len(r.heads) < 2 {
		return false
	}
	g := r.gridOf(tr)
	if g == nil {
		return false
	}
	at, ok := g.numberOf(tr)
	if !ok {
		return false
	}
	var first *html.Node
	for _, cell := range g.rows[at] {
		if cell != nil && first != nil && cell != first {
			return false
		}
		first = cmp.Or(first, cell)
	}
	return first != nil
}

// wholePage is the page, or the answer of an API, as one record.
func (r *run) wholePage() record {
	if body := r.state(""); body != nil {
		return record{data: body, root: body, place: "$"}
	}
	return record{roots: []*html.Node{r.doc.Tree()}, place: "/html[1]"}
}

func (r *run) itemRecords(s *records) []record {
	var all []record
	for _, item := range itemsOf(r.items(), s.items) {
		from := locatedValue{item, item.Node}
		if s.path == nil {
			all = append(all, record{data: &from, place: item.Node})
			continue
		}
		all = append(all, r.dataRecords(s.path, s.path.walk(from, r.budget), nil)...)
	}
	return all
}

// dataRecords makes a record of every value, and of every element of a list. A list
// among the elements of a list that the path itself opens is a row of cells, and one
// record.
func (r *run) dataRecords(path *jsonPath, found []locatedValue, root *locatedValue) []record {
	var all []record
	for _, s := range found {
		parts := []locatedValue{s}
		if !path.opensList() || !strings.HasSuffix(s.place, "]") {
			parts = elements(s, r.budget)
		}
		for _, e := range parts {
			if e.value != nil && len(all) < MostRecords {
				all = append(all, record{data: &e, root: root, place: e.place})
			}
		}
	}
	return all
}

// items are the page's items, read when first needed.
func (r *run) items() *structured.Graph {
	if r.graph == nil {
		r.graph = structured.Read(r.doc)
	}
	return r.graph
}

// state finds the data of a script by name, else by kind; "" is the body itself.
func (r *run) state(name string) *locatedValue {
	if name == "" {
		if r.body == nil {
			if !r.doc.IsJSON() {
				return nil
			}
			value, err := decodeJSON(r.doc.Body())
			if err != nil {
				return nil
			}
			r.body = &locatedValue{value, "$"}
		}
		return r.body
	}
	states := r.items().States
	i := slices.IndexFunc(states, func(s structured.ScriptState) bool { return s.Name == name })
	if i < 0 {
		i = slices.IndexFunc(states, func(s structured.ScriptState) bool { return s.Kind == name })
	}
	if i < 0 {
		return nil
	}
	return &locatedValue{states[i].Value, "$"}
}

// shaped gives the nodes of every record in the tree.
func (r *run) shaped(s *records) [][]*html.Node {
	found := r.beginnings(s)
	var all [][]*html.Node
	switch s.shape {
	case ShapeGroup:
		return r.groups(s, found)
	case ShapeBetween:
		return between(found)
	case ShapeLines, ShapeParagraphs:
		for _, n := range found {
			if len(all) < MostRecords {
				all = append(all, r.lines(s, n)...)
			}
		}
		return all
	}
	all = make([][]*html.Node, len(found))
	for i := range found {
		all[i] = found[i : i+1 : i+1]
	}
	return all
}

// beginnings are the elements that a record selector matches.
func (r *run) beginnings(s *records) []*html.Node {
	if s.css != nil {
		found := r.pick(s.css, under(r.doc.Tree()))
		return slices.Clone(found[:min(len(found), MostRecords)])
	}
	var found []*html.Node
	for _, m := range r.matches(&s.rule, under(r.doc.Tree())) {
		if m.node.Type == html.ElementNode && m.value == nil && len(found) < MostRecords {
			found = append(found, m.node)
		}
	}
	return found
}

// groups gives every match with the siblings that follow it.
func (r *run) groups(s *records, found []*html.Node) [][]*html.Node {
	ends := map[*html.Node]bool{}
	for _, n := range found {
		ends[n] = true
	}
	if s.until != nil {
		for _, n := range r.pick(s.until, under(r.doc.Tree())) {
			ends[n] = true
		}
	}
	var all [][]*html.Node
	for _, n := range found {
		group := []*html.Node{n}
		for c := n.NextSibling; c != nil && !ends[c] && r.budget.spend(1); c = c.NextSibling {
			if shows(c) {
				group = append(group, c)
			}
		}
		all = append(all, group)
	}
	return all
}

// between gives the siblings before, between and after matches, where there are any.
func between(found []*html.Node) [][]*html.Node {
	cuts := map[*html.Node]bool{}
	for _, n := range found {
		cuts[n] = true
	}
	var all [][]*html.Node
	parents := map[*html.Node]bool{}
	for _, n := range found {
		if n.Parent == nil || parents[n.Parent] {
			continue
		}
		parents[n.Parent] = true
		var group []*html.Node
		for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case cuts[c] && group != nil:
				all, group = append(all, group), nil
			case !cuts[c] && shows(c):
				group = append(group, c)
			}
		}
		if group != nil {
			all = append(all, group)
		}
	}
	return all
}

// lines gives the lines of a node; with a pattern, the lines from one that matches
// it up to the next.
func (r *run) lines(s *records, container *html.Node) [][]*html.Node {
	all := r.text().lines(container, s.shape == ShapeParagraphs)
	if s.starts == nil {
		return all
	}
	var joined [][]*html.Node
	for _, line := range all {
		switch {
		case s.starts.MatchString(r.nodesText(line)):
			joined = append(joined, line)
		case len(joined) > 0:
			last := len(joined) - 1
			joined[last] = append(joined[last], line...)
		}
	}
	return joined
}

// shows says whether a sibling may hold anything: not white space, not a comment.
func shows(n *html.Node) bool {
	return n.Type == html.ElementNode && !dom.Hidden(n) || n.Type == html.TextNode && text.Collapse(n.Data) != ""
}

// addressOf is a draft's own address: its field, or the page of a single entity.
func (r *run) addressOf(d curlew.Draft) string {
	for _, name := range []string{"url", "canonical_url", r.kind.OfType(curlew.TypeURL)} {
		if text, ok := d.Fields[name].(string); ok {
			if address := r.doc.Resolve(text); address != "" {
				return address
			}
		}
	}
	if r.blueprint.Page == curlew.PageSingle {
		return r.doc.URL().String()
	}
	if r.kind.OfType(curlew.TypeURL) == "" {
		return r.titleLink(d)
	}
	return ""
}

// titleLink is where the name of a record leads to: a kind without a field for that has things with
// addresses too.
func (r *run) titleLink(d curlew.Draft) string {
	title, top := r.doc.At(d.Provenance[r.kind.Title].Node), r.doc.At(d.Node)
	if title == nil || top == nil || !dom.Within(title, top) {
		return ""
	}
	link := func(n *html.Node) string {
		if n.DataAtom != atom.A {
			return ""
		}
		return r.doc.Resolve(dom.Attr(n, "href"))
	}
	for n := range title.Descendants() {
		if address := link(n); address != "" {
			return address
		}
	}
	for n := title; n != nil && n != top.Parent; n = n.Parent {
		if address := link(n); address != "" {
			return address
		}
	}
	return ""
}
