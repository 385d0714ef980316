package structured

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// readJSONLD reads the JSON-LD scripts of a page into one graph: nodes with the
// same @id are one item, whichever script they stand in.
func readJSONLD(d *dom.Document, g *Graph) {
	var reader *linkedReader
	for _, script := range d.Scripts() {
		if !strings.HasPrefix(script.Type, "application/ld+json") {
			continue
		}
		if reader == nil {
			reader = newLinkedReader(d.Base(), g)
		}
		for _, value := range linkedValues(script.Text, g) {
			reader.document(value)
		}
	}
	if reader != nil {
		reader.finish()
	}
}

// linkedReader turns values of JSON-LD into items.
type linkedReader struct {
	g    *Graph
	base *url.URL

	byID    map[string]*Item
	order   []*Item        // everything that is an item of its own, in order
	top     map[*Item]bool // those already in order
	pending []reference
	depth   int
}

// reference is a value that stands for the item with an id, should there be one.
type reference struct {
	holder   *Item
	property string
	index    int
	id       string
}

func newLinkedReader(base *url.URL, g *Graph) *linkedReader {
	return &linkedReader{g: g, base: base, byID: map[string]*Item{}, top: map[*Item]bool{}}
}

// document reads one top-level value.
func (l *linkedReader) document(value any) {
	l.topLevel(value, &linkedContext{reader: l, base: l.base})
}

func (l *linkedReader) topLevel(value any, context *linkedContext) {
	if l.depth++; l.depth > maxDepth {
		l.depth--
		return
	}
	defer func() { l.depth-- }()
	switch value := value.(type) {
	case []any:
		for _, entry := range value {
			l.topLevel(entry, context)
		}
	case map[string]any:
		inner := context.with(value["@context"])
		graph, named := l.keyword(value, inner, "@graph")
		if !named || hasOwnProperties(value, inner) {
			if item := l.node(value, context); item != nil {
				l.list(item)
			}
		}
		if named {
			l.topLevel(graph, inner)
		}
	}
}

// hasOwnProperties says whether an object around a @graph describes something itself.
func hasOwnProperties(value map[string]any, context *linkedContext) bool {
	for key := range value {
		switch context.keyword(key) {
		case "@context", "@graph", "@id", "@version", "@index":
		default:
			return true
		}
	}
	return false
}

// keyword is the value of a keyword or of one of its aliases.
func (l *linkedReader) keyword(value map[string]any, context *linkedContext, keyword string) (any, bool) {
	if found, ok := value[keyword]; ok {
		return found, true
	}
	for _, alias := range context.aliases(keyword) {
		if found, ok := value[alias]; ok {
			return found, true
		}
	}
	return nil, false
}

// list puts an item among the top-level ones, once.
func (l *linkedReader) list(item *Item) {
	if !l.top[item] {
		l.top[item] = true
		l.order = append(l.order, item)
	}
}

// node reads an object as an item. It returns nil for one that says nothing.
func (l *linkedReader) node(value map[string]any, context *linkedContext) *Item {
	context = context.with(value["@context"])
	item := l.itemFor(value, context)
	for _, key := range sortedKeys(value) {
		l.member(item, key, value[key], context)
	}
	if item.ID == "" && len(item.Types) == 0 && len(item.Properties) == 0 {
		return nil
	}
	return item
}

// itemFor is the item that an object describes: a new one, or the one that has
// its @id already.
func (l *linkedReader) itemFor(value map[string]any, context *linkedContext) *Item {
	id := ""
	if written, ok := l.keyword(value, context, "@id"); ok {
		if text, isText := written.(string); isText {
			id = context.identifier(text)
		}
	}
	item := l.byID[id]
	if item == nil || id == "" {
		item = &Item{Syntax: JSONLD, ID: id, Properties: map[string][]Value{}}
		if id != "" {
			l.byID[id] = item
		}
	}
	types, _ := l.keyword(value, context, "@type")
	for _, name := range texts(types) {
		if name = context.typeName(name); name != "" && !slices.Contains(item.Types, name) {
			item.Types = append(item.Types, name)
		}
	}
	return item
}

// member reads one key of an object.
func (l *linkedReader) member(item *Item, key string, value any, context *linkedContext) {
	switch context.keyword(key) {
	case "@context", "@id", "@type", "@index", "@version":
		return
	case "@graph":
		return // the caller lists what is in it
	case "@reverse":
		if members, ok := value.(map[string]any); ok {
			for _, property := range sortedKeys(members) {
				l.reverse(item, context.property(property), members[property], context)
			}
		}
		return
	case "@included", "@nest":
		l.topLevel(value, context)
		return
	}
	if strings.HasPrefix(key, "@") {
		return
	}
	term := context.term(key)
	if term.reverse {
		l.reverse(item, term.name, value, context)
		return
	}
	if term.name != "" {
		l.property(item, term, value, context)
	}
}

// reverse makes the items in value point at item.
func (l *linkedReader) reverse(item *Item, property string, value any, context *linkedContext) {
	for _, entry := range list(value) {
		if id, ok := entry.(string); ok {
			entry = map[string]any{"@id": id}
		}
		members, ok := entry.(map[string]any)
		if !ok || property == "" {
			continue
		}
		if other := l.node(members, context); other != nil {
			other.add(property, Value{Item: item})
			l.list(other)
		}
	}
}

// finish replaces references by the items they refer to, and hands over what is
// at the top.
func (l *linkedReader) finish() {
	for _, r := range l.pending {
		if target := l.byID[r.id]; target != nil && target.says() {
			r.holder.Properties[r.property][r.index] = Value{Item: target}
		}
	}
	for _, item := range l.order {
		if item.says() {
			l.g.Items = append(l.g.Items, item)
		}
	}
}

// says tells an item from the bare mention of an id.
func (i *Item) says() bool { return len(i.Types) > 0 || len(i.Properties) > 0 }

// add appends a value unless it is there already.
func (i *Item) add(property string, value Value) {
	values := i.Properties[property]
	if len(values) < 32 && slices.Contains(values, value) { // merged nodes repeat themselves; long lists are not searched
		return
	}
	i.Properties[property] = append(values, value)
}

// texts are the strings in a value, which may be a list.
func texts(value any) []string {
	var all []string
	for _, entry := range list(value) {
		if text, ok := entry.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// list is a value as a list.
func list(value any) []any {
	if all, ok := value.([]any); ok {
		return all
	}
	return []any{value}
}

func sortedKeys(members map[string]any) []string {
	return slices.Sorted(maps.Keys(members))
}

// scalar is the text of a value that is not a list or an object; null is none.
func scalar(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.Number:
		return value.String(), true
	case bool:
		if value {
			return "true", true
		}
		return "false", true
	}
	return "", false
}
