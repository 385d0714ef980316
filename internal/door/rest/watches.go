package rest

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/watch"
)

type watchID = named[curlew.WatchID]

type listWatches struct {
	paging
	store.WatchFilter
}

type addWatch struct {
	Body app.AddWatch `body:"json"`
}

type editWatch struct {
	watchID
	Body app.EditWatch `body:"json"`
}

type readWatchURLs struct {
	watchID
	paging
}

type triggerWatch struct {
	watchID
	Body app.CheckWatch `body:"json"`
}

func watchRoutes() []Route {
	daily, fast := "daily at 07:30 Europe/Warsaw", "every 15m"
	add := app.AddWatch{Blueprint: "bp_0123456789abcdefghjkmnpq", URL: "https://example.org/events",
		WatchFields: app.WatchFields{Schedule: &daily}}
	return []Route{
		operation(http.MethodGet, "/watches", "listWatches", "List watches, the oldest first.", doListWatches),
		operation(http.MethodPost, "/watches", "addWatch", "Watch a URL of a source by a blueprint; the first run is due now.",
			doAddWatch).creates(add),
		operation(http.MethodGet, "/watches/{id}", "getWatch", "One watch.", gets(store.Scope.Watches, store.Watches.Get)),
		operation(http.MethodPatch, "/watches/{id}", "editWatch", "Change a watch; a new schedule counts from now.",
			edits[curlew.WatchID]((*app.App).EditWatch)).like(app.EditWatch{WatchFields: app.WatchFields{Schedule: &fast}}),
		operation(http.MethodDelete, "/watches/{id}", "removeWatch", "Forget a watch. What it found, and its history, stay.",
			removes((*app.App).RemoveWatch)),
		operation(http.MethodGet, "/watches/{id}/urls", "listWatchURLs",
			"The URLs of a watch: its list, its detail pages, the feeds and sitemaps that announce changes, "+
				"each with the reason why it was read at the last check, or why not.", doWatchURLs),
		operation(http.MethodPost, "/watches/{id}/pause", "pauseWatch", "Stop checking until the watch is resumed.",
			steers((*app.App).PauseWatch)),
		operation(http.MethodPost, "/watches/{id}/resume", "resumeWatch", "Let a paused or failed watch check again, now.",
			steers((*app.App).ResumeWatch)),
		operation(http.MethodPost, "/watches/{id}/accept-removal", "acceptRemoval", "Confirm the removals that are held for review.",
			steers((*app.App).AcceptRemoval)),
		operation(http.MethodPost, "/watches/{id}/trigger", "triggerWatch", "Start a run of a watch.",
			edits[curlew.WatchID]((*app.App).CheckWatch)).creates(app.CheckWatch{Force: true}),
	}
}

func doWatchURLs(ctx context.Context, c *Call, in readWatchURLs) (List[curlew.Found], error) {
	if _, err := c.Read.Watches().Get(ctx, in.ID); err != nil {
		return List[curlew.Found]{}, err
	}
	return listURLs(ctx, c, in.paging, watch.URLLog(in.ID))
}

func doListWatches(ctx context.Context, c *Call, in listWatches) (List[curlew.Watch], error) {
	return listed(c, in.paging, func(x curlew.Watch) string { return string(x.ID) }, func(w Window) ([]curlew.Watch, error) {
		return c.Read.Watches().List(ctx, in.WatchFilter, w)
	})
}

func doAddWatch(ctx context.Context, c *Call, in addWatch) (curlew.Watch, error) {
	added, err := c.App.AddWatch(ctx, c.Caller, in.Body)
	return added.Watch, err
}
