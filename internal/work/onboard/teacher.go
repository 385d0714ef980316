package onboard

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/llmblueprint"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// SampleRecord and Opinion are what a teacher is shown, and what it says of it.
type (
	SampleRecord = quality.SampleRecord
	Opinion      = quality.Opinion
)

// Teacher writes blueprints where nothing else does: a language model. What it writes
// is tried on the page like any other way, and counts for no more.
type Teacher interface {
	// Learn writes how to read entities of a schema from a page. The examples are
	// blueprints of similar sources.
	Learn(ctx context.Context, kind curlew.Schema, page extract.Material, examples []*blueprint.Blueprint) (*blueprint.Blueprint, error)
	// Heal writes how to read a page that a blueprint no longer fits, and of which
	// values are known from before.
	Heal(ctx context.Context, old *blueprint.Blueprint, past []induce.PastRecord, page extract.Material) (*blueprint.Blueprint, error)
	// Judge looks at records beside their pages and says what it doubts. Its word can
	// lower trust, never raise it.
	Judge(ctx context.Context, sample []SampleRecord) (Opinion, error)
	// Read reads the records of a page: values that are on it, word for word.
	Read(ctx context.Context, kind curlew.Schema, page extract.Material) ([]curlew.Draft, error)
	// Interpret says what a person's instructions mean, of those words that were not
	// understood otherwise.
	Interpret(ctx context.Context, said string, kinds []curlew.SchemaName) ([]Interpretation, error)
	// Name gives better names to fields of a list, by the present ones.
	Name(ctx context.Context, fields []FieldSample) (map[string]string, error)
}

// FieldSample is a field and some of its values.
type FieldSample = llmblueprint.FieldSample

// Interpretation is what some words of a person mean.
type Interpretation = llmblueprint.Interpretation

// SecondOpinion asks the teacher for its opinion of a sample that passed. Whatever goes wrong on
// the way costs nothing but the opinion.
func SecondOpinion(ctx context.Context, teacher Teacher, sample []quality.SampleRecord) quality.Opinion {
	opinion, err := teacher.Judge(ctx, sample)
	if err != nil {
		return quality.Opinion{Note: "the model gave no answer: " + curlew.AsFault(err).Sentence}
	}
	return opinion
}

// leftToTeacher says whether a teacher may read a page that nothing else reads: a person
// named what is on it.
func (a Analysis) leftToTeacher(in Instructions) bool {
	return in.Schema != "" && in.Schema != curlew.SchemaPage && a.inspected != nil && a.inspected.Home.Body != nil
}

// readByTeacher lets the teacher read the page, now and at each check: the last resort, where
// a person named a kind and nothing else reads it.
func (o Onboarding) readByTeacher(ctx context.Context, look *Search, number, before int) Trial {
	t := Trial{Iteration: number, Tier: curlew.TierLLM, What: "a model was asked to read the page at each check", Before: before}
	var fault *curlew.Fault
	look.Model = func(kind curlew.Schema, m extract.Material) ([]curlew.Draft, error) {
		drafts, err := o.Teacher.Read(ctx, kind, m)
		fault = curlew.AsFault(err)
		return drafts, err
	}
	b := blueprint.LeftToReaders(look.Options.KindOf(look.Schema), curlew.PageList, curlew.TierLLM)
	p, ok := look.Try(ctx, Way{Address: look.Home.URL, Blueprint: b})
	if !ok {
		t.Feedback = []string{"the model read no records on the page"}
		if fault != nil {
			t.Feedback = []string{fault.Sentence}
		}
		return t
	}
	p.Report = look.Report
	what := t.What
	t = o.test(ctx, p)
	t.Iteration, t.What, t.Before = number, what, before
	return t
}

// taught asks the teacher, and tests what it wrote. It never fails: a teacher that has
// no answer is a trial that did not pass.
func (o Onboarding) taught(ctx context.Context, look *Search, number, before int) Trial {
	t := Trial{Iteration: number, Tier: curlew.TierHTML, What: "a model was asked", Before: before}
	b, err := o.Teacher.Learn(ctx, look.Options.KindOf(look.Schema), look.Home, o.examples)
	if err != nil {
		t.Feedback = []string{curlew.AsFault(err).Sentence}
		return t
	}
	look.Paged(ctx, b, look.Home.Document())
	p, ok := look.Try(ctx, Way{Address: look.Home.URL, Blueprint: b})
	if !ok {
		t.Feedback = []string{"the rules that the model wrote give no records"}
		return t
	}
	p.Report = look.Report
	t = o.test(ctx, p)
	t.Iteration, t.What, t.Before = number, "written by a model", before
	return t
}
