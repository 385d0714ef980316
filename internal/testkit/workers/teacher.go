package workers

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/llmblueprint"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Teacher asks a model's server, as an installation does.
type Teacher struct {
	client *llm.Client
	Server *llmtest.Server
	tally  *llm.MemoryMeter
}

const testFence = "f3b1c9d2a7e8"

// Teaching lets a model's server answer as told, one behaviour after the other.
func (o *Watching) Teaching(script ...llmtest.Behaviour) *Teacher {
	o.Helper()
	t := &Teacher{Server: llmtest.Serve(o.T, script...), tally: &llm.MemoryMeter{}}
	var err error
	settings := llm.Settings{Provider: llm.Anthropic, BaseURL: t.Server.URL, Model: "m", Timeout: llmtest.Patience(script...), Tries: 1}
	if t.client, err = llm.New(settings, o.client.HTTPClient(time.Minute), llm.Options{Meter: t.tally}); err != nil {
		o.Fatal(err)
	}
	return t
}

// to asks for a purpose.
func (t *Teacher) to(purpose curlew.ModelPurpose) *llm.AccountClient {
	return t.client.For(llm.Attribution{Purpose: purpose})
}

// Learn asks for a blueprint.
func (t *Teacher) Learn(
	ctx context.Context, kind curlew.Schema, page extract.Material, examples []*blueprint.Blueprint,
) (*blueprint.Blueprint, error) {
	asked, err := llmblueprint.Learn(ctx, t.to(curlew.PurposeLearn), kind, []induce.LabelledPage{{Document: page.Document(), Now: page.Now}},
		llmblueprint.Options{Fence: testFence, Examples: examples})
	return asked.Blueprint, err
}

// Heal asks for a blueprint in the place of one that stopped fitting.
func (t *Teacher) Heal(
	ctx context.Context, old *blueprint.Blueprint, past []induce.PastRecord, page extract.Material,
) (*blueprint.Blueprint, error) {
	broken := induce.Case{Old: old, Past: past, Pages: []induce.DatedPage{{Document: page.Document(), Now: page.Now}}}
	asked, err := llmblueprint.Heal(ctx, t.to(curlew.PurposeHeal), broken, llmblueprint.Options{Fence: testFence})
	return asked.Blueprint, err
}

// Judge asks what is wrong with records.
func (t *Teacher) Judge(ctx context.Context, sample []onboard.SampleRecord) (onboard.Opinion, error) {
	opinion, _, err := llmblueprint.Judge(ctx, t.to(curlew.PurposeJudge), sample, llmblueprint.Options{Fence: testFence})
	return opinion, err
}

// Read asks for the records of a page.
func (t *Teacher) Read(ctx context.Context, kind curlew.Schema, page extract.Material) ([]curlew.Draft, error) {
	return llmblueprint.Read(ctx, t.to(curlew.PurposeRead), kind, induce.DatedPage{Document: page.Document(), Now: page.Now},
		llmblueprint.Options{Fence: testFence})
}

// Interpret asks what instructions mean.
func (t *Teacher) Interpret(ctx context.Context, said string, kinds []curlew.SchemaName) ([]onboard.Interpretation, error) {
	return llmblueprint.Interpret(ctx, t.to(curlew.PurposeHear), said, kinds, llmblueprint.Options{Fence: testFence})
}

// Name asks what fields are called.
func (t *Teacher) Name(ctx context.Context, fields []onboard.FieldSample) (map[string]string, error) {
	return llmblueprint.NameFields(ctx, t.to(curlew.PurposeName), fields, llmblueprint.Options{Fence: testFence})
}

// Purposes are what the model was asked for, in order.
func (t *Teacher) Purposes() string {
	var all []string
	for _, call := range t.tally.Calls() {
		all = append(all, string(call.Purpose))
	}
	return strings.Join(all, " ")
}

// Doubting answers every question about a field with the same doubt, quoting the value.
func Doubting(doubt quality.Doubt, field string) llmtest.Behaviour {
	return func(w http.ResponseWriter, r *http.Request, call llmtest.ReceivedCall) {
		var answers []string
		for line := range strings.SplitSeq(call.Turns[0], "\n") {
			var id int
			rest, ok := strings.CutPrefix(line, `{"field":"`+field+`","id":`)
			if n, _ := fmt.Sscanf(rest, "%d", &id); !ok || n != 1 {
				continue
			}
			_, value, _ := strings.Cut(rest, `"value":`)
			answers = append(answers, fmt.Sprintf(`{"id": %d, "answer": %q, "quote": %s}`, id, doubt, strings.TrimSuffix(value, "}")))
		}
		llmtest.Says(`{"answers": [`+strings.Join(answers, ", ")+`]}`)(w, r, call)
	}
}
