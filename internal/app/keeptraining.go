package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// SaveTraining keeps what was taught as the next version of a source's blueprint.
type SaveTraining struct {
	Training string          `json:"-"`
	Source   curlew.SourceID `json:"source"`
}

// Check says what is wrong with the command.
func (c SaveTraining) Check() (all curlew.Problems) {
	if c.Source == "" {
		all.Add("source", "choose the source that uses this blueprint")
	}
	return all
}

// SaveTraining keeps a new version, which becomes the active one.
func (a *App) SaveTraining(ctx context.Context, who auth.Identity, c SaveTraining) (curlew.Blueprint, error) {
	save := verb{"addBlueprint", auth.EditBlueprints}
	if err := save.may(who, c); err != nil {
		return curlew.Blueprint{}, err
	}
	taught, b, err := a.steadyDraft(ctx, who, c.Training)
	if err != nil {
		return curlew.Blueprint{}, err
	}
	kept, err := do(ctx, a.as(who), save, c,
		func(ctx context.Context, tx *Tx) (kept curlew.Blueprint, err error) {
			source, err := tx.Sources().Get(ctx, c.Source)
			if err != nil {
				return kept, err
			}
			if sameOrigin(taught.Goal.URL, source.BaseURL) != nil {
				return kept, curlew.Problems{{Field: "source", Sentence: "the page is of another site than the source, " + source.BaseURL +
					": keep it as a separate watch"}}
			}
			b.Source = c.Source
			kept, err = a.keepTaught(ctx, tx, taught.Goal, b)
			tx.About(string(kept.ID))
			tx.Detail(changed(c))
			return kept, err
		})
	if err == nil {
		taught.Close()
	}
	return kept, err
}

// keepTaught makes a blueprint the next version of how its page is read, and the first of a
// line of its own where nothing reads that page yet: other lists of the source are read as before.
func (a *App) keepTaught(ctx context.Context, tx *Tx, goal teach.Goal, b curlew.Blueprint) (kept curlew.Blueprint, err error) {
	_, before, err := readsPage(ctx, tx.Scope, goal, b)
	if err != nil {
		return kept, err
	}
	if before.ID != "" {
		b.Line = before.Line
		kept, _, err = heal.AddVersion(ctx, tx.WriteScope, b)
		return kept, err
	}
	if kept, err = tx.Blueprints().AddLine(ctx, b); err != nil {
		return kept, err
	}
	kept, _, err = heal.Activate(ctx, tx.WriteScope, kept.ID, "")
	return kept, err
}

// readsPage is the watch of a source that reads the page of a training as the same kind, and
// its blueprint; without a watch, the blueprint that the training corrects, if it is of that page.
func readsPage(
	ctx context.Context, scope store.Scope, goal teach.Goal, b curlew.Blueprint,
) (none curlew.Watch, of curlew.Blueprint, err error) {
	same := func(other curlew.Blueprint) bool { return other.Schema == b.Schema && other.PageType == b.PageType }
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: b.Source}, store.Window{Limit: 1000})
	for _, w := range watches {
		if urls.Key(w.URL) != urls.Key(goal.URL) {
			continue
		}
		if of, err = scope.Blueprints().Get(ctx, w.Blueprint); err == nil && same(of) {
			return w, of, nil
		}
	}
	if err != nil || goal.Blueprint == "" {
		return none, curlew.Blueprint{}, err
	}
	of, err = scope.Blueprints().Get(ctx, goal.Blueprint)
	if err != nil || !same(of) || of.Source != b.Source || urls.Key(of.TestURL) != urls.Key(goal.URL) {
		return none, curlew.Blueprint{}, err
	}
	return none, of, nil
}

// TrainingWatch is the watch of a source that reads the page of a training, and goes on by what
// was taught where that is kept as a version; one without an id where none does.
func (a *App) TrainingWatch(
	ctx context.Context, who auth.Identity, training string, source curlew.SourceID,
) (none curlew.Watch, err error) {
	l, b, err := a.draft(ctx, who, training)
	if err != nil {
		return none, err
	}
	b.Source = source
	w, _, err := readsPage(ctx, a.i.Store.Org(who.Org), l.Goal, b)
	return w, err
}

// draft is a training and the blueprint that it came to.
func (a *App) draft(ctx context.Context, who auth.Identity, training string) (*teach.Training, curlew.Blueprint, error) {
	l, err := a.openTraining(ctx, who.Org, training)
	if err != nil {
		return nil, curlew.Blueprint{}, err
	}
	b, err := l.Draft()
	return l, b, err
}

// steadyDraft is a draft that leaves out of a page's text what is not the same when it is asked for once
// more. In a region that somebody points at, everything counts.
func (a *App) steadyDraft(ctx context.Context, who auth.Identity, training string) (*teach.Training, curlew.Blueprint, error) {
	l, b, err := a.draft(ctx, who, training)
	if err != nil || b.Schema != curlew.SchemaPage {
		return l, b, err
	}
	rules, err := blueprint.Parse(b.Rules)
	if err != nil || !rules.ByReaders() || rules.Records.CSS != "" {
		return l, b, err
	}
	if rules.Records.Without = onboard.Restless(ctx, a.web(), l.Material(teach.ThePage)); len(rules.Records.Without) > 0 {
		b.Rules, err = blueprint.Marshal(rules)
	}
	return l, b, err
}

// WatchTraining watches an address by what was taught; the first run begins at once.
func (a *App) WatchTraining(ctx context.Context, who auth.Identity, training string, c AddWatch) (curlew.Watch, error) {
	if err := auth.Allow(who, auth.EditWatches); err != nil {
		return curlew.Watch{}, err
	}
	l, b, err := a.steadyDraft(ctx, who, training)
	if err != nil {
		return curlew.Watch{}, err
	}
	known := onboard.ReadInstructions(l.Goal.Instructions)
	b.TestURL = c.URL
	c.Learned, c.CheckNow, c.Site = &b, true, curlew.SourceRules{Zone: known.Zone, Instructions: l.Goal.Instructions}
	if known.Zone != "" {
		c.Timezone = &known.Zone
	}
	if known.Only != "" && c.Only == nil {
		c.Only = &known.Only
	}
	if known.Upcoming && c.Upcoming == nil {
		c.Upcoming = &known.Upcoming
	}
	if err := c.Check().Err(); err != nil {
		return curlew.Watch{}, err
	}
	if sameOrigin(c.URL, l.Goal.URL) != nil {
		return curlew.Watch{}, curlew.Problems{{Field: "url",
			Sentence: "the rules are learned for " + l.Goal.URL + ": watch an address of that site"}}
	}
	c.SiteName, _ = l.Names()
	c.Icon = onboard.Icon(ctx, a.web(), l.Document(teach.ThePage))
	added, err := a.AddWatch(ctx, who, c)
	if err == nil {
		l.Close()
	}
	return added.Watch, err
}
