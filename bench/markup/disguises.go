// Package markup changes what pages are made of, but not what they say.
package markup

import (
	"hash/fnv"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Disguise is one way to change a page.
type Disguise struct {
	Name, What string
	Change     func(*html.Node)
}

// Disguises are the ways to change a page. Each stands for pages that nobody has
// seen: made by other hands, with other tools.
var Disguises = []Disguise{
	{"same", "read and written again, nothing changed", func(*html.Node) {}},
	{"renamed", "every class and id has another name, the same one everywhere", func(n *html.Node) { eachElement(n, rename) }},
	{"bare", "no classes, ids or data attributes at all", func(n *html.Node) { eachElement(n, strip) }},
	{"wrapped", "a div more around the content of every box", func(n *html.Node) { eachElement(n, wrap) }},
	{"unwrapped", "boxes that hold nothing but one other box are gone", func(n *html.Node) { eachElement(n, unwrap) }},
	{"generic", "only divs and spans where HTML5 has words for parts of a page, no roles or ARIA",
		func(n *html.Node) { eachElement(n, generalise) }},
	{"shown", "no structured data: what people see and nothing else", func(n *html.Node) { eachElement(n, hideData) }},
	{"shuffled", "attributes in another order, no white space between boxes", func(n *html.Node) { eachElement(n, shuffle) }},
}

// eachElement visits the elements below a node, children before their parents.
func eachElement(n *html.Node, visit func(*html.Node)) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		eachElement(child, visit)
		child = next
	}
	if n.Type == html.ElementNode && n.Namespace == "" {
		visit(n)
	}
}

// another is the name that replaces a name: a word in no language. Digits stay, since
// names that count ("row-17") must go on counting.
func another(name string) string {
	letters, digits := fnv.New32a(), []byte{}
	for i := range len(name) {
		if name[i] >= '0' && name[i] <= '9' {
			digits = append(digits, name[i])
		} else {
			letters.Write([]byte{name[i]})
		}
	}
	word := []byte("x")
	for rest := letters.Sum32(); rest > 0; rest /= 20 {
		word = append(word, "bcdfghjklmnpqrstvwxz"[rest%20])
	}
	return string(append(word, digits...))
}

// references are attributes that hold ids of other elements.
var references = []string{"for", "aria-labelledby", "aria-controls", "aria-describedby", "aria-owns", "headers", "itemref", "list"}

func rename(n *html.Node) {
	for i, a := range n.Attr {
		switch {
		case a.Key == "class" || a.Key == "id" || slices.Contains(references, a.Key):
			names := strings.Fields(a.Val)
			for j := range names {
				names[j] = another(names[j])
			}
			n.Attr[i].Val = strings.Join(names, " ")
		case a.Key == "href" || a.Key == "data-target" || a.Key == "data-bs-target":
			if id, ok := strings.CutPrefix(a.Val, "#"); ok {
				n.Attr[i].Val = "#" + another(id)
			}
		}
	}
}

func strip(n *html.Node) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "class" || a.Key == "id" || strings.HasPrefix(a.Key, "data-") || slices.Contains(references, a.Key)
	})
}

// boxes are the elements that may hold a div.
var boxes = []atom.Atom{atom.Div, atom.Section, atom.Article, atom.Main, atom.Li, atom.Td, atom.Aside, atom.Header, atom.Footer, atom.Dd}

func wrap(n *html.Node) {
	if !slices.Contains(boxes, n.DataAtom) || n.FirstChild == nil {
		return
	}
	div := element(atom.Div)
	for n.FirstChild != nil {
		child := n.FirstChild
		n.RemoveChild(child)
		div.AppendChild(child)
	}
	n.AppendChild(div)
}

func element(a atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: a.String(), DataAtom: a}
}

// standsAlone says whether an element is a box that needs no list or table around it.
func standsAlone(n *html.Node) bool {
	part := n.DataAtom == atom.Li || n.DataAtom == atom.Td || n.DataAtom == atom.Dd
	return n.Type == html.ElementNode && slices.Contains(boxes, n.DataAtom) && !part
}

// unwrap puts the only box in a div at the div's place.
func unwrap(n *html.Node) {
	if n.DataAtom != atom.Div || n.Parent == nil {
		return
	}
	var only *html.Node
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case only == nil && standsAlone(child):
			only = child
		case child.Type == html.TextNode && strings.TrimSpace(child.Data) == "", child.Type == html.CommentNode:
		default:
			return
		}
	}
	if only == nil || hides(n) {
		return
	}
	n.RemoveChild(only)
	n.Parent.InsertBefore(only, n)
	n.Parent.RemoveChild(n)
}

// hides says whether an element keeps what it holds from being seen, which must not
// change.
func hides(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "style" || a.Key == "hidden" || a.Key == "aria-hidden" || strings.HasPrefix(a.Key, "item")
	})
}

// parts are the elements that say which part of a page they are.
var parts = []atom.Atom{atom.Section, atom.Article, atom.Main, atom.Aside, atom.Header, atom.Footer, atom.Nav, atom.Address, atom.Figure,
	atom.Figcaption, atom.Hgroup}

func generalise(n *html.Node) {
	switch {
	case slices.Contains(parts, n.DataAtom):
		n.DataAtom, n.Data = atom.Div, "div"
	case n.DataAtom == atom.Time || n.DataAtom == atom.Data:
		n.DataAtom, n.Data = atom.Span, "span"
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "role" || a.Key == "datetime" || strings.HasPrefix(a.Key, "aria-") && a.Key != "aria-hidden"
	})
}

// dataAttributes carry microdata and RDFa.
var dataAttributes = []string{"itemscope", "itemtype", "itemprop", "itemid", "itemref", "vocab", "typeof", "property", "resource",
	"about", "prefix", "content"}

func hideData(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Meta:
		if n.Parent != nil && !keepsMeta(n) {
			n.Parent.RemoveChild(n)
		}
		return
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return slices.Contains(dataAttributes, a.Key) })
}

// keepsMeta says whether a meta element says how to read the page.
func keepsMeta(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "charset" || a.Key == "http-equiv" })
}

func shuffle(n *html.Node) {
	slices.SortStableFunc(n.Attr, func(a, b html.Attribute) int { return strings.Compare(another(a.Key), another(b.Key)) })
	if !slices.Contains(boxes, n.DataAtom) && !slices.Contains([]atom.Atom{atom.Ul, atom.Ol, atom.Tr, atom.Tbody}, n.DataAtom) {
		return
	}
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if child.Type == html.TextNode && strings.TrimSpace(child.Data) == "" && boxed(child.PrevSibling) && boxed(next) {
			n.RemoveChild(child)
		}
		child = next
	}
}

// boxed says whether nothing or a box stands there, so that a space beside it is
// never seen.
func boxed(n *html.Node) bool {
	if n == nil {
		return true
	}
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.P, atom.Table, atom.Tr, atom.H1, atom.H2, atom.H3, atom.H4, atom.Tbody, atom.Thead:
		return true
	}
	return slices.Contains(boxes, n.DataAtom)
}
