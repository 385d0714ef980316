package structured

import (
	"bytes"
	"net/url"
	"strconv"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// page is a page after the one walk that all syntaxes of the tree share.
type page struct {
	base *url.URL
	root *html.Node

	metas    []*html.Node // meta elements
	links    []*html.Node // link elements
	titles   []*html.Node
	scopes   []*html.Node          // elements with itemscope
	byID     map[string]*html.Node // only if an itemref needs them, like order
	order    map[*html.Node]int    // of elements with itemprop, in the document
	hasRDFa  bool
	hasClass bool // class names of microformats occur

	places map[*html.Node]int // the position of an element among its siblings of that name
	paths  map[*html.Node]string
	budget int // bytes of paths that may still be written
	reader textReader
}

// maxPathBytes bounds the paths that are written for a page: a hostile page nests
// deeply and marks every element.
const maxPathBytes = 64 << 20

// maxTags bounds the tags of one kind that are looked at in a head.
const maxTags = 20_000

// survey looks at the whole tree.
func survey(d *dom.Document) *page { return look(d, d.Tree()) }

// leanSurvey is a survey for items alone. Where no tag of the page has a syntax for
// machines there is nothing to be found but its head, and the rest is not parsed.
func leanSurvey(d *dom.Document) *page {
	if d.SyntaxFlags() == (dom.SyntaxFlags{}) {
		if head := d.Head(); head != nil {
			return look(d, head)
		}
	}
	return survey(d)
}

// look walks a tree once and notes where the syntaxes are.
func look(d *dom.Document, root *html.Node) *page {
	p := &page{base: d.Base(), root: root, places: map[*html.Node]int{}, paths: map[*html.Node]string{}, budget: maxPathBytes,
		reader: textReader{maxReading}}
	wantIDs := bytes.Contains(d.Body(), []byte("itemref"))
	if wantIDs {
		p.byID, p.order = map[string]*html.Node{}, map[*html.Node]int{}
	}
	for n := p.root; n != nil; n = next(p.root, n, true) {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case n.Data == "meta" && len(p.metas) < maxTags:
			p.metas = append(p.metas, n)
		case n.Data == "link" && len(p.links) < maxTags:
			p.links = append(p.links, n)
		case n.Data == "title" && len(p.titles) < maxTags:
			p.titles = append(p.titles, n)
		}
		p.attributes(n, wantIDs)
	}
	return p
}

func (p *page) attributes(n *html.Node, wantIDs bool) {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "itemscope":
			p.scopes = append(p.scopes, n)
		case "itemprop":
			if wantIDs {
				p.order[n] = len(p.order)
			}
		case "typeof", "vocab":
			p.hasRDFa = true
		case "about", "resource":
			p.hasRDFa = p.hasRDFa || dom.HasAttr(n, "property") || dom.HasAttr(n, "rel") || dom.HasAttr(n, "rev")
		case "class":
			p.hasClass = p.hasClass || dom.MicroformatRoot(a.Val)
		case "id":
			if wantIDs && p.byID[a.Val] == nil {
				p.byID[a.Val] = n
			}
		}
	}
}

// next is the node after n in document order within root; deeper says whether to
// look below n.
func next(root, n *html.Node, deeper bool) *html.Node {
	if deeper && n.FirstChild != nil {
		return n.FirstChild
	}
	for ; n != nil && n != root; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// path is dom.Path, remembering what it has seen, so that a thousand siblings
// cost a thousand steps and not a million.
func (p *page) path(n *html.Node) string {
	if n == nil || n.Type != html.ElementNode || p.budget <= 0 {
		return ""
	}
	if known, ok := p.paths[n]; ok {
		return known
	}
	place, ok := p.places[n]
	if !ok {
		p.number(n)
		place = max(1, p.places[n])
	}
	path := p.path(n.Parent) + "/" + n.Data + "[" + strconv.Itoa(place) + "]"
	p.budget -= len(path)
	p.paths[n] = path
	return path
}

// number counts an element and all its siblings.
func (p *page) number(n *html.Node) {
	if n.Parent == nil {
		return
	}
	counts := map[string]int{}
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			counts[c.Data]++
			p.places[c] = counts[c.Data]
		}
	}
}
