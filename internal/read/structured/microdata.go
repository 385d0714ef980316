package structured

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// readMicrodata reads the items of WHATWG's microdata, and then goes beyond it:
// items that name each other are connected, and bare ones get a name.
func readMicrodata(p *page, g *Graph) {
	m := readScopes(p, g)
	m.connect()
	m.nameBare()
}

// readScopes reads the items as the standard says.
func readScopes(p *page, g *Graph) *microdataReader {
	m := &microdataReader{page: p, items: map[*html.Node]*Item{}}
	for _, scope := range p.scopes {
		if !dom.HasAttr(scope, "itemprop") {
			g.Items = append(g.Items, m.item(scope))
		}
	}
	// A property that stands in no item is an item that lost its holder, unless an
	// itemref has fetched it.
	for _, scope := range p.scopes {
		if _, read := m.items[scope]; !read {
			g.Items = append(g.Items, m.item(scope))
		}
	}
	if m.looped {
		g.note(Microdata, "an itemref leads back to its own item; the circle was cut")
	}
	if m.crowded {
		g.note(Microdata, "itemrefs repeat so much that some were left out")
	}
	return m
}

// connect gives links that name an item of the page that item beside their
// address, as a reference of JSON-LD would, and puts the item itself where another
// only repeats its itemid. Plain addresses such as url stay.
func (m *microdataReader) connect() {
	named := map[string]*Item{}
	for _, scope := range m.scopes {
		item := m.items[scope]
		if known := named[item.ID]; item.ID != "" && (known == nil || len(known.Properties) == 0) {
			named[item.ID] = item
		}
	}
	if len(named) == 0 {
		return
	}
	for _, item := range m.items {
		for name, values := range item.Properties {
			connectValues(item, name, values, named)
		}
	}
}

func connectValues(holder *Item, name string, values []Value, named map[string]*Item) {
	for i := range values {
		if inner := values[i].Item; inner != nil {
			if target := named[inner.ID]; target != nil && len(inner.Properties) == 0 {
				values[i].Item = target
			}
			continue
		}
		if target := named[values[i].Text]; target != nil && target != holder && !addressed[name] {
			values[i].Item = target
		}
	}
}

// nameBare takes the words of an item that has no property for its name: an
// author is often marked as a person and nothing more.
func (m *microdataReader) nameBare() {
	left := maxBareItems
	for _, scope := range m.scopes {
		item := m.items[scope]
		if len(item.Properties) > 0 || !dom.HasAttr(scope, "itemprop") {
			continue
		}
		if left--; left < 0 {
			return
		}
		if text := m.reader.content(scope); text != "" && len(text) <= maxBareName {
			item.Properties["name"] = []Value{{Text: text, Node: m.path(scope)}}
		}
	}
}

// maxBareName bounds the words that can be the name of something, maxBareItems how
// many are looked for.
const (
	maxBareName  = 200
	maxBareItems = 10_000
)

type microdataReader struct {
	*page
	items   map[*html.Node]*Item // each scope is read once, so circles end
	steps   int                  // nodes visited by way of itemref
	looped  bool
	crowded bool
}

// maxReferred bounds the nodes that itemrefs lead to: each item may refer to the
// whole page.
const maxReferred = 2_000_000

// item reads the element of an item.
func (m *microdataReader) item(scope *html.Node) *Item {
	if known := m.items[scope]; known != nil {
		return known
	}
	item := &Item{Syntax: Microdata, Properties: map[string][]Value{}, Node: m.path(scope)}
	m.items[scope] = item
	for name := range strings.FieldsSeq(dom.Attr(scope, "itemtype")) {
		if name = short(name); !slices.Contains(item.Types, name) {
			item.Types = append(item.Types, name)
		}
	}
	if id := strings.TrimSpace(dom.Attr(scope, "itemid")); id != "" {
		item.ID = resolve(m.base, id)
	}
	for _, n := range m.elements(scope) {
		m.property(item, n)
	}
	return item
}

// elements are those that hold the properties of an item, in document order:
// those below its own and below the ones that itemref names.
func (m *microdataReader) elements(scope *html.Node) []*html.Node {
	all := m.below(scope, nil)
	if !dom.HasAttr(scope, "itemref") {
		return all
	}
	visited := map[*html.Node]bool{scope: true}
	for id := range strings.FieldsSeq(dom.Attr(scope, "itemref")) {
		target := m.byID[id]
		switch {
		case target == nil || visited[target]:
		case dom.Within(scope, target):
			m.looped = true
		case m.steps > maxReferred:
			m.crowded = true
		default:
			visited[target] = true
			if dom.HasAttr(target, "itemprop") {
				all = append(all, target)
			}
			if !dom.HasAttr(target, "itemscope") {
				all = m.below(target, all)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *html.Node) int { return m.order[a] - m.order[b] })
	return slices.Compact(all)
}

// below adds the elements with properties in the content of an element, not
// entering other items.
func (m *microdataReader) below(root *html.Node, all []*html.Node) []*html.Node {
	n := next(root, root, true)
	for n != nil {
		m.steps++
		deeper := true
		if n.Type == html.ElementNode {
			if dom.HasAttr(n, "itemprop") {
				all = append(all, n)
			}
			deeper = !dom.HasAttr(n, "itemscope")
		}
		n = next(root, n, deeper)
	}
	return all
}

// property reads one element that holds a property.
func (m *microdataReader) property(item *Item, n *html.Node) {
	names := dom.Attr(n, "itemprop")
	var value Value
	if dom.HasAttr(n, "itemscope") {
		value = Value{Item: m.item(n), Node: m.path(n)}
	}
	for name := range strings.FieldsSeq(names) {
		name = short(name)
		if value.Item == nil {
			value = m.value(n, name)
		}
		if value.Item != nil || value.Text != "" { // an empty element says nothing
			item.Properties[name] = append(item.Properties[name], value)
		}
	}
}

// named are properties whose value is never an address; a link that carries one
// of them means its words.
var named = map[string]bool{"name": true, "headline": true, "alternateName": true, "legalName": true, "caption": true, "price": true,
	"priceCurrency": true}

// value is the value of a property by the kind of its element. Beyond the standard,
// content counts on any element, as it does for the search engines that most
// microdata is written for.
func (m *microdataReader) value(n *html.Node, name string) Value {
	value := Value{Node: m.path(n), Lang: language(n)}
	if dom.HasAttr(n, "content") {
		value.Text = m.declared(n, name)
		return value
	}
	address := func(attribute string) Value {
		value.Lang = ""
		if written := strings.TrimSpace(dom.Attr(n, attribute)); written != "" {
			value.Text = resolve(m.base, written)
		}
		return value
	}
	switch n.Data {
	case "meta":
		return value
	case "audio", "embed", "iframe", "img", "source", "track", "video":
		return address(sourceAttribute(n))
	case "a", "area", "link":
		if dom.HasAttr(n, "href") && !(named[name] && n.Data == "a") {
			return address("href")
		}
	case "object":
		return address("data")
	case "data", "meter":
		if dom.HasAttr(n, "value") {
			value.Text = dom.Attr(n, "value")
			return value
		}
	case "time":
		if written := strings.TrimSpace(dom.Attr(n, "datetime")); written != "" {
			value.Text, value.Lang = written, ""
			return value
		}
	}
	value.Text = m.reader.content(n)
	return value
}

// declared is the content that an element declares.
func (m *microdataReader) declared(n *html.Node, name string) string {
	text := strings.TrimSpace(dom.Attr(n, "content"))
	if addressed[name] && looksRelative(text) {
		return resolve(m.base, text)
	}
	return text
}

// sourceAttribute is the attribute that names what an element shows; src holds no more
// than a placeholder where scripts load it later.
func sourceAttribute(n *html.Node) string {
	for _, attribute := range []string{"src", "data-src", "data-lazy-src", "data-original"} {
		if written := dom.Attr(n, attribute); written != "" && !strings.HasPrefix(written, "data:") {
			return attribute
		}
	}
	return "src"
}

// language is the language that an element declares itself.
func language(n *html.Node) string { return dom.Attr(n, "lang") }
