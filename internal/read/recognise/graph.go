package recognise

import (
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// entry is an item that stands for itself on the page.
type entry struct {
	item     *structured.Item
	main     bool   // the page says that it is about this
	position string // in a list
	order    int
	draft    curlew.Draft
}

// carriers are the properties through which an item presents others that stand for
// themselves. What is related, similar or recommended does not, nor do the variants
// of a product, which are told with it.
var carriers = wordlist.Named(words, "carriers")

// noisy are items that wrap pages rather than tell of anything.
var noisy = wordlist.Named(words, "noisy")

const mostEntries = 5_000

// entriesOf collects the items of a page by type, in document order, each once.
func entriesOf(g *structured.Graph, types map[string]bool) []*entry {
	c := &collecting{types: types, seen: map[*structured.Item]bool{}}
	for _, item := range g.Items {
		c.visit(item, "", false, 0)
	}
	return c.all
}

type collecting struct {
	types map[string]bool
	seen  map[*structured.Item]bool
	all   []*entry
}

func (c *collecting) visit(item *structured.Item, position string, main bool, depth int) {
	if item == nil || c.seen[item] || depth > 20 || len(c.all) >= mostEntries {
		return
	}
	c.seen[item] = true
	for _, t := range item.Types {
		if noisy().Has(t) {
			return
		}
	}
	if isAny(item, c.types) && !isEntryOnly(item) {
		if position == "" {
			position = item.Text("position")
		}
		c.all = append(c.all, &entry{item: item, main: main || pointsAtPage(item), position: position, order: len(c.all)})
	}
	inner := position
	if item.Is("ListItem") {
		inner = item.Text("position")
	}
	for _, name := range item.Names() {
		if !carriers().Has(name) {
			continue
		}
		for _, v := range item.Properties[name] {
			c.visit(v.Item, inner, name == "mainEntity", depth+1)
		}
	}
}

// isEntryOnly tells a list entry that only wraps another item.
func isEntryOnly(item *structured.Item) bool {
	return item.Is("ListItem") && len(item.Items("item")) > 0
}

// isAny says whether an item is of some types; nil are all.
func isAny(item *structured.Item, types map[string]bool) bool {
	if types == nil {
		return true
	}
	for _, t := range typesOf(item) {
		if types[t] {
			// A Book is a product only where somebody sells it.
			return t != "Book" || len(item.Properties["offers"]) > 0
		}
	}
	return false
}

// typesOf are the types of an item, with those of schema.org that it has as
// additional ones: that is how microdata mixes types.
func typesOf(item *structured.Item) []string {
	all := item.Types
	for _, text := range item.Texts("additionalType") {
		_, name, ok := strings.Cut(text, "://schema.org/")
		if !ok && !strings.Contains(text, "/") {
			name = text
		}
		if name != "" {
			all = append(all[:len(all):len(all)], name)
		}
	}
	return all
}

// pointsAtPage says whether an item names the page as its own.
func pointsAtPage(item *structured.Item) bool { return len(item.Properties["mainEntityOfPage"]) > 0 }

// FromGraph gives the entities of a schema that the items of a page describe. Where
// several syntaxes describe the same entity there is one draft, and what they
// disagree about is kept as rivals. The one that the page is about comes first.
func FromGraph(g *structured.Graph, doc *dom.Document, kind curlew.Schema) []Recognition {
	if g == nil {
		return nil
	}
	schema := kind.Name
	m := mappings()[schema]
	if m == nil {
		m = ownMapping(kind, g)
	}
	if m == nil {
		return nil
	}
	entries := entriesOf(g, m.types)
	entries = append(entries, cards(g, schema, len(entries))...)
	var read []*entry
	for _, e := range entries {
		if m.read(e, doc) {
			read = append(read, e)
		}
	}
	merged := merge(read, doc, schema)
	markMain(merged, g, doc)
	distinguish(merged, schema)
	findings := make([]Recognition, 0, len(merged))
	for _, e := range merged {
		page := curlew.PageList
		if e.main {
			page = curlew.PageSingle
		}
		draft := e.draft
		findings = append(findings, Recognition{
			Schema: schema, Page: page, Confidence: draft.Confidence, Blueprint: m.blueprint, Draft: &draft, Main: e.main, Count: 1,
		})
	}
	return findings
}

// read applies the universal blueprint to one item.
func (m *mapping) read(e *entry, doc *dom.Document) bool {
	one := &structured.Item{
		Syntax: e.item.Syntax, Types: []string{recordType}, ID: e.item.ID, Node: shownAt(e.item),
		Properties: maps.Clone(e.item.Properties),
	}
	if e.position != "" && len(one.Properties["position"]) == 0 {
		one.Properties["position"] = []structured.Value{{Text: e.position}}
	}
	drafts := m.single.Apply(blueprint.PageInput{Document: doc, Graph: &structured.Graph{Items: []*structured.Item{one}}}).Drafts
	if len(drafts) == 0 {
		return false
	}
	e.draft = drafts[0]
	e.draft.Node = e.item.Node
	if e.draft.URL != "" && len(e.item.Properties["url"]) == 0 && e.draft.Fields["url"] == nil {
		e.draft.URL = ""
	}
	for field, evidence := range e.draft.Provenance {
		evidence.Rule = string(e.item.Syntax) + " " + evidence.Rule
		evidence.Confidence *= trust[e.item.Syntax]
		e.draft.Provenance[field] = evidence
	}
	e.draft.Confidence *= trust[e.item.Syntax]
	return true
}

// trust is how far a syntax is believed: data in the page's own elements and in
// JSON-LD are made from the same records; cards are written for sharing, with the
// name of the site in the title and a picture of the wrong size.
var trust = map[structured.Syntax]float64{
	structured.JSONLD: 1, structured.Microdata: 0.97, structured.RDFa: 0.95, structured.Microformats: 0.9,
	structured.OpenGraph: 0.75, structured.Meta: 0.6,
}

// cards are the OpenGraph item and the rest of the head, where they tell of an
// entity of the schema though their type does not say so.
func cards(g *structured.Graph, schema curlew.SchemaName, order int) []*entry {
	var all []*entry
	if len(telling[schema]) == 0 {
		return nil
	}
	for _, item := range g.Items {
		if (item.Syntax != structured.OpenGraph && item.Syntax != structured.Meta) || isAny(item, mappings()[schema].types) {
			continue
		}
		if speaksOf(item, schema) {
			all = append(all, &entry{item: item, main: true, order: order + len(all)})
		}
	}
	return all
}

// telling are the names in the head that belong to one schema only.
var telling = map[curlew.SchemaName][]string{
	curlew.SchemaProduct: {"product:price:amount", "og:price:amount", "product:retailer_item_id", "product:availability"},
	curlew.SchemaEvent:   {"event:start_time", "og:start_time"},
	curlew.SchemaArticle: {
		"article:published_time", "article:author", "article:section", "article:modified_time", "parsely-pub-date", "parsely-title",
		"sailthru.date", "sailthru.title", "dc.date", "dc.date.issued", "dcterms.created", "citation_publication_date",
		"citation_title", "pubdate", "publish-date",
	},
	curlew.SchemaOrganization: {"business:contact_data:street_address"},
}

func speaksOf(item *structured.Item, schema curlew.SchemaName) bool {
	return slices.ContainsFunc(telling[schema], func(name string) bool { return len(item.Properties[name]) > 0 })
}

// shownAt is the path of the element that shows an item. Cards stand in the head,
// which shows nothing.
func shownAt(item *structured.Item) string {
	if item.Syntax == structured.OpenGraph || item.Syntax == structured.Meta {
		return ""
	}
	return item.Node
}
