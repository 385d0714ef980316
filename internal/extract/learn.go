package extract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// Learn writes a blueprint for what pages show of a kind, and proves it by applying it:
// where its rules do not give what the reader gives, the reader itself is the rule.
func Learn(ctx context.Context, kind curlew.Schema, samples []induce.LabelledPage) (*blueprint.Blueprint, induce.Proof, error) {
	b, proof, err := learnRules(ctx, kind, samples)
	if ctx.Err() != nil {
		return nil, proof, ctx.Err()
	}
	if err == nil && (b.Tier != curlew.TierHTML || b.Page == curlew.PageSingle) {
		return b, proof, nil
	}
	left := blueprint.LeftToReaders(kind, curlew.PageList, curlew.TierHTML)
	reader, fault := Compile(left)
	if fault != nil { // the kind has no reader
		return b, proof, err
	}
	var rules *Compiled
	if err == nil {
		rules, err = Compile(b)
	}
	var read [][]ReadRecord
	same := rules != nil
	records := 0
	for _, s := range samples {
		page := MaterialOf(s.Document, s.Now)
		want := wholeOf(reader.Apply(ctx, page, ApplyOptions{}).Readings)
		read, records = append(read, want), records+len(want)
		same = same && Reproduces(want, wholeOf(rules.Apply(ctx, page, ApplyOptions{}).Readings), ByRequired)
	}
	if ctx.Err() != nil {
		return nil, proof, ctx.Err()
	}
	if same || records == 0 || err != nil && records < 2 {
		return b, proof, err
	}
	left.URL, left.Expect = samples[0].Document.URL().String(), reader.Expect(read...)
	const note = "left to the reader: no rules give the same records"
	return left, induce.Proof{Pages: len(samples), Records: records, Notes: []string{note}}, nil
}

// withSlots says whether some records have columns that their kind has no field for.
func withSlots(all []ReadRecord) bool {
	return slices.ContainsFunc(all, func(one ReadRecord) bool { return one.Record.Fields["slots"] != nil })
}

// learnRules writes rules for what pages carry as data, or for what they show.
func learnRules(ctx context.Context, kind curlew.Schema, samples []induce.LabelledPage) (*blueprint.Blueprint, induce.Proof, error) {
	data, proof, ok := FromData(ctx, kind, samples)
	if ok && data.Tier == curlew.TierStructured {
		return data, proof, nil
	}
	var read []induce.Read
	shown := 0
	for _, s := range samples {
		drafts := induce.ReadPage(ctx, s.Document, s.Now, kind, induce.DayRange{})
		read = append(read, induce.Read{Document: s.Document, Now: s.Now, Drafts: drafts})
		shown += len(drafts)
	}
	if ok && proof.Records*2 > shown { // scripts also carry menus and tabs: what the page shows decides
		return data, proof, nil
	}
	return induce.Learn(ctx, kind, read)
}

// Heal heals a blueprint with all that the readers of its kind give.
func Heal(ctx context.Context, c induce.Case) (induce.HealResult, error) {
	c.Offers = append(c.Offers, Offers(ctx, c.Old.Kind(), c.Pages)...)
	left := blueprint.LeftToReaders(c.Old.Kind(), curlew.PageList, curlew.TierHTML)
	if reader, err := Compile(left); err == nil {
		c.Reader = left
		c.ReaderGives = func(p induce.DatedPage) []curlew.Draft {
			var drafts []curlew.Draft
			for _, r := range wholeOf(reader.Apply(ctx, MaterialOf(p.Document, p.Now), ApplyOptions{}).Readings) {
				drafts = append(drafts, draftOf(r))
			}
			return drafts
		}
	}
	return c.Heal(ctx)
}

// draftOf is a record as if it had just been found, with its values as they were read.
func draftOf(r ReadRecord) curlew.Draft {
	r.Record.Provenance = nil
	d := asFound(r.Record)
	d.Text, d.Node, d.Confidence = r.Text, r.Node, r.sure
	return d
}

// MaterialOf is a page that was made ready before.
func MaterialOf(doc *dom.Document, now time.Time) Material {
	return Material{Body: doc.Body(), URL: doc.URL().String(), Now: now, document: doc}
}

// wholeOf are the records that have what their kind requires.
func wholeOf(all []ReadRecord) []ReadRecord {
	return slices.DeleteFunc(slices.Clone(all), func(r ReadRecord) bool { return !r.Record.Whole() })
}

// What a blueprint must give of what the reader gave.
const (
	leastSame = 0.9
	shortList = 5 // from here on, one record may differ
)

// Key is what records are told apart by.
type Key func(ReadRecord) string

// Reproduces says whether records are those that a reader gave: nearly all of them, with
// the same values, and hardly any others. Columns are not all lost.
func Reproduces(want, have []ReadRecord, key Key) bool {
	if withSlots(want) && !withSlots(have) {
		return false
	}
	found, values := agreement(want, have, key)
	missing := float64(len(want)) * (1 - found)
	return (found >= leastSame || missing < 1.5 && len(want) >= shortList) && values >= leastSame &&
		float64(len(have)) <= float64(len(want))/leastSame
}

// Named is the share of some records that others have too, by their names.
func Named(want, have []ReadRecord) float64 {
	share, _ := agreement(want, have, ByName)
	return share
}

// agreement is the share of some records that others have too, and the share of the
// values of those that are the same.
func agreement(want, have []ReadRecord, key Key) (records, values float64) {
	by := map[string][]ReadRecord{}
	for _, r := range have {
		by[key(r)] = append(by[key(r)], r)
	}
	found, same, fields := 0, 0, 0
	for _, r := range want {
		others := by[key(r)]
		if len(others) == 0 {
			continue
		}
		by[key(r)] = others[1:]
		found++
		for field, value := range compared(r) {
			other := others[0].Record.Fields.At(field)
			if other == nil && r.unnamed(field) {
				continue
			}
			fields++
			if fmt.Sprint(value) == fmt.Sprint(other) {
				same++
			}
		}
	}
	return float64(found) / float64(max(1, len(want))), float64(same) / float64(max(1, fields))
}

// compared are the values of a record that others must have: of a plain list its slots as a whole,
// which are all that it has.
func compared(r ReadRecord) curlew.Values {
	if r.Record.Schema == curlew.SchemaItem {
		return r.Record.Fields
	}
	return r.Record.Fields.Flat()
}

// unnamed says whether a value is a fact of a card that neither its kind nor the page names: it
// travels with the record, and nothing depends on it.
func (r ReadRecord) unnamed(field string) bool {
	return r.Record.Schema != curlew.SchemaItem && strings.HasPrefix(field, "slots.") && !induce.NamedByPage(field, r.Record.Provenance[field])
}

// ByName tells records apart by what they are called.
func ByName(r ReadRecord) string { return text.Fold(r.Record.Name()) }

// ByRequired tells records apart by all that they must have.
func ByRequired(r ReadRecord) string {
	parts := []string{ByName(r)}
	for _, name := range r.Record.Kind().Required() {
		parts = append(parts, text.Fold(fmt.Sprint(r.Record.Fields[name])))
	}
	return strings.Join(parts, "\n")
}
