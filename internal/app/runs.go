package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/crawl"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// StartCrawl is a crawl to be run. Give urls, domains, or both.
type StartCrawl struct {
	URLs        []string        `json:"urls,omitempty" max:"1000"`
	Domains     []string        `json:"domains,omitempty" max:"100"`                 // whole sites: their home page and the pages in their sitemaps
	Mode        crawl.CrawlMode `json:"mode,omitempty" enum:"sequential,concurrent"` // concurrent by default
	Concurrency int             `json:"concurrency,omitempty" min:"0" max:"64"`
	Priority    curlew.Priority `json:"priority,omitempty" min:"1" max:"3"` // 1 first, 3 last; 2 by default
	MaxPages    int             `json:"max_pages,omitempty" min:"0" max:"10000000"`
	Depth       int             `json:"depth,omitempty" min:"0" max:"1000"` // 0 for no limit
	SameHost    *bool           `json:"same_host,omitempty"`                // true by default; else the same site
	Include     []string        `json:"include,omitempty" max:"50"`         // only URLs that match one of these regular expressions
	Exclude     []string        `json:"exclude,omitempty" max:"50"`
	Refetch     bool            `json:"refetch,omitempty"`  // fetch pages again even if they have not changed
	Metadata    curlew.Values   `json:"metadata,omitempty"` // kept with the run, for you
	DryRun      bool            `json:"dry_run,omitempty"`  // dry run: check everything and save nothing

	// What only the command line offers.
	Adapter  curlew.AdapterName `json:"-"`
	Sitemaps bool               `json:"-"`
	MinURLs  int                `json:"-" min:"0" max:"10000000"`
	Delay    *time.Duration     `json:"-"`
}

// Check says what is wrong with the command.
func (c StartCrawl) Check() curlew.Problems {
	all := bounds(c)
	if len(c.URLs)+len(c.Domains) == 0 {
		all.Add("urls", "name at least one URL, or a domain in domains")
	}
	for i, address := range c.URLs {
		all.Add("urls/"+strconv.Itoa(i), curlew.AddressProblem(address))
	}
	for i, domain := range c.Domains {
		if u, err := url.Parse("https://" + domain + "/"); err != nil || u.Host != domain || domain == "" || u.User != nil {
			all.Add("domains/"+strconv.Itoa(i), fmt.Sprintf("%q is not a domain: write it as example.org", domain))
		}
	}
	checkPatterns(&all, "include", c.Include)
	checkPatterns(&all, "exclude", c.Exclude)
	all.Add("delay", DelayProblem((*curlew.Duration)(c.Delay)))
	return all
}

func checkPatterns(all *curlew.Problems, field string, patterns []string) {
	for i, pattern := range patterns {
		if _, err := regexp.Compile(pattern); err != nil {
			all.Add(field+"/"+strconv.Itoa(i), text.PatternProblem(pattern, err))
		}
	}
}

// plan makes a plan of the command.
func (c StartCrawl) plan(a *App, by string) (crawl.CrawlPlan, error) {
	fetch := a.i.Config.Fetch
	return crawl.CrawlPlan{Mode: c.Mode, Metadata: c.Metadata, By: by, Seeds: c.URLs, MaxPages: c.MaxPages, Depth: c.Depth,
		SameHost: c.SameHost == nil || *c.SameHost, Sitemaps: c.Sitemaps, Include: c.Include, Exclude: c.Exclude,
		Concurrency: c.Concurrency, Refetch: c.Refetch, Adapter: c.Adapter, MinURLs: c.MinURLs, Delay: c.Delay,
		PerDay: int64(fetch.PerSourceDay), OrgPerDay: int64(fetch.PerOrgDay)}.Complete(c.Domains)
}

// StartedCrawl is what became of a crawl that somebody asked for.
type StartedCrawl struct {
	DryRun bool          `json:"dry_run,omitempty"`
	Run    *curlew.Run   `json:"run,omitempty"` // absent after a dry run
	Plan   curlew.Values `json:"plan"`          // what is done, or would be
}

// StartCrawl starts a crawl, or only says what it would do.
func (a *App) StartCrawl(ctx context.Context, who auth.Identity, c StartCrawl) (StartedCrawl, error) {
	return do(ctx, a.as(who), verb{"submitRun", auth.SteerRuns}, c, func(ctx context.Context, tx *Tx) (StartedCrawl, error) {
		done := StartedCrawl{DryRun: c.DryRun}
		plan, err := c.plan(a, who.Name)
		if err == nil {
			plan, err = plan.AboveFloor(ctx, tx.WriteScope)
		}
		if err != nil {
			return done, curlew.Wrong("", err)
		}
		text, err := json.Marshal(plan)
		if err != nil {
			return done, err
		}
		if err := json.Unmarshal(text, &done.Plan); err != nil || c.DryRun {
			return done, err
		}
		run, err := crawl.Start(ctx, a.i.Jobs, tx.WriteScope, plan, c.Priority)
		done.Run = &run
		tx.About(string(run.ID))
		return done, err
	})
}

// ActiveCrawl is the crawl under way that keeps a command from starting: one crawl of a
// site runs at a time.
func (a *App) ActiveCrawl(ctx context.Context, who auth.Identity, c StartCrawl) (curlew.Run, error) {
	scope, err := a.Read(who)
	if err != nil {
		return curlew.Run{}, err
	}
	plan, err := c.plan(a, "")
	if err != nil {
		return curlew.Run{}, err
	}
	return scope.Runs().Active(ctx, plan.Scope())
}

// RunDetail is a run with its last slices and the end of its log.
type RunDetail struct {
	curlew.Run
	SliceJobs []queue.Job      `json:"slice_jobs"`
	Log       []curlew.LogLine `json:"log"`
}

// RunDetail is all that is known of a run: at most so many slices and lines of its log.
func (a *App) RunDetail(ctx context.Context, who auth.Identity, id curlew.RunID, slices, lines int) (out RunDetail, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return out, err
	}
	if out.Run, err = scope.Runs().Get(ctx, id); err != nil {
		return out, err
	}
	if out.SliceJobs, err = a.i.Queue.BySubject(ctx, who.Org, string(id), slices); err != nil {
		return out, err
	}
	out.Log, err = scope.Runs().LogTail(ctx, id, lines)
	return out, err
}

// StartDrill starts a run that does nothing but take time.
type StartDrill struct {
	Scope string        `json:"scope" min:"1" maxlen:"200"` // one is active at a time in each
	Steps int           `json:"steps" min:"1" max:"1000000"`
	Pause time.Duration `json:"pause"`         // how long each step takes
	Slice int           `json:"slice" min:"0"` // steps of one slice; 0 leaves it to the clock
}

// Check says what is wrong with the command.
func (c StartDrill) Check() curlew.Problems {
	all := bounds(c)
	if c.Pause < 0 || c.Pause > longestStep {
		all.Add("pause", "it must be from 0s to 30s")
	}
	return all
}

// longestStep leaves a step of a drill time to be stopped.
const longestStep = 30 * time.Second

// StartDrill starts a run that does nothing but take time, to see how work is done.
func (a *App) StartDrill(ctx context.Context, who auth.Identity, c StartDrill) (curlew.Run, error) {
	return do(ctx, a.as(who), verb{"startDrill", auth.SteerRuns}, c, func(ctx context.Context, tx *Tx) (curlew.Run, error) {
		run, err := a.i.Jobs.Start(ctx, who.Org, runs.NewRun{Kind: curlew.RunDrill, Scope: c.Scope, Total: int64(c.Steps),
			Plan: runs.DrillPlan{Steps: c.Steps, Pause: c.Pause, Slice: c.Slice}})
		tx.About(string(run.ID))
		tx.Detail(changed(c))
		return run, err
	})
}

// StopRun ends a run for good.
func (a *App) StopRun(ctx context.Context, who auth.Identity, id curlew.RunID) (curlew.Run, error) {
	return a.steerRun(ctx, who, id, "stopRun", a.i.Jobs.Stop)
}

// PauseRun lets a run rest where it is.
func (a *App) PauseRun(ctx context.Context, who auth.Identity, id curlew.RunID) (curlew.Run, error) {
	return a.steerRun(ctx, who, id, "pauseRun", a.i.Jobs.Pause)
}

// patience is how long ResumeRun waits for the slice that was interrupted to end.
const patience = 5 * time.Second

// ResumeRun resumes a paused run. The slice that was interrupted may need a moment to
// end, which is waited for outside of any transaction: it ends with one of its own.
func (a *App) ResumeRun(ctx context.Context, who auth.Identity, id curlew.RunID) (curlew.Run, error) {
	ends := time.After(patience)
	for {
		run, err := a.steerRun(ctx, who, id, "resumeRun", a.i.Jobs.ResumeOnce)
		if !errors.Is(err, runs.ErrStillEnding) {
			return run, err
		}
		select {
		case <-ctx.Done():
			return run, ctx.Err()
		case <-ends:
			return run, err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (a *App) steerRun(ctx context.Context, who auth.Identity, id curlew.RunID, name string,
	step func(context.Context, curlew.OrgID, curlew.RunID, string) error) (curlew.Run, error) {
	return do(ctx, a.as(who), verb{name, auth.SteerRuns}, one[curlew.RunID]{id}, func(ctx context.Context, tx *Tx) (curlew.Run, error) {
		if err := step(ctx, who.Org, id, who.Name); err != nil {
			return curlew.Run{}, err
		}
		tx.About(string(id))
		return tx.Runs().Get(ctx, id)
	})
}

// ClearRuns forgets the ended runs that nothing refers to, and says how many.
func (a *App) ClearRuns(ctx context.Context, who auth.Identity) (int64, error) {
	return do(ctx, a.as(who), verb{"clearRuns", auth.SteerRuns}, one[curlew.RunID]{}, func(ctx context.Context, tx *Tx) (int64, error) {
		n, err := tx.Runs().Clear(ctx, 0, math.MaxInt32)
		tx.About(curlew.Counted(n, "run"))
		return n, err
	})
}
