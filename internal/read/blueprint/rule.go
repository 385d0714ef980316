package blueprint

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// rule is a Rule, ready to run.
type rule struct {
	css      *cssSelector
	xpath    *xpathSelector
	items    []string
	path     *jsonPath
	in       string
	label    string // folded, like after, before and column
	column   string
	after    string
	before   string
	join     []*rule
	with     string
	constant *string
	from     From
	attr     string
	last     bool
	toPay    bool // of a price: former ones that stand with it do not count
	do       []transform
	byCell   bool   // it goes to a cell of a table by its place alone
	place    string // all that says where to look, as a text
	identity string // of a part of a join: all of it, as a text
	readable string
}

// selects says whether the rule looks for anything at all.
func (u *rule) selects() bool {
	node := u.css != nil || u.xpath != nil || u.items != nil || u.path != nil
	beside := cmp.Or(u.label, u.column, u.after, u.before) != ""
	return node || beside || u.attr != "" || u.from != FromRecord
}

// maxHeadings is how many headings back a rule looks for one that gives a value.
const maxHeadings = 50

// findings are all places that a rule finds for a record, in document order;
// headings come nearest first. It may stop after most of them, unless that is 0.
func (r *run) findings(u *rule, rec record, most int) []finding {
	switch {
	case u.join != nil:
		return r.joined(u, rec)
	case u.constant != nil && !u.selects():
		return []finding{{text: *u.constant, original: *u.constant}}
	case u.onPage():
		return r.wide(u, rec)
	case u.path != nil:
		return r.inData(u, rec)
	case u.from == FromHeading:
		return r.headings(u, rec)
	case u.from == FromColumn, u.from == FromRow:
		return r.inNodes(u, r.headOf(rec, u.from))
	case rec.data != nil && !u.inTree():
		return scalars([]locatedValue{*rec.data}, r.budget)
	}
	in := r.rootsOf(rec)
	if u.after == "" && u.before == "" {
		in.most = most
	}
	return r.inNodes(u, in)
}

// inTree says whether the rule asks for nodes rather than for the record itself.
func (u *rule) inTree() bool {
	return u.css != nil || u.xpath != nil || u.label != "" || u.column != "" || u.after != "" || u.before != "" || u.attr != ""
}

// region is where a rule looks: below one node, or among and below several siblings.
type region struct {
	roots []*html.Node
	open  bool // no node stands for the whole: the roots themselves can be found
	most  int  // how many matches are wanted; 0 are all
}

// under is the region below one node.
func under(n *html.Node) region { return region{roots: []*html.Node{n}} }

// rootsOf are the nodes of a record. Items that stand in the visible part of the
// page have some too.
func (r *run) rootsOf(rec record) region {
	if rec.roots != nil || rec.data == nil {
		return region{roots: rec.roots, open: rec.open}
	}
	if item, ok := rec.data.value.(*structured.Item); ok && item.Syntax != structured.JSONLD && item.Node != "" {
		if n := r.doc.At(item.Node); n != nil {
			return under(n)
		}
	}
	return region{}
}

// joined gives what several rules give, as one text.
func (r *run) joined(u *rule, rec record) []finding {
	var all []finding
	for _, part := range u.join {
		all = append(all, r.part(part, rec)...)
	}
	if len(all) == 0 {
		return nil
	}
	joined := all[0]
	joined.text = joinTexts(all, u.with, func(f *finding) string { return f.text })
	joined.original = text.CutBytes(joined.text, maxEvidence)
	if slices.ContainsFunc(all, func(f finding) bool { return f.original != f.text }) {
		joined.original = text.CutBytes(joinTexts(all, u.with, func(f *finding) string { return f.original }), maxEvidence)
	}
	return append(r.scratch.room(1), joined)
}

func joinTexts(all []finding, with string, text func(*finding) string) string {
	var space [8]string
	texts := space[:0]
	for i := range all {
		texts = append(texts, text(&all[i]))
	}
	return strings.Join(texts, with)
}

// part is what a part of a join gives. While rules are tried, the same parts come
// again in many joins, and are kept.
func (r *run) part(u *rule, rec record) []finding {
	if r.parts == nil || len(rec.roots) == 0 {
		return r.values(u, rec, false)
	}
	key := partOf{u.identity, rec.roots[0]}
	values, ok := r.parts[key]
	if !ok {
		values = slices.Clone(r.values(u, rec, false))
		r.parts[key] = values
	}
	return values
}

// onPage says whether a rule gives the same for every record.
func (u *rule) onPage() bool { return u.items != nil || u.in != "" || u.from == FromPage }

// wide is what a rule finds that looks at the whole page.
func (r *run) wide(u *rule, rec record) []finding {
	switch {
	case u.items != nil:
		var found []finding
		for _, item := range itemsOf(r.items(), u.items) {
			found = append(found, scalars(u.path.walk(locatedValue{item, item.Node}, r.budget), r.budget)...)
		}
		return found
	case u.path != nil:
		root := rec.root
		if u.in != "" || root == nil {
			root = r.state(u.in)
		}
		if root == nil {
			return nil
		}
		return scalars(u.path.walk(*root, r.budget), r.budget)
	}
	return r.inNodes(u, under(r.doc.Tree()))
}

// inData walks a path from the record, or from the root of what it stands in.
func (r *run) inData(u *rule, rec record) []finding {
	from := rec.data
	if u.path.absolute {
		from = rec.root
	}
	if from == nil {
		return nil
	}
	return scalars(u.path.walk(*from, r.budget), r.budget)
}

// before are all matches of a heading rule in document order, and how many of them stand
// before a record.
func (r *run) before(u *rule, rec record) (all []finding, end int) {
	roots := r.rootsOf(rec).roots
	if len(roots) == 0 {
		return nil, 0
	}
	order := r.text().order
	all, ok := r.above[u.place]
	if !ok {
		all = slices.DeleteFunc(slices.Clone(r.inNodes(u, under(r.doc.Tree()))), func(f finding) bool { return f.node == nil })
		sort.SliceStable(all, func(i, j int) bool { return order(all[i].node) < order(all[j].node) })
		r.above[u.place] = all
	}
	at := order(roots[0])
	return all, sort.Search(len(all), func(i int) bool { return order(all[i].node) >= at })
}

// headings are the matches before a record, nearest first.
func (r *run) headings(u *rule, rec record) []finding {
	all, end := r.before(u, rec)
	near := slices.Clone(all[max(0, end-maxHeadings):end])
	slices.Reverse(near)
	return near
}

// nearest is the value of the nearest heading that has one. What a heading gives is the
// same for all records below it, and found out once.
func (r *run) nearest(u *rule, rec record) []finding {
	all, end := r.before(u, rec)
	if r.told[u] == nil {
		r.told[u] = make([][]finding, len(all))
	}
	told := r.told[u]
	for i := end - 1; i >= max(0, end-maxHeadings); i-- {
		if told[i] == nil {
			if all[i].unread {
				all[i].text, all[i].unread = r.read(all[i].node), false
			}
			told[i] = append([]finding{}, r.finish(u, []finding{all[i]})...)
		}
		if len(told[i]) > 0 {
			return told[i][:1:1]
		}
		if !r.budget.spend(1) {
			break
		}
	}
	return nil
}

// inNodes is what a rule finds in nodes.
func (r *run) inNodes(u *rule, in region) []finding {
	if len(in.roots) == 0 {
		return nil
	}
	switch {
	case u.label != "":
		return r.labelled(u.label, in.roots)
	case u.column != "":
		return r.cell(u, in.roots[0])
	case u.css == nil && u.xpath == nil && (u.after != "" || u.before != ""):
		return r.beside(u, in.roots)
	case u.css == nil && u.xpath == nil:
		return r.whole(u, in.roots)
	}
	if u.css != nil {
		return r.atNodes(u, r.pick(u.css, in))
	}
	var found []finding
	for _, m := range r.matches(u, in) {
		if r.neighbours(m.node, u) {
			found = append(found, r.at(u, m))
		}
	}
	return found
}

// atNodes is what a rule takes from matched elements.
func (r *run) atNodes(u *rule, nodes []*html.Node) []finding {
	if len(nodes) == 0 {
		return nil
	}
	found := r.scratch.room(len(nodes))
	for _, n := range nodes {
		if r.neighbours(n, u) {
			found = append(found, r.at(u, match{node: n}))
		}
	}
	return found
}

// whole is the record itself.
func (r *run) whole(u *rule, roots []*html.Node) []finding {
	if u.attr == "" {
		return []finding{{text: r.nodesText(roots), node: roots[0]}}
	}
	var found []finding
	for _, n := range roots {
		if dom.HasAttr(n, u.attr) {
			found = append(found, r.at(u, match{node: n}))
		}
	}
	return found
}

// matches are the nodes that a selector finds. XPath is asked from every root.
func (r *run) matches(u *rule, in region) []match {
	var all []match
	if u.css != nil {
		for _, n := range r.pick(u.css, in) {
			all = append(all, match{node: n})
		}
		return all
	}
	for _, n := range in.roots {
		all = append(all, u.xpath.find(n, r.budget)...)
	}
	return all
}

// at is what a rule takes from a match. The text is read only when it is needed.
func (r *run) at(u *rule, m match) finding {
	switch {
	case m.value != nil:
		return finding{text: *m.value, node: m.node}
	case u.attr != "":
		return finding{text: dom.Attr(m.node, u.attr), node: m.node}
	}
	return finding{node: m.node, unread: true}
}

// read gives the text of a node, also of those that are never shown.
func (r *run) read(n *html.Node) string {
	if n.Type == html.TextNode {
		return text.Collapse(n.Data)
	}
	if text := r.shownText(n); strings.TrimSpace(text) != "" {
		r.budget.spend(len(text) / textPerStep)
		return text
	}
	var out strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode && out.Len() < maxValue {
			out.WriteString(c.Data)
		}
	}
	return out.String()
}

// shownText is the text of an element, which is kept while rules are tried.
func (r *run) shownText(n *html.Node) string {
	shown, ok := r.texts[n]
	if !ok {
		shown = dom.Text(n)
		if r.texts != nil {
			r.texts[n] = shown
		}
	}
	return shown
}
