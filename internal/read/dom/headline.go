package dom

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Headlines are the texts of the headings of the first level, each on one line, in
// document order. They are told without the tree unless the page is too odd.
func (d *Document) Headlines() []string {
	v := d.survey()
	if v.headlines.odd || v.headlines.open >= 0 {
		return headlines(d.Tree())
	}
	root := &html.Node{Type: html.DocumentNode}
	for _, h := range v.headlines.spans {
		nodes, err := html.ParseFragment(bytes.NewReader(d.body[h.from:h.to]),
			&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
		if err != nil {
			return headlines(d.Tree())
		}
		for _, n := range nodes {
			root.AppendChild(n)
		}
	}
	return headlines(root)
}

func headlines(root *html.Node) []string {
	var all []string
	for n := range elements(root) {
		if n.DataAtom == atom.H1 && n.Namespace == "" && n.FirstChild != nil {
			all = append(all, Line(n))
		}
	}
	return all
}

// longestHeadline and mostHeadlines are where a page becomes odd.
const (
	longestHeadline = 8 << 10
	mostHeadlines   = 100
)

type span struct{ from, to int }

// headlineSpans are where the headings of the first level stand.
type headlineSpans struct {
	spans []span
	open  int  // where the one at hand begins, or -1
	odd   bool // only the parser knows where they end
}

func (h *headlineSpans) see(s *scanner) {
	switch s.tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
	case atom.Table, atom.Select, atom.Frameset, atom.Template, atom.Math: // the parser moves or drops what stands there
		h.odd = h.odd || h.open >= 0
		return
	default:
		return
	}
	switch {
	case s.drawn:
		h.odd = true
	case h.open < 0 && s.kind == startTag && s.tag == atom.H1:
		h.open = s.from
		h.odd = h.odd || len(h.spans) >= mostHeadlines
	case h.open < 0: // a heading of another level
	case s.kind == endTag && s.tag == atom.H1 && s.to-h.open <= longestHeadline:
		h.spans = append(h.spans, span{h.open, s.to})
		h.open = -1
	default:
		h.odd = true
	}
}
