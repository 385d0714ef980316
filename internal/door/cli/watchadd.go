package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// watchFlags are what a person may say about a watch, when adding it and later.
type watchFlags struct {
	Name           *string        `help:"What to call it." placeholder:"NAME"`
	Every          *string        `help:"When to check: \"adaptive\", \"every 15m\", \"daily at 07:30 Europe/Warsaw\", or cron." placeholder:"SCHEDULE"`
	Timezone       *string        `help:"Default time zone of the page." placeholder:"ZONE"`
	Ranked         *bool          `help:"The order of the list matters: report when it changes." negatable:""`
	StaleDays      *int           `help:"Mark an entry stale after this many days on the list; 0 never." placeholder:"N"`
	MaxPages       *int           `help:"Fetch at most this many pages per run; 0 means the setting watch.max_pages." placeholder:"N"`
	RemovalPercent *app.Percent   `help:"Hold removals of more than this share for review; 0 means the setting watch.removal_percent." placeholder:"N"`
	Only           *string        `help:"Only entries with one of these words, separated by commas." placeholder:"WORDS"`
	Upcoming       *bool          `help:"Skip events that are over." negatable:""`
	Delay          *time.Duration `help:"Pause between requests; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// fields are the same for the use case.
func (f watchFlags) fields() app.WatchFields {
	all := app.WatchFields{Name: f.Name, Schedule: f.Every, Timezone: f.Timezone, Ranked: f.Ranked, StaleDays: f.StaleDays,
		MaxPages: f.MaxPages, Only: f.Only, Upcoming: f.Upcoming, Delay: (*curlew.Duration)(f.Delay)}
	if f.RemovalPercent != nil {
		all.RemovalShare = new(float64(*f.RemovalPercent) / 100)
	}
	return all
}

func usage(format string, args ...any) error {
	return exitError{curlew.Permanent("wrong_usage", format, args...), exitUsage}
}

type watchesAdd struct {
	URL       string `arg:"" help:"Address of the page: a list page or a detail page."`
	Schema    string `name:"kind" aliases:"schema" help:"Kind of records: built in or your own; auto finds out." default:"auto" placeholder:"KIND"`
	Region    string `help:"Read the text of this part of the page: a CSS selector, for the kind page." placeholder:"CSS"`
	Blueprint string `help:"Read the page by this blueprint instead of finding out how." placeholder:"FILE" type:"path"`
	NoCheck   bool   `aliases:"no-visit" help:"Leave the first check to a server."`
	DryRun    bool   `help:"Dry run: propose without saving."`
	watchFlags
}

func (c *watchesAdd) Run(a *program) error {
	command := app.AddWatch{URL: c.URL, WatchFields: c.fields(), Learned: &curlew.Blueprint{}, CheckNow: !c.NoCheck}
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
	way, err := c.propose(a, i, org)
	if err != nil {
		return err
	}
	if !a.JSON {
		printProposal(a, way, c.Every)
	}
	if c.DryRun {
		if a.JSON {
			writeJSON(a.Out, way)
		}
		return nil
	}
	return c.keep(a, i, org, way, command)
}

// propose finds a way to watch the page, or tries the one that was given.
func (c *watchesAdd) propose(a *program, i *setup.Installation, org curlew.OrgID) (app.WatchProposal, error) {
	command := app.ProposeWatch{URL: c.URL, Region: c.Region, Timezone: c.Timezone,
		Delay: (*curlew.Duration)(c.Delay), Again: c.DryRun, Step: a.asks}
	if c.Schema != "auto" {
		command.Schema = curlew.SchemaName(c.Schema)
	}
	if c.Blueprint != "" {
		var err error
		if command.Rules, err = a.readRules(c.Blueprint); err != nil {
			return app.WatchProposal{}, err
		}
	}
	defer a.quiet()
	way, err := useCases(i).ProposeWatch(a.Context, operator(org), command)
	if errors.Is(err, watch.ErrUnfit) {
		return way, exitError{err, exitUnfit}
	}
	return way, err
}

func printProposal(a *program, p app.WatchProposal, every *string) {
	when := "adaptive"
	if every != nil {
		when = *every
	}
	fmt.Fprintf(a.Out, "%s: %s, from %s\n", printable(p.URL), count(p.Records, string(p.Schema), plural(p.Schema)), curlew.ReadFrom(p.Tier))
	if s, err := schedule.Parse(when); err == nil {
		fmt.Fprintf(a.Out, "  checks       %s\n", s.Describe())
	}
	pages := "one page"
	if p.Pagination != "" {
		pages = "follows further pages (" + p.Pagination + ")"
	}
	if len(p.Follows) > 0 {
		pages += ", and reads each entry's detail page"
	}
	fmt.Fprintf(a.Out, "  reads        %s\n", pages)
	if len(p.Others) > 0 {
		fmt.Fprintf(a.Out, "  would do too %s\n", tierWords(p.Others))
	}
	if p.Choose != "" {
		fmt.Fprintf(a.Out, "  %s\n", printable(p.Choose))
	}
	for _, f := range p.Readings {
		fmt.Fprintf(a.Out, "  or           %s\n", f)
	}
	for _, fields := range p.Sample {
		s := a.shown(p.Schema, fields)
		fmt.Fprintf(a.Out, "\n  %s\n", s.title())
		s.print(a.Out, "    ")
	}
	fmt.Fprintln(a.Out)
}

func plural(schema curlew.SchemaName) string { return curlew.Noun(2, string(schema)) }

func tierWords(tiers []curlew.Tier) string {
	words := make([]string, len(tiers))
	for i, t := range tiers {
		words[i] = curlew.ReadFrom(t)
	}
	return strings.Join(words, ", ")
}

// keep writes everything down, and begins.
func (c *watchesAdd) keep(a *program, i *setup.Installation, org curlew.OrgID, way app.WatchProposal, command app.AddWatch) error {
	learned, err := way.Learned()
	if err != nil {
		return exitError{err, exitUnfit}
	}
	command.URL, command.Learned, command.SiteName, command.Icon = way.URL, learned, way.Site, way.Icon
	if command.Name == nil && way.Title != "" {
		command.Name = &way.Title
	}
	added, err := useCases(i).AddWatch(a.Context, operator(org), command)
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
