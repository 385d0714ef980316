package dom

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Path is the absolute XPath of an element: /html[1]/body[1]/ul[1]/li[3]. Equal
// trees give equal paths.
func Path(n *html.Node) string {
	var steps []string
	for ; n != nil && n.Type == html.ElementNode; n = n.Parent {
		position := 1
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if s.Type == html.ElementNode && s.Data == n.Data {
				position++
			}
		}
		steps = append(steps, n.Data+"["+strconv.Itoa(position)+"]")
	}
	var out strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		out.WriteString("/" + steps[i])
	}
	return out.String()
}

// At finds the element that Path names, or nil.
func (d *Document) At(path string) *html.Node {
	n := d.Tree()
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		name, rest, ok := strings.Cut(step, "[")
		position, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
		if !ok || err != nil {
			return nil
		}
		c := n.FirstChild
		for ; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && c.Data == name {
				if position--; position == 0 {
					break
				}
			}
		}
		if c == nil {
			return nil
		}
		n = c
	}
	return n
}
