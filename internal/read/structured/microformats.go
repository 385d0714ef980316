package structured

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"willnorris.com/go/microformats"
)

// Bounds on the work that a page may ask of the microformats parser, which copies
// the content of an element for each class name around it and follows includes.
const (
	maxMicroformatWork = 6 << 20
	maxIncludes        = 20
)

// readMicroformats reads microformats 2, and the classic ones as such.
func readMicroformats(p *page, g *Graph) {
	if !p.hasClass {
		return
	}
	data, roots, ok := parseMicroformats(p)
	if !ok {
		g.note(Microformats, "microformats are nested so much that they were given up")
		return
	}
	m := microformatReader{page: p, roots: roots, items: map[*microformats.Microformat]*Item{}}
	for _, found := range data.Items {
		g.Items = append(g.Items, m.item(found))
	}
}

// microformatReader turns what the parser found into items.
type microformatReader struct {
	page  *page
	roots map[string]root
	items map[*microformats.Microformat]*Item // one may be the value of several properties
}

// root is an element that begins a microformat.
type root struct {
	node *html.Node
	id   string // its own, which gave way to a mark
}

// parseMicroformats parses a copy of the tree, because the parser changes what
// it reads. Roots carry marks in place of their ids, so that they are found again.
func parseMicroformats(p *page) (*microformats.Data, map[string]root, bool) {
	c := copier{roots: map[string]root{}}
	tree := c.copy(p.root, 0)
	if c.work > maxMicroformatWork {
		return nil, nil, false
	}
	c.cutIncludes(tree)
	return microformats.ParseNode(tree, p.base), c.roots, true
}

// rootMark begins the id of a marked root; a page cannot spell it.
const rootMark = "\x00root "

type copier struct {
	roots    map[string]root
	work     int
	includes []*html.Node // elements that fetch the content of others
}

// copy copies a node and its content; classes is how many elements around it have
// a class name of microformats.
func (c *copier) copy(n *html.Node, classes int) *html.Node {
	twin := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	class := dom.Attr(n, "class")
	if strings.Contains(class, "h-") {
		class = dropHeights(class)
		setClass(twin, class)
	}
	classes += propertyClasses(class)
	if dom.MicroformatRoot(class) {
		classes++
		c.mark(n, twin)
	}
	if isInclude(n) {
		c.includes = append(c.includes, twin)
	}
	c.work += (len(n.Data) + 16) * classes
	if c.work > maxMicroformatWork {
		return twin
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		twin.AppendChild(c.copy(child, classes))
	}
	return twin
}

// heights are class names of widespread style sheets that look like roots of
// microformats and mean the height of a box.
var heights = map[string]bool{
	"h-full": true, "h-screen": true, "h-auto": true, "h-min": true, "h-max": true, "h-fit": true, "h-px": true, "h-svh": true, "h-lvh": true,
	"h-dvh": true, "h-lh": true,
}

func dropHeights(class string) string {
	names := strings.Fields(class)
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return heights[name] }), " ")
}

func setClass(n *html.Node, class string) {
	for i := range n.Attr {
		if n.Attr[i].Key == "class" && n.Attr[i].Namespace == "" {
			n.Attr[i].Val = class
			return
		}
	}
}

// propertyClasses counts the class names that are properties of microformats 2.
func propertyClasses(class string) int {
	count := 0
	for name := range strings.FieldsSeq(class) {
		prefix, rest, ok := strings.Cut(name, "-")
		if ok && rest != "" && rest[0] >= 'a' && (prefix == "p" || prefix == "u" || prefix == "e" || prefix == "dt") {
			count++
		}
	}
	return count
}

func (c *copier) mark(n, twin *html.Node) {
	id := dom.Attr(n, "id")
	mark := rootMark + strconv.Itoa(len(c.roots))
	if id != "" {
		mark = id // includes and links refer to it
		if _, taken := c.roots[mark]; taken {
			return
		}
	} else {
		twin.Attr = append(twin.Attr, html.Attribute{Key: "id", Val: mark})
	}
	c.roots[mark] = root{n, id}
}

// isInclude tells the elements for which the parser fetches others.
func isInclude(n *html.Node) bool {
	return slices.Contains(dom.Classes(n), "include") || n.Data == "td" && dom.HasAttr(n, "headers") || dom.HasAttr(n, "itemref")
}

// cutIncludes disarms the includes beyond the first few, since each copies a part
// of the page, and those whose target includes more, since they may lead in circles.
func (c *copier) cutIncludes(tree *html.Node) {
	if len(c.includes) == 0 {
		return
	}
	nested := map[string]bool{} // ids of elements that hold includes
	for _, include := range c.includes {
		for n := include; n != nil; n = n.Parent {
			nested[dom.Attr(n, "id")] = true
		}
	}
	for i, include := range c.includes {
		targets := strings.Fields(dom.Attr(include, "headers") + " " + dom.Attr(include, "itemref"))
		for _, name := range []string{"href", "data"} {
			targets = append(targets, strings.TrimPrefix(dom.Attr(include, name), "#"))
		}
		circular := slices.ContainsFunc(targets, func(id string) bool { return id != "" && nested[id] })
		if i >= maxIncludes || len(targets) > maxIncludes || circular {
			include.Attr = slices.DeleteFunc(include.Attr, func(a html.Attribute) bool {
				return a.Key == "class" && strings.Contains(a.Val, "include") || a.Key == "headers" || a.Key == "itemref"
			})
		}
	}
}

func (m *microformatReader) item(found *microformats.Microformat) *Item {
	if known := m.items[found]; known != nil {
		return known
	}
	item := &Item{Syntax: Microformats, Types: onceEach(found.Type), Properties: map[string][]Value{}}
	m.items[found] = item
	if at, ok := m.roots[found.ID]; ok {
		item.Node, item.ID = m.page.path(at.node), at.id
	}
	if item.ID != "" {
		item.ID = resolve(m.page.base, "#"+item.ID)
	}
	for _, name := range slices.Sorted(maps.Keys(found.Properties)) {
		for _, value := range found.Properties[name] {
			if v := m.value(value); v.Text != "" || v.Item != nil {
				item.Properties[name] = append(item.Properties[name], v)
			}
		}
	}
	dropImageName(item)
	for _, child := range found.Children {
		item.Properties["children"] = append(item.Properties["children"], Value{Item: m.item(child)})
	}
	return item
}

// onceEach keeps the first of each name.
func onceEach(names []string) []string {
	var kept []string
	for _, name := range names {
		if !slices.Contains(kept, name) {
			kept = append(kept, name)
		}
	}
	return kept
}

// dropImageName takes away a name that is only the address of a picture: the parser
// implies one where an element holds a picture and no words.
func dropImageName(item *Item) {
	name := item.First("name")
	if len(item.Properties["name"]) != 1 || name.Item != nil || !strings.HasPrefix(name.Text, "http") {
		return
	}
	for _, property := range []string{"photo", "logo", "featured"} {
		if slices.ContainsFunc(item.Properties[property], func(v Value) bool { return v.Text == name.Text }) {
			delete(item.Properties, "name")
			return
		}
	}
}

// value maps a value: a text, a picture with its alternative text, a
// piece of HTML, or another microformat.
func (m *microformatReader) value(value any) Value {
	switch value := value.(type) {
	case string:
		return Value{Text: value}
	case map[string]string:
		details := &Item{Syntax: Microformats, Properties: map[string][]Value{}}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if name != "value" {
				details.Properties[name] = []Value{{Text: value[name]}}
			}
		}
		if value["value"] == "" && value["html"] == "" { // a picture without an address
			return Value{}
		}
		return Value{Text: value["value"], Item: details}
	case *microformats.Microformat:
		return Value{Item: m.item(value)}
	}
	return Value{}
}
