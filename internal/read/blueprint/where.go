package blueprint

import (
	"strconv"

	"golang.org/x/net/html"
)

// stem is the record that is being read: the paths of what stands in it begin with
// its own, and the next record is counted from it.
type stem struct {
	node  *html.Node
	path  string
	at    int       // among its siblings of the same name
	known []located // what was asked for in it
}

type located struct {
	node *html.Node
	path string
}

// whereIs is the path of a record.
func (r *run) whereIs(rec record) string {
	if rec.place != "" || len(rec.roots) == 0 {
		return rec.place
	}
	n := elementAt(rec.roots[0])
	if n == nil {
		return ""
	}
	at := r.position(n)
	r.stem = stem{n, step(r.pathAbove(n), n, at), at, r.stem.known[:0]}
	return r.stem.path
}

// placeOf is the path of where a text was found.
func (r *run) placeOf(f finding) string {
	if f.node == nil {
		return f.place
	}
	return r.pathOf(f.node)
}

// elementAt is a node, or the element around it.
func elementAt(n *html.Node) *html.Node {
	for n != nil && n.Type != html.ElementNode {
		n = n.Parent
	}
	return n
}

// pathOf is dom.Path, with what was counted before kept: pages with thousands of
// siblings would otherwise be counted again for every value.
func (r *run) pathOf(n *html.Node) string {
	if n = elementAt(n); n == nil {
		return ""
	}
	for up := n; up != nil; up = up.Parent {
		if up == r.stem.node {
			return r.pathInRecord(n)
		}
	}
	return r.pathOutside(n)
}

// pathInRecord is the path of an element of the record that is being read. Most are
// asked for once or twice, and never again after it.
func (r *run) pathInRecord(n *html.Node) string {
	if n == r.stem.node {
		return r.stem.path
	}
	for _, l := range r.stem.known {
		if l.node == n {
			return l.path
		}
	}
	var chain [16]*html.Node
	steps := chain[:0]
	for up := n; up != r.stem.node; up = up.Parent {
		steps = append(steps, up)
	}
	var space [256]byte
	path := append(space[:0], r.stem.path...)
	for i := len(steps) - 1; i >= 0; i-- {
		path = appendStep(path, steps[i], r.position(steps[i]))
	}
	l := located{n, string(path)}
	if len(r.stem.known) < fewSiblings {
		r.stem.known = append(r.stem.known, l)
	}
	return l.path
}

// pathOutside is the path of any element.
func (r *run) pathOutside(n *html.Node) string {
	path, ok := r.paths[n]
	if !ok {
		path = step(r.pathAbove(n), n, r.position(n))
		r.paths[n] = path
	}
	return path
}

// pathAbove is the path of what an element stands in.
func (r *run) pathAbove(n *html.Node) string {
	if up := elementAt(n.Parent); up != nil {
		return r.pathOutside(up)
	}
	return ""
}

func step(above string, n *html.Node, at int) string {
	var space [256]byte
	return string(appendStep(append(space[:0], above...), n, at))
}

func appendStep(path []byte, n *html.Node, at int) []byte {
	path = append(append(append(path, '/'), n.Data...), '[')
	return append(strconv.AppendInt(path, int64(at), 10), ']')
}

// fewSiblings is how many siblings are counted again rather than remembered.
const fewSiblings = 16

// position counts an element among its siblings of the same name. From one record to
// the next it goes on counting.
func (r *run) position(n *html.Node) int {
	count, steps := 1, 0
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if steps++; steps > fewSiblings {
			return r.positions(n)
		}
		if c.Type != html.ElementNode || c.Data != n.Data {
			continue
		}
		if c == r.stem.node {
			return r.stem.at + count
		}
		count++
	}
	return count
}

// positions counts all children of an element's parent at once.
func (r *run) positions(n *html.Node) int {
	if at, ok := r.places[n]; ok {
		return at
	}
	counts := map[string]int{}
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			counts[c.Data]++
			r.places[c] = counts[c.Data]
		}
	}
	return r.places[n]
}
