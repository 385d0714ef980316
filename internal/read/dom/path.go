package dom

import (
	"strconv"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// Path is the absolute XPath of an element: /html[1]/body[1]/ul[1]/li[3]. Equal
// trees give equal paths. For many elements of one page, Document.Path is faster.
func Path(n *html.Node) string {
	var chain [64]*html.Node
	steps := chain[:0]
	for ; n != nil && n.Type == html.ElementNode; n = n.Parent {
		steps = append(steps, n)
	}
	out := make([]byte, 0, 16*len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		out = appendStep(out, steps[i], position(steps[i]))
	}
	return string(out)
}

func appendStep(path []byte, n *html.Node, place int) []byte {
	path = append(append(append(path, '/'), n.Data...), '[')
	return append(strconv.AppendInt(path, int64(place), 10), ']')
}

// position counts an element among its siblings of the same name.
func position(n *html.Node) int {
	count := 1
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode && s.Data == n.Data {
			count++
		}
	}
	return count
}

// Path is what the function Path gives, without counting the same siblings again and
// again.
func (d *Document) Path(n *html.Node) string {
	if n == nil || n.Type != html.ElementNode {
		return ""
	}
	d.paths.Lock()
	defer d.paths.Unlock()
	return d.paths.of(n)
}

// paths are the families whose members were asked for.
type paths struct {
	sync.Mutex
	families map[*html.Node]*family
}

// family is what is known of an element's children.
type family struct {
	path   string             // of the element
	last   *html.Node         // the child that was counted last
	at     int                // its place
	places map[*html.Node]int // of all children; nil while they are asked for in order
}

func (p *paths) of(n *html.Node) string {
	if n.Parent == nil {
		return Path(n)
	}
	home, known := p.families[n.Parent]
	if !known {
		home = &family{}
		if n.Parent.Type == html.ElementNode {
			home.path = p.of(n.Parent)
		}
		if p.families == nil {
			p.families = map[*html.Node]*family{}
		}
		p.families[n.Parent] = home
	}
	var space [256]byte
	return string(appendStep(append(space[:0], home.path...), n, home.place(n)))
}

// nearby is how many siblings back the child may be that was counted last.
const nearby = 24

// place is what position gives.
func (f *family) place(n *html.Node) int {
	if f.places != nil {
		return f.places[n]
	}
	count, steps := 1, 0
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if steps++; steps > nearby {
			f.number(n.Parent)
			return f.places[n]
		}
		if s.Type != html.ElementNode || s.Data != n.Data {
			continue
		}
		if s == f.last {
			count += f.at
			break
		}
		count++
	}
	f.last, f.at = n, count
	return count
}

// number counts all children at once.
func (f *family) number(parent *html.Node) {
	f.places = map[*html.Node]int{}
	seen := map[string]int{}
	for c := parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			seen[c.Data]++
			f.places[c] = seen[c.Data]
		}
	}
}

// At finds the element that Path names, or nil.
func (d *Document) At(path string) *html.Node {
	n := d.Tree()
	path, rooted := strings.CutPrefix(path, "/")
	for rooted {
		open, close := step(path)
		if open < 0 {
			return nil
		}
		count, err := strconv.Atoi(path[open+1 : close])
		if err != nil {
			return nil
		}
		if n = d.child(n, path[:open], count); n == nil {
			return nil
		}
		if path, rooted = strings.CutPrefix(path[close+1:], "/"); !rooted && path != "" {
			return nil
		}
	}
	if n.Type != html.ElementNode {
		return nil
	}
	return n
}

// step finds the brackets that end the first step of a path: those around digits
// before a slash or the end. Names of elements may hold brackets themselves.
func step(path string) (open, close int) {
	for close = 0; close < len(path); close++ {
		if path[close] != ']' || close+1 < len(path) && path[close+1] != '/' {
			continue
		}
		open = close - 1
		for open >= 0 && path[open] >= '0' && path[open] <= '9' {
			open--
		}
		if open > 0 && open < close-1 && path[open] == '[' {
			return open, close
		}
	}
	return -1, -1
}

// manyChildren is from which child on it pays to keep where the children are.
const manyChildren = 40

// brood are the children of an element by their names.
type brood map[string][]*html.Node

// child is the n-th child element of a name.
func (d *Document) child(parent *html.Node, name string, n int) *html.Node {
	if n > manyChildren {
		known := d.Kept(parent, func() any { return broodOf(parent) }).(brood)
		if all := known[name]; n <= len(all) {
			return all[n-1]
		}
		return nil
	}
	for c := parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == name {
			if n--; n == 0 {
				return c
			}
		}
	}
	return nil
}

func broodOf(parent *html.Node) brood {
	all := brood{}
	for c := parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			all[c.Data] = append(all[c.Data], c)
		}
	}
	return all
}

// Within says whether a node is inside of another, or is it.
func Within(n, outer *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == outer {
			return true
		}
	}
	return false
}
