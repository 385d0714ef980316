package lesson

import (
	"context"
	"time"

	"curlew/internal/blueprint"
	"curlew/internal/curlew"
	"curlew/internal/dates"
	"curlew/internal/dom"
	"curlew/internal/induce"
	"curlew/internal/language"
	"curlew/internal/pipeline"
	"curlew/internal/score"
)

// Trial is what the rules gave on another page.
type Trial struct {
	URL      string           `json:"url"`
	Page     Sheet            `json:"page"`
	Fit      blueprint.Fit    `json:"fit"`
	Reasons  []string         `json:"reasons,omitempty"`
	Empty    induce.Emptiness `json:"empty,omitempty"`
	Records  int              `json:"records"`
	Accuracy int              `json:"accuracy"` // by the judge who asks the page about each value
	Passed   bool             `json:"passed"`
	Sentence string           `json:"sentence"`
	Feedback []string         `json:"feedback,omitempty"`
}

// Try reads another page by the rules. A page that cannot be had is told; one that does
// not fit is an outcome.
func (l *Lesson) Try(ctx context.Context, web Web, address string, now time.Time) error {
	b := l.Blueprint()
	if b == nil {
		return curlew.Permanent("nothing_learned", "nothing is learned yet: choose a list, or point at the values")
	}
	m, err := Ask(ctx, web, address, now)
	if err != nil {
		return err
	}
	if len(m.Body) > MostBody {
		return curlew.Permanent("page_too_large", "that page has %d KiB; at most %d can be looked at here", len(m.Body)>>10, MostBody>>10)
	}
	t := Trial{URL: address}
	l.put(TestPage, &t.Page, m)
	l.Test = &t
	return guarded(func() error {
		applied, err := l.apply(b, TestPage)
		if err != nil {
			return err
		}
		if applied.Fault != nil {
			return applied.Fault
		}
		t.Fit, t.Reasons, t.Empty, t.Records = applied.Fit.Fit, applied.Fit.Reasons, applied.Empty, len(applied.Readings)
		j := l.judge(applied.Readings, TestPage)
		t.Accuracy, t.Passed, t.Sentence, t.Feedback = j.Accuracy, j.Passed, j.Sentence, j.Feedback()
		return nil
	})
}

// judge asks a page about the values that were read from it.
func (l *Lesson) judge(readings []pipeline.Reading, name string) score.Judgement {
	doc := l.Document(name)
	tag, _ := language.Of(doc)
	sample := make([]score.Specimen, len(readings))
	for i, r := range readings {
		sample[i] = score.Specimen{Record: r.Record, Pages: []*dom.Document{doc}, Node: r.Node}
	}
	return score.Judge(sample, dates.Options{Now: l.material(name).Now, Lang: language.Primary(tag)})
}
