package structured

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// maxStates bounds the states that are kept of a page.
const maxStates = 500

// stateReader collects the states of a page.
type stateReader struct {
	g      *Graph
	names  map[string]int
	flight strings.Builder
	stream strings.Builder
}

// readStates reads the state of script frameworks and JSON islands. The tree is
// asked for only if an attribute may hold data.
func readStates(d *dom.Document, tree func() *page, g *Graph) {
	if d.IsJSON() {
		return
	}
	s := &stateReader{g: g, names: map[string]int{}}
	for _, script := range d.Scripts() {
		switch {
		case isJSONType(script.Type):
			s.island(script)
		case isScriptType(script.Type) && script.Text != "":
			s.script(script.Text)
		}
	}
	if s.flight.Len() > 0 {
		s.keep("flight", "__next_f", readFlight(s.flight.String()))
	}
	if s.stream.Len() > 0 {
		s.keep("turbo-stream", "streamController", readTurboStream(s.stream.String()))
	}
	if mayHoldAttributes(d.Body()) {
		s.attributes(tree())
	}
}

// isJSONType tells the types of scripts that hold plain JSON.
func isJSONType(kind string) bool {
	return kind == "application/json" || kind == "text/json" || kind == "text/x-json" ||
		strings.HasSuffix(kind, "+json") && kind != "application/ld+json"
}

// isScriptType tells the types of scripts that a browser executes.
func isScriptType(kind string) bool {
	return kind == "" || kind == "module" || strings.Contains(kind, "javascript") || kind == "text/ecmascript"
}

// known are variables that have a kind of their own.
var known = map[string]bool{
	"__NUXT__": true, "__NEXT_DATA__": true, "__INITIAL_STATE__": true, "__PRELOADED_STATE__": true, "__APOLLO_STATE__": true,
	"__remixContext": true, "__staticRouterHydrationData": true, "__RELAY_STORE__": true, "__INITIAL_DATA__": true, "__DATA__": true,
	"dataLayer": true,
}

// island reads a script that holds JSON.
func (s *stateReader) island(script dom.Script) {
	text := unwrap(script.Text)
	if strings.HasPrefix(text, "{&q;") {
		text = angularEscapes.Replace(text)
	}
	values, _, err := jsonValues(text)
	if err != nil && len(values) == 0 {
		s.g.note(Script, "the data in a script were given up: "+err.Error())
		return
	}
	for _, value := range values {
		kind, name := "json", script.ID
		_, fetched := script.Attrs["data-sveltekit-fetched"]
		entries, isFlat := isDevalue(value)
		switch {
		case script.ID == "__NEXT_DATA__":
			kind = script.ID
		case isFlat && (strings.Contains(script.ID, "NUXT_DATA") || strings.Contains(script.ID, "nuxt-data") ||
			script.Attrs["data-nuxt-data"] != ""):
			kind, value = "__NUXT_DATA__", readDevalue(entries)
		case script.ID == "ng-state" || strings.HasSuffix(script.ID, "-state") && strings.Contains(script.Text, "&q;"):
			kind = "ng-state"
		case fetched:
			kind, name, value = "sveltekit", script.Attrs["data-url"], fetchedBody(value)
		}
		s.keep(kind, name, value)
	}
}

// angularEscapes are how Angular wrote its transfer state before version 16.
var angularEscapes = strings.NewReplacer("&q;", `"`, "&s;", "'", "&l;", "<", "&g;", ">", "&a;", "&")

// fetchedBody is the answer that SvelteKit kept of a request.
func fetchedBody(value any) any {
	if members, ok := value.(map[string]any); ok {
		if text, ok := members["body"].(string); ok {
			if body := unpacked(text); body != nil {
				return body
			}
		}
	}
	return value
}

// script reads a script of code for the data that it is given.
func (s *stateReader) script(text string) {
	if strings.Contains(text, "__next_f") {
		flightPieces(text, &s.flight)
		return
	}
	if strings.Contains(text, "streamController.enqueue(") {
		streamPieces(text, &s.stream)
	}
	if strings.Contains(text, "__sveltekit") || strings.Contains(text, "kit.start(") {
		s.svelteKit(text)
	}
	s.gatsby(text)
	for _, a := range assignments(text) {
		kind := "variable"
		if known[a.name] {
			kind = a.name
		}
		s.keep(kind, a.name, a.value)
	}
}

// svelteKit reads what the start script hands to the page: data: […].
func (s *stateReader) svelteKit(text string) {
	for from := 0; ; {
		at := strings.Index(text[from:], "data:")
		if at < 0 {
			return
		}
		from += at + len("data:")
		reader := literalReader{src: text, pos: from, script: true}
		value, err := reader.value()
		if entries, ok := value.([]any); ok && err == nil && holdsObject(entries) {
			s.keep("sveltekit", "data", unfold(entries))
			return
		}
	}
}

// gatsby reads the path of the page, which names its data file.
func (s *stateReader) gatsby(text string) {
	const mark = "window.pagePath="
	if at := strings.Index(text, mark); at >= 0 {
		reader := literalReader{src: text, pos: at + len(mark), script: true}
		if path, err := reader.value(); err == nil {
			s.keep("gatsby", "pagePath", path)
		}
	}
}

func (s *stateReader) keep(kind, name string, value any) { s.keepAt(kind, name, value, "") }

// keepAt adds a state under a name of its own.
func (s *stateReader) keepAt(kind, name string, value any, node string) {
	if len(s.g.States) >= maxStates || isEmpty(value) {
		return
	}
	name = cmp.Or(name, kind)
	s.names[name]++
	if n := s.names[name]; n > 1 {
		name += "#" + strconv.Itoa(n)
	}
	s.g.States = append(s.g.States, ScriptState{Kind: kind, Name: name, Value: withReferences(value), Node: node})
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
