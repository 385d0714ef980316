package cli

import (
	"fmt"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/llmblueprint"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/llm"
)

// The paths to a blueprint.
const (
	pathInduction = "induction"
	pathModel     = "model"
)

// configuredModel is the model of the configuration, with what asking it costs.
type configuredModel struct {
	way    *egress.Client
	client *llm.Client
	tally  *llm.MemoryMeter
	org    curlew.OrgID
	rounds int
}

// openModel opens the model of the configuration; nil where none is.
func (a *program) openModel() (*configuredModel, error) {
	cfg, err := a.load()
	if err != nil || cfg.LLM.Provider == config.NoModel {
		return nil, err
	}
	org, err := a.org()
	if err != nil {
		return nil, err
	}
	m := cfg.LLM
	if err := setup.Priced("llm.budget", m.Budget, m); err != nil {
		return nil, err
	}
	o := &configuredModel{tally: &llm.MemoryMeter{LimitMicros: int64(m.Budget)}, org: org, rounds: m.Rounds,
		way: setup.Way(cfg, m.URL)}
	if o.client, err = setup.ModelClient(m, o.way, llm.Options{Meter: o.tally, Budget: o.tally}); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *configuredModel) close() { o.way.Close() }

func (o *configuredModel) account(purpose curlew.ModelPurpose) llm.Attribution {
	return llm.Attribution{Org: o.org, Purpose: purpose}
}

func (o *configuredModel) options() llmblueprint.Options { return setup.Fenced(o.rounds) }

// modelReport is what asking a model came to.
type modelReport struct {
	curlew.ModelUsage
	Calls  int                  `json:"calls"`
	Rounds []llmblueprint.Round `json:"rounds"`
}

func (o *configuredModel) report(asked llmblueprint.WriteResult) *modelReport {
	return &modelReport{ModelUsage: o.tally.Total(), Calls: len(o.tally.Calls()), Rounds: asked.Rounds}
}

// bill says on one line what was asked and what it cost.
func (r *modelReport) bill() string {
	cost := fmt.Sprintf("$%.4f", float64(r.CostMicros)/1e6)
	if r.Estimated {
		cost += ", partly estimated"
	}
	rounds := "1 round"
	if n := len(r.Rounds); n != 1 {
		rounds = fmt.Sprintf("%d rounds", n)
	}
	return fmt.Sprintf("model %s/%s: %s, %d tokens sent, %d answered, %s", r.Provider, r.Model, rounds, r.InputTokens, r.OutputTokens, cost)
}

// learnedBlueprint is a blueprint that was learned, and on which path.
type learnedBlueprint struct {
	Blueprint *blueprint.Blueprint `json:"-"`
	Path      string               `json:"path"`
	Proof     induce.Proof         `json:"proof"`
	Model     *modelReport         `json:"model,omitempty"` // where one was asked
}

// lacks says whether a training finds no records, or misses a field: one that its schema
// requires, or of which values are known.
func (l learnedBlueprint) lacks() bool {
	b := l.Blueprint
	if b == nil || l.Proof.Records == 0 {
		return true
	}
	if schema, err := curlew.SchemaByName(b.Schema); err == nil {
		if slices.ContainsFunc(schema.Required(), func(name string) bool { return !b.Gives(name) }) {
			return true
		}
	}
	return slices.ContainsFunc(l.Proof.Fields, func(f induce.FieldProof) bool { return f.Known > 0 && f.Found == 0 })
}

// learnOrAsk learns without a model, and asks the configured one where that does not
// do or where the user insists.
func (c *learnCommand) learnOrAsk(a *program, samples []induce.LabelledPage) (learnedBlueprint, error) {
	l := learnedBlueprint{Path: pathInduction}
	var err error
	if !c.Model {
		if l.Blueprint, l.Proof, err = c.learn(a.Context, samples); err == nil && !l.lacks() {
			return l, nil
		}
	}
	o, opening := a.openModel()
	switch {
	case opening != nil:
		return l, opening
	case o == nil && c.Model:
		return l, exitError{curlew.Permanent("wrong_usage", "no model is configured: set llm.provider and llm.model, or leave out --model"),
			exitUsage}
	case o == nil:
		return l, err
	}
	defer o.close()
	asked, failing := llmblueprint.Learn(a.Context, o.client.For(o.account(curlew.PurposeLearn)), c.kind, samples,
		o.options())
	l.Model = o.report(asked)
	switch {
	case failing != nil && l.Blueprint != nil:
		l.Proof.Notes = append(l.Proof.Notes, "a model was asked as well: "+curlew.AsFault(failing).Sentence)
		return l, nil
	case failing != nil:
		return l, failing
	}
	before, _ := l.Proof.Found()
	if after, _ := asked.Proof.Found(); l.Blueprint == nil || c.Known == "" || after > before {
		l.Blueprint, l.Proof, l.Path = asked.Blueprint, asked.Proof, pathModel
	}
	return l, nil
}

// printLearned prints the proof, the path, and what a model cost.
func printLearned(a *program, l learnedBlueprint) {
	if a.JSON {
		writeJSON(a.Out, l)
		return
	}
	proofLines(a.Out, l.Proof)
	fmt.Fprintln(a.Out, "path: "+l.Path)
	if l.Model != nil {
		tellModel(a, l.Model)
	}
}

func tellModel(a *program, r *modelReport) {
	fmt.Fprintln(a.Out, printable(r.bill()))
	for i, round := range r.Rounds {
		for _, sentence := range round.Feedback {
			fmt.Fprintf(a.Out, "  round %d: %s\n", i+1, text.Clip(printable(sentence), 160))
		}
	}
}

// healByModel asks the configured model where healing without one failed.
func (a *program) healByModel(
	old *blueprint.Blueprint, past []induce.PastRecord, pages []induce.DatedPage, failed induce.HealResult, why error,
) (induce.HealResult, error) {
	if why == nil || curlew.AsFault(why).Kind != curlew.KindPermanent {
		return failed, why
	}
	o, err := a.openModel()
	if err != nil || o == nil {
		if err == nil {
			err = why
		}
		return failed, err
	}
	defer o.close()
	asked, err := llmblueprint.Heal(a.Context, o.client.For(o.account(curlew.PurposeHeal)),
		induce.Case{Old: old, Past: past, Pages: pages}, o.options())
	bill := o.report(asked).bill()
	if err != nil {
		fault := curlew.AsFault(err)
		failed.Proof.Notes = append(failed.Proof.Notes, "a model was asked as well: "+fault.Sentence, bill)
		if fault.Kind == curlew.KindPermanent {
			err = why
		}
		return failed, err
	}
	asked.Proof.Notes = append(asked.Proof.Notes, bill)
	return induce.HealResult{Blueprint: asked.Blueprint, Proof: asked.Proof, How: "written by a model, and compared with the page"}, nil
}
