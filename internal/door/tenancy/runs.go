package tenancy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"curlew/internal/change/publish"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
	"curlew/internal/work/pipeline"
	"curlew/internal/work/runs"
)

type tenantRuns struct{ tenant }

// List lists runs.
func (t tenantRuns) List(ctx context.Context, f rest.RunFilter, w rest.Window) ([]curlew.Run, error) {
	return t.scope.Runs().List(ctx, store.RunFilter{Kind: f.Kind, State: f.State, Scope: f.Scope}, store.Window(w))
}

// Get returns one.
func (t tenantRuns) Get(ctx context.Context, id curlew.RunID) (curlew.Run, error) {
	return t.scope.Runs().Get(ctx, id)
}

// Log reads the log of a run.
func (t tenantRuns) Log(ctx context.Context, id curlew.RunID, after int64, limit int) ([]curlew.LogLine, error) {
	return t.scope.Runs().Log(ctx, id, after, limit)
}

// crawlRequest is the plan of a crawl that came by the API, with what the caller keeps
// in it.
type crawlRequest struct {
	pipeline.CrawlPlan
	Mode     rest.RunMode  `json:"mode"`
	Metadata curlew.Values `json:"metadata,omitempty"`
	By       string        `json:"submitted_by"`
}

// Crawl starts a crawl, or only says what it would do.
func (t tenantRuns) Crawl(ctx context.Context, n rest.NewRun) (rest.RunSubmitted, error) {
	plan, err := t.plan(n)
	if err != nil {
		return rest.RunSubmitted{}, err
	}
	done := rest.RunSubmitted{DryRun: n.DryRun}
	text, err := json.Marshal(plan)
	if err != nil {
		return done, err
	}
	if err := json.Unmarshal(text, &done.Plan); err != nil || n.DryRun {
		return done, err
	}
	run, err := t.i.Jobs.Start(ctx, t.org(), runs.NewRun{Kind: curlew.RunCrawl, Scope: plan.Scope(), Plan: plan, Total: int64(plan.MaxPages), Priority: n.Priority,
		LimitKey: strings.TrimPrefix(plan.Scope(), "crawl:")})
	done.Run = &run
	return done, err
}

// plan makes a plan of a request. Patterns are of RE2, which takes no longer than the
// text is.
func (t tenantRuns) plan(n rest.NewRun) (plan crawlRequest, err error) {
	seeds := append([]string{}, n.URLs...)
	for i, seed := range n.URLs {
		if _, err := curlew.SiteOf(seed); err != nil {
			return plan, rest.Invalid(fmt.Sprintf("/urls/%d", i), err)
		}
	}
	for i, domain := range n.Domains {
		u, err := url.Parse("https://" + domain + "/")
		if err != nil || u.Host != domain || domain == "" || u.User != nil {
			return plan, rest.Invalid(fmt.Sprintf("/domains/%d", i), curlew.Permanent("bad_domain", "%q is not a domain: write it as example.org", domain))
		}
		seeds = append(seeds, u.String())
	}
	plan = crawlRequest{Mode: n.Mode, Metadata: n.Metadata, By: t.who}
	plan.CrawlPlan = pipeline.CrawlPlan{Seeds: seeds, MaxPages: 100, Depth: n.Depth, SameHost: n.SameHost == nil || *n.SameHost, Sitemaps: len(n.Domains) > 0,
		Include: n.Include, Exclude: n.Exclude, Concurrency: 4, Refetch: n.Refetch, PerDay: int64(t.i.Config.Fetch.PerSourceDay), OrgPerDay: int64(t.i.Config.Fetch.PerOrgDay)}
	if n.MaxPages > 0 {
		plan.MaxPages = n.MaxPages
	}
	if n.Concurrency > 0 {
		plan.Concurrency = n.Concurrency
	}
	if plan.Mode == "" {
		plan.Mode = rest.Concurrent
	}
	if plan.Mode == rest.Sequential {
		plan.Concurrency = 1
	}
	return plan, plan.Check()
}

// Clear forgets ended runs.
func (t tenantRuns) Clear(ctx context.Context) (int64, error) { return t.i.Jobs.Clear(ctx, t.org()) }

type runControl struct{ tenant }

// Steer stops, pauses and resumes a run.
func (t runControl) Steer(ctx context.Context, id curlew.RunID, s rest.RunStep) (curlew.Run, error) {
	do := map[rest.RunStep]func(context.Context, curlew.OrgID, curlew.RunID, string) error{
		rest.StopRun: t.i.Jobs.Stop, rest.PauseRun: t.i.Jobs.Pause, rest.ResumeRun: t.i.Jobs.Resume}[s]
	if err := do(ctx, t.org(), id, t.who); err != nil {
		return curlew.Run{}, err
	}
	return t.scope.Runs().Get(ctx, id)
}

type tenantEntities struct{ tenant }

// List lists entities.
func (t tenantEntities) List(ctx context.Context, f rest.EntityFilter, w rest.Window) ([]curlew.Entity, error) {
	return t.scope.Entities().Browse(ctx, store.BrowseFilter{Source: f.Source, Watch: f.Watch, Schema: f.Schema, Status: f.Status, Search: f.Search}, store.Window(w))
}

// Get returns one.
func (t tenantEntities) Get(ctx context.Context, id curlew.EntityID) (curlew.Entity, error) {
	return t.scope.Entities().Get(ctx, id)
}

// At rebuilds an entity as it was known at a moment from what was told about it.
func (t tenantEntities) At(ctx context.Context, id curlew.EntityID, at time.Time) (curlew.EntityPicture, error) {
	if _, err := t.scope.Entities().Get(ctx, id); err != nil {
		return curlew.EntityPicture{}, err
	}
	var told []curlew.Change
	for after := int64(0); ; {
		some, err := t.scope.Changes().List(ctx, store.ChangeFilter{Entity: id}, after, 1000)
		if err != nil {
			return curlew.EntityPicture{}, err
		}
		told = append(told, some...)
		if len(some) < 1000 {
			break
		}
		after = some[len(some)-1].Sequence
	}
	picture, known, err := publish.Rebuild(told, at)
	if err == nil && !known {
		err = curlew.Permanent("not_found", "%s was not known at %s", id, at.Format(time.RFC3339))
	}
	return picture, err
}

type tenantChanges struct{ tenant }

// List lists changes in their order.
func (t tenantChanges) List(ctx context.Context, f rest.ChangeFilter, after int64, limit int) ([]curlew.Change, error) {
	return t.scope.Changes().List(ctx, store.ChangeFilter{Kind: f.Kind, Source: f.Source, Watch: f.Watch, Entity: f.Entity, Since: f.Since, Search: f.Search}, after, limit)
}

// Get returns one.
func (t tenantChanges) Get(ctx context.Context, id curlew.ChangeID) (curlew.Change, error) {
	return t.scope.Changes().Get(ctx, id)
}

type tenantPublications struct{ tenant }

// List lists publications.
func (t tenantPublications) List(ctx context.Context, watch curlew.WatchID, w rest.Window) ([]curlew.Publication, error) {
	scope := ""
	if watch != "" {
		scope = publish.Scope(watch)
	}
	return t.scope.Publications().List(ctx, scope, store.Window(w))
}

// Get returns one.
func (t tenantPublications) Get(ctx context.Context, id curlew.PublicationID) (curlew.Publication, error) {
	return t.scope.Publications().Get(ctx, id)
}

// Latest returns the one of a watch that is in force.
func (t tenantPublications) Latest(ctx context.Context, watch curlew.WatchID) (curlew.Publication, error) {
	return t.scope.Publications().Latest(ctx, publish.Scope(watch))
}
