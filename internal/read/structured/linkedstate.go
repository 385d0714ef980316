package structured

import (
	"reflect"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// maxStateSteps bounds the values of states that are searched for JSON-LD.
const maxStateSteps = 200_000

// readLinkedStates reads the JSON-LD that a page hands to its scripts instead of
// writing it into a script of its own: frameworks that render in the browser keep
// it in their state, as objects or as the text of the script to be written. It is
// asked for only where the page has no other JSON-LD.
func readLinkedStates(d *dom.Document, g *Graph) {
	if d.IsJSON() || len(g.Of(JSONLD)) > 0 {
		return
	}
	found := &Graph{}
	search := linkedSearch{reader: newLinkedReader(d.Base(), found), seen: map[uintptr]bool{}}
	for i := range g.States {
		search.visit(g.States[i].Value, 0)
	}
	search.reader.finish()
	g.Items = slices.Concat(found.Items, g.Items)
}

type linkedSearch struct {
	reader *linkedReader
	steps  int
	seen   map[uintptr]bool // states may lead through themselves
}

func (s *linkedSearch) visit(value any, depth int) {
	if s.steps++; s.steps > maxStateSteps || depth > maxDepth {
		return
	}
	switch value := value.(type) {
	case string:
		if isLinkedText(value) {
			for _, inner := range linkedValues(value, s.reader.g) {
				s.reader.document(inner)
			}
		}
	case []any:
		for _, entry := range value {
			s.visit(entry, depth+1)
		}
	case map[string]any:
		at := reflect.ValueOf(value).Pointer()
		if s.seen[at] {
			return
		}
		s.seen[at] = true
		if context, ok := value["@context"].(string); ok && isSchemaOrg(context) {
			s.reader.document(value)
			return
		}
		for _, key := range sortedKeys(value) {
			s.visit(value[key], depth+1)
		}
	}
}

// isLinkedText tells a text that is a document of JSON-LD by its beginning.
func isLinkedText(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	head := text[:min(len(text), 2000)]
	return strings.Contains(head, `"@context"`) && strings.Contains(head, "schema.org")
}
