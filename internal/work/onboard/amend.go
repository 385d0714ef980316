package onboard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// amend changes a blueprint by what the judge found wrong with it: the rule is mended
// where the page tells how, else the field is left out. It is nil when there is nothing
// that can be changed that way.
func amend(t Trial) (*Proposal, string) {
	if t.Card.Judgement == nil || t.Proposal.Blueprint.ByReaders() {
		return nil, ""
	}
	for _, e := range t.Card.Judgement.Systematic {
		b := *t.Proposal.Blueprint
		b.Fields = maps.Clone(b.Fields)
		how := mend(&b, e)
		if how == "" {
			how = leaveOut(&b, e)
		}
		if how == "" {
			continue
		}
		if b.Expect != nil {
			expect := *b.Expect
			expect.Fields = nil
			b.Expect = &expect
		}
		p := t.Proposal.by(&b)
		p.onWord = p.onWord || e.By == quality.ByModel
		return &p, how
	}
	return nil, ""
}

// mend changes the rules of a field to give what the page says; it says how, or "".
func mend(b *blueprint.Blueprint, e quality.SystematicError) string {
	if e.Code == quality.DayMonthSwapped {
		return turnDates(b)
	}
	f := b.Fields[e.Field]
	if len(f.Rules) == 0 {
		return ""
	}
	switch e.Code {
	case quality.TitleVenueSwapped:
		venue := b.Fields["venue_name"]
		if len(venue.Rules) == 0 {
			return ""
		}
		f.Rules, venue.Rules = venue.Rules, f.Rules
		b.Fields[e.Field], b.Fields["venue_name"] = f, venue
		return "title and venue change places"
	case quality.MinorUnits:
		f.Rules = inUnits(f.Rules, e.Instead == quality.InMinor)
		if f.Rules == nil {
			return ""
		}
	case quality.WrongColumn:
		f.Rules = []blueprint.Rule{{Column: e.Instead}}
	case quality.OwnNameUnread:
		f.Rules = []blueprint.Rule{{Selector: blueprint.Selector{CSS: e.Instead}}}
	case quality.WrongYear:
		if e.Instead == "" || len(f.Rules[0].Join) > 0 {
			return ""
		}
		year := blueprint.Rule{Selector: blueprint.Selector{CSS: e.Instead}, From: blueprint.FromHeading,
			Do: []blueprint.Transform{{Op: "match", Text: `\b(?:19|20)\d\d\b`}}}
		f.Rules = []blueprint.Rule{{Join: []blueprint.Rule{year, withoutSteps(f.Rules[0])}}}
	default:
		return ""
	}
	b.Fields[e.Field] = f
	if slot, has := b.Fields["slots."+e.Field]; has { // a plain list has it among its columns, too
		slot.Rules = f.Rules
		b.Fields["slots."+e.Field] = slot
	}
	return fmt.Sprintf("%s is mended: %s", e.Field, e.Sentence)
}

// withoutSteps is a rule as a part of a joined one: what is done to its text is left to
// the reader of dates.
func withoutSteps(r blueprint.Rule) blueprint.Rule {
	r.Do = nil
	return r
}

// turnDates reads day and month in the other order.
func turnDates(b *blueprint.Blueprint) string {
	context := blueprint.Locale{}
	if b.Context != nil {
		context = *b.Context
	}
	if context.DateOrder == "day_first" {
		context.DateOrder = "month_first"
	} else {
		context.DateOrder = "day_first"
	}
	b.Context = &context
	return "dates are read " + strings.ReplaceAll(context.DateOrder, "_", " ")
}

// inUnits are the rules of an amount with the step minor, or without; nil where they have
// it, or have it not, already.
func inUnits(rules []blueprint.Rule, minor bool) []blueprint.Rule {
	isMinor := func(t blueprint.Transform) bool { return t.Op == "minor" }
	var all []blueprint.Rule
	for _, r := range rules {
		if slices.ContainsFunc(r.Do, isMinor) == minor {
			return nil
		}
		if r.Do = slices.DeleteFunc(slices.Clone(r.Do), isMinor); minor {
			r.Do = append(r.Do, blueprint.Transform{Op: "minor"})
		}
		all = append(all, r)
	}
	return all
}

// dispensable are errors whose field is left out, where the records can do without it.
var dispensable = []quality.ErrorCode{
	quality.OnePriceForAll, quality.DescriptionIsTitle, quality.PictureIsDecoration, quality.OrganizerPerforms, quality.URLsAreListPage,
	quality.Contradicted, quality.MinorUnits, quality.WrongColumn, quality.WrongYear,
}

// leaveOut removes a field, here and on detail pages; it says why, or "".
func leaveOut(b *blueprint.Blueprint, e quality.SystematicError) string {
	if len(b.Fields) < 2 || !slices.Contains(dispensable, e.Code) {
		return ""
	}
	out, ok := b.Without([]string{e.Field})
	if !ok {
		return ""
	}
	*b = *out
	return fmt.Sprintf("%s is left out: %s", e.Field, e.Sentence)
}
