package rest

import (
	"context"
	"net/http"
	"strconv"

	"curlew/internal/curlew"
)

// Runs are the runs of an org.
type Runs interface {
	List(ctx context.Context, f RunFilter, w Window) ([]curlew.Run, error)
	Get(ctx context.Context, id curlew.RunID) (curlew.Run, error)
	Log(ctx context.Context, id curlew.RunID, after int64, limit int) ([]curlew.LogLine, error)
	Crawl(ctx context.Context, n NewRun) (RunSubmitted, error)
	Clear(ctx context.Context) (int64, error)
}

// RunControl steers runs.
type RunControl interface {
	Steer(ctx context.Context, id curlew.RunID, s RunStep) (curlew.Run, error)
}

// RunStep is what may be done with a run.
type RunStep string

const (
	StopRun   RunStep = "stop" // for good
	PauseRun  RunStep = "pause"
	ResumeRun RunStep = "resume"
)

// RunFilter narrows a listing of runs.
type RunFilter struct {
	Kind  curlew.RunKind  `query:"kind"`               // only runs of this kind
	State curlew.RunState `query:"state"`              // only runs in this state
	Scope string          `query:"scope" maxlen:"300"` // only runs of this scope, such as source:src_…
}

// RunMode is whether a crawl asks for one page after another or for several at once.
type RunMode string

const (
	Sequential RunMode = "sequential"
	Concurrent RunMode = "concurrent"
)

// NewRun is a crawl to be run. Give urls, domains, or both.
type NewRun struct {
	URLs        []string        `json:"urls,omitempty" max:"1000"`
	Domains     []string        `json:"domains,omitempty" max:"100"` // whole sites: their first page and what their sitemaps list
	Mode        RunMode         `json:"mode,omitempty"`              // concurrent when nobody says
	Concurrency int             `json:"concurrency,omitempty" min:"1" max:"64"`
	Priority    curlew.Priority `json:"priority,omitempty"` // 1 first, 3 last; 2 when nobody says
	MaxPages    int             `json:"max_pages,omitempty" min:"1" max:"10000000"`
	Depth       int             `json:"depth,omitempty" min:"0" max:"1000"` // 0 goes as far as the pages last
	SameHost    *bool           `json:"same_host,omitempty"`                // true when nobody says; else the same site
	Include     []string        `json:"include,omitempty" max:"50"`         // only URLs that match one of these regular expressions
	Exclude     []string        `json:"exclude,omitempty" max:"50"`
	Refetch     bool            `json:"refetch,omitempty"`  // ask for whole pages although copies are known
	Metadata    curlew.Values   `json:"metadata,omitempty"` // kept with the run, for you
	DryRun      bool            `json:"dry_run,omitempty"`  // check everything, say what would be done, and keep nothing
}

// RunSubmitted is what became of a crawl that somebody asked for.
type RunSubmitted struct {
	DryRun bool          `json:"dry_run,omitempty"`
	Run    *curlew.Run   `json:"run,omitempty"` // absent after a dry run
	Plan   curlew.Values `json:"plan"`          // what is done, or would be
}

// Cleared says how many ended runs were forgotten.
type Cleared struct {
	Cleared int64 `json:"cleared"`
}

type runID struct {
	ID curlew.RunID `path:"id"`
}

type listRuns struct {
	paging
	RunFilter
}

type submitRun struct {
	Body NewRun `body:"json"`
}

type readLog struct {
	runID
	paging
}

type noInput struct{}

func runRoutes() []Route {
	example := NewRun{URLs: []string{"https://example.org/news"}, Mode: Sequential, Priority: curlew.PriorityHigh, MaxPages: 50,
		Metadata: curlew.Values{"ticket": "NEWS-7"}}
	return []Route{
		operation(http.MethodGet, "/runs", "listRuns", "List runs, the newest first.", doListRuns),
		operation(http.MethodPost, "/runs", "submitRun", "Submit a crawl.", doSubmit).creates(example),
		operation(http.MethodDelete, "/runs", "clearRuns", "Forget the ended runs that nothing refers to.", doClear),
		operation(http.MethodGet, "/runs/{id}", "getRun", "One run: its state, progress and figures.", doRun),
		operation(http.MethodGet, "/runs/{id}/log", "getRunLog", "The log of a run, the oldest line first.", doLog),
		operation(http.MethodPost, "/runs/{id}/stop", "stopRun", "End a run for good.", steerRun(StopRun)),
		operation(http.MethodPost, "/runs/{id}/pause", "pauseRun", "Let a run rest where it is.", steerRun(PauseRun)),
		operation(http.MethodPost, "/runs/{id}/resume", "resumeRun", "Let a paused run go on.", steerRun(ResumeRun)),
	}
}

func doListRuns(ctx context.Context, c *Call, in listRuns) (List[curlew.Run], error) {
	return listed(c, in.paging, func(x curlew.Run) string { return string(x.ID) }, func(w Window) ([]curlew.Run, error) {
		all, err := c.Rooms.Runs.List(ctx, in.RunFilter, w)
		for i := range all {
			all[i].Progress = nil // it can be long; ask for one run to read it
		}
		return all, err
	})
}

func doSubmit(ctx context.Context, c *Call, in submitRun) (RunSubmitted, error) {
	if len(in.Body.URLs)+len(in.Body.Domains) == 0 {
		return RunSubmitted{}, invalid{{"/urls", "name at least one URL, or a domain in domains"}}
	}
	return c.Rooms.Runs.Crawl(ctx, in.Body)
}

func doClear(ctx context.Context, c *Call, _ noInput) (Cleared, error) {
	n, err := c.Rooms.Runs.Clear(ctx)
	return Cleared{n}, err
}

func doRun(ctx context.Context, c *Call, in runID) (curlew.Run, error) {
	return c.Rooms.Runs.Get(ctx, in.ID)
}

func doLog(ctx context.Context, c *Call, in readLog) (List[curlew.LogLine], error) {
	if _, err := c.Rooms.Runs.Get(ctx, in.ID); err != nil {
		return List[curlew.LogLine]{}, err
	}
	return listed(c, in.paging, func(x curlew.LogLine) string { return strconv.FormatInt(x.Seq, 10) }, func(w Window) ([]curlew.LogLine, error) {
		after, err := number(w.After)
		if err != nil {
			return nil, err
		}
		return c.Rooms.Runs.Log(ctx, in.ID, after, w.Limit)
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

func steerRun(s RunStep) handler[runID, curlew.Run] {
	return func(ctx context.Context, c *Call, in runID) (curlew.Run, error) {
		return c.Rooms.RunControl.Steer(ctx, in.ID, s)
	}
}
