package rest

import (
	"context"
	"net/http"
	"strconv"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/crawl"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Cleared says how many ended runs were forgotten.
type Cleared struct {
	Cleared int64 `json:"cleared"`
}

type runID = named[curlew.RunID]

type listRuns struct {
	paging
	store.RunFilter
}

type submitRun struct {
	Body app.StartCrawl `body:"json"`
}

type readLog struct {
	runID
	paging
}

type noInput struct{}

func runRoutes() []Route {
	example := app.StartCrawl{URLs: []string{"https://example.org/news"}, Mode: crawl.Sequential, Priority: curlew.PriorityHigh, MaxPages: 50,
		Metadata: curlew.Values{"ticket": "NEWS-7"}}
	return []Route{
		operation(http.MethodGet, "/runs", "listRuns", "List runs, the newest first.", doListRuns),
		operation(http.MethodPost, "/runs", "submitRun", "Submit a crawl.", sends((*app.App).StartCrawl)).creates(example),
		operation(http.MethodDelete, "/runs", "clearRuns", "Forget the ended runs that nothing refers to.", doClear),
		operation(http.MethodGet, "/runs/{id}", "getRun", "One run: its state, progress and figures.", gets(store.Scope.Runs, store.Runs.Get)),
		operation(http.MethodGet, "/runs/{id}/log", "getRunLog", "The log of a run, the oldest line first.", doLog),
		operation(http.MethodGet, "/runs/{id}/urls", "listRunURLs", "The URLs of a crawl's site or of a run's watch: when each was found and "+
			"asked for, and the reason of the last decision about it.", doRunURLs),
		operation(http.MethodPost, "/runs/{id}/stop", "stopRun", "Stop a run.", steers((*app.App).StopRun)),
		operation(http.MethodPost, "/runs/{id}/pause", "pauseRun", "Pause a run.", steers((*app.App).PauseRun)),
		operation(http.MethodPost, "/runs/{id}/resume", "resumeRun", "Resume a paused run.", steers((*app.App).ResumeRun)),
	}
}

func doListRuns(ctx context.Context, c *Call, in listRuns) (List[curlew.Run], error) {
	return listed(c, in.paging, func(x curlew.Run) string { return string(x.ID) }, func(w Window) ([]curlew.Run, error) {
		all, err := c.Read.Runs().List(ctx, in.RunFilter, w)
		for i := range all {
			all[i].Progress = nil // it can be long; ask for one run to read it
		}
		return all, err
	})
}

func doClear(ctx context.Context, c *Call, _ noInput) (Cleared, error) {
	n, err := c.App.ClearRuns(ctx, c.Caller)
	return Cleared{n}, err
}

func doLog(ctx context.Context, c *Call, in readLog) (List[curlew.LogLine], error) {
	if _, err := c.Read.Runs().Get(ctx, in.ID); err != nil {
		return List[curlew.LogLine]{}, err
	}
	return listed(c, in.paging, func(x curlew.LogLine) string { return strconv.FormatInt(x.Seq, 10) },
		func(w Window) ([]curlew.LogLine, error) {
			after, err := number(w.After)
			if err != nil {
				return nil, err
			}
			return c.Read.Runs().Log(ctx, in.ID, after, w.Limit)
		})
}

func doRunURLs(ctx context.Context, c *Call, in readLog) (List[curlew.Found], error) {
	run, err := c.Read.Runs().Get(ctx, in.ID)
	if err != nil {
		return List[curlew.Found]{}, err
	}
	return listURLs(ctx, c, in.paging, watch.URLLogOf(run))
}

// listURLs lists a URL log by the keys of its URLs.
func listURLs(ctx context.Context, c *Call, p paging, scope string) (List[curlew.Found], error) {
	return listed(c, p, func(x curlew.Found) string { return x.Key }, func(w Window) ([]curlew.Found, error) {
		return c.Read.URLs().List(ctx, scope, false, w)
	})
}

// number reads the place of a listing that is counted.
func number(place string) (int64, error) {
	if place == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(place, 10, 64)
	if err != nil || n < 0 {
		return 0, errBadCursor
	}
	return n, nil
}
