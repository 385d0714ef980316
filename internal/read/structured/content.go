package structured

import (
	"bytes"
	"cmp"
	"strings"

	"golang.org/x/net/html"
)

// maxContent bounds the text of one element that is kept as a value.
const maxContent = 1 << 20

// maxReading bounds the bytes that are read for the texts of all elements together:
// marked elements may hold each other hundreds deep.
const maxReading = 64 << 20

// textReader reads the texts of elements within a budget.
type textReader struct{ budget int }

// spend pays for looking at a node; it says whether that could be afforded.
func (r *textReader) spend(n *html.Node) bool {
	r.budget -= len(n.Data) + 32
	return r.budget > 0
}

// exact is the text of an element exactly as it is written.
func (r *textReader) exact(n *html.Node) string {
	var out strings.Builder
	for at := n; at != nil && out.Len() < maxContent && r.spend(at); at = next(n, at, true) {
		if at.Type == html.TextNode {
			out.WriteString(at.Data)
		}
	}
	return out.String()
}

// markup is the content of an element as HTML.
func (r *textReader) markup(n *html.Node) string {
	var out bytes.Buffer
	for at := n; at != nil; at = next(n, at, true) {
		if !r.spend(at) {
			return ""
		}
	}
	for c := n.FirstChild; c != nil && out.Len() < maxContent; c = c.NextSibling {
		if err := html.Render(&out, c); err != nil {
			break
		}
	}
	return out.String()
}

// blockTags end a line of text.
var blockTags = map[string]bool{
	"address": true, "article": true, "aside": true, "blockquote": true, "br": true, "dd": true, "div": true, "dl": true,
	"dt": true, "fieldset": true, "figcaption": true, "figure": true, "footer": true, "form": true, "h1": true, "h2": true,
	"h3": true, "h4": true, "h5": true, "h6": true, "header": true, "hr": true, "li": true, "main": true, "nav": true,
	"ol": true, "p": true, "pre": true, "section": true, "table": true, "tr": true, "ul": true,
}

// content is the text of an element, shown or not: structured data is often
// hidden. White space is collapsed, and blocks stand on lines of their own.
func (r *textReader) content(n *html.Node) string {
	var out strings.Builder
	gap := byte(0)
	for at := n; at != nil && out.Len() < maxContent && r.spend(at); {
		deeper := true
		switch at.Type {
		case html.TextNode:
			gap = writeLine(&out, at.Data, gap)
		case html.ElementNode:
			if at.Data == "script" || at.Data == "style" || at.Data == "template" || at.Data == "noscript" {
				deeper = false
			}
			switch {
			case at != n && blockTags[at.Data]:
				gap = '\n'
			case (at.Data == "td" || at.Data == "th") && gap == 0:
				gap = ' '
			}
		}
		at, gap = step(n, at, deeper, gap)
	}
	return out.String()
}

// step goes on to the next node; leaving a block breaks the line.
func step(root, n *html.Node, deeper bool, gap byte) (*html.Node, byte) {
	if deeper && n.FirstChild != nil {
		return n.FirstChild, gap
	}
	for ; n != nil && n != root; n = n.Parent {
		if n.Type == html.ElementNode && blockTags[n.Data] {
			gap = '\n'
		}
		if n.NextSibling != nil {
			return n.NextSibling, gap
		}
	}
	return nil, gap
}

// writeLine writes text with its white space collapsed; gap is what stands before it.
func writeLine(out *strings.Builder, text string, gap byte) byte {
	for _, r := range text {
		switch r {
		case ' ', '\t', '\n', '\r', '\f', '\u00a0':
			gap = cmp.Or(gap, ' ')
			continue
		}
		if gap != 0 && out.Len() > 0 {
			out.WriteByte(gap)
		}
		gap = 0
		out.WriteRune(r)
	}
	return gap
}
