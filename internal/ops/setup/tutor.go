package setup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/llmblueprint"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// tutor lets onboarding and healing ask the configured model on an account.
type tutor struct {
	client *llm.Client
	org    curlew.OrgID
	source curlew.SourceID
	rounds int
}

// on is the client with the account that the model is asked on.
func (t tutor) on(purpose curlew.ModelPurpose) *llm.AccountClient {
	return t.client.For(llm.Attribution{Org: t.org, Source: t.source, Purpose: purpose})
}

// Learn asks how to read a page.
func (t tutor) Learn(
	ctx context.Context, kind curlew.Schema, page extract.Material, examples []*blueprint.Blueprint,
) (*blueprint.Blueprint, error) {
	o := Fenced(t.rounds)
	o.Examples = examples
	pages := []induce.LabelledPage{{Document: page.Document(), Now: page.Now}}
	asked, err := llmblueprint.Learn(ctx, t.on(curlew.PurposeLearn), kind, pages, o)
	return asked.Blueprint, err
}

// Heal asks how to read a page that a blueprint no longer fits.
func (t tutor) Heal(
	ctx context.Context, old *blueprint.Blueprint, past []induce.PastRecord, page extract.Material,
) (*blueprint.Blueprint, error) {
	broken := induce.Case{Old: old, Past: past, Pages: []induce.DatedPage{{Document: page.Document(), Now: page.Now}}}
	asked, err := llmblueprint.Heal(ctx, t.on(curlew.PurposeHeal), broken, Fenced(t.rounds))
	return asked.Blueprint, err
}

// Judge asks what is doubtful about records beside their pages.
func (t tutor) Judge(ctx context.Context, sample []quality.SampleRecord) (quality.Opinion, error) {
	opinion, _, err := llmblueprint.Judge(ctx, t.on(curlew.PurposeJudge), sample, Fenced(t.rounds))
	return opinion, err
}

// Read asks for the records of a page.
func (t tutor) Read(ctx context.Context, kind curlew.Schema, page extract.Material) ([]curlew.Draft, error) {
	return llmblueprint.Read(ctx, t.on(curlew.PurposeRead), kind, induce.DatedPage{Document: page.Document(), Now: page.Now}, Fenced(t.rounds))
}

// Interpret asks what instructions mean.
func (t tutor) Interpret(ctx context.Context, said string, kinds []curlew.SchemaName) ([]onboard.Interpretation, error) {
	return llmblueprint.Interpret(ctx, t.on(curlew.PurposeHear), said, kinds, Fenced(t.rounds))
}

// Name asks what fields should be called.
func (t tutor) Name(ctx context.Context, fields []onboard.FieldSample) (map[string]string, error) {
	return llmblueprint.NameFields(ctx, t.on(curlew.PurposeName), fields, Fenced(t.rounds))
}

// Teachers open the way to the configured model for a process that reads, metered in the
// database; nil where none is configured.
func (i *Installation) Teachers() (onboard.Teachers, error) {
	if i.Onboard.Teacher != nil {
		return i.Onboard.Teacher, nil
	}
	m := i.Config.LLM
	if m.Provider == config.NoModel {
		return nil, nil
	}
	if err := Priced("llm.month_budget", m.MonthBudget, m); err != nil {
		return nil, err
	}
	books := newLedger(i.Store, int64(m.MonthBudget))
	client, err := ModelClient(m, Way(i.Config, m.URL), llm.Options{Meter: books, Budget: books})
	if err != nil {
		return nil, err
	}
	return func(org curlew.OrgID, source curlew.SourceID) onboard.Teacher {
		return tutor{client: client, org: org, source: source, rounds: m.Rounds}
	}, nil
}

// Priced refuses a budget that nobody can keep to.
func Priced(setting string, budget config.Micros, m config.LLM) error {
	if budget > 0 && (m.InputPrice == 0 || m.OutputPrice == 0) {
		return curlew.Permanent(llm.ErrNotConfigured, "%s is $%s, but it needs llm.input_price and llm.output_price",
			setting, budget)
	}
	return nil
}

// sender sends a request as it is: it follows no redirect, which could take the key
// elsewhere.
type sender struct{ http.RoundTripper }

func (s sender) Do(r *http.Request) (*http.Response, error) { return s.RoundTrip(r) }

// Fenced are options with a fence that no page can know.
func Fenced(rounds int) llmblueprint.Options {
	var fence [16]byte
	_, _ = rand.Read(fence[:]) // which never fails
	return llmblueprint.Options{Fence: hex.EncodeToString(fence[:]), Rounds: rounds}
}

// ModelClient is a client of the configured model, which goes out by the given way.
func ModelClient(m config.LLM, way *egress.Client, o llm.Options) (*llm.Client, error) {
	return llm.New(llm.Settings{
		Provider: llm.Provider(m.Provider), BaseURL: m.URL, Model: m.Model, Key: llm.Key(m.Key.Secret()), MaxTokens: m.MaxTokens,
		Timeout: m.Timeout, Tries: m.Tries, InputPrice: int64(m.InputPrice), OutputPrice: int64(m.OutputPrice),
	}, sender{way.Transport()}, o)
}
