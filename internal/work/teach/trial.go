package teach

import (
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
)

// TestResult is what the rules gave on another page.
type TestResult struct {
	URL      string           `json:"url"`
	Page     PageInfo         `json:"page"`
	Fit      blueprint.Fit    `json:"fit"`
	Reasons  []string         `json:"reasons,omitempty"`
	Empty    induce.Emptiness `json:"empty,omitempty"`
	Records  int              `json:"records"`
	Accuracy int              `json:"accuracy"` // by the judge who asks the page about each value
	Passed   bool             `json:"passed"`
	Sentence string           `json:"sentence"`
	Feedback []string         `json:"feedback,omitempty"`
	Detail   *DetailTrial     `json:"own,omitempty"` // of one record of that page
}

// DetailTrial is what the rules gave on the detail page of a record, together with the list.
type DetailTrial struct {
	URL      string        `json:"url"`
	Page     PageInfo      `json:"page"`
	Listed   curlew.Record `json:"listed"`
	Problem  string        `json:"problem,omitempty"` // why it was not read
	Accuracy int           `json:"accuracy"`
	Passed   bool          `json:"passed"`
	Sentence string        `json:"sentence,omitempty"`
	Feedback []string      `json:"feedback,omitempty"`
}

// Try reads another page by the rules. A page that cannot be had is told; one that does
// not fit is an outcome.
func (l *Training) Try(ctx context.Context, web PageSource, address string, now time.Time) error {
	b := l.Blueprint()
	if b == nil {
		return curlew.Permanent("nothing_learned", "nothing is learned yet: choose a list, or point at the values")
	}
	m, err := FetchPage(ctx, web, address, now)
	if err != nil {
		return err
	}
	if len(m.Body) > MostBody {
		return tooLarge(m)
	}
	t := TestResult{URL: address}
	l.put(TestPage, &t.Page, m)
	l.Test = &t
	return l.guarded(func() error {
		applied, err := l.apply(ctx, b, TestPage)
		if err != nil {
			return err
		}
		if applied.Fault != nil {
			return applied.Fault
		}
		t.Fit, t.Reasons, t.Empty, t.Records = applied.Fit.Fit, applied.Fit.Reasons, applied.Empty, len(applied.Readings)
		j := l.judge(ctx, applied.Readings, TestPage)
		t.Accuracy, t.Passed, t.Sentence, t.Feedback = j.Accuracy, j.Passed, j.Sentence, j.Feedback()
		return l.tryDetail(ctx, web, applied.Readings, now)
	})
}

// tryDetail reads the detail page of a record of the page that the rules are tried on: one that
// was not learned from, where there is one.
func (l *Training) tryDetail(ctx context.Context, web PageSource, readings []extract.ReadRecord, now time.Time) error {
	if l.Detail == nil || len(l.Detail.Rules) == 0 || len(readings) == 0 {
		return nil
	}
	addresses := l.leading(ctx, l.Detail.Field, readings)
	if len(addresses) == 0 {
		return nil
	}
	address := addresses[0]
	if other := slices.IndexFunc(addresses, func(a string) bool {
		return !slices.ContainsFunc(l.Detail.Pages, func(p DetailSheet) bool { return p.Of == a })
	}); other >= 0 {
		address = addresses[other]
	}
	of := slices.IndexFunc(readings, func(r extract.ReadRecord) bool { return extract.AddressIn(r.Record, l.Detail.Field) == address })
	t := &DetailTrial{URL: address, Listed: readings[of].Record}
	m, err := fetchDetail(ctx, web, address, now)
	if err != nil {
		t.Problem = curlew.AsFault(err).Sentence
		l.Test.Detail = t
		return nil
	}
	l.put(TestDetailPage, &t.Page, m)
	l.Test.Detail = t
	own, err := l.Applied(ctx, TestDetailPage)
	if err != nil {
		return err
	}
	if len(own.Readings) == 0 {
		t.Problem = "the rules find nothing of the record on its detail page"
		if own.Fault != nil {
			t.Problem = own.Fault.Sentence
		}
		return nil
	}
	whole := extract.ReadRecord{Record: extract.Merge(t.Listed, own.Readings[0].Record), Node: readings[of].Node}
	j := l.judge(ctx, []extract.ReadRecord{whole}, TestPage, TestDetailPage)
	t.Accuracy, t.Passed, t.Sentence, t.Feedback = j.Accuracy, j.Passed, j.Sentence, j.Feedback()
	return nil
}

// judge asks a page, and further ones of its records, about the values that were read.
func (l *Training) judge(ctx context.Context, readings []extract.ReadRecord, name string, further ...string) quality.Judgement {
	doc := l.Document(name)
	tag := doc.Language()
	sample := make([]quality.SampleRecord, len(readings))
	for i, r := range readings {
		sample[i] = quality.SampleRecord{Record: r.Record, Pages: []*dom.Document{doc}, Node: r.Node}
		for _, other := range further {
			sample[i].Pages = append(sample[i].Pages, l.Document(other))
		}
	}
	return quality.Judge(ctx, sample, dates.Options{Now: l.Material(name).Now, Lang: language.Primary(tag)})
}
