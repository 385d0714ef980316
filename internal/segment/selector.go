package segment

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"curlew/internal/dom"
)

// selector says how to find the records of a candidate again: from the nearest
// element around them that has a name, down to what they are or start with.
func (s *survey) selector(c *candidate) Selector {
	first := s.spots[c.runs[0].from].node
	out := Selector{}
	switch c.kind {
	case Groups:
		out.Shape = "group"
	case Between:
		out.Shape, first = "between", nil
	case Lines, Paragraphs:
		out.Shape, first = string(c.kind), first.Parent
	}
	if first == nil {
		first = s.spots[c.runs[0].from].node.Parent
		out.CSS = s.anchored(c, first) + " > hr"
		return out
	}
	out.CSS = s.anchored(c, first)
	if c.kind == Rows {
		out.CSS += ":has(td)"
	}
	out.Exact = out.Shape == "" && s.selects(c, first)
	return out
}

// anchored writes the way to a node as all records share it.
func (s *survey) anchored(c *candidate, n *html.Node) string {
	var steps []string
	for p := n; p != nil && p.Type == html.ElementNode && len(steps) < 4; p = p.Parent {
		name := s.commonStep(c, p, n)
		steps = append([]string{name}, steps...)
		if p != n && strings.ContainsAny(name, ".#") || p.DataAtom == atom.Main || p.DataAtom == atom.Body {
			break
		}
		if p == n && strings.Contains(name, ".") && len(name) > 12 {
			break
		}
	}
	return strings.Join(steps, " > ")
}

// commonStep names an element by what it shares with its counterparts of other
// records.
func (s *survey) commonStep(c *candidate, p, n *html.Node) string {
	if id := dom.Attr(p, "id"); p != n && id != "" && steady(id) && plainName(id) {
		return p.Data + "#" + id
	}
	up := 0
	for q := n; q != p; q = q.Parent {
		up++
	}
	shared := strings.Fields(dom.Attr(p, "class"))
	for _, r := range c.runs[:min(len(c.runs), 64)] {
		q := s.spots[r.from].node
		if n != s.spots[c.runs[0].from].node {
			q = q.Parent
		}
		for range up {
			if q.Parent == nil {
				break
			}
			q = q.Parent
		}
		shared = inBoth(shared, strings.Fields(dom.Attr(q, "class")))
	}
	out, kept := p.Data, 0
	for _, name := range shared {
		if steady(name) && plainName(name) && kept < 2 {
			out += "." + name
			kept++
		}
	}
	return out
}

func inBoth(a, b []string) []string {
	var both []string
	for _, x := range a {
		for _, y := range b {
			if x == y {
				both = append(both, x)
				break
			}
		}
	}
	return both
}

// selects says whether the last step of the selector, tag and shared classes, picks
// the records of the container and nothing else beside them.
func (s *survey) selects(c *candidate, first *html.Node) bool {
	holder := s.container(c.runs)
	tag, stable, count := s.spots[c.runs[0].from].tag, s.spots[c.runs[0].from].stable, 0
	for i := holder + 1; i < s.spots[holder].end; i++ {
		p := &s.spots[i]
		if p.tag == tag && p.stable == stable && p.path == s.spots[c.runs[0].from].path {
			count++
		}
	}
	return count == len(c.runs) && first != nil
}
