package llmblueprint

import (
	"context"
	_ "embed" // for the instructions
	"encoding/json"
	"regexp"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// naming are the instructions for naming fields.
//
//go:embed name.txt
var naming string

// FieldSample is a field of a list and some of its values.
type FieldSample struct {
	Name   string           `json:"name"`
	Type   curlew.FieldType `json:"type"`
	Values []string         `json:"values"`
}

// mostSamples is how many values of a field are shown.
const mostSamples = 5

var fieldName = regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$`)

// NameFields asks a model what the fields of a list should be called: new names by the
// present ones, each a good name that no other field has.
func NameFields(ctx context.Context, m Model, fields []FieldSample, o Options) (map[string]string, error) {
	t := newTask(curlew.Schema{}, o)
	if len(t.fence) < 8 {
		return nil, errNoFence
	}
	taken := map[string]bool{"currency": true, "slots": true}
	var lines, q strings.Builder
	for _, f := range fields {
		taken[f.Name] = true
		f.Values = f.Values[:min(len(f.Values), mostSamples)]
		for i, v := range f.Values {
			f.Values[i] = text.Clip(text.Collapse(v), 100)
		}
		line, err := marshal(f)
		if err != nil {
			return nil, err
		}
		lines.Write(append(line, '\n'))
	}
	t.warn(&q)
	t.fenced(&q, "the columns", lines.String())
	q.WriteString("Answer with one JSON object: {\"names\": {…}}.")
	answer, _, err := m.Answer(ctx, naming, []string{q.String()})
	if err != nil {
		return nil, err
	}
	raw, ok := objectWith(answer, "names")
	var heard struct {
		Names map[string]string `json:"names"`
	}
	if !ok || json.Unmarshal(raw, &heard) != nil {
		return nil, curlew.Permanent("model_failed", "the model did not name the fields as asked")
	}
	names := map[string]string{}
	for _, f := range fields { // in their order, so that of two that want a name the first gets it
		if name := heard.Names[f.Name]; len(name) <= 40 && fieldName.MatchString(name) && !taken[name] {
			taken[name] = true
			names[f.Name] = name
		}
	}
	return names, nil
}
