package console

import (
	"context"
	"maps"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// detailOf shows the detail page of the first record. Where only the list is read, its DetailPage
// is false.
func detailOf(ctx context.Context, l *teach.Training) (Training, error) {
	if !l.Has(teach.DetailPage) {
		return Training{ID: l.ID}, nil // only the list is read
	}
	page := l.Detail.Pages[0]
	seen := Training{ID: l.ID, URL: page.URL, Schema: l.Goal.Schema, Page: curlew.PageSingle, At: page.At, DetailPage: true,
		Removed: l.Detail.Removed, Question: l.Question,
		Data: l.Document(teach.DetailPage).IsJSON(), Places: l.Places(teach.DetailPage), Own: detailReading(ctx, l)}
	applied, err := l.Applied(ctx, teach.DetailPage)
	if err != nil {
		return seen, err
	}
	if len(applied.Readings) == 0 && applied.Fault != nil {
		seen.Notes = append(seen.Notes, applied.Fault.Sentence)
	}
	seen.Total = len(applied.Readings)
	about := taughtOf{kind: l.Goal.Kind(), taught: l.Detail.Taught, removed: l.Detail.Removed}
	seen.Fields, seen.Missing = about.fields(nil, applied.Readings)
	seen.Records = detailRecords(l, applied.Readings)
	besideList(seen.Fields, l.Listed(ctx, teach.DetailPage).Fields, applied.Readings)
	return seen, nil
}

// detailRecords are the readings of a detail page.
func detailRecords(l *teach.Training, readings []extract.ReadRecord) []TrainingRecord {
	all := trainingRecords(l, readings)
	for i := range all {
		all[i].Taught = map[string]bool{}
		for _, t := range l.Detail.Taught {
			all[i].Taught[t.Field] = true
		}
	}
	return all
}

// besideList says of the fields of a detail page how they stand to what the list says.
func besideList(fields []TrainingField, listed curlew.Values, readings []extract.ReadRecord) {
	if len(readings) == 0 {
		return
	}
	own := flat(readings[0].Record.Fields)
	had := flat(listed)
	for i, f := range fields {
		was, is := had[f.Name]
		switch {
		case !is:
			fields[i].Note = "not in the list"
		case onboard.Fuller(was, own[f.Name]):
			fields[i].Note = "fuller than in the list"
		default:
			fields[i].Note = asListed
		}
	}
	slices.SortStableFunc(fields, func(a, b TrainingField) int { // what is added comes first
		switch {
		case a.Note == asListed && b.Note != asListed:
			return 1
		case a.Note != asListed && b.Note == asListed:
			return -1
		}
		return 0
	})
}

// asListed is said of a field that tells no more than the list does.
const asListed = "in the list, too"

// detailReading sums up how detail pages are read; nil where they are not.
func detailReading(ctx context.Context, l *teach.Training) *DetailReading {
	if l.Detail == nil {
		return nil
	}
	seen := &DetailReading{Adds: l.Adds(ctx)}
	for _, f := range l.Detail.Rules {
		seen.Rules = append(seen.Rules, ExplainedFollow{Field: f.Field, Explained: explain(f.With)})
	}
	for i, name := range []string{teach.DetailPage, teach.SecondPage} {
		if !l.Has(name) {
			continue
		}
		page := l.Detail.Pages[i]
		if i == 0 {
			seen.URL = page.URL
		}
		row := DetailRow{URL: page.URL, Name: nameOf(l.Goal.Kind(), l.Listed(ctx, name).Fields, "")}
		if applied, err := l.Applied(ctx, name); err == nil && len(applied.Readings) > 0 {
			row.Record, row.Speaks = detailRecords(l, applied.Readings)[0], true
		}
		seen.Rows = append(seen.Rows, row)
	}
	return seen
}

// detailTest is what list and detail page gave together.
func detailTest(ctx context.Context, l *teach.Training) *DetailTest {
	t := l.Test.Detail
	if t == nil {
		return nil
	}
	seen := &DetailTest{URL: t.URL, Problem: t.Problem, Accuracy: t.Accuracy, Passed: t.Passed, Sentence: t.Sentence, Feedback: t.Feedback}
	applied, err := l.Applied(ctx, teach.TestDetailPage)
	if err != nil || len(applied.Readings) == 0 {
		return seen
	}
	record := extract.Merge(t.Listed, applied.Readings[0].Record)
	if record.Provenance == nil {
		record.Provenance = map[string]curlew.Evidence{}
	}
	seen.Record = TrainingRecord{Fields: flat(record.Fields), Evidence: record.Provenance, Taught: map[string]bool{}}
	whole := []extract.ReadRecord{{Record: record}}
	seen.Fields, _ = taughtOf{kind: l.Goal.Kind()}.fields(nil, whole)
	own := applied.Readings[0].Record.Fields
	for i, f := range seen.Fields {
		seen.Fields[i].Note = "from the list"
		if slices.Contains(slices.Collect(maps.Keys(flat(own))), f.Name) {
			seen.Fields[i].Note = "from its detail page"
		}
	}
	return seen
}
