package fetch

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// content is what a page has besides what is on every page of its site.
type content struct {
	text     int // bytes
	repeated int // the most elements of one kind beside one another that have text
	entries  int // the same, of headings and those with the text of an entry
	fields   int // that a person fills in
}

// entryText is the least text of an entry of a list: links and names of languages have less.
const entryText = 25

// contentOf looks through a page that has few bytes of text.
func contentOf(body string) content {
	var c content
	root, err := html.Parse(strings.NewReader(body))
	if err == nil { // the parser bounds how deep a page is nested
		c.in(root)
	}
	return c
}

// in counts what is in a node, and says how much text that is.
func (c *content) in(n *html.Node) int {
	if n.Type == html.TextNode {
		size := len(text.Collapse(n.Data))
		c.text += size
		return size
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Head, atom.Nav, atom.Header, atom.Footer, atom.Aside:
		return 0
	case atom.Textarea, atom.Input:
		c.fields += field(n)
		return 0
	}
	size, same, entries := 0, map[string]int{}, map[string]int{}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		inside := c.in(child)
		size += inside
		if kind := kindOf(child); inside > 0 && kind != "" {
			same[kind]++
			c.repeated = max(c.repeated, same[kind])
			if inside >= entryText || headings[child.DataAtom] {
				entries[kind]++
				c.entries = max(c.entries, entries[kind])
			}
		}
	}
	return size
}

var headings = map[atom.Atom]bool{atom.H2: true, atom.H3: true, atom.H4: true}

// kindOf is what elements of one list share; "" for those that make up running text.
func kindOf(n *html.Node) string {
	switch n.DataAtom {
	case atom.P, atom.A, atom.Span, atom.B, atom.Strong, atom.Em, atom.I, atom.Label, atom.Option, atom.Button:
		return ""
	}
	if n.Type != html.ElementNode {
		return ""
	}
	return n.Data + " " + attribute(n, "class")
}

// field counts an element that asks a person for something other than the captcha's answer.
func field(n *html.Node) int {
	if strings.Contains(attribute(n, "name")+attribute(n, "id"), "captcha") {
		return 0
	}
	switch attribute(n, "type") {
	case "", "text", "email", "tel", "url", "search", "number", "date":
		return 1
	}
	return 0
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
