package llmblueprint

import (
	"context"
	_ "embed" // for the instructions
	"encoding/json"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// interpreting are the instructions for translating what a person says.
//
//go:embed interpret.txt
var interpreting string

// mostSettings is how many settings are taken of an answer.
const mostSettings = 20

// Interpretation is what some words of a person mean, as a model says.
type Interpretation struct {
	Words string `json:"words"` // of the person, in one piece
	Name  string `json:"setting"`
	Value string `json:"value"`
}

// Interpret asks a model what the words of a person mean for reading a site. Settings
// whose words the person did not say are left out; whether their values make sense is for
// the caller to test.
func Interpret(ctx context.Context, m Model, said string, kinds []curlew.SchemaName, o Options) ([]Interpretation, error) {
	t := newTask(curlew.Schema{}, o)
	if len(t.fence) < 8 {
		return nil, errNoFence
	}
	var q strings.Builder
	t.warn(&q)
	fmt.Fprintf(&q, "The kinds are: %v.\n", kinds)
	t.fenced(&q, "what the person says", text.Clip(said, 5_000))
	q.WriteString("Answer with one JSON object: {\"settings\": […]}.")
	answer, _, err := m.Answer(ctx, interpreting, []string{q.String()})
	if err != nil {
		return nil, err
	}
	raw, ok := objectWith(answer, "settings")
	var heard struct {
		Settings []Interpretation `json:"settings"`
	}
	if !ok || json.Unmarshal(raw, &heard) != nil {
		return nil, curlew.Permanent("model_failed", "the model did not answer what the instructions mean")
	}
	var all []Interpretation
	for _, s := range heard.Settings[:min(len(heard.Settings), mostSettings)] {
		if strings.TrimSpace(s.Words) != "" && strings.Contains(said, s.Words) {
			all = append(all, s)
		}
	}
	return all, nil
}
