package blueprint

import "golang.org/x/net/html"

// scratch is memory for what is needed while one record is read, and used again for
// the next: what is kept longer must be cloned.
type scratch struct {
	findings []finding
	nodes    []*html.Node
}

// next begins another record.
func (s *scratch) next() { s.findings = s.findings[:0] }

// fewFindings is what most records need.
const fewFindings = 64

// room gives an empty slice with room for some findings.
func (s *scratch) room(n int) []finding {
	at := len(s.findings)
	if at+n > cap(s.findings) { // what was given out before keeps its memory
		at, s.findings = 0, make([]finding, 0, max(n, 2*cap(s.findings), fewFindings))
	}
	s.findings = s.findings[:at+n]
	return s.findings[at : at : at+n]
}

// pick is a selector in a region, by the first node of that.
type pick struct {
	selector *cssSelector
	root     *html.Node
	roots    int
	open     bool
	most     int
}

// pick gives the elements that a selector matches, until the next are asked for. While
// rules are tried, many of them look for the same, which is kept.
func (r *run) pick(s *cssSelector, in region) []*html.Node {
	if r.picked != nil {
		key := pick{s, in.roots[0], len(in.roots), in.open, in.most}
		nodes, ok := r.picked[key]
		if !ok {
			nodes = s.find(in, r.budget, nil)
			r.picked[key] = nodes
		}
		return nodes
	}
	r.scratch.nodes = s.find(in, r.budget, r.scratch.nodes[:0])
	return r.scratch.nodes
}
