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

// pick gives the elements that a selector matches, until the next are asked for.
func (r *run) pick(s *cssSelector, in region) []*html.Node {
	r.scratch.nodes = s.find(in, r.budget, r.scratch.nodes[:0])
	return r.scratch.nodes
}
