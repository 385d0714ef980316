package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

type addSite struct {
	URL          string `json:"url" jsonschema:"address of the page that lists things, or of the site"`
	Name         string `json:"name,omitempty" jsonschema:"what to call it; the site's own name by default"`
	Kind         string `json:"kind,omitempty" jsonschema:"what the page lists, where you know: event, product, job, article, organization, item, page, or a kind of the org"`
	Instructions string `json:"instructions,omitempty" jsonschema:"what to look for, in plain words"`
	Review       bool   `json:"review,omitempty" jsonschema:"wait for choose_reading, however sure the best reading is"`
	waiting
}

type waiting struct {
	Wait *int `json:"wait_seconds,omitempty" jsonschema:"how long to wait until it is deployed and read once, or until a choice is needed; at most 50; add_site waits 20 by default"`
}

// check says what is wrong with it.
func (w *waiting) check() error {
	var all curlew.Problems
	if w.Wait != nil {
		all.Add("wait_seconds", curlew.NumberProblem(float64(*w.Wait), new(0.0), new(longestWait)))
	}
	return all.Err()
}

type oneSite struct {
	ID string `json:"id" jsonschema:"candidate_id (can_…) or watch_id (wat_…)"`
	waiting
}

type listSites struct {
	rows
	After string `json:"after,omitempty" jsonschema:"watch_id after which to continue"`
}

// rows is how many of a list, or of each list, a tool answers with.
type rows struct {
	Limit *int `json:"limit,omitempty" jsonschema:"50 by default, at most 500"`
}

// check says what is wrong with it; without a limit it is 50.
func (r *rows) check() error {
	if r.Limit == nil {
		r.Limit = new(50)
	}
	return app.PageSize{Limit: *r.Limit}.Check().Err()
}

type chooseReading struct {
	ID      string            `json:"candidate_id"`
	Reading int               `json:"reading" jsonschema:"number of the reading, as get_site lists them"`
	Kind    string            `json:"kind,omitempty" jsonschema:"read the page as this kind; a new name makes a kind of the reading's fields"`
	Fields  map[string]string `json:"fields,omitempty" jsonschema:"with a new kind: names of its fields by those in the reading"`
}

// site is how a site stands, for an agent.
type site struct {
	Candidate curlew.CandidateID            `json:"candidate_id,omitempty"`
	URL       string                        `json:"url"`
	Name      string                        `json:"name"`
	Status    string                        `json:"status"`
	Why       string                        `json:"why,omitempty"`
	Readings  []reading                     `json:"readings,omitempty"`
	Source    curlew.SourceID               `json:"source_id,omitempty"`
	Watch     curlew.WatchID                `json:"watch_id,omitempty"`
	Blueprint curlew.BlueprintID            `json:"blueprint_id,omitempty"`
	LastCheck *time.Time                    `json:"last_check_at,omitempty"`
	NextCheck *time.Time                    `json:"next_check_at,omitempty"`
	Entities  map[curlew.EntityStatus]int64 `json:"entities,omitempty"`
	Feeds     []app.FeedFormat              `json:"feeds,omitempty"`
	Resource  string                        `json:"resource,omitempty"` // of the feed, in this protocol
	Next      string                        `json:"next,omitempty"`     // what to do
}

type reading struct {
	Number int `json:"number"`
	onboard.Finding
}

type sites struct {
	Watched    []site `json:"watched"`
	Candidates []site `json:"candidates"`
}

func (c *conversation) addSiteTools() {
	offer(c, doing{name: "add_site", needs: auth.EditCandidates, open: true,
		about: "Add a website by its address. It is analysed, read, tested and deployed in the background, with robots.txt and pace " +
			"respected; returns the status after wait_seconds, and the next step."}, c.addSite)
	offer(c, doing{name: "get_site", needs: auth.View, reads: true,
		about: "Status of a site: its readings while it waits for a choice; its watch, number of entities and feed addresses once deployed."},
		c.getSite)
	offer(c, doing{name: "list_sites", needs: auth.View, reads: true,
		about: "The watched sites, and the candidates that are not deployed yet."},
		c.listSites)
	offer(c, doing{name: "choose_reading", needs: auth.EditCandidates,
		about: "Deploy one of the readings of a site that waits for a choice."}, c.chooseReading)
}

func (c *conversation) addSite(ctx context.Context, who auth.Identity, in addSite) (site, error) {
	deploy := !in.Review
	candidate, err := c.App.ProposeCandidate(ctx, who, app.ProposeCandidate{URL: in.URL, Name: in.Name, Kind: in.Kind,
		Instructions: in.Instructions, AutoDeploy: &deploy})
	if errors.Is(err, curlew.ErrProposedAlready) && auth.Can(who, auth.View) {
		candidate, err = c.App.ProposedBefore(ctx, who, err)
	}
	if err != nil {
		return site{}, err
	}
	if in.Wait == nil {
		in.Wait = new(usualWait)
	}
	if !auth.Can(who, auth.View) { // the key may add and not look
		return site{Candidate: candidate.ID, URL: candidate.URL, Name: candidate.Name, Status: string(candidate.Status)}, nil
	}
	if candidate.ID == "" {
		return c.getSite(ctx, who, oneSite{ID: string(candidate.Watch)})
	}
	return c.await(ctx, who, candidate.ID, in.waiting)
}

func (c *conversation) getSite(ctx context.Context, who auth.Identity, in oneSite) (site, error) {
	if id, err := curlew.ParseID[curlew.WatchID](in.ID); err == nil {
		scope, err := c.App.Read(who)
		if err != nil {
			return site{}, err
		}
		var s site
		return s, c.watched(ctx, who, scope, id, &s)
	}
	return c.await(ctx, who, curlew.CandidateID(in.ID), in.waiting)
}

// longestWait stays below the minute after which clients give up.
const (
	longestWait = 50.0 // seconds
	usualWait   = 20
	lookAgain   = 250 * time.Millisecond
)

// await looks at a candidate until nothing more happens to it by itself and its first check is over, or the time is.
func (c *conversation) await(ctx context.Context, who auth.Identity, id curlew.CandidateID, w waiting) (s site, err error) {
	end := time.Now()
	if w.Wait != nil {
		end = end.Add(time.Duration(*w.Wait) * time.Second)
	}
	for {
		if s, err = c.candidate(ctx, who, id); err != nil || s.Readings != nil || s.ended() || time.Now().After(end) {
			return s, err
		}
		select {
		case <-ctx.Done():
			return s, ctx.Err()
		case <-time.After(lookAgain):
		}
	}
}

// ended says that waiting longer brings nothing.
func (s site) ended() bool {
	switch curlew.CandidateStatus(s.Status) {
	case curlew.CandidateRejected, curlew.CandidateFailed:
		return true
	}
	return s.Watch != "" && s.LastCheck != nil
}

// candidate is how a candidate stands.
func (c *conversation) candidate(ctx context.Context, who auth.Identity, id curlew.CandidateID) (s site, err error) {
	scope, err := c.App.Read(who)
	if err != nil {
		return s, err
	}
	one, err := scope.Candidates().Get(ctx, id)
	if err != nil {
		return s, err
	}
	s = siteOf(one)
	if one.Watch != "" {
		return s, c.watched(ctx, who, scope, one.Watch, &s)
	}
	report := onboard.ReportOf(one)
	if s.Why == "" {
		s.Why = report.Why
	}
	switch {
	case one.Review:
		for n, f := range report.Findings() {
			s.Readings = append(s.Readings, reading{n + 1, f})
		}
		s.Next = "choose_reading with the number of the reading that fits"
	case one.Status == curlew.CandidateRejected:
		if id, err := c.App.NotDeployed(ctx, who, one); id != "" {
			s = site{Candidate: one.ID}
			return s, cmp.Or(err, c.watched(ctx, who, scope, id, &s))
		}
		s.Next = "it cannot be read as it is: add_site with another page of the site, a kind or instructions"
	case !one.Settled():
		s.Next = "it is being analysed: get_site again with wait_seconds"
	}
	return s, nil
}

func siteOf(c curlew.Candidate) site {
	status := string(c.Status)
	if c.Review {
		status = "waits_for_choice"
	}
	return site{Candidate: c.ID, URL: c.URL, Name: c.Name, Status: status, Why: c.LastError, Source: c.Source, Watch: c.Watch}
}

// watched adds what a watch has seen, and where it is read.
func (c *conversation) watched(ctx context.Context, who auth.Identity, scope store.Scope, id curlew.WatchID, s *site) error {
	w, err := scope.Watches().Get(ctx, id)
	if err != nil {
		return err
	}
	s.add(w)
	if s.Entities, err = scope.Entities().Count(ctx, store.BrowseFilter{Watch: id}); err != nil {
		return err
	}
	feed, err := c.App.Feed(ctx, who, string(id))
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return err
	}
	s.Feeds, s.Resource = feed.URLs, feedURI(string(id))
	s.Next = fmt.Sprintf("search_entities or list_changes with watch_id %s, or share one of the feeds", id)
	if w.LastRunAt == nil {
		s.Next = "its first check is under way: get_site again with wait_seconds"
	}
	return nil
}

func (s *site) add(w curlew.Watch) {
	s.Watch, s.Source, s.Blueprint, s.URL, s.Name = w.ID, w.Source, w.Blueprint, w.URL, w.Name
	s.LastCheck, s.NextCheck, s.Why = w.LastRunAt, w.NextRunAt, w.LastError
	if s.Status == "" {
		s.Status = string(w.Status)
	}
}

func (c *conversation) listSites(ctx context.Context, who auth.Identity, in listSites) (sites, error) {
	all := sites{Watched: []site{}, Candidates: []site{}}
	scope, err := c.App.Read(who)
	if err != nil {
		return all, err
	}
	watches, err := scope.Watches().List(ctx, store.WatchFilter{}, store.Window{After: in.After, Limit: *in.Limit})
	if err != nil {
		return all, err
	}
	for _, w := range watches {
		var s site
		s.add(w)
		all.Watched = append(all.Watched, s)
	}
	some, err := scope.Candidates().List(ctx, store.CandidateFilter{}, store.Window{Limit: mostLooked})
	for _, one := range some {
		if one.Status != curlew.CandidateDeployed && len(all.Candidates) < *in.Limit {
			all.Candidates = append(all.Candidates, siteOf(one))
		}
	}
	return all, err
}

// mostLooked is among how many candidates those are looked for that are not deployed.
const mostLooked = 10_000

func (c *conversation) chooseReading(ctx context.Context, who auth.Identity, in chooseReading) (site, error) {
	id := curlew.CandidateID(in.ID)
	candidate, err := c.App.ChooseCandidateReading(ctx, who,
		app.ChooseCandidateReading{ID: id, Reading: in.Reading, Kind: in.Kind, Fields: in.Fields})
	if err != nil || !auth.Can(who, auth.View) {
		return siteOf(candidate), err
	}
	return c.candidate(ctx, who, id)
}
