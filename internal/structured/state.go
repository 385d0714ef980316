package structured

import (
	"strconv"
	"strings"

	"curlew/internal/dom"
)

// maxStates bounds the states that are kept of a page.
const maxStates = 500

// stateReader collects the states of a page.
type stateReader struct {
	g     *Graph
	names map[string]int
}

// readStates reads the state of script frameworks and JSON islands.
func readStates(d *dom.Document, g *Graph) {
	if d.IsJSON() {
		return
	}
	s := &stateReader{g: g, names: map[string]int{}}
	for _, script := range d.Scripts() {
		if isJSONType(script.Type) {
			s.island(script)
		}
	}
}

// isJSONType tells the types of scripts that hold plain JSON.
func isJSONType(kind string) bool {
	return kind == "application/json" || kind == "text/json" || kind == "text/x-json" ||
		strings.HasSuffix(kind, "+json") && kind != "application/ld+json"
}

// island reads a script that holds JSON.
func (s *stateReader) island(script dom.Script) {
	values, _, err := jsonValues(unwrap(script.Text))
	if err != nil && len(values) == 0 {
		s.g.note(Script, "the data in a script were given up: "+err.Error())
		return
	}
	for _, value := range values {
		kind := "json"
		if script.ID == "__NEXT_DATA__" {
			kind = "__NEXT_DATA__"
		}
		s.keep(kind, script.ID, value)
	}
}

// keep adds a state under a name of its own.
func (s *stateReader) keep(kind, name string, value any) {
	if len(s.g.States) >= maxStates || isEmpty(value) {
		return
	}
	if name == "" {
		name = kind
	}
	s.names[name]++
	if n := s.names[name]; n > 1 {
		name += "#" + strconv.Itoa(n)
	}
	s.g.States = append(s.g.States, State{Kind: kind, Name: name, Value: value})
}

func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	}
	return false
}
