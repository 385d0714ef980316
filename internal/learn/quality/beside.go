package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// Pair is one entity as two versions have it: the old one by its fields, the new one
// with the pages that it was read from.
type Pair struct {
	Old    curlew.Values
	New    SampleRecord
	Fields []string // to be compared; nil means all
}

// shownDifferences is how many differences of a field are kept to show.
const shownDifferences = 3

// Compare holds two readings of the same entities against each other, field by field.
// Where they differ, the pages decide: if they no longer say the old value where the
// entity stands, the site has changed; otherwise the new reading is wrong. Some of the
// values are given, to be looked at. It stops with its context, and then has compared a part.
func Compare(ctx context.Context, pairs []Pair, o dates.Options) ([]curlew.FieldAgreement, []curlew.ComparedValue) {
	pairs = slices.Clone(pairs)
	sample := make([]SampleRecord, len(pairs))
	for i := range pairs { // slots are compared one by one
		p := &pairs[i]
		p.Old, p.New.Record.Fields = p.Old.Flat(), p.New.Record.Fields.Flat()
		sample[i] = p.New
	}
	judged := newJudgedSample(sample, o)
	all := map[string]*curlew.FieldAgreement{}
	var names []string
	var values []curlew.ComparedValue
	for i, p := range pairs {
		if ctx.Err() != nil {
			break
		}
		x := judged.records[i]
		for _, name := range fieldsOfBoth(p) {
			if all[name] == nil {
				all[name] = &curlew.FieldAgreement{Field: name}
				names = append(names, name)
			}
			if v := x.besides(all[name], p.Old[name]); v.Old != nil {
				values = append(values, v)
			}
		}
	}
	slices.Sort(names)
	out := make([]curlew.FieldAgreement, 0, len(names))
	for _, name := range names {
		out = append(out, *all[name])
	}
	return out, worthShowing(values)
}

// fieldsOfBoth are the fields of a pair that can be compared.
func fieldsOfBoth(p Pair) []string {
	var all []string
	for _, name := range append(fieldsOf(curlew.Record{Fields: p.Old}), fieldsOf(p.New.Record)...) {
		wanted := p.Fields == nil || slices.Contains(p.Fields, name)
		if wanted && name != "position" && name != "url" && !slices.Contains(all, name) { // addresses move with a redesign, and lead to the same
			all = append(all, name)
		}
	}
	return all
}

// besides counts one value.
func (x *judgedRecord) besides(a *curlew.FieldAgreement, was any) curlew.ComparedValue {
	f := x.field(a.Field)
	is := x.record.Fields[a.Field]
	v := curlew.ComparedValue{Entity: text.OneLine(nameOf(x.record), 80), Field: a.Field, Old: was, New: is}
	v.Currency, _ = x.record.Fields["currency"].(string)
	switch {
	case was == nil:
		a.Gained++
		return v
	case is == nil && x.stands(f, was):
		a.Missed++
		v.Why = "the page still says it, and nothing was read"
	case is == nil:
		a.Gone++
		v.Why = "the page no longer says it"
		return v
	case alikeEnough(f.Type, was, is):
		a.Same++
		return v
	case !x.mayStand(f, was) && x.present(f, is):
		a.Explained++
		v.Why = explained
	default:
		a.Wrong++
		v.Why = "the page still says the old value"
		if !x.stands(f, was) {
			v.Why = "nothing on the page explains it"
		}
	}
	v.Wrong = is != nil && v.Why != explained
	d := curlew.Difference{Entity: v.Entity, Old: text.OneLine(said(was), 120), New: text.OneLine(said(is), 120), Why: v.Why, Wrong: v.Wrong}
	if d.Wrong {
		a.Examples = slices.Insert(a.Examples, 0, d) // what is wrong is worth more than what is not
	} else {
		a.Examples = append(a.Examples, d)
	}
	a.Examples = a.Examples[:min(len(a.Examples), shownDifferences)]
	return v
}

const explained = "the page says the new value, and no longer the old one"

// tellable are the types of values that pages write as they are; of the others, nobody
// can say that a page does not say them.
var tellable = []curlew.FieldType{
	curlew.TypeText, curlew.TypeLong, curlew.TypeTime, curlew.TypeMoney,
	curlew.TypeList, curlew.TypeNumber, curlew.TypeInteger, curlew.TypeURL,
}

// mayStand says whether a value may still stand where the entity stands.
func (x *judgedRecord) mayStand(f curlew.Field, value any) bool {
	return !slices.Contains(tellable, f.Type) || slices.Contains(derived, f.Name) || x.stands(f, value)
}

// stands says whether a page shows a value where the entity stands: in its part of the
// list, or on a page of its own.
func (x *judgedRecord) stands(f curlew.Field, value any) bool {
	value = numbers(value)
	for i, v := range x.views {
		blocks := v.blocks
		if i == 0 && x.node != "" {
			blocks = x.scope
		}
		if f.Type == curlew.TypeURL {
			if (i > 0 || x.node == "") && v.pageText.Seen(f, value, "") == curlew.SeenVisible {
				return true
			}
			continue
		}
		if v.shows(blocks, f, value) != nil {
			return true
		}
	}
	return false
}

// alikeEnough says whether two versions of a value say the same: spelled otherwise, less
// exact, or cut where a text ends.
func alikeEnough(t curlew.FieldType, was, is any) bool {
	if same(t, numbers(was), numbers(is)) {
		return true
	}
	a, b := said(was), said(is)
	switch t {
	case curlew.TypeTime, curlew.TypeDate:
		day, clock := splitMoment(a)
		other, time := splitMoment(b)
		return day == other && (clock == "" || time == "")
	case curlew.TypeLong:
		return shared(a, b) >= leastShared
	case curlew.TypeList:
		return slices.Equal(sortedTexts(was, padded), sortedTexts(is, padded))
	case curlew.TypeText, curlew.TypeChoice:
		return compact(padded(a)) != "" && compact(padded(a)) == compact(padded(b))
	}
	return false
}

// leastShared is the share of the shorter of two long texts that must stand in the
// other: where a text begins and ends, two designs rarely agree on.
const leastShared = 0.8

// shared is the share of the words of the shorter text that the longer one has too.
func shared(a, b string) float64 {
	short, long := strings.Fields(padded(a)), strings.Fields(padded(b))
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) == 0 {
		return 0
	}
	left := map[string]int{}
	for _, w := range long {
		left[w]++
	}
	n := 0
	for _, w := range short {
		if left[w] > 0 {
			left[w]--
			n++
		}
	}
	return float64(n) / float64(len(short))
}

// Worse says why a sample before the judge is worse than one that it is to replace; ""
// when it is not.
func (j Judgement) Worse(than *Judgement) string {
	if j.Passed || than != nil && !than.Passed && j.Accuracy >= than.Accuracy {
		return ""
	}
	if than != nil {
		return fmt.Sprintf("the judge objects, with accuracy %d after %d: %s", j.Accuracy, than.Accuracy, j.Sentence)
	}
	return fmt.Sprintf("the judge objects, with accuracy %d: %s", j.Accuracy, j.Sentence)
}
