// Package structured reads the structured data of a page, whatever
// the syntax: JSON-LD, microdata, RDFa, microformats, OpenGraph and meta tags
// become one graph of items; the state of a page's script framework becomes plain
// JSON values.
//
// It repairs what is broken only where that cannot change the meaning, fetches
// nothing (no remote @context), executes nothing, and knows nothing of schemas:
// what the items mean is for recognise.
package structured

import (
	"slices"
	"sync"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// Syntax is how an item was written.
type Syntax string

const (
	JSONLD       Syntax = "json-ld"
	Microdata    Syntax = "microdata"
	RDFa         Syntax = "rdfa"
	Microformats Syntax = "microformats"
	OpenGraph    Syntax = "opengraph" // also Twitter cards
	Meta         Syntax = "meta"
	Script       Syntax = "script" // of notes about states; items never have it
)

// Syntaxes lists how items can be written, in the order in which Read gives them.
func Syntaxes() []Syntax {
	return []Syntax{JSONLD, Microdata, RDFa, Microformats, OpenGraph, Meta}
}

// Item is one thing that the page describes. Names of schema.org types and
// properties are short ("MusicEvent", "startDate"); names of other vocabularies
// stay full IRIs, but for the properties of microdata, which belong to their type
// and stay as written; microformats are "h-event" and "name"; OpenGraph keeps its
// prefixes ("og:title", "product:price:amount"), and so do links of the page
// ("rel:canonical") beside plain names of meta tags ("description", "title").
type Item struct {
	Syntax     Syntax             `json:"syntax"`
	Types      []string           `json:"types,omitempty"`
	ID         string             `json:"id,omitempty"` // absolute where it is an address
	Properties map[string][]Value `json:"properties"`
	Node       string             `json:"node,omitempty"` // the XPath of the element that carries it
}

// Value is one value of a property: either text or an item. Values that are an
// address with details (an og:image with its width, a link with its language, a
// picture of microformats with its alternative text) are both: the text is the
// address.
type Value struct {
	Text string `json:"text,omitempty"`
	Lang string `json:"lang,omitempty"`
	Item *Item  `json:"item,omitempty"` // may be shared, and items may refer to each other in circles
	Node string `json:"node,omitempty"` // where the value itself stands
}

// ScriptState is the data of a script framework, or a JSON island.
type ScriptState struct {
	Kind  string `json:"kind"`  // "__NEXT_DATA__", "flight", "__NUXT__", "json", "data-props" …
	Name  string `json:"name"`  // of the variable, the id of the script, or the attribute; unique on the page
	Value any    `json:"value"` // map[string]any, []any, string, json.Number, bool, nil
	Node  string `json:"node,omitempty"`
}

// SyntaxNote is something odd that was met on the way.
type SyntaxNote struct {
	Syntax   Syntax `json:"syntax"`
	Sentence string `json:"sentence"`
}

// Graph is all structured data of a page.
type Graph struct {
	Items  []*Item       `json:"items"` // top-level items, by syntax and then in document order; items nested or referred to hang below them
	States []ScriptState `json:"states"`
	Notes  []SyntaxNote  `json:"notes,omitempty"`
}

// maxNotes bounds what is said about a page: after some the rest is noise.
const maxNotes = 50

func (g *Graph) note(syntax Syntax, sentence string) {
	note := SyntaxNote{syntax, sentence}
	if len(g.Notes) < maxNotes && !slices.Contains(g.Notes, note) {
		g.Notes = append(g.Notes, note)
	}
}

// Read reads all syntaxes of a page, and the state of its scripts. The page keeps the
// graph.
func Read(d *dom.Document) *Graph {
	return d.Kept(keptGraph{}, func() any { return read(d) }).(*Graph)
}

// keptGraph is the key of the graph that a page keeps.
type keptGraph struct{}

func read(d *dom.Document) *Graph {
	g := &Graph{}
	tree := sync.OnceValue(func() *page { return survey(d) })
	readItems(d, tree, g, Syntaxes())
	readStates(d, tree, g)
	readLinkedStates(d, g)
	return g
}

// ReadSyntax reads only the items written in some syntaxes. What the bytes of the
// page prove to be absent is not looked for in its tree. JSON-LD alone needs
// no tree and is read from the bytes.
func ReadSyntax(d *dom.Document, syntaxes ...Syntax) *Graph {
	g := &Graph{}
	readItems(d, sync.OnceValue(func() *page { return leanSurvey(d) }), g, syntaxes)
	return g
}

// ReadJSONLD reads only JSON-LD, without parsing the page.
func ReadJSONLD(d *dom.Document) *Graph { return ReadSyntax(d, JSONLD) }

func readItems(d *dom.Document, tree func() *page, g *Graph, syntaxes []Syntax) {
	if d.IsJSON() {
		return
	}
	for _, syntax := range Syntaxes() {
		if !slices.Contains(syntaxes, syntax) {
			continue
		}
		switch syntax {
		case JSONLD:
			readJSONLD(d, g)
		case Microdata:
			readMicrodata(tree(), g)
		case RDFa:
			readRDFa(tree(), g)
		case Microformats:
			readMicroformats(tree(), g)
		case OpenGraph:
			readOpenGraph(tree(), g)
		case Meta:
			readMeta(tree(), g)
		}
	}
}
