package blueprint

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// textPiece is a visible piece of text.
type textPiece struct {
	node   *html.Node
	text   string // on one line; never empty
	folded string // the text as labels are compared
	line   int    // pieces of one line have the same number
	gap    bool   // an empty line stands before it
	space  bool   // a space stands before it
}

// visibleText is the visible texts of a page in reading order, and the order of all
// its nodes.
type visibleText struct {
	all   []textPiece
	nodes map[*html.Node]extent
	seen  int32 // nodes
	line  int
	gaps  int  // line ends since the last text
	space bool // white space since the last text
}

// extent is where a node stands: its order in the document, and the texts in it.
type extent struct{ order, from, to int32 }

// order is that of a node in the document.
func (l *visibleText) order(n *html.Node) int { return int(l.nodes[n].order) }

// text reads the page's texts once.
func (r *run) text() *visibleText {
	switch {
	case r.visible != nil:
	case r.kept != nil:
		r.visible = r.kept()
	default:
		r.visible = visibleTextOf(r.doc.Tree())
	}
	return r.visible
}

func visibleTextOf(tree *html.Node) *visibleText {
	count := 1
	for range tree.Descendants() {
		count++
	}
	l := &visibleText{nodes: make(map[*html.Node]extent, count)}
	l.walk(tree, false)
	return l
}

func (l *visibleText) walk(n *html.Node, hidden bool) {
	at := extent{order: l.seen, from: int32(len(l.all))}
	l.seen++
	l.inside(n, hidden)
	at.to = int32(len(l.all))
	l.nodes[n] = at
}

// inside reads the texts in a node.
func (l *visibleText) inside(n *html.Node, hidden bool) {
	hidden = hidden || dom.Hidden(n)
	if n.Type == html.TextNode && !hidden && n.Data != "" {
		l.space = l.space || isSpace(n.Data[0])
		if text := text.Collapse(n.Data); text != "" {
			l.all = append(l.all, textPiece{n, text, labelKey(text), l.line, l.gaps > 1, l.space})
			l.gaps, l.space = 0, isSpace(n.Data[len(n.Data)-1])
		}
		return
	}
	ends := lineEnds(n)
	l.end(ends)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		l.walk(c, hidden)
	}
	if n.FirstChild != nil {
		l.end(ends)
	}
}

func (l *visibleText) end(n int) {
	if n > 0 {
		l.line++
		l.gaps += n
	}
}

// lineEnds is how many lines end at the border of a node: an empty line stands
// around paragraphs and between two br.
func lineEnds(n *html.Node) int {
	switch {
	case n.Type != html.ElementNode || inline(n):
		return 0
	case n.DataAtom == atom.P || n.DataAtom == atom.Hr:
		return 2
	}
	return 1
}

// inlines are the elements that do not end a line of text.
var inlines = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.Acronym: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true,
	atom.Button: true, atom.Cite: true, atom.Code: true, atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true,
	atom.Font: true, atom.I: true, atom.Img: true, atom.Input: true, atom.Ins: true, atom.Kbd: true, atom.Label: true,
	atom.Link: true, atom.Mark: true, atom.Meta: true, atom.Nobr: true, atom.Q: true, atom.S: true, atom.Samp: true,
	atom.Script: true, atom.Small: true, atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Style: true,
	atom.Sub: true, atom.Sup: true, atom.Svg: true, atom.Time: true, atom.Tt: true, atom.U: true, atom.Var: true,
	atom.Wbr: true,
}

func inline(n *html.Node) bool { return n.Type == html.ElementNode && inlines[n.DataAtom] }

func isSpace(c byte) bool { return strings.IndexByte(" \t\r\n\f", c) >= 0 }

// under are the texts in nodes, as numbers, in reading order.
func (l *visibleText) under(roots []*html.Node) []int {
	var all []int
	for _, root := range roots {
		from, to := l.span(root)
		for i := from; i < to; i++ {
			all = append(all, i)
		}
	}
	return all
}

// span is the range of texts in a node.
func (l *visibleText) span(n *html.Node) (from, to int) {
	at := l.nodes[n]
	return int(at.from), int(at.to)
}

// join writes texts as a reader sees them.
func (l *visibleText) join(numbers []int) string {
	var out strings.Builder
	for k, i := range numbers {
		switch {
		case k == 0:
		case l.all[i].line != l.all[numbers[k-1]].line:
			out.WriteByte('\n')
		case l.all[i].space:
			out.WriteByte(' ')
		}
		out.WriteString(l.all[i].text)
	}
	return out.String()
}

// lines cuts the text of a node into lines, or at empty lines. Each is given as the
// largest nodes that lie in it entirely.
func (l *visibleText) lines(container *html.Node, paragraphs bool) [][]*html.Node {
	var all [][]*html.Node
	under := l.under([]*html.Node{container})
	for i := 0; i < len(under) && len(all) < MostRecords; {
		end := i + 1
		for end < len(under) && !l.breaks(under[end], paragraphs) {
			end++
		}
		all = append(all, covering(container, l.all[under[i]:under[end-1]+1]))
		i = end
	}
	return all
}

func (l *visibleText) breaks(i int, paragraphs bool) bool {
	if paragraphs {
		return l.all[i].gap
	}
	return l.all[i].line != l.all[i-1].line
}

// covering are the largest nodes below a container that hold none but these texts.
func covering(container *html.Node, part []textPiece) []*html.Node {
	inside := map[*html.Node]bool{}
	for _, f := range part {
		inside[f.node] = true
	}
	var out []*html.Node
	for _, f := range part {
		n := f.node
		for n.Parent != nil && n.Parent != container && within(n.Parent, inside) {
			n = n.Parent
			inside[n] = true
		}
		if len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	return out
}

// within says whether all text below a node lies in a set.
func within(n *html.Node, inside map[*html.Node]bool) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case inside[c]:
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) != "":
			return false
		case c.Type == html.ElementNode && !within(c, inside):
			return false
		}
	}
	return true
}

// beside is the text right after or before another.
func (r *run) beside(u *rule, roots []*html.Node) []finding {
	l := r.text()
	var found []finding
	for _, i := range l.under(roots) {
		if l.stands(i, i+1, u) {
			found = append(found, finding{text: l.all[i].text, node: l.all[i].node})
		}
	}
	return found
}

// stands says whether the texts from one number to another have the neighbours
// that a rule asks for.
func (l *visibleText) stands(from, to int, u *rule) bool {
	return (u.after == "" || from > 0 && l.all[from-1].folded == u.after) &&
		(u.before == "" || to < len(l.all) && l.all[to].folded == u.before)
}

// neighbours says whether a node stands where a rule asks for.
func (r *run) neighbours(n *html.Node, u *rule) bool {
	if u.after == "" && u.before == "" {
		return true
	}
	from, to := r.text().span(n)
	return from < to && r.text().stands(from, to, u)
}
