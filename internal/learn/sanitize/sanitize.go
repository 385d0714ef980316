// Package sanitize makes a copy of a page that can be looked at and pointed at, and that
// does nothing: no script, no form, no frame, no style, no picture and no link of the
// page is in it. The copy is written anew from the page's tree with a handful of our own
// elements and attributes; nothing is filtered out, since nothing is taken over but text.
//
// It looks at one page and asks nobody. What stands where is said by numbers, which are
// the same each time the same page is numbered.
package sanitize

import (
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// mostNodes bounds the nodes of a page that have numbers, and so the copy.
const mostNodes = 120_000

// NodeIndex numbers the nodes of a page.
type NodeIndex struct {
	doc    *dom.Document
	nodes  []*html.Node
	number map[*html.Node]int
	cut    bool
}

// Number numbers the elements and texts of a page, in document order.
func Number(doc *dom.Document) *NodeIndex {
	x := &NodeIndex{doc: doc, number: map[*html.Node]int{}}
	for n := range doc.Tree().Descendants() {
		if n.Type != html.ElementNode && n.Type != html.TextNode {
			continue
		}
		if len(x.nodes) == mostNodes {
			x.cut = true
			break
		}
		x.number[n] = len(x.nodes)
		x.nodes = append(x.nodes, n)
	}
	return x
}

// Node is the node of a number; nil where there is none.
func (x *NodeIndex) Node(number int) *html.Node {
	if number < 0 || number >= len(x.nodes) {
		return nil
	}
	return x.nodes[number]
}

// Count is how many nodes have numbers.
func (x *NodeIndex) Count() int { return len(x.nodes) }

// Text is what a node says, on one line.
func Text(n *html.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Type == html.TextNode:
		return text.Collapse(n.Data)
	case n.Data == "img":
		return text.Collapse(dom.Attr(n, "alt"))
	}
	return dom.Line(n)
}

// Element is something of a page that a person may point at.
type Element struct {
	Number int
	Text   string
	Link   string // where it leads, as the page writes it
	Image  string
}

// Pieces are the texts, links and pictures inside of some nodes, at most so many.
func (x *NodeIndex) Pieces(roots []*html.Node, most int) []Element {
	var all []Element
	for _, root := range roots {
		for _, n := range within(root) {
			if len(all) >= most {
				return all
			}
			if number, known := x.number[n]; known {
				if p, is := piece(n, number); is {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// piece is what a node alone shows.
func piece(n *html.Node, number int) (Element, bool) {
	p := Element{Number: number}
	switch {
	case n.Type == html.TextNode:
		p.Text = Text(n)
		p.Link = LinkAt(n)
		return p, p.Text != ""
	case n.Data == "img":
		p.Text, p.Image, p.Link = Text(n), ImageAt(n), LinkAt(n)
		return p, p.Image != ""
	}
	return p, false
}

// within are the nodes of a part of a page that people see.
func within(root *html.Node) []*html.Node {
	var all []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && (silent(n) || dom.Hidden(n)) {
			return
		}
		all = append(all, n)
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return all
}

// LinkAt is the address of the link that a node is in, or that is in it; "" without.
func LinkAt(n *html.Node) string {
	for up := n; up != nil; up = up.Parent {
		if up.Type == html.ElementNode && up.Data == "a" && dom.Attr(up, "href") != "" {
			return dom.Attr(up, "href")
		}
	}
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == "a" && dom.Attr(c, "href") != "" {
			return dom.Attr(c, "href")
		}
	}
	return ""
}

// ImageAt is the address of the picture that a node is, or that is in it; "" without.
func ImageAt(n *html.Node) string {
	if n.Type == html.ElementNode && n.Data == "img" {
		for _, name := range []string{"src", "data-src", "data-lazy-src"} {
			if at := dom.Attr(n, name); at != "" && !strings.HasPrefix(at, "data:") {
				return at
			}
		}
	}
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == "img" {
			if at := ImageAt(c); at != "" {
				return at
			}
		}
	}
	return ""
}

// plain takes out characters that are nothing to see or that turn the direction of text.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\f':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\ufeff':
			return -1
		}
		return r
	}, text)
}
