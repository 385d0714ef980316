package quality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// minorUnits finds amounts that are a hundred times what the records show, or a
// hundredth: cents were taken for euros, or the reverse. Instead says which the values
// are in.
func (c *judgedSample) minorUnits() *SystematicError {
	if len(c.records) == 0 {
		return nil
	}
	for _, f := range c.records[0].schema.Fields {
		if f.Type != curlew.TypeMoney {
			continue
		}
		var high, low, of int
		var examples []string
		for _, x := range c.with(f.Name) {
			units, ok := asInt(x.record.Fields[f.Name])
			if !ok || units == 0 || len(x.pricesInScope()) == 0 {
				continue
			}
			of++
			switch {
			case x.showsPrice(units):
				continue
			case units%100 == 0 && x.showsPrice(units/100):
				high++
			case x.showsPrice(units * 100):
				low++
			default:
				continue
			}
			examples = few(examples, money.Major(units, textOf(x.record, "currency"))+" for "+x.pricesInScope()[0])
		}
		if !patterned(max(high, low), of) {
			continue
		}
		e := &SystematicError{Code: MinorUnits, Severity: SeverityError, Field: f.Name, Count: max(high, low), Of: of,
			Examples: examples, Instead: InMinor,
			Sentence:   fmt.Sprintf("%s is a hundred times what the page shows in %d of %d records", f.Name, high, of),
			Suggestion: "Read the amount as one of minor units."}
		if low > high {
			e.Instead, e.Suggestion = InMajor, "Do not read the amount as one of minor units."
			e.Sentence = fmt.Sprintf("%s is a hundredth of what the page shows in %d of %d records", f.Name, low, of)
		}
		return e
	}
	return nil
}

// What the amounts of MinorUnits are in.
const (
	InMinor = "minor"
	InMajor = "major"
)

// patterned says whether what holds for so many of some runs through all of them. A page
// about one thing is all there is.
func patterned(count, of int) bool { return count > 0 && 2*count >= of && (count > 1 || of == 1) }

// mistaken are what pages call a time that is none of the kind, by field: the lists of
// their words.
var mistaken = map[string][]string{
	"starts_at": {"posted", "rating"}, "ends_at": {"posted", "rating"},
	"date": {"rating"}, "published_at": {"rating"}, "posted_date": {"rating"},
}

// mistakenTimes are times that the record shows only where the page calls them something
// else: the day on which an entry was put up, a rating of 4/5.
func (x *judgedRecord) mistakenTimes() []Issue {
	var issues []Issue
	for _, name := range fieldsOf(x.record) {
		value, what := x.record.Fields[name], ""
		for i := range x.scope {
			from := padded(x.record.Provenance[name].Text)
			if mistaken[name] == nil || x.scope[i].words != from && x.views[0].shows(x.scope[i:i+1], x.field(name), value) == nil {
				continue
			}
			if what = x.calledOther(i, name); what == "" {
				break
			}
		}
		if what != "" {
			issues = append(issues, Issue{Kind: IssueSwap, Field: name, Got: text.OneLine(said(value), 120), Expected: what,
				Sentence: fmt.Sprintf("%s is %s, which the page calls %s", name, quote(value), what)})
		}
	}
	return issues
}

// calledOther is the list of words that has what a block, the block before it or, of
// ratings, the markup of the value calls it; "" for none.
func (x *judgedRecord) calledOther(i int, field string) string {
	label := strings.Fields(x.scope[i].words)
	label = label[:min(len(label), 2)]
	if i > 0 && len(x.scope[i-1].words) < 20 {
		label = append(label, strings.Fields(x.scope[i-1].words)...)
	}
	var marked []string
	if n := x.views[0].document.At(x.record.Provenance[field].Node); n != nil {
		marked = strings.Fields(strings.Join(markup(n), " "))
	}
	for _, list := range mistaken[field] {
		known := words().Of(list)
		if slices.ContainsFunc(label, known.Has) || list == "rating" && slices.ContainsFunc(marked, known.Has) {
			return list
		}
	}
	return ""
}

// fieldFindings is what was found of one field.
type fieldFindings struct {
	values, embedded int      // those that were looked for, and of them those that only the page's data have
	against          []string // what the page says otherwise, a sentence for each record
}

// contradicted says whether half of the values are contradicted, or a fifth where only the page's
// data have them.
func (h *fieldFindings) contradicted() bool {
	n := len(h.against)
	return patterned(n, h.values) || n > 1 && n <= h.embedded && 5*n >= h.values
}

// byField sums up what was found of each field, in the order of their first values.
func (j *Judgement) byField() (fields []string, by map[string]*fieldFindings) {
	by = map[string]*fieldFindings{}
	for _, h := range j.Records {
		for _, found := range h.Found {
			if by[found.Field] == nil {
				by[found.Field] = &fieldFindings{}
				fields = append(fields, found.Field)
			}
			by[found.Field].values++
			if found.Seen == curlew.SeenEmbedded {
				by[found.Field].embedded++
			}
		}
		seen := map[string]bool{}
		for _, issue := range h.Issues {
			if of := by[issue.Field]; of != nil && (issue.Kind == IssueMismatch || issue.Kind == IssueSwap) && !seen[issue.Field] {
				seen[issue.Field] = true
				of.against = append(of.against, issue.Sentence)
			}
		}
	}
	return fields, by
}

// contradictions are the fields whose values the page contradicts: no average makes up for them.
func (j *Judgement) contradictions() {
	fields, by := j.byField()
	for _, field := range fields {
		all := by[field].against
		known := slices.ContainsFunc(j.Systematic, func(e SystematicError) bool { return e.Field == field && e.Severity == SeverityError })
		if known || !by[field].contradicted() {
			continue
		}
		e := SystematicError{Code: Contradicted, Severity: SeverityError, Field: field, Count: len(all), Of: by[field].values,
			Sentence:   fmt.Sprintf("the page contradicts %d of %d values of %s: %s", len(all), by[field].values, field, all[0]),
			Suggestion: "Take the value from within the record, or leave it out."}
		e.Share = shareOf(e)
		for _, sentence := range all {
			e.Examples = few(e.Examples, sentence)
		}
		j.Systematic = append(j.Systematic, e)
	}
}
