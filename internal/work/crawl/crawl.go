// Package crawl reads the pages of a site that lead from one to another, run by run: the
// plan, what to visit first, the visits, and what is kept of them.
package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/outbox"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Crawl works off crawls: each step asks for some URLs of the frontier and keeps
// the pages, what they link to, and what became of each URL, in one transaction.
type Crawl struct {
	Store  *store.Store
	Crawl  *CrawlReader
	Outbox *outbox.Outbox
}

// Failed tells subscribers that a crawl failed, as they are told of a watch, in the transaction that ends it. Want of a contact is for
// whoever runs the installation.
func (c Crawl) Failed(ctx context.Context, w store.WriteScope, run curlew.Run, fault *curlew.Fault) error {
	var plan CrawlPlan
	if c.Outbox == nil || errors.Is(fault, fetch.ErrNoContact) || json.Unmarshal(run.Plan, &plan) != nil || len(plan.Seeds) == 0 {
		return nil
	}
	source, err := plan.source(ctx, w)
	if err != nil {
		return err
	}
	change := curlew.Change{Source: source.ID, Run: run.ID, OccurredAt: c.Outbox.Now()}
	return c.Outbox.TellFailure(ctx, w, change, fault, curlew.Values{"url": plan.Seeds[0], "name": run.Scope})
}

// crawlProgress is where a crawl stands.
type crawlProgress struct {
	Opened  bool `json:"opened"`
	Partial bool `json:"partial"` // discovery did not see everything
	Asked   int  `json:"asked"`   // pages that a server was asked for
	Found   int  `json:"found"`
}

// A step of a crawl should take seconds: a handful of pages at one per second, or
// many when nobody has to wait.
const (
	politeBatch = 4
	quickBatch  = 512
)

// Step does the next piece of a crawl.
func (c Crawl) Step(ctx context.Context, run curlew.Run) (runs.Step, error) {
	var plan CrawlPlan
	if err := json.Unmarshal(run.Plan, &plan); err != nil {
		return runs.Step{}, curlew.Permanent("bad_plan", "the plan of the crawl cannot be read").Because(err)
	}
	plan.Org = run.Org
	var progress crawlProgress
	if err := json.Unmarshal(run.Progress, &progress); err != nil {
		return runs.Step{}, curlew.Permanent("bad_progress", "the progress of the crawl cannot be read").Because(err)
	}
	if !progress.Opened {
		return c.open(ctx, run, plan)
	}
	batch := politeBatch
	if plan.Delay != nil && *plan.Delay == 0 {
		batch = max(quickBatch, 4*plan.Concurrency)
	}
	visits, err := c.Store.Org(run.Org).Frontier().Next(ctx, run.ID, min(batch, plan.MaxPages-progress.Asked))
	if err != nil {
		return runs.Step{}, err
	}
	if len(visits) == 0 || progress.Asked >= plan.MaxPages {
		return c.finish(run, plan, progress), nil
	}
	return c.visit(ctx, run, plan, progress, visits)
}

// open begins a crawl with robots.txt, seeds, sitemaps and what is known.
func (c Crawl) open(ctx context.Context, run curlew.Run, plan CrawlPlan) (runs.Step, error) {
	known, err := c.known(ctx, run, plan)
	if err != nil {
		return runs.Step{}, err
	}
	opening, err := c.Crawl.Open(ctx, plan, known)
	if busy := (*fetch.BusyError)(nil); errors.As(err, &busy) {
		return runs.Step{Progress: crawlProgress{}, Rest: busy.Wait}, nil
	}
	if err != nil {
		return runs.Step{}, err
	}
	visits := slices.Concat(opening.Found, opening.Known)
	lines := append(opening.Log, runs.Info("begins with %d URLs, and %d remembered ones", len(opening.Found), len(opening.Known)))
	return runs.Step{Progress: crawlProgress{Opened: true, Partial: opening.Partial, Found: len(visits)}, Total: int64(plan.MaxPages),
		Log: lines,
		Effect: func(ctx context.Context, w store.WriteScope) error {
			if err := w.URLs().Seen(ctx, plan.Scope(), opening.Found); err != nil {
				return err
			}
			_, err := w.Frontier().Add(ctx, run.ID, visits)
			return err
		}}, nil
}

// known are the active URLs that earlier crawls of the scope left behind.
func (c Crawl) known(ctx context.Context, run curlew.Run, plan CrawlPlan) ([]curlew.Found, error) {
	var all []curlew.Found
	for after := ""; len(all) < plan.MaxPages; {
		some, err := c.Store.Org(run.Org).URLs().List(ctx, plan.Scope(), true, store.Window{After: after, Limit: 1000})
		if err != nil || len(some) == 0 {
			return all, err
		}
		all = append(all, some...)
		after = some[len(some)-1].Key
	}
	return all[:min(len(all), plan.MaxPages)], nil
}

func (c Crawl) visit(
	ctx context.Context, run curlew.Run, plan CrawlPlan, progress crawlProgress, visits []curlew.Visit,
) (runs.Step, error) {
	keys := make([]string, len(visits))
	for i, v := range visits {
		keys[i] = v.Key
	}
	known, err := c.Store.Org(run.Org).URLs().Found(ctx, plan.Scope(), keys)
	if err != nil {
		return runs.Step{}, err
	}
	batch, err := c.Crawl.Visit(ctx, plan, visits, known)
	if err != nil {
		return runs.Step{}, err
	}
	step := runs.Step{Counters: curlew.Counters{}, Rest: batch.Rest}
	for _, v := range batch.Visited {
		count(&step, &progress, v)
	}
	links := newLinks(batch, plan, progress)
	progress.Found += len(links)
	step.Progress = progress
	step.Effect = crawled{run, plan, batch, links}.keep
	return step, nil
}

// count adds a visit to the figures of the run.
func count(step *runs.Step, progress *crawlProgress, v Visited) {
	step.Counters[curlew.CountSteps]++
	if v.Result != nil {
		progress.Asked++
		step.Counters[curlew.CountScraped]++
		step.Told = append(step.Told, instrument.PageAsked{Host: runs.HostOf(v.Visit.URL), Method: "links", Outcome: v.Result.Page.Outcome})
	}
	switch v.Visit.State {
	case curlew.VisitDone:
		if v.Result.Page.Outcome == curlew.OutcomeNotModified {
			step.Counters[curlew.CountSkipped]++
		} else {
			step.Counters[curlew.CountParsed]++
		}
	case curlew.VisitSkipped:
		step.Counters[curlew.CountSkipped]++
	case curlew.VisitFailed:
		step.Counters[curlew.CountWarnings]++
		step.Log = append(step.Log, curlew.LogLine{Level: curlew.LogWarn, Text: fmt.Sprintf("%s: %s", v.Visit.URL, v.Visit.Reason)})
	}
}

// spare is how many more URLs than its budget a crawl keeps in mind: an endless
// site must not fill the database.
const spare = 4

// newLinks are the links of a batch, each once, as far as there is room.
func newLinks(batch Batch, plan CrawlPlan, progress crawlProgress) []curlew.Visit {
	var links []curlew.Visit
	seen := map[string]bool{}
	room := max(0, spare*plan.MaxPages+1000-progress.Found)
	for _, v := range batch.Visited {
		for _, link := range v.Links {
			if !seen[link.Key] && len(links) < room {
				seen[link.Key] = true
				links = append(links, link)
			}
		}
	}
	return links
}

// crawled is what came of a batch, with the links that it found.
type crawled struct {
	run   curlew.Run
	plan  CrawlPlan
	batch Batch
	links []curlew.Visit
}

// keep writes it down.
func (c crawled) keep(ctx context.Context, w store.WriteScope) error {
	if err := c.endVisits(ctx, w); err != nil {
		return err
	}
	if err := c.keepPages(ctx, w); err != nil {
		return err
	}
	if err := c.keepReasons(ctx, w); err != nil {
		return err
	}
	if len(c.links) == 0 {
		return nil
	}
	added, err := w.Frontier().Add(ctx, c.run.ID, c.links)
	if err != nil {
		return err
	}
	return c.see(ctx, w, added)
}

// endVisits says what became of the URLs; of many, the same.
func (c crawled) endVisits(ctx context.Context, w store.WriteScope) error {
	type end struct {
		state  curlew.VisitState
		reason string
	}
	keys := map[end][]string{}
	for _, v := range c.batch.Visited {
		how := end{v.Visit.State, v.Visit.Reason}
		keys[how] = append(keys[how], v.Visit.Key)
	}
	for how, some := range keys {
		if err := w.Frontier().End(ctx, c.run.ID, some, how.state, how.reason); err != nil {
			return err
		}
	}
	return nil
}

// keepPages keeps the new pages and what the URL log should know of each answer.
func (c crawled) keepPages(ctx context.Context, w store.WriteScope) error {
	var unchanged []string
	for _, v := range c.batch.Visited {
		if v.Result == nil {
			continue
		}
		page := v.Result.Page
		page.Run = c.run.ID
		if page.Outcome == curlew.OutcomeNotModified && v.Visit.LastMod == nil {
			unchanged = append(unchanged, v.Visit.Key)
			continue
		}
		if page.Outcome != curlew.OutcomeNotModified {
			var err error
			if page, err = w.Pages().Add(ctx, page); err != nil {
				return err
			}
		}
		if err := w.URLs().Fetched(ctx, c.plan.Scope(), v.Visit, page); err != nil {
			return err
		}
	}
	if len(unchanged) == 0 {
		return nil
	}
	return w.URLs().Unchanged(ctx, c.plan.Scope(), unchanged, http.StatusNotModified)
}

// keepReasons writes into the URL log why each URL was asked for, or why not.
func (c crawled) keepReasons(ctx context.Context, w store.WriteScope) error {
	visits := make([]curlew.Visit, len(c.batch.Visited))
	for i, v := range c.batch.Visited {
		visits[i] = curlew.Visit{Key: v.Visit.Key, Reason: string(v.Reason)}
	}
	return w.URLs().Decided(ctx, c.plan.Scope(), visits)
}

// see keeps the URL log: links that are new in this run are found, others were
// found again.
func (c crawled) see(ctx context.Context, w store.WriteScope, added []string) error {
	isNew := make(map[string]bool, len(added))
	for _, key := range added {
		isNew[key] = true
	}
	var fresh []curlew.Visit
	var again []string
	for _, link := range c.links {
		if isNew[link.Key] {
			fresh = append(fresh, link)
		} else {
			again = append(again, link.Key)
		}
	}
	if err := w.URLs().Seen(ctx, c.plan.Scope(), fresh); err != nil || len(again) == 0 {
		return err
	}
	return w.URLs().SeenAgain(ctx, c.plan.Scope(), again, c.run.CreatedAt)
}

// finish ends a crawl. URLs that it did not find any more become inactive, but
// only if it looked everywhere.
func (c Crawl) finish(run curlew.Run, plan CrawlPlan, progress crawlProgress) runs.Step {
	step := runs.Step{Progress: progress, Done: true, Total: max(1, run.Counters[curlew.CountSteps])}
	if progress.Asked >= plan.MaxPages {
		step.Log = []curlew.LogLine{runs.Info("the budget of %d pages is used up", plan.MaxPages)}
		if plan.Sitemaps && progress.Found > progress.Asked {
			step.Log[0].Level, step.Counters = curlew.LogWarn, curlew.Counters{curlew.CountWarnings: 1}
			step.Log[0].Text += fmt.Sprintf(": %d of %d addresses that are known were asked for; a larger max_pages of the crawl raises it",
				progress.Asked, progress.Found)
		}
		return step
	}
	if progress.Partial {
		return step
	}
	step.Effect = func(ctx context.Context, w store.WriteScope) error {
		return runs.MarkOrphans(ctx, w, plan.Scope(), run)
	}
	return step
}
