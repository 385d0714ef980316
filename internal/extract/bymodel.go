package extract

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
)

// askModel leaves the page to a model. The values that it reads become records like any
// others, and the page is asked about each.
func (r *Compiled) askModel(ctx context.Context, m Material, o ApplyOptions) (a Applied) {
	if o.Model == nil {
		return Applied{Fault: curlew.Permanent("no_model", "this page is read by a model at each check, and none is configured")}
	}
	drafts, err := o.Model(r.Blueprint.Kind(), m)
	if err != nil {
		return Applied{Fault: curlew.AsFault(err)}
	}
	doc := m.document
	r.take(ctx, &a, drafts, taking{doc, contextOf(r.Blueprint, doc, m.Now, o), o.Signs})
	identify(a.Readings)
	r.fit(&a, blueprint.Output{}, doc)
	settleIDs(a.Readings)
	return a
}

// taking is what drafts become records by.
type taking struct {
	doc     *dom.Document
	context normalise.Context
	signs   bool // records keep what speaks for and against their values
}

// take makes records of drafts, and asks the page about every value.
func (r *Compiled) take(ctx context.Context, a *Applied, drafts []curlew.Draft, t taking) {
	how := t.context
	pageText := quality.NewPageText(t.doc, dates.Options{Now: how.Now, Lang: language.Primary(how.Lang), Order: how.Order})
	how.Decimals = normalise.DecimalSigns(drafts)
	for _, d := range drafts {
		if ctx.Err() != nil {
			return // whoever asked has gone
		}
		reading := ReadRecord{Text: d.Text, Node: d.Node, sure: d.Confidence}
		record, notes := normalise.Record(d, how)
		for _, note := range notes {
			if note.Code != normalise.MissingField {
				a.Notes = append(a.Notes, note.Field+": "+note.Sentence)
			}
		}
		pageText.Judge(&record)
		if !record.Whole() {
			a.Partial++
		}
		reading.Record, reading.Notes = record, notes
		a.Readings = append(a.Readings, reading)
	}
	if r.Blueprint.Page == curlew.PageList {
		a.Readings = entries(a.Readings, r.Blueprint.Tier)
	}
	(&estimating{doc: t.doc, now: how.Now, learned: true, keep: t.signs}).estimate(a.Readings)
}
