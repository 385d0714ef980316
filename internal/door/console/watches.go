package console

import (
	"context"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

type watchList struct {
	Watches []curlew.Watch
	Names   map[curlew.SourceID]string
	Next    string
}

func listWatches(ctx context.Context, v *visit) (view, error) {
	all, err := v.read.Watches().List(ctx, store.WatchFilter{Source: of[curlew.SourceID](v, "source")}, store.Window(v.window()))
	if err != nil {
		return view{}, err
	}
	all, next := paged(v, all, func(w curlew.Watch) string { return string(w.ID) })
	names, _, err := sourceNames(ctx, v)
	return view{"watches", "Watches", watchList{all, names, next}}, err
}

type watchPage struct {
	curlew.Watch
	Where   string
	Runs    []runRow
	Changes []changeRow
	Words   string // the schedule in words
	Feeds   feedPart
}

func showWatch(ctx context.Context, v *visit) (view, error) {
	w, err := v.read.Watches().Get(ctx, curlew.WatchID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	p := watchPage{Watch: w}
	names, _, err := sourceNames(ctx, v)
	if err != nil {
		return view{}, err
	}
	p.Where = names[w.Source]
	if p.Feeds, err = feedsOf(ctx, v, watchFeed, string(w.ID)); err != nil {
		return view{}, err
	}
	if next, wrong := comingOf(w.Schedule, string(w.ID), v.clock); wrong == nil && next != nil {
		p.Words = next.Words
	}
	runs, err := app.RunsOfWatch(ctx, v.read, w, 15)
	if err != nil {
		return view{}, err
	}
	if p.Runs, err = runRows(ctx, v, runs); err != nil {
		return view{}, err
	}
	p.Changes, err = changeRows(ctx, v, store.ChangeFilter{Watch: w.ID}, 0, 15)
	return view{"watch", text.Clip(clean(w.Name), 100), p}, err
}

func steerWatch(
	done string, step func(*app.App, context.Context, auth.Identity, curlew.WatchID) (curlew.Watch, error),
) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		id := curlew.WatchID(v.PathValue("id"))
		_, err := step(v.app, ctx, v.who, id)
		return "/watches/" + string(id) + "?done=" + done, err
	}
}

func trigger(ctx context.Context, v *visit) (string, error) {
	run, underWay, err := v.app.CheckOrFollow(ctx, v.who, app.CheckWatch{ID: curlew.WatchID(v.PathValue("id"))})
	if underWay {
		return "/runs/" + string(run.ID), nil
	}
	return "/runs/" + string(run.ID) + "?done=trigger", err
}
