package structured

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// ignoredRelations are words of HTML's rel that say nothing of a thing.
var ignoredRelations = map[string]bool{
	"nofollow": true, "noopener": true, "noreferrer": true, "external": true, "stylesheet": true, "icon": true, "shortcut": true,
	"bookmark": true, "preload": true, "prefetch": true, "preconnect": true, "dns-prefetch": true, "canonical": true,
	"alternate": true, "next": true, "prev": true, "manifest": true, "apple-touch-icon": true, "shortlink": true,
	"ugc": true, "sponsored": true, "pingback": true, "tag": true, "me": true, "search": true, "help": true, "opener": true,
}

// readRDFa reads RDFa as items.
func readRDFa(p *page, g *Graph) {
	if !p.hasRDFa {
		return
	}
	triples := readTriples(p.root, p.base)
	if len(triples) >= maxTriples {
		g.note(RDFa, "there are too many statements; the rest was left out")
	}
	foldTriples(p, triples, g)
}

// rdfaFold turns statements into items.
type rdfaFold struct {
	page  *page
	items map[string]*Item
	order []string
	cells map[string][2]object // of lists: first and rest

	elements map[string]*html.Node // that the items begin with
}

func foldTriples(p *page, triples []triple, g *Graph) {
	f := &rdfaFold{page: p, items: map[string]*Item{}, cells: map[string][2]object{}, elements: map[string]*html.Node{}}
	for _, t := range triples {
		switch t.predicate {
		case rdfFirst:
			f.cells[t.subject] = [2]object{t.object, f.cells[t.subject][1]}
		case rdfRest:
			f.cells[t.subject] = [2]object{f.cells[t.subject][0], t.object}
		}
	}
	told := triples[:0:0]
	for _, t := range triples {
		if !f.says(t) {
			continue
		}
		told = append(told, t)
		f.begin(t)
	}
	holders := map[*Item]bool{} // items that others hold
	for _, t := range told {
		if t.predicate != rdfType {
			f.add(t, holders)
		}
	}
	f.nameBare(holders)
	f.list(g, holders)
}

// nameBare takes the words of an item that another holds and that has a type and
// nothing else for its name, as in microdata.
func (f *rdfaFold) nameBare(holders map[*Item]bool) {
	for _, subject := range f.order {
		item, element := f.items[subject], f.elements[subject]
		if element == nil || len(item.Properties) > 0 || len(item.Types) == 0 || !holders[item] {
			continue
		}
		if text := f.page.reader.content(element); text != "" && len(text) <= maxBareName {
			item.Properties["name"] = []Value{{Text: text, Node: item.Node}}
		}
	}
}

// says tells statements that are worth an item from the rest: what OpenGraph
// reads, and what HTML's own rel means.
func (f *rdfaFold) says(t triple) bool {
	if t.predicate == usesVocab || t.predicate == rdfFirst || t.predicate == rdfRest {
		return false
	}
	if t.node != nil && t.node.Data == "meta" && cardName(t.node) != "" {
		return false
	}
	if name, ok := strings.CutPrefix(t.predicate, xhvNS); ok && name != "license" {
		return false
	}
	if t.node != nil && ignoredRelations[short(t.predicate)] {
		return !slices.Contains(strings.Fields(dom.Attr(t.node, "rel")), short(t.predicate))
	}
	return true
}

// begin makes the item of a statement's subject.
func (f *rdfaFold) begin(t triple) {
	item := f.items[t.subject]
	if item == nil {
		item = &Item{Syntax: RDFa, Properties: map[string][]Value{}, Node: f.page.path(t.node)}
		if !strings.HasPrefix(t.subject, "_:") {
			item.ID = t.subject
		}
		f.items[t.subject] = item
		f.order = append(f.order, t.subject)
		f.elements[t.subject] = t.node
	}
	if t.predicate == rdfType {
		if name := short(t.object.value); !slices.Contains(item.Types, name) {
			item.Types = append(item.Types, name)
		}
	}
}

func (f *rdfaFold) add(t triple, holders map[*Item]bool) {
	item, name := f.items[t.subject], short(t.predicate)
	entries := []object{t.object}
	if _, isList := f.cells[t.object.value]; isList && !t.object.literal {
		entries = f.entries(t.object.value)
	}
	for _, entry := range entries {
		value := f.value(entry, t)
		if value.Item != nil && value.Item != item {
			holders[value.Item] = true
		}
		if value.Item != nil || value.Text != "" {
			item.Properties[name] = append(item.Properties[name], value)
		}
	}
}

// entries are those of a list of RDF.
func (f *rdfaFold) entries(cell string) []object {
	var all []object
	for range len(f.cells) {
		at, ok := f.cells[cell]
		if !ok {
			break
		}
		all = append(all, at[0])
		cell = at[1].value
	}
	return all
}

func (f *rdfaFold) value(o object, t triple) Value {
	value := Value{Node: f.page.path(t.node)}
	switch {
	case o.literal && o.element != nil && o.datatype != rdfXMLLiteral && o.datatype != rdfHTML:
		value.Text, value.Lang = f.page.reader.content(o.element), o.lang
	case o.literal:
		value.Text, value.Lang = strings.TrimSpace(o.value), o.lang
		if name := short(t.predicate); addressed[name] && looksRelative(value.Text) {
			value.Text = resolve(f.page.base, value.Text)
		}
	case f.items[o.value] != nil:
		value.Item = f.items[o.value]
	default:
		value.Text = o.value
	}
	return value
}

// list puts the items at the top that no other holds; of a circle, its first.
func (f *rdfaFold) list(g *Graph, holders map[*Item]bool) {
	reached := map[*Item]bool{}
	list := func(item *Item) {
		g.Items = append(g.Items, item)
		item.walk(reached, func(*Item) bool { return true })
	}
	for _, subject := range f.order {
		if item := f.items[subject]; !holders[item] {
			list(item)
		}
	}
	for _, subject := range f.order {
		if item := f.items[subject]; !reached[item] {
			list(item)
		}
	}
}
