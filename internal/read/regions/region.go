package regions

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// region makes a region of a candidate.
func (s *survey) region(c candidate) Region {
	r := Region{Kind: c.kind, Features: c.features, page: s, runs: s.withoutAdverts(c.runs)}
	for _, part := range r.runs {
		nodes := s.nodes(part)
		r.Records = append(r.Records, ListRecord{Nodes: nodes, Text: textOf(nodes)})
	}
	s.headings(&r)
	return r
}

// withoutAdverts leaves out the adverts among runs, unless they are most of them: those are what the list is of.
func (s *survey) withoutAdverts(runs []run) []run {
	entries := make([]run, 0, len(runs))
	for _, part := range runs {
		if !dom.PaidFor(s.nodes(part)...) {
			entries = append(entries, part)
		}
	}
	if 2*len(entries) <= len(runs) {
		return runs
	}
	return entries
}

// nodes are the siblings that a run consists of.
func (s *survey) nodes(r run) []*html.Node {
	var nodes []*html.Node
	for i := r.from; i < r.to; i = s.flat[i].end {
		nodes = append(nodes, s.flat[i].node)
	}
	return nodes
}

// textOf is all that nodes say, on one line. Pieces of text are set apart even where
// no space stands between them: style sheets draw most parts of a record apart, and
// a price glued to a name is of no use for comparing records.
func textOf(nodes []*html.Node) string {
	var out []byte
	for _, root := range nodes {
		n := root
		for n != nil {
			if n.Type == html.TextNode {
				out = appendWords(out, n.Data)
			}
			if n.FirstChild != nil && (n.Type != html.ElementNode || !soundless(n)) {
				n = n.FirstChild
				continue
			}
			for n != root && n.NextSibling == nil {
				n = n.Parent
			}
			if n == root {
				break
			}
			n = n.NextSibling
		}
	}
	return string(out)
}

func appendWords(out []byte, text string) []byte {
	for word := range strings.FieldsSeq(text) {
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, word...)
	}
	return out
}

// placeIn is the path of an element, or of the element around a text.
func placeIn(d *dom.Document, n *html.Node) string {
	for n != nil && n.Type != html.ElementNode {
		n = n.Parent
	}
	if n == nil {
		return ""
	}
	return d.Path(n)
}
