package structured

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// cardPrefixes are the namespaces of OpenGraph and its kin.
var cardPrefixes = map[string]bool{
	"og": true, "fb": true, "twitter": true, "article": true, "book": true, "profile": true, "video": true, "music": true,
	"product": true, "event": true, "place": true, "business": true, "restaurant": true, "al": true, "books": true,
	"game": true, "good": true, "object": true,
}

// structuredCards are the properties that others describe further
// (og:image:width), with the names under which they repeat their own address.
var structuredCards = map[string]bool{"og:image": true, "og:video": true, "og:audio": true, "twitter:image": true, "twitter:player": true}

// cardName is the name of a meta element, if it belongs to OpenGraph or its kin.
func cardName(n *html.Node) string {
	for _, attribute := range []string{"property", "name"} {
		name := strings.ToLower(strings.TrimSpace(dom.Attr(n, attribute)))
		if prefix, _, ok := strings.Cut(name, ":"); ok && cardPrefixes[prefix] {
			return name
		}
	}
	return ""
}

// readOpenGraph reads OpenGraph and Twitter cards as one item, whose type is what
// og:type says.
func readOpenGraph(p *page, g *Graph) {
	item := &Item{Syntax: OpenGraph, Properties: map[string][]Value{}, Node: headPath(p)}
	for _, n := range p.metas {
		name := cardName(n)
		if name == "" || !dom.HasAttr(n, "content") && !dom.HasAttr(n, "value") {
			continue
		}
		text := strings.TrimSpace(dom.Attr(n, "content"))
		if text == "" {
			text = strings.TrimSpace(dom.Attr(n, "value"))
		}
		if text != "" {
			item.card(name, Value{Text: text, Node: p.path(n)}, p)
		}
	}
	if len(item.Properties) == 0 {
		return
	}
	for _, kind := range item.Properties["og:type"] {
		item.Types = append(item.Types, kind.Text)
	}
	if address := item.Text("og:url"); address != "" {
		item.ID = resolve(p.base, address)
	}
	g.Items = append(g.Items, item)
}

// card adds one property. og:image:width describes the og:image before it;
// og:image:url is another spelling of og:image.
func (i *Item) card(name string, value Value, p *page) {
	for base := range structuredCards {
		detail, ok := strings.CutPrefix(name, base+":")
		if !ok {
			continue
		}
		values := i.Properties[base]
		if detail == "url" || detail == "src" {
			if len(values) > 0 && values[len(values)-1].Text == resolve(p.base, value.Text) {
				return
			}
			i.card(base, value, p)
			return
		}
		if len(values) == 0 {
			break // it describes nothing
		}
		described := &values[len(values)-1]
		if described.Item == nil {
			described.Item = &Item{Syntax: OpenGraph, ID: described.Text, Properties: map[string][]Value{}}
		}
		described.Item.Properties[detail] = append(described.Item.Properties[detail], value)
		return
	}
	if structuredCards[name] || name == "og:url" || name == "twitter:url" {
		value.Text = resolve(p.base, value.Text)
	}
	i.Properties[name] = append(i.Properties[name], value)
}

// readMeta reads the rest of the head: title, plain meta tags and links.
func readMeta(p *page, g *Graph) {
	item := &Item{Syntax: Meta, Properties: map[string][]Value{}, Node: headPath(p)}
	add := func(name string, value Value) {
		if value.Text != "" {
			item.Properties[name] = append(item.Properties[name], value)
		}
	}
	for _, n := range p.titles {
		if n.Namespace == "" && len(item.Properties["title"]) == 0 { // not that of an SVG picture
			add("title", Value{Text: p.reader.content(n), Node: p.path(n)})
		}
	}
	if n := child(p.root, "html"); n != nil && dom.Attr(n, "lang") != "" {
		add("lang", Value{Text: strings.TrimSpace(dom.Attr(n, "lang")), Node: p.path(n)})
	}
	for _, n := range p.metas {
		if cardName(n) == "" {
			plainMeta(p, n, add)
		}
	}
	for _, n := range p.links {
		link(p, n, add)
	}
	if len(item.Properties) > 0 {
		g.Items = append(g.Items, item)
	}
}

// plainMeta reads a meta element: the value of its name, or of what stands for one.
func plainMeta(p *page, n *html.Node, add func(string, Value)) {
	value := Value{Text: strings.TrimSpace(dom.Attr(n, "content")), Lang: dom.Attr(n, "lang"), Node: p.path(n)}
	if charset := dom.Attr(n, "charset"); charset != "" {
		add("charset", Value{Text: charset, Node: value.Node})
	}
	for _, attribute := range [][2]string{{"name", ""}, {"property", ""}, {"http-equiv", "http-equiv:"}, {"itemprop", "itemprop:"}} {
		if attribute[0] == "itemprop" && (n.Parent == nil || n.Parent.Data != "head") {
			return // it belongs to an item
		}
		if name := strings.ToLower(strings.TrimSpace(dom.Attr(n, attribute[0]))); name != "" {
			add(attribute[1]+name, value)
			return
		}
	}
}

// link reads a link element: one value per relation.
func link(p *page, n *html.Node, add func(string, Value)) {
	href := strings.TrimSpace(dom.Attr(n, "href"))
	if href == "" {
		return
	}
	value := Value{Text: resolve(p.base, href), Node: p.path(n)}
	details := map[string][]Value{}
	for _, name := range []string{"type", "title", "hreflang", "sizes", "media"} {
		if text := strings.TrimSpace(dom.Attr(n, name)); text != "" {
			details[name] = []Value{{Text: text}}
		}
	}
	if len(details) > 0 {
		value.Item = &Item{Syntax: Meta, ID: value.Text, Properties: details}
	}
	for relation := range strings.FieldsSeq(strings.ToLower(dom.Attr(n, "rel"))) {
		if !dom.LoadingRelation(relation) {
			add("rel:"+relation, value)
		}
	}
}

func headPath(p *page) string {
	if root := child(p.root, "html"); root != nil {
		return p.path(child(root, "head"))
	}
	return ""
}

func child(n *html.Node, name string) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == name {
			return c
		}
	}
	return nil
}
