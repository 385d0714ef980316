package structured

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// percentDecoded is decodeURIComponent; what is not well formed stays.
func percentDecoded(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

// mayHoldAttributes says, from the bytes alone, whether an attribute may hold JSON.
func mayHoldAttributes(body []byte) bool {
	for _, start := range []string{`="{`, `='{`, `="[`, `='[`, "astro-island"} {
		if bytes.Contains(body, []byte(start)) {
			return true
		}
	}
	return false
}

// attributes reads the attributes of the page that hold JSON: the props of
// components that come alive in the browser.
func (s *stateReader) attributes(p *page) {
	for n := p.root; n != nil; n = next(p.root, n, true) {
		if n.Type != html.ElementNode || len(s.g.States) >= maxStates {
			continue
		}
		for _, a := range n.Attr {
			if holdsState(a.Key) {
				s.attribute(p, n, a.Key, a.Val)
			}
		}
	}
}

// holdsState tells the attributes that frameworks put data in.
func holdsState(name string) bool {
	return strings.HasPrefix(name, "data-") || strings.HasPrefix(name, ":") || strings.HasPrefix(name, "wire:") ||
		name == "props" || name == "x-data" || name == "ng-init"
}

func (s *stateReader) attribute(p *page, n *html.Node, name, text string) {
	text = strings.TrimSpace(text)
	if len(text) < 8 || text[0] != '{' && text[0] != '[' {
		return
	}
	reader := literalReader{src: text, script: name[0] == ':' || name == "x-data"}
	value, err := reader.whole()
	if err != nil || isEmpty(value) || !holdsObject(value) {
		return
	}
	kind := name
	if n.Data == "astro-island" && name == "props" {
		kind, value = "astro-island", astroProps(value)
	}
	label := kind
	if component := dom.Attr(n, "component-export"); component != "" && component != "default" {
		label += ":" + component
	} else if id := dom.Attr(n, "id"); id != "" {
		label += ":" + id
	}
	s.keepAt(kind, label, value, p.path(n))
}

// holdsObject tells data from settings such as data-sizes="[1,2]".
func holdsObject(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return true
	case []any:
		for _, entry := range value {
			if _, ok := entry.(map[string]any); ok {
				return true
			}
		}
	}
	return false
}

// astroProps decodes the props of an Astro island, whose values are written as
// [kind, value].
func astroProps(value any) any {
	members, ok := value.(map[string]any)
	if !ok {
		return value
	}
	decoded := make(map[string]any, len(members))
	for key, member := range members {
		decoded[key] = astroValue(member)
	}
	return decoded
}

func astroValue(value any) any {
	pair, ok := value.([]any)
	if !ok || len(pair) == 0 {
		return value
	}
	kind, ok := pair[0].(json.Number)
	if !ok {
		return value
	}
	if len(pair) == 1 {
		return nil
	}
	switch kind {
	case "0":
		return astroProps(pair[1])
	case "1", "5", "8", "9", "10": // lists, sets, typed arrays
		return astroList(pair[1])
	case "4":
		return mapOf(astroList(pair[1]))
	case "2", "11": // expressions and infinity
		return nil
	}
	return pair[1]
}

// astroList decodes a list, which older versions write as JSON in a text.
func astroList(value any) any {
	if text, ok := value.(string); ok {
		value = unpacked(text)
	}
	entries, ok := value.([]any)
	if !ok {
		return value
	}
	decoded := make([]any, len(entries))
	for i := range entries {
		decoded[i] = astroValue(entries[i])
	}
	return decoded
}
