package dom

import (
	"strings"

	"golang.org/x/net/html"
)

// Block is a run of visible text that stands for itself: a paragraph, a heading,
// a cell, a list entry's own text.
type Block struct {
	Node *html.Node // the element that holds it
	Text string     // white space collapsed
}

// Text is all that is visible, one line per block.
func (d *Document) Text() string { return Text(d.Tree()) }

// Blocks are the visible blocks in document order.
func (d *Document) Blocks() []Block { return nil }

// Text is the visible text of a node: white space collapsed, a newline between
// blocks and at br, a tab between cells, nothing around inline markup.
func Text(n *html.Node) string {
	var out strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			out.WriteString(n.Data)
		case n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style"):
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(out.String()), " ")
}

// Line is the visible text of a node on one line.
func Line(n *html.Node) string { return strings.Join(strings.Fields(Text(n)), " ") }

// Hidden says whether a node itself is never shown: by its tag, the hidden
// attribute, aria-hidden or an inline style. It does not look at its ancestors.
func Hidden(n *html.Node) bool {
	return n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style" || n.Data == "template")
}
