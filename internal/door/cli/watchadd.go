package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"curlew/internal/app"
	"curlew/internal/app/auth"
	"curlew/internal/change/schedule"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/extract"
	"curlew/internal/ops/setup"
	"curlew/internal/read/blueprint"
	"curlew/internal/text"
	"curlew/internal/web/fetch"
	"curlew/internal/work/onboard"
	"curlew/internal/work/pages"
	"curlew/internal/work/watch"
)

// watchFlags are what a person may say about a watch, when adding it and later.
type watchFlags struct {
	Name           *string        `help:"What to call it." placeholder:"NAME"`
	Every          *string        `help:"When to look: \"adaptive\", \"every 15m\", \"daily at 07:30 Europe/Warsaw\", or cron." placeholder:"SCHEDULE"`
	Timezone       *string        `help:"Zone of times on the page that name none." placeholder:"ZONE"`
	Ranked         *bool          `help:"The order of the list means something: tell when it changes." negatable:""`
	StaleDays      *int           `help:"Call an entry stale that is listed for so many days; 0 never." placeholder:"N"`
	MaxPages       *int           `help:"Ask for at most this many pages per run; 0 means the setting watch.max_pages." placeholder:"N"`
	RemovalPercent *int           `help:"Hold removals of more than this share for review; 0 means the setting watch.removal_percent." placeholder:"N"`
	Delay          *time.Duration `help:"Pause between requests; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// fields are the same for the use case.
func (f watchFlags) fields() app.WatchFields {
	all := app.WatchFields{Name: f.Name, Schedule: f.Every, Timezone: f.Timezone, Ranked: f.Ranked, StaleDays: f.StaleDays,
		MaxPages: f.MaxPages}
	if f.RemovalPercent != nil {
		share := float64(*f.RemovalPercent) / 100
		all.RemovalShare = &share
	}
	if f.Delay != nil {
		delay := curlew.Duration(*f.Delay)
		all.Delay = &delay
	}
	return all
}

func usage(format string, args ...any) error {
	return exitError{curlew.Permanent("wrong_usage", format, args...), exitUsage}
}

type watchesAdd struct {
	URL       string `arg:"" help:"Address of the page: a list, or the page of a single thing."`
	Schema    string `help:"What to look for: ${enum}." enum:"auto,event,product,job,article,organization,item" default:"auto" placeholder:"SCHEMA"`
	Blueprint string `help:"Read the page by this blueprint instead of finding out how." placeholder:"FILE" type:"path"`
	NoVisit   bool   `help:"Leave the first check to a server."`
	DryRun    bool   `help:"Propose, and keep nothing."`
	watchFlags
}

// proposed is the way to watch a page, for programs.
type proposed struct {
	URL        string            `json:"url"`
	Schema     curlew.SchemaName `json:"schema"`
	Tier       curlew.Tier       `json:"tier"`
	Records    int               `json:"records"`
	Pagination string            `json:"pagination,omitempty"`
	Follows    []string          `json:"follows,omitempty"` // fields that lead to detail pages
	Sample     []curlew.Values   `json:"sample"`
	Others     []curlew.Tier     `json:"other_ways,omitempty"`
	blueprint  *blueprint.Blueprint
}

func (c *watchesAdd) Run(a *program) error {
	command := app.AddWatch{URL: c.URL, WatchFields: c.fields(), Learned: &curlew.Blueprint{}, CheckNow: !c.NoVisit}
	if err := command.Check().Err(); err != nil {
		return err
	}
	org, err := a.org()
	if err != nil {
		return err
	}
	i, err := a.openToRead(a.Context, "")
	if err != nil {
		return err
	}
	defer i.Close()
	if err := c.already(a.Context, i.Store.Org(org)); err != nil {
		return err
	}
	way, err := c.propose(a, i)
	if err != nil {
		return err
	}
	if !a.JSON {
		way.print(a, c.Every)
	}
	if c.DryRun {
		if a.JSON {
			writeJSON(a.Out, way)
		}
		return nil
	}
	return c.keep(a, i, org, way, command)
}

// already spares a site our questions where they have been asked before.
func (c *watchesAdd) already(ctx context.Context, scope store.Scope) error {
	if c.Schema != "auto" || c.Blueprint != "" || c.DryRun {
		return nil // it may be watched for something else
	}
	watches, err := scope.Watches().List(ctx, store.WatchFilter{URL: c.URL}, store.Window{Limit: 1})
	if err != nil || len(watches) == 0 {
		return err
	}
	return curlew.Permanent("watched_already", "%s watches %s already: edit it, remove it, or say with --schema what else to look for",
		watches[0].ID, c.URL)
}

// propose finds a way to watch the page, or tries the one that was given.
func (c *watchesAdd) propose(a *program, i *setup.Installation) (proposed, error) {
	options := extract.ExtractOptions{}
	if c.Timezone != nil {
		options.Zone, _ = time.LoadLocation(*c.Timezone)
	}
	if c.Schema != "auto" {
		options.Schema = curlew.SchemaName(c.Schema)
	}
	web := setup.Asking{Fetcher: i.Reading.Reader.Fetcher, Delay: c.Delay}
	defer a.quiet()
	if c.Blueprint != "" {
		return c.given(a, web, options)
	}
	p, err := onboard.Proposing{Web: web, Now: a.clock(), Options: options, Step: a.asks}.Propose(a.Context, c.URL)
	if err != nil {
		return proposed{}, notFeasible(err)
	}
	way := proposed{URL: p.URL, Schema: p.Schema, Tier: p.Tier, Records: p.Records, blueprint: p.Blueprint}
	way.describe(p.Sample)
	for _, other := range p.Others {
		way.Others = append(way.Others, other.Tier)
	}
	return way, nil
}

// notFeasible gives a page that cannot be watched the exit code of that.
func notFeasible(err error) error {
	if errors.Is(err, curlew.ErrNotFeasible) || errors.Is(err, watch.ErrUnfit) {
		return exitError{err, exitUnfit}
	}
	return err
}

// given tries a blueprint that somebody wrote or learned.
func (c *watchesAdd) given(a *program, web setup.Asking, o extract.ExtractOptions) (proposed, error) {
	rules, err := a.readRules(c.Blueprint)
	if err != nil {
		return proposed{}, err
	}
	b, err := blueprint.Parse(rules)
	if err != nil {
		return proposed{}, exitError{err, exitUsage}
	}
	if o.Schema != "" && o.Schema != b.Schema {
		return proposed{}, usage("--schema is %s, but the blueprint reads %s", o.Schema, b.Schema)
	}
	compiled, err := extract.Compile(b)
	if err != nil {
		return proposed{}, exitError{err, exitUsage}
	}
	first := compiled.First(c.URL)
	a.asks(first.URL)
	request := fetch.PageRequest{URL: first.URL, Method: first.Method, Body: first.Body}
	if len(first.Body) > 0 {
		request.ContentType = "application/json"
	}
	result, err := web.Fetch(a.Context, request)
	if err != nil {
		return proposed{}, err
	}
	if result.Page.Outcome != curlew.OutcomeFetched {
		return proposed{}, curlew.Permanent("not_fetched", "%s was not fetched: %s", first.URL, result.Page.OutcomeWords())
	}
	applied := compiled.Apply(pages.MaterialOf(result, a.clock()()), extract.ApplyOptions{Zone: o.Zone, AllowPersonal: o.AllowPersonal})
	if applied.Fault != nil {
		return proposed{}, applied.Fault
	}
	if len(applied.Readings) == 0 || !applied.Whole() {
		why := "it finds no records there"
		if len(applied.Fit.Reasons) > 0 {
			why = applied.Fit.Reasons[0]
		}
		return proposed{}, notFeasible(curlew.Permanent(watch.ErrUnfit, "%s does not fit %s: %s", c.Blueprint, c.URL, why))
	}
	if b.Expect == nil {
		b.Expect = compiled.Expect(applied.Readings)
	}
	way := proposed{URL: c.URL, Schema: b.Schema, Tier: b.Tier, Records: len(applied.Readings), blueprint: b}
	way.describe(applied.Readings)
	return way, nil
}

// describe adds what people want to see of a blueprint and its records.
func (p *proposed) describe(readings []extract.ReadRecord) {
	for _, r := range readings[:min(3, len(readings))] {
		p.Sample = append(p.Sample, r.Record.Fields)
	}
	if x := p.blueprint.Pagination; x != nil {
		p.Pagination = x.Kind
	}
	for _, f := range p.blueprint.Follow {
		p.Follows = append(p.Follows, f.Field)
	}
}

func (p proposed) print(a *program, every *string) {
	when := "adaptive"
	if every != nil {
		when = *every
	}
	fmt.Fprintf(a.Out, "%s: %s on the page, by %s\n", printable(p.URL), count(p.Records, string(p.Schema), plural(p.Schema)), p.Tier)
	if s, err := schedule.Parse(when); err == nil {
		fmt.Fprintf(a.Out, "  looks        %s\n", s.Describe())
	}
	pages := "one page"
	if p.Pagination != "" {
		pages = "goes on to further pages (" + p.Pagination + ")"
	}
	if len(p.Follows) > 0 {
		pages += ", and reads each entry's detail page"
	}
	fmt.Fprintf(a.Out, "  reads        %s\n", pages)
	if len(p.Others) > 0 {
		fmt.Fprintf(a.Out, "  would do too %s\n", tierWords(p.Others))
	}
	for _, fields := range p.Sample {
		s := shown{p.Schema, fields}
		fmt.Fprintf(a.Out, "\n  %s\n", s.title())
		s.print(a.Out, "    ")
	}
	fmt.Fprintln(a.Out)
}

func plural(schema curlew.SchemaName) string { return string(schema) + "s" }

func tierWords(tiers []curlew.Tier) string {
	words := make([]string, len(tiers))
	for i, t := range tiers {
		words[i] = string(t)
	}
	return strings.Join(words, ", ")
}

// keep writes everything down, and begins.
func (c *watchesAdd) keep(a *program, i *setup.Installation, org curlew.OrgID, way proposed, command app.AddWatch) error {
	rules, err := blueprint.Marshal(way.blueprint)
	if err != nil {
		return err
	}
	command.URL = way.URL
	command.Learned = &curlew.Blueprint{Schema: way.Schema, PageType: way.blueprint.Page, Tier: way.Tier, Rules: rules, TestURL: way.URL}
	added, err := useCases(i).AddWatch(a.Context, auth.Operator(org), command)
	if err != nil {
		return err
	}
	if !a.JSON {
		fmt.Fprintf(a.Out, "%s watches it (source %s, blueprint %s version %d).\n", added.Watch.ID, added.Source.ID, added.Blueprint.ID,
			added.Blueprint.Version)
	}
	if added.Run == nil {
		if !a.JSON {
			fmt.Fprintln(a.Out, "It is due now: a server begins within seconds.")
		}
	} else if *added.Run, err = a.workOff(i, *added.Run); err != nil {
		return err
	}
	if a.JSON {
		writeJSON(a.Out, map[string]any{"proposal": way, "source": added.Source, "blueprint": added.Blueprint, "watch": added.Watch,
			"run": added.Run})
	} else {
		fmt.Fprintf(a.Out, "See it: curlew watches show %s · curlew changes list --watch %s\n", added.Watch.ID, added.Watch.ID)
	}
	if added.Run != nil && added.Run.Fault != nil {
		return added.Run.Fault
	}
	return nil
}

// asks shows a person what is being asked for.
func (a *program) asks(what string) {
	if a.Terminal && !a.JSON {
		fmt.Fprintf(a.Err, "\r\x1b[K  asking %s", text.Clip(printable(what), 90))
	}
}

// quiet takes that line away.
func (a *program) quiet() {
	if a.Terminal && !a.JSON {
		fmt.Fprint(a.Err, "\r\x1b[K")
	}
}
