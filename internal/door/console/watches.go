package console

import (
	"context"

	"curlew/internal/curlew"
)

type watchList struct {
	Watches []curlew.Watch
	Names   map[curlew.SourceID]string
	Next    string
}

func listWatches(ctx context.Context, v *visit) (view, error) {
	all, err := v.rooms.Watches.Watches(ctx, curlew.SourceID(v.query("source")), v.window())
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
	w, err := v.rooms.Watches.Watch(ctx, curlew.WatchID(v.PathValue("id")))
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
	runs, err := v.rooms.Desk.Watches.RunsOf(ctx, w.ID, 15)
	if err != nil {
		return view{}, err
	}
	if p.Runs, err = runRows(ctx, v, runs); err != nil {
		return view{}, err
	}
	p.Changes, err = changeRows(ctx, v, ChangeFilter{Watch: w.ID}, 0, 15)
	return view{"watch", shorten(clean(w.Name), 100), p}, err
}

func steerWatch(s Step) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		id := curlew.WatchID(v.PathValue("id"))
		return "/watches/" + string(id) + "?done=" + string(s), v.rooms.Watches.Steer(ctx, id, s)
	}
}

func trigger(ctx context.Context, v *visit) (string, error) {
	run, err := v.rooms.Watches.Trigger(ctx, curlew.WatchID(v.PathValue("id")))
	return "/runs/" + string(run) + "?done=trigger", err
}
