package structured

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes the graph as JSON, whatever circles it holds: an item is
// written at the top, or else where it is met first, with a "ref" if it is met
// again; there only that ref is written.
func (g *Graph) MarshalJSON() ([]byte, error) {
	p := printer{met: map[*Item]int{}, top: map[*Item]bool{}, shown: map[*Item]bool{}, refs: map[*Item]int{}}
	for item := range g.All() {
		for _, values := range item.Properties {
			for _, value := range values {
				p.met[value.Item]++
			}
		}
	}
	for _, item := range g.Items {
		p.met[item]++
		p.top[item] = true
	}
	items := []any{}
	for _, item := range g.Items {
		items = append(items, p.item(item, 0))
	}
	states := g.States
	if states == nil {
		states = []ScriptState{}
	}
	return marshal(struct {
		Items  []any         `json:"items"`
		States []ScriptState `json:"states"`
		Notes  []SyntaxNote  `json:"notes,omitempty"`
	}{items, states, g.Notes})
}

// MarshalIndent writes the graph as indented JSON for people.
func (g *Graph) MarshalIndent() ([]byte, error) {
	plain, err := g.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, plain, "", "  "); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// marshal is json.Marshal without the escapes that only HTML needs.
func marshal(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

type printer struct {
	met   map[*Item]int
	top   map[*Item]bool
	shown map[*Item]bool
	refs  map[*Item]int // numbers of items that are met more than once, in the order of printing
}

type printedItem struct {
	Ref        int                       `json:"ref,omitempty"`
	Syntax     Syntax                    `json:"syntax,omitempty"`
	Types      []string                  `json:"types,omitempty"`
	ID         string                    `json:"id,omitempty"`
	Properties map[string][]printedValue `json:"properties,omitempty"`
	Node       string                    `json:"node,omitempty"`
}

type printedValue struct {
	Text string       `json:"text,omitempty"`
	Lang string       `json:"lang,omitempty"`
	Item *printedItem `json:"item,omitempty"`
	Node string       `json:"node,omitempty"`
}

// item prints an item; below a depth that no page needs, only its id.
func (p *printer) item(item *Item, depth int) *printedItem {
	out := &printedItem{}
	if p.met[item] > 1 {
		if p.refs[item] == 0 {
			p.refs[item] = len(p.refs) + 1
		}
		out.Ref = p.refs[item]
	}
	if p.shown[item] || depth > maxDepth || depth > 0 && p.top[item] {
		out.ID = item.ID
		return out
	}
	p.shown[item] = true
	out.Syntax, out.Types, out.ID, out.Node = item.Syntax, item.Types, item.ID, item.Node
	out.Properties = map[string][]printedValue{}
	for _, name := range item.Names() {
		for _, value := range item.Properties[name] {
			printed := printedValue{Text: value.Text, Lang: value.Lang, Node: value.Node}
			if value.Item != nil {
				printed.Item = p.item(value.Item, depth+1)
			}
			out.Properties[name] = append(out.Properties[name], printed)
		}
	}
	return out
}
