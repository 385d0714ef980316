package console

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// urlPage is a URL log: what a watch or a crawl found, and why each page was read last, or why not.
type urlPage struct {
	Up, UpName, Name string
	Rows             []urlRow
	Next             string
}

type urlRow struct {
	curlew.Found
	Why string
}

func showWatchURLs(ctx context.Context, v *visit) (view, error) {
	w, err := v.read.Watches().Get(ctx, curlew.WatchID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	page := urlPage{Up: "/watches/" + string(w.ID), UpName: "Watch", Name: text.Clip(clean(w.Name), 100)}
	return showURLs(ctx, v, watch.URLLog(w.ID), page)
}

func showRunURLs(ctx context.Context, v *visit) (view, error) {
	run, err := v.read.Runs().Get(ctx, curlew.RunID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	page := urlPage{Up: "/runs/" + string(run.ID), UpName: "Run", Name: text.Clip(clean(run.Scope), 100)}
	return showURLs(ctx, v, watch.URLLogOf(run), page)
}

func showURLs(ctx context.Context, v *visit, scope string, p urlPage) (view, error) {
	all, err := v.read.URLs().List(ctx, scope, false, store.Window(v.window()))
	all, p.Next = paged(v, all, func(f curlew.Found) string { return f.Key })
	for _, f := range all {
		p.Rows = append(p.Rows, urlRow{f, urls.FetchReason(f.Reason).Means()})
	}
	return view{"urls", "Pages of " + p.Name, p}, err
}
