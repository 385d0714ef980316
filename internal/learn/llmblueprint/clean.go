package llmblueprint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cleaning is how much of a page is kept for the model.
type cleaning struct {
	alike int  // siblings of one kind
	text  int  // characters of one text
	frame bool // navigation, headers and footers
}

// cleanings are tried in order until a page is small enough.
var cleanings = []cleaning{{alike: 4, text: 300, frame: true}, {alike: 3, text: 120, frame: true}, {alike: 3, text: 80},
	{alike: 2, text: 40}}

// clean is a page as a model gets it: what readers see, with the attributes that
// selectors lean on. Scripts, styles, comments and what is hidden are left out, and of
// many records only the first few are shown.
func clean(doc *dom.Document, size int) string {
	var text string
	for _, c := range cleanings {
		w := &cleaner{cleaning: c, most: size}
		w.children(doc.Tree(), 0)
		if text = w.out.String(); !w.full {
			return text
		}
	}
	return strings.ToValidUTF8(text[:min(len(text), size)], "") + "\n… (the rest is left out)\n"
}

type cleaner struct {
	cleaning
	out  strings.Builder
	most int
	full bool
}

// children writes what is below a node.
func (c *cleaner) children(n *html.Node, depth int) {
	seen := map[string]int{}
	left := 0
	for child := n.FirstChild; child != nil && !c.full; child = child.NextSibling {
		switch child.Type {
		case html.TextNode:
			c.words(child.Data)
		case html.ElementNode:
			kind := kindOf(child)
			if seen[kind]++; seen[kind] > c.siblings(child) {
				left++
				continue
			}
			c.element(child, depth)
		}
		c.full = c.out.Len() > c.most
	}
	if left > 0 {
		fmt.Fprintf(&c.out, "<!-- %d more like these -->\n", left)
	}
}

// siblings is how many of one kind are shown. Cells are columns, which differ.
func (c *cleaner) siblings(n *html.Node) int {
	switch n.DataAtom {
	case atom.Td, atom.Th:
		return 30
	case atom.Dt, atom.Dd, atom.Meta:
		return 5 * c.alike
	case atom.Br:
		return 3 * c.alike
	}
	return c.alike
}

// kindOf is what siblings of one kind have in common.
func kindOf(n *html.Node) string {
	classes := dom.Classes(n)
	slices.Sort(classes)
	kind := n.Data + "." + strings.Join(classes, ".")
	if n.DataAtom == atom.Meta || n.DataAtom == atom.Div && len(classes) == 0 {
		kind += "#" + dom.Attr(n, "id") // the large parts of a page
	}
	return kind
}

func (c *cleaner) element(n *html.Node, depth int) {
	switch {
	case n.DataAtom == atom.Head, dom.Hidden(n):
		return
	case !c.frame && slices.Contains([]atom.Atom{atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Form}, n.DataAtom) && depth < 4:
		return
	case n.DataAtom == atom.Br, n.DataAtom == atom.Hr, n.DataAtom == atom.Img:
		c.open(n)
		return
	}
	if empty(n) && dom.Attr(n, "datetime") == "" && dom.Attr(n, "id") == "" {
		return
	}
	c.open(n)
	c.children(n, depth+1)
	c.out.WriteString("</" + n.Data + ">")
	if block(n.DataAtom) {
		c.out.WriteByte('\n')
	}
}

// empty says whether there is nothing to read or follow at or below a node.
func empty(n *html.Node) bool {
	return n.FirstChild == nil && len(n.Attr) == 0
}

func block(a atom.Atom) bool {
	switch a {
	case atom.A, atom.B, atom.I, atom.Em, atom.Strong, atom.Span, atom.Small, atom.Time, atom.Td, atom.Th, atom.Font, atom.Sup, atom.Sub,
		atom.Abbr:
		return false
	}
	return true
}

// telling are the attributes that selectors lean on or values stand in.
var telling = map[string]int{"id": 60, "class": 100, "href": 160, "src": 160, "datetime": 40, "itemprop": 40, "itemtype": 60, "alt": 80,
	"title": 80, "rel": 20, "role": 20, "aria-label": 80, "colspan": 4, "rowspan": 4, "lang": 10, "content": 80, "headers": 40}

// mostData is how many attributes of a site's own are shown of an element.
const mostData = 3

func (c *cleaner) open(n *html.Node) {
	c.out.WriteString("<" + n.Data)
	data := 0
	for _, a := range n.Attr {
		most, ok := telling[a.Key]
		if own := strings.HasPrefix(a.Key, "data-"); own && len(a.Val) <= 40 && data < mostData {
			data++
			most, ok = 40, true
		}
		code := strings.HasPrefix(a.Val, "data:") || strings.HasPrefix(a.Val, "javascript:")
		if !ok || a.Val == "" || a.Namespace != "" || code {
			continue
		}
		c.out.WriteString(" " + a.Key + `="` + html.EscapeString(text.Clip(text.Collapse(a.Val), most)) + `"`)
	}
	c.out.WriteByte('>')
}

func (c *cleaner) words(s string) {
	short := text.Collapse(s)
	if short == "" {
		if s != "" && c.out.Len() > 0 {
			c.out.WriteByte(' ')
		}
		return
	}
	if strings.TrimLeft(s, " \t\r\n") != s {
		c.out.WriteByte(' ')
	}
	c.out.WriteString(html.EscapeString(text.Clip(short, c.text)))
	if strings.TrimRight(s, " \t\r\n") != s {
		c.out.WriteByte(' ')
	}
}
