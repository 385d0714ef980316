package wrapper

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// piece is a piece of a page: a visible text, or an image.
type piece struct {
	node  *html.Node
	text  string
	key   string // as texts are compared
	sign  string // of the elements around it
	attr  string // of images: "src"
	heads int    // 1 to 6 inside of a heading
	aside bool
	named bool // it stands where labels do: dt, th, label
}

// view is a page as its pieces, in reading order.
type view struct {
	pieces   []piece
	title    string // of the head, as texts are compared
	headline int    // the leaf of the headline; -1 when there is none
	dates    dates.Options
	signs    map[*html.Node]string
}

func read(p SamplePage) *view {
	v := &view{headline: -1, dates: optionsOf(p), signs: map[*html.Node]string{}}
	tree := p.Document.Tree()
	v.title = titleOfHead(tree)
	v.walk(tree, piece{}, 0)
	for i, l := range v.pieces {
		if l.heads == 1 && !l.aside {
			v.headline = i
			break
		}
	}
	return v
}

func titleOfHead(tree *html.Node) string {
	for n := range tree.Descendants() {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			return text.Fold(text.Collapse(n.FirstChild.Data))
		}
	}
	return ""
}

// maxDepth is where trees become an attack.
const maxDepth = 400

// walk adds what is below a node; around is what holds of everything in there.
func (v *view) walk(n *html.Node, around piece, depth int) {
	if depth > maxDepth || len(v.pieces) >= maxLeaves {
		return
	}
	if n.Type == html.ElementNode {
		if unread[n.DataAtom] || dom.Hidden(n) {
			return
		}
		around.see(n)
		if n.DataAtom == atom.Img {
			v.image(n, around)
			return
		}
	}
	if n.Type == html.TextNode {
		v.text(n, around)
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		v.walk(c, around, depth+1)
	}
}

// unread are elements whose text is not for readers.
var unread = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Template: true, atom.Svg: true, atom.Noscript: true,
	atom.Iframe: true, atom.Textarea: true, atom.Select: true, atom.Option: true}

// see notes what an element says of all that stands in it.
func (l *piece) see(n *html.Node) {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside, atom.Button: // no form: some frameworks put one around the whole page
		l.aside = true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		l.heads = int(n.Data[1] - '0')
	case atom.Dt, atom.Th, atom.Label:
		l.named = true
	case atom.Dd, atom.Td, atom.Tr, atom.Table:
		l.named = false
	}
}

func (v *view) text(n *html.Node, l piece) {
	l.text = text.Collapse(n.Data)
	if l.text == "" || n.Parent == nil || n.Parent.DataAtom == atom.Title {
		return
	}
	l.node, l.key, l.sign = n, text.Fold(text.Collapse(l.text)), v.sign(n.Parent)
	v.pieces = append(v.pieces, l)
}

func (v *view) image(n *html.Node, l piece) {
	src := dom.Attr(n, "src")
	if src == "" || strings.HasPrefix(src, "data:") || len(src) > 2000 {
		return
	}
	l.node, l.text, l.key, l.attr, l.sign = n, src, src, "src", v.sign(n)
	v.pieces = append(v.pieces, l)
}

// signDepth is how many elements make up the sign of a place.
const signDepth = 5

// sign is what tells the places of a page apart whatever stands there: the elements
// around, with the names that people gave them.
func (v *view) sign(n *html.Node) string {
	if s, ok := v.signs[n]; ok {
		return s
	}
	var parts []string
	for e := n; e != nil && e.Type == html.ElementNode && len(parts) < signDepth; e = e.Parent {
		part := e.Data
		if id := steady(dom.Attr(e, "id")); id != "" {
			part += "#" + id
		}
		for _, c := range dom.Classes(e) {
			if c = steady(c); c != "" {
				part += "." + c
				break
			}
		}
		parts = append(parts, part)
	}
	s := strings.Join(parts, "<")
	v.signs[n] = s
	return s
}

// steady is a name without the numbers that differ from page to page; "" when too
// little is left of it.
func steady(name string) string {
	digits := 0
	out := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			digits++
			return -1
		}
		return r
	}, name)
	if utf8.RuneCountInString(out) < 2 || digits > 3 && digits*2 > len(name) {
		return ""
	}
	return out
}
