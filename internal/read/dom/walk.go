package dom

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
)

// elements are all elements below a node in document order. It needs no stack, so
// depth costs nothing.
func elements(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		n := root
		for {
			switch {
			case n.FirstChild != nil:
				n = n.FirstChild
			default:
				for n != root && n.NextSibling == nil {
					n = n.Parent
				}
				if n == root {
					return
				}
				n = n.NextSibling
			}
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	}
}

// attribute is the value of an attribute and whether there is one.
func attribute(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == name && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// lineOf is a text as Line would show it.
func lineOf(s string) string {
	if s == "" {
		return ""
	}
	var f flow
	f.flat = true
	f.write(s)
	if string(f.out) == s {
		return s
	}
	return string(f.out)
}

// alike compares a tag or attribute name in any case with one in lower case.
func alike(name []byte, lower string) bool {
	return len(name) == len(lower) && strings.EqualFold(string(name), lower)
}
