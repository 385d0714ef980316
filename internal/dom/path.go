package dom

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Path is the absolute XPath of an element: /html[1]/body[1]/ul[1]/li[3]. Equal
// trees give equal paths. For many elements of one page, Document.Path is faster.
func Path(n *html.Node) string { return pathBy(n, position) }

// Path is what the function Path gives, with the positions of all elements of the
// page counted once.
func (d *Document) Path(n *html.Node) string {
	places := d.places()
	return pathBy(n, func(n *html.Node) int {
		if place, ours := places[n]; ours {
			return place
		}
		return position(n)
	})
}

func pathBy(n *html.Node, position func(*html.Node) int) string {
	var chain [64]*html.Node
	steps := chain[:0]
	for ; n != nil && n.Type == html.ElementNode; n = n.Parent {
		steps = append(steps, n)
	}
	out := make([]byte, 0, 16*len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		out = append(append(append(out, '/'), steps[i].Data...), '[')
		out = append(strconv.AppendInt(out, int64(position(steps[i])), 10), ']')
	}
	return string(out)
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

// places counts all elements among their siblings of the same name.
func places(root *html.Node) map[*html.Node]int {
	all := map[*html.Node]int{}
	number := func(parent *html.Node) {
		var seen map[string]int
		for c := parent.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				if seen == nil {
					seen = map[string]int{}
				}
				seen[c.Data]++
				all[c] = seen[c.Data]
			}
		}
	}
	number(root)
	for n := range elements(root) {
		number(n)
	}
	return all
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
