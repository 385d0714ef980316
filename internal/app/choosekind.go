package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// chooseAsKind reads the page of a candidate again, as things of the kind that a person
// names. A name that is new makes a kind of the fields of the chosen reading.
func (a *App) chooseAsKind(ctx context.Context, who auth.Identity, c ChooseCandidateReading) (none curlew.Candidate, err error) {
	if wrong := c.Check(); len(wrong) > 0 {
		return none, wrong
	}
	all, err := a.Kinds(ctx, who)
	if err != nil {
		return none, err
	}
	if _, unknown := all.ByName(curlew.SchemaName(c.Kind)); unknown != nil {
		fields, err := a.readingKind(ctx, who, c)
		if err != nil {
			return none, err
		}
		if _, err := a.AddKind(ctx, who, AddKind{Name: curlew.SchemaName(c.Kind), KindFields: fields}); err != nil {
			return none, err
		}
	} else if len(c.Fields) > 0 {
		known := fmt.Sprintf("the kind %s already exists: edit it to rename its fields", c.Kind)
		return none, curlew.Problems{{Field: "fields", Sentence: known}}
	}
	deploy := true // a person has just decided
	edited, err := a.EditCandidate(ctx, who, EditCandidate{ID: c.ID, Kind: &c.Kind, AutoDeploy: &deploy})
	if err != nil || edited.Status == curlew.CandidatePending { // it is analysed again
		return edited, err
	}
	return a.DecideCandidate(ctx, who, DecideCandidate{ID: c.ID, Decision: Retry})
}

// readingKind are the fields of a kind that is made of a reading, with the names that a
// person gives them.
func (a *App) readingKind(ctx context.Context, who auth.Identity, c ChooseCandidateReading) (none KindFields, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return none, err
	}
	candidate, err := scope.Candidates().Get(ctx, c.ID)
	if err != nil {
		return none, err
	}
	report := onboard.ReportOf(candidate)
	if c.Reading > len(report.Choices) {
		return none, curlew.Problems{{Field: "reading", Sentence: fmt.Sprintf("there are %s", curlew.Counted(len(report.Choices), "reading"))}}
	}
	fields, err := ReadingFields(report.Choices[c.Reading-1])
	if err != nil {
		return none, err
	}
	return fields.renamed(c.Fields)
}

// ReadingFields are those of a kind that is made of a reading.
func ReadingFields(of onboard.Choice) (KindFields, error) {
	b, err := blueprint.Parse(of.Rules)
	if err != nil {
		return KindFields{}, err
	}
	return proposedKind(b, of.Sample, of.Coded...), nil
}

// renamed gives fields other names; what pages call them stays known. A field is meant by its name
// or by what the page calls it, in any case and with or without diacritics.
func (f KindFields) renamed(names map[string]string) (KindFields, error) {
	for old, name := range names {
		called := text.Fold(strings.TrimPrefix(old, "slots."))
		at := slices.IndexFunc(f.Fields, func(field curlew.Field) bool {
			return slices.ContainsFunc(field.Names(), func(name string) bool { return text.Fold(name) == called })
		})
		if at < 0 {
			return f, curlew.Problems{{Field: "fields", Sentence: fmt.Sprintf("the reading has no field %q", old)}}
		}
		old = f.Fields[at].Name
		f.Fields[at].Name = name
		if !slices.Contains(f.Fields[at].Labels, old) {
			f.Fields[at].Labels = append(f.Fields[at].Labels, old)
		}
		if f.Title == old {
			f.Title = name
		}
	}
	return f, nil
}
