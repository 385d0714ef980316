package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Anchor is an a element with an address.
type Anchor struct {
	Node *html.Node
	URL  string // absolute; never empty
}

// Links are all links in document order: a and area elements with an http address.
func (d *Document) Links() []Anchor {
	var all []Anchor
	for n := range elements(d.Tree()) {
		if n.DataAtom != atom.A && n.DataAtom != atom.Area || n.Namespace != "" {
			continue
		}
		href, ok := attribute(n, "href")
		if !ok {
			continue
		}
		if address := d.Resolve(href); address != "" {
			all = append(all, Anchor{Node: n, URL: address})
		}
	}
	return all
}

// Alt is what the images of a node say in words, or else the label that the node
// carries for those who do not see it.
func Alt(n *html.Node) string {
	if alt, ok := attribute(n, "alt"); ok && strings.TrimSpace(alt) != "" {
		return lineOf(alt)
	}
	for e := range elements(n) {
		if e.DataAtom == atom.Img {
			if alt := lineOf(Attr(e, "alt")); alt != "" {
				return alt
			}
		}
	}
	return lineOf(Attr(n, "aria-label"))
}
