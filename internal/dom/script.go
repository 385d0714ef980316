package dom

import "golang.org/x/net/html"

// Script is a script element of the page.
type Script struct {
	Type   string            // in lower case, without parameters
	ID     string            //
	Src    string            // as written
	Attrs  map[string]string // all of them
	Text   string            // its content, as written
	Offset int               // where the element begins in the body; -1 when unknown
}

// Scripts are all script elements in document order, found without parsing.
func (d *Document) Scripts() []Script {
	var all []Script
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == "script" {
			s := Script{Type: Attr(n, "type"), ID: Attr(n, "id"), Src: Attr(n, "src"), Attrs: map[string]string{}, Offset: -1}
			for _, a := range n.Attr {
				s.Attrs[a.Key] = a.Val
			}
			if n.FirstChild != nil {
				s.Text = n.FirstChild.Data
			}
			all = append(all, s)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(d.Tree())
	return all
}
