package console

import (
	"context"
	"net/url"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// sourceForm is what is known of a source while it is written.
type sourceForm struct {
	ID    curlew.SourceID
	Typed url.Values
	Wrong curlew.Problems
}

func (f *sourceForm) view() view { return view{"sourceform", "Edit a source", f} }

func sourceAt(v *visit) curlew.SourceID { return curlew.SourceID(v.PathValue("id")) }

func editSource(ctx context.Context, v *visit) (view, error) {
	s, err := v.read.Sources().Get(ctx, sourceAt(v))
	f := &sourceForm{ID: s.ID, Typed: url.Values{"name": {s.Name}, "min_urls": {amountText(s.MinURLs)}, "category": {s.Rules.Category},
		"timezone":     {s.Rules.Zone},
		"instructions": {s.Rules.Instructions}}}
	return f.view(), err
}

func sendSource(ctx context.Context, v *visit) (answer, error) {
	f := &sourceForm{ID: sourceAt(v), Typed: v.PostForm}
	if _, err := v.read.Sources().Get(ctx, f.ID); err != nil {
		return answer{}, err
	}
	c := app.EditSource{ID: f.ID}
	f.Wrong = v.command(&c)
	c.Archived = nil // there are buttons for that
	var err error
	if len(f.Wrong) == 0 {
		if _, err = v.app.EditSource(ctx, v.who, c); err == nil {
			return answer{next: "/sources/" + string(f.ID) + "?done=saved"}, nil
		}
		if f.Wrong, err = problems(err); err != nil {
			return answer{}, err
		}
	}
	return answer{page: f.view(), wrong: true}, nil
}

func steerSource(
	done string, step func(*app.App, context.Context, auth.Identity, curlew.SourceID) (curlew.Source, error),
) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		_, err := step(v.app, ctx, v.who, sourceAt(v))
		return "/sources/" + string(sourceAt(v)) + "?done=" + done, err
	}
}

// archive puts a source away, or takes it back.
func archive(away bool) func(*app.App, context.Context, auth.Identity, curlew.SourceID) (curlew.Source, error) {
	return func(a *app.App, ctx context.Context, who auth.Identity, id curlew.SourceID) (curlew.Source, error) {
		return a.EditSource(ctx, who, app.EditSource{ID: id, Archived: &away})
	}
}

// healSource learns a source anew, or one watch of it that the form names.
func healSource(ctx context.Context, v *visit) (string, error) {
	c := app.HealSource{ID: sourceAt(v), Watch: curlew.WatchID(v.text("watch"))}
	run, err := v.app.HealSource(ctx, v.who, c)
	return "/runs/" + string(run.ID) + "?done=heal", err
}

func confirmPauseSource(ctx context.Context, v *visit) (view, error) {
	s, err := v.read.Sources().Get(ctx, sourceAt(v))
	return confirmation("Pause this source?", question{What: s.Name, Yes: "Yes, pause it", Back: "/sources/" + string(s.ID), Lost: []string{
		"None of its watches is checked until it is resumed.",
		"When it is resumed it is on probation again."}}), err
}

func confirmArchive(ctx context.Context, v *visit) (view, error) {
	s, err := v.read.Sources().Get(ctx, sourceAt(v))
	return confirmation("Archive this source?", question{What: s.Name, Yes: "Yes, archive it", Back: "/sources/" + string(s.ID), Danger: true,
		Lost: []string{
			"Its watches are no longer checked or healed.",
			"Its entities, their history and its archived pages stay, and its feeds still answer.",
			"It can be taken back later, on probation."}}), err
}

func confirmHeal(ctx context.Context, v *visit) (view, error) {
	s, err := v.read.Sources().Get(ctx, sourceAt(v))
	q := question{What: s.Name, Yes: "Yes, heal it now", Back: "/sources/" + string(s.ID), Lost: []string{
		"Rules are learned again from the last archived page. A new blueprint is used only if it finds the known records.",
		"What still fits is kept, and nothing that was found is lost."}}
	if watch := v.query("watch"); watch != "" {
		q.Fields = []hiddenField{{"watch", watch}}
	}
	return confirmation("Heal this source now?", q), err
}

// rollbackPage offers the versions that a source can go back to.
type rollbackPage struct {
	curlew.Source
	Blueprints []curlew.Blueprint
}

func confirmRollback(ctx context.Context, v *visit) (view, error) {
	s, err := v.read.Sources().Get(ctx, sourceAt(v))
	if err != nil {
		return view{}, err
	}
	p := rollbackPage{Source: s}
	p.Blueprints, err = v.read.Blueprints().List(ctx, store.BlueprintFilter{Source: s.ID}, store.Window{Limit: 200})
	return view{"rollback", "Go back to an earlier blueprint", p}, err
}

func rollbackSource(ctx context.Context, v *visit) (string, error) {
	c := app.RollBackSource{ID: sourceAt(v)}
	if wrong := v.command(&c); len(wrong) > 0 || c.Version == nil {
		return "", curlew.Permanent("bad_version", "choose a version to go back to")
	}
	_, err := v.app.RollBackSource(ctx, v.who, c)
	return "/sources/" + string(c.ID) + "?done=rollback", err
}
