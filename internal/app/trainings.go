package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/teach"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// web asks for the pages of trainings.
func (a *App) web() teach.PageSource {
	return setup.PacedWeb{Fetcher: a.i.Reading.Reader.Fetcher, Delay: (*time.Duration)(a.i.Delay)}
}

// BeginTraining reads a page for somebody who teaches how to read it.
type BeginTraining struct {
	URL          string             `json:"url" maxlen:"2000"`                    // "" is the page of the source or the blueprint
	Schema       curlew.SchemaName  `json:"schema,omitempty"`                     // "" finds out
	Page         curlew.PageType    `json:"page,omitempty" enum:"list,single"`    // "" finds out
	Instructions string             `json:"instructions,omitempty" maxlen:"4000"` // what to look for, in plain words
	Source       curlew.SourceID    `json:"source,omitempty"`                     // that is to be read better
	Blueprint    curlew.BlueprintID `json:"blueprint,omitempty"`                  // that is to be corrected
	Archived     bool               `json:"archived,omitempty"`                   // the last archived page will do
}

// Check says what is wrong with the command.
func (c BeginTraining) Check() curlew.Problems {
	all := bounds(c)
	switch {
	case c.URL != "":
		all.Add("url", curlew.AddressProblem(c.URL))
	case c.Source == "" && c.Blueprint == "":
		all.Add("url", "give the address of a page, such as https://example.org/events")
	}
	if c.Schema != "" {
		all.Add("schema", schemaProblem(c.Schema))
	}
	return all
}

// schemaProblem says what is wrong with the name of a kind; whether the org has one of
// that name is found out later.
func schemaProblem(name curlew.SchemaName) string {
	if _, err := curlew.SchemaByName(name); err != nil && !curlew.IsFieldName(string(name)) {
		return curlew.AsFault(err).Sentence
	}
	return ""
}

// wanted is the kind that is named, by itself or in the instructions.
func (c BeginTraining) wanted() curlew.SchemaName {
	said, _ := onboard.KindIn(c.Instructions)
	return cmp.Or(c.Schema, curlew.SchemaName(said))
}

// corrects says whether a blueprint is what is to be made better.
func (c BeginTraining) corrects(b curlew.Blueprint) bool {
	return b.ID != "" && (c.Schema == "" || c.Schema == b.Schema) && (c.Page == "" || c.Page == b.PageType)
}

// BeginTraining keeps a page and reads it.
func (a *App) BeginTraining(ctx context.Context, who auth.Identity, c BeginTraining) (*teach.Training, error) {
	v := verb{"draftBlueprint", auth.EditBlueprints}
	if err := v.may(who, c); err != nil {
		return nil, err
	}
	c.Schema = c.wanted()
	kind, err := a.kindNamed(ctx, who.Org, c.Schema)
	if err != nil {
		return nil, err
	}
	goal := teach.Goal{URL: c.URL, Schema: c.Schema, Own: kind.Own(), Page: c.Page,
		Instructions: c.Instructions, Source: c.Source, By: who.Name}
	scope := a.i.Store.Org(who.Org)
	base, err := taughtBefore(ctx, scope, c.Source, c.Blueprint)
	if err != nil {
		return nil, err
	}
	if c.corrects(base) {
		goal.Schema, goal.Page, goal.Rules, goal.Blueprint, goal.Source = base.Schema, base.PageType, base.Rules, base.ID, base.Source
		if kind, err = a.kindNamed(ctx, who.Org, base.Schema); err != nil {
			return nil, err
		}
		goal.Own = kind.Own()
	}
	if goal.URL == "" {
		if goal.URL, err = pageOf(ctx, scope, base, c.Source); err != nil {
			return nil, err
		}
	}
	if _, err := curlew.OriginOf(goal.URL); err != nil {
		return nil, err
	}
	if goal.Words, err = scope.FieldWords().All(ctx); err != nil {
		return nil, err
	}
	page, archived, err := a.pageNamed(ctx, scope, &goal, c)
	if err != nil {
		return nil, err
	}
	goal = teach.FindOut(ctx, a.web(), goal, page)
	l, err := a.trainings.Begin(ctx, who.Org, goal, page, archived)
	if err == nil {
		err = a.recordTraining(ctx, who, v, l.ID)
	}
	return l, err
}

// recordTraining writes into the audit log that a website was asked for a training.
func (a *App) recordTraining(ctx context.Context, who auth.Identity, v verb, id string) error {
	_, err := do(ctx, a.as(who), v, one[string]{id}, func(_ context.Context, tx *Tx) (none struct{}, err error) {
		tx.About(id)
		return none, nil
	})
	return err
}

// taughtBefore is the blueprint that is to be corrected: the named one, or what a source
// is read by now. It has no id where there is none.
func taughtBefore(
	ctx context.Context, scope store.Scope, source curlew.SourceID, id curlew.BlueprintID,
) (none curlew.Blueprint, err error) {
	if id != "" {
		return scope.Blueprints().Get(ctx, id)
	}
	if source == "" {
		return none, nil
	}
	if _, err := scope.Sources().Get(ctx, source); err != nil {
		return none, err
	}
	active, err := scope.Blueprints().ListBefore(ctx, store.BlueprintFilter{Source: source, Status: curlew.BlueprintActive},
		store.Window{Limit: 1})
	if err != nil || len(active) == 0 {
		return none, err
	}
	return active[0], nil
}

// pageOf is the page that a blueprint is for: that of a watch that reads by it, else the
// one that it was made from.
func pageOf(ctx context.Context, scope store.Scope, b curlew.Blueprint, source curlew.SourceID) (string, error) {
	if b.ID == "" {
		known, err := scope.Sources().Get(ctx, source)
		return known.BaseURL, err
	}
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: b.Source}, store.Window{Limit: 1000})
	if at := slices.IndexFunc(watches, func(w curlew.Watch) bool { return w.Blueprint == b.ID }); at >= 0 {
		return watches[at].URL, err
	}
	return b.TestURL, err
}

// pageNamed is the page of a training: the one that the instructions name, or where that is not there, the one
// that was given.
func (a *App) pageNamed(ctx context.Context, scope store.Scope, goal *teach.Goal, c BeginTraining) (extract.Material, bool, error) {
	given := goal.URL
	if c.URL != "" {
		goal.URL = onboard.ReadInstructions(c.Instructions).At(given)
	}
	page, archived, err := a.trainingPage(ctx, scope, *goal, c.Archived)
	if err == nil || goal.URL == given || curlew.AsFault(err).Kind == curlew.KindTemporary {
		return page, archived, err
	}
	goal.URL, goal.Instead = given, onboard.InsteadOf(goal.URL, curlew.AsFault(err).Sentence)
	return a.trainingPage(ctx, scope, *goal, c.Archived)
}

// trainingPage is the page of a training: the last archived copy where that will do, else as
// the web has it now.
func (a *App) trainingPage(ctx context.Context, scope store.Scope, goal teach.Goal, archived bool) (extract.Material, bool, error) {
	address, err := firstPage(goal)
	if err != nil {
		return extract.Material{}, false, err
	}
	if archived && a.i.Reading.Archive != nil {
		if page, err := scope.Pages().At(ctx, address, time.Time{}); err == nil {
			if m, err := (&watch.Watching{Past: a.i.Reading.Archive}).Material(ctx, page); err == nil {
				return m, true, nil
			}
		}
	}
	m, err := teach.FetchPage(ctx, a.web(), address, a.i.Onboard.Now())
	return m, false, err
}

// firstPage is the address that a blueprint asks for first.
func firstPage(goal teach.Goal) (string, error) {
	if len(goal.Rules) == 0 {
		return goal.URL, nil
	}
	compiled, err := extract.CompileRules(goal.Rules)
	if err != nil {
		return goal.URL, nil // it is to be made anew
	}
	request := compiled.First(goal.URL)
	if len(request.Body) > 0 {
		return "", curlew.Permanent("not_a_page", "this blueprint sends a form to an API and has no page: correct it with "+
			"\"curlew blueprints export\" and \"import\"")
	}
	return request.URL, nil
}

// LastPage is the last archived page of a blueprint or a source: its address and when it
// was fetched; "" where none is archived.
func (a *App) LastPage(ctx context.Context, who auth.Identity, source curlew.SourceID, id curlew.BlueprintID) (string, time.Time, error) {
	scope, err := a.ReadFor(who, auth.View)
	if err != nil {
		return "", time.Time{}, err
	}
	b, err := taughtBefore(ctx, scope, source, id)
	if err != nil {
		return "", time.Time{}, err
	}
	address, err := pageOf(ctx, scope, b, source)
	if err != nil {
		return "", time.Time{}, err
	}
	if at, err := firstPage(teach.Goal{URL: address, Rules: b.Rules}); err == nil {
		address = at
	}
	page, err := scope.Pages().At(ctx, address, time.Time{})
	if err != nil {
		return "", time.Time{}, nil // it was never archived, or no longer is
	}
	return address, page.FetchedAt, nil
}

// Training is a training of the caller's org.
func (a *App) Training(ctx context.Context, who auth.Identity, id string) (*teach.Training, error) {
	if err := auth.Allow(who, auth.View); err != nil {
		return nil, err
	}
	return a.openTraining(ctx, who.Org, id)
}

// openTraining opens a training with the words of its org.
func (a *App) openTraining(ctx context.Context, org curlew.OrgID, id string) (*teach.Training, error) {
	l, err := a.trainings.Open(org, id)
	if err == nil {
		l.Goal.Words, err = a.i.Store.Org(org).FieldWords().All(ctx)
	}
	return l, err
}

// editTraining changes a training and keeps it. A training is a draft that is forgotten after a
// day, so the audit log does not tell each step of it.
func (a *App) editTraining(ctx context.Context, who auth.Identity, id string, c command, edit func(*teach.Training) error) error {
	if err := (verb{needs: auth.EditBlueprints}).may(who, c); err != nil {
		return err
	}
	l, err := a.openTraining(ctx, who.Org, id)
	if err != nil {
		return err
	}
	asked := l.Question
	if err := edit(l); err != nil {
		if l.Question != nil && l.Question != asked { // it waits for an answer
			if failed := l.Save(); failed != nil {
				return failed
			}
		}
		return err
	}
	return l.Save()
}

// ChooseReading reads another list of the page.
type ChooseReading struct {
	Training string `json:"-"`
	Reading  string `json:"way" min:"1"` // the key of one that is offered
}

// Check says what is wrong with the command.
func (c ChooseReading) Check() curlew.Problems { return bounds(c) }

// ChooseReading reads another list of the page.
func (a *App) ChooseReading(ctx context.Context, who auth.Identity, c ChooseReading) error {
	return a.editTraining(ctx, who, c.Training, c, func(l *teach.Training) error { return l.Choose(ctx, c.Reading) })
}

// ReadTrainingAgain reads the page as something else.
type ReadTrainingAgain struct {
	Training string            `json:"-"`
	Schema   curlew.SchemaName `json:"schema" min:"1"`
	Page     curlew.PageType   `json:"page" enum:"list,single"` // "" finds out
}

// Check says what is wrong with the command.
func (c ReadTrainingAgain) Check() curlew.Problems {
	all := bounds(c)
	all.Add("schema", schemaProblem(c.Schema))
	return all
}

// ReadTrainingAgain reads the page as something else.
func (a *App) ReadTrainingAgain(ctx context.Context, who auth.Identity, c ReadTrainingAgain) error {
	kind, err := a.kindNamed(ctx, who.Org, c.Schema)
	if err != nil {
		return err
	}
	return a.editTraining(ctx, who, c.Training, c, func(l *teach.Training) error { return l.Again(ctx, kind, c.Page) })
}

// PointAtValue says which field of a record stands at a place of the page.
type PointAtValue struct {
	Training string
	Detail   bool // the place is on the detail page of a record
	teach.Selection
}

// Check finds nothing: whether the place can be that field is found out by learning.
func (c PointAtValue) Check() curlew.Problems { return nil }

// PointAtValue teaches a value, and learns anew.
func (a *App) PointAtValue(ctx context.Context, who auth.Identity, c PointAtValue) error {
	return a.editTraining(ctx, who, c.Training, c, func(l *teach.Training) error {
		if c.Detail {
			return l.PointDetail(ctx, c.Selection)
		}
		return l.Point(ctx, c.Selection)
	})
}

// DropField leaves a field of a training out, or takes it in again.
type DropField struct {
	Training string
	Detail   bool // the field is read from detail pages
	Field    string
	Undo     bool // forget what was said about the field
}

// Check finds nothing: whether there is such a field is found out by looking.
func (c DropField) Check() curlew.Problems { return nil }

// DropField leaves a field of a training out, or takes it in again.
func (a *App) DropField(ctx context.Context, who auth.Identity, c DropField) error {
	return a.editTraining(ctx, who, c.Training, c, func(l *teach.Training) error {
		switch {
		case c.Detail && c.Undo:
			return l.RestoreDetailField(ctx, c.Field)
		case c.Detail:
			return l.RemoveDetailField(ctx, c.Field)
		case c.Undo:
			return l.Restore(ctx, c.Field)
		}
		return l.Remove(ctx, c.Field)
	})
}

// ReadDetailPages asks for the detail pages of two records, and learns what they add.
func (a *App) ReadDetailPages(ctx context.Context, who auth.Identity, training string) error {
	err := a.editTraining(ctx, who, training, one[string]{training}, func(l *teach.Training) error {
		return l.ReadDetail(ctx, a.web(), a.i.Onboard.Now())
	})
	if err != nil {
		return err
	}
	return a.recordTraining(ctx, who, verb{"draftBlueprint", auth.EditBlueprints}, training)
}

// LeaveDetailPages reads only the list.
func (a *App) LeaveDetailPages(ctx context.Context, who auth.Identity, training string) error {
	return a.editTraining(ctx, who, training, one[string]{training}, func(l *teach.Training) error { return l.DropDetail(ctx) })
}

// TestTraining reads another page by what was taught.
type TestTraining struct {
	Training string `json:"-"`
	URL      string `json:"url" min:"1" maxlen:"2000"`
}

// Check says what is wrong with the command.
func (c TestTraining) Check() curlew.Problems {
	all := bounds(c)
	if c.URL != "" {
		all.Add("url", curlew.AddressProblem(c.URL))
	}
	return all
}

// TestTraining reads another page by what was taught.
func (a *App) TestTraining(ctx context.Context, who auth.Identity, c TestTraining) error {
	err := a.editTraining(ctx, who, c.Training, c, func(l *teach.Training) error { return l.Try(ctx, a.web(), c.URL, a.i.Onboard.Now()) })
	if err != nil {
		return err
	}
	return a.recordTraining(ctx, who, verb{"testBlueprint", auth.EditBlueprints}, c.Training)
}
