// Package structured reads the data that a page carries for machines, whatever
// the syntax: JSON-LD, microdata, RDFa, microformats, OpenGraph and meta tags
// become one graph of items; the state of a page's script framework becomes plain
// JSON values.
//
// It repairs what is broken only where that cannot change the meaning, fetches
// nothing (no remote @context), and knows nothing of schemas: what the items mean
// is for recognise.
package structured

import "curlew/internal/dom"

// Syntax is how an item was written.
type Syntax string

const (
	JSONLD       Syntax = "json-ld"
	Microdata    Syntax = "microdata"
	RDFa         Syntax = "rdfa"
	Microformats Syntax = "microformats"
	OpenGraph    Syntax = "opengraph" // also Twitter cards
	Meta         Syntax = "meta"
)

// Item is one thing that the page describes. Names of schema.org types and
// properties are short ("MusicEvent", "startDate"); names of other vocabularies
// stay full IRIs; microformats are "h-event" and "name".
type Item struct {
	Syntax     Syntax             `json:"syntax"`
	Types      []string           `json:"types,omitempty"`
	ID         string             `json:"id,omitempty"` // absolute where it is an address
	Properties map[string][]Value `json:"properties"`
	Node       string             `json:"node,omitempty"` // the XPath of the element that carries it
}

// Value is one value of a property: either text or an item.
type Value struct {
	Text string `json:"text,omitempty"`
	Lang string `json:"lang,omitempty"`
	Item *Item  `json:"item,omitempty"` // may be shared, and items may refer to each other in circles
	Node string `json:"node,omitempty"` // where the value itself stands
}

// State is the data of a script framework, or a JSON island.
type State struct {
	Kind  string `json:"kind"`  // "__NEXT_DATA__", "flight", "__NUXT__", "json", "data-props" …
	Name  string `json:"name"`  // of the variable, the id of the script, or the attribute; unique on the page
	Value any    `json:"value"` // map[string]any, []any, string, json.Number, bool, nil
	Node  string `json:"node,omitempty"`
}

// Note is something odd that was met on the way.
type Note struct {
	Syntax   Syntax `json:"syntax"`
	Sentence string `json:"sentence"`
}

// Graph is all that a page carries for machines.
type Graph struct {
	Items  []*Item `json:"items"` // top-level items in document order; items nested or referred to hang below them
	States []State `json:"states"`
	Notes  []Note  `json:"notes,omitempty"`
}

// Read reads all syntaxes of a page.
func Read(d *dom.Document) *Graph { return &Graph{} }
