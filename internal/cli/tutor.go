package cli

import (
	"context"

	"curlew/internal/ask"
	"curlew/internal/blueprint"
	"curlew/internal/config"
	"curlew/internal/curlew"
	"curlew/internal/egress"
	"curlew/internal/induce"
	"curlew/internal/jobs"
	"curlew/internal/llm"
	"curlew/internal/pipeline"
	"curlew/internal/score"
)

// tutor lets onboarding and healing ask the configured model on an account.
type tutor struct {
	client *llm.Client
	org    curlew.OrgID
	source curlew.SourceID
	rounds int
}

// Learn asks how to read a page.
func (t tutor) Learn(ctx context.Context, schema curlew.SchemaName, page pipeline.Material, examples []*blueprint.Blueprint) (*blueprint.Blueprint, error) {
	o := fenced(t.rounds)
	o.Examples = examples
	asked, err := ask.Learn(ctx, t.client.For(llm.Account{Org: t.org, Source: t.source, Purpose: curlew.PurposeLearn}), schema,
		[]induce.Known{{Document: page.Document(), Now: page.Now}}, o)
	return asked.Blueprint, err
}

// Heal asks how to read a page that a blueprint no longer fits.
func (t tutor) Heal(ctx context.Context, old *blueprint.Blueprint, past []induce.Past, page pipeline.Material) (*blueprint.Blueprint, error) {
	asked, err := ask.Heal(ctx, t.client.For(llm.Account{Org: t.org, Source: t.source, Purpose: curlew.PurposeHeal}), old, past,
		[]induce.Page{{Document: page.Document(), Now: page.Now}}, fenced(t.rounds))
	return asked.Blueprint, err
}

// Judge asks what is doubtful about records beside their pages.
func (t tutor) Judge(ctx context.Context, sample []score.Specimen) (score.Opinion, error) {
	opinion, _, err := ask.Judge(ctx, t.client.For(llm.Account{Org: t.org, Source: t.source, Purpose: curlew.PurposeJudge}), sample, fenced(t.rounds))
	return opinion, err
}

// teachers open the way to the configured model for the jobs of this process, metered in
// the database; nil where none is configured.
func (i *installation) teachers(way *egress.Client) (jobs.Teachers, error) {
	m := i.cfg.LLM
	if m.Provider == config.NoModel {
		return nil, nil
	}
	if err := priced("llm.month_budget", m.MonthBudget, m); err != nil {
		return nil, err
	}
	books := newLedger(i.store, int64(m.MonthBudget))
	client, err := modelClient(m, way, llm.Options{Meter: books, Budget: books})
	if err != nil {
		return nil, err
	}
	return func(org curlew.OrgID, source curlew.SourceID) pipeline.Teacher {
		return tutor{client: client, org: org, source: source, rounds: m.Rounds}
	}, nil
}

// priced refuses a budget that nobody can keep to.
func priced(setting string, budget config.Micros, m config.LLM) error {
	if budget > 0 && (m.InputPrice == 0 || m.OutputPrice == 0) {
		return exitError{curlew.Permanent("llm_not_configured", "%s is $%s, but without llm.input_price and llm.output_price nobody can keep to it", setting, budget), exitUsage}
	}
	return nil
}

// modelClient is a client of the configured model, which goes out by the given way.
func modelClient(m config.LLM, way *egress.Client, o llm.Options) (*llm.Client, error) {
	client, err := llm.New(llm.Settings{Provider: llm.Provider(m.Provider), BaseURL: m.URL, Model: m.Model, Key: llm.Key(m.Key.Secret()), MaxTokens: m.MaxTokens,
		Timeout: m.Timeout, Tries: m.Tries, InputPrice: int64(m.InputPrice), OutputPrice: int64(m.OutputPrice)}, sender{way.Transport()}, o)
	if err != nil {
		return nil, exitError{err, exitUsage}
	}
	return client, nil
}
