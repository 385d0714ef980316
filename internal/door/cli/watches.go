package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/watch"
)

type watchesCommand struct {
	Add     watchesAdd     `cmd:"" help:"Analyse a page, propose how to watch it, and begin."`
	List    watchesList    `cmd:"" help:"List watches."`
	Show    watchesShow    `cmd:"" help:"Show one watch: its state, what it learned, its last runs."`
	Health  watchesHealth  `cmd:"" help:"One line per watch: when it last ran, and the outcome."`
	URLs    watchesURLs    `cmd:"" name:"urls" help:"List the pages of a watch, with why each was read at the last check, or why not."`
	Trigger watchesTrigger `cmd:"" help:"Check now."`
	Pause   watchesPause   `cmd:"" help:"Pause a watch."`
	Resume  watchesResume  `cmd:"" help:"Resume a watch, also one that stopped after failures."`
	Accept  watchesAccept  `cmd:"" help:"Accept a bulk removal that is held for review."`
	Edit    watchesEdit    `cmd:"" help:"Change a watch."`
	Remove  watchesRemove  `cmd:"" help:"Forget a watch; its entities and their history stay."`
}

type watchesList struct {
	Source string `help:"Only watches of this source." placeholder:"ID"`
	Status string `help:"Only watches that are ${enum}." enum:",active,paused,error" default:"" placeholder:"STATUS"`
	Limit  atMost `help:"At most this many; all unless given."`
}

func (c watchesList) Run(a *program) error {
	source, err := parseOptional[curlew.SourceID](c.Source)
	if err != nil {
		return err
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: source, Status: curlew.WatchStatus(c.Status)},
			store.Window{Limit: c.Limit.orAll()})
		if err != nil {
			return err
		}
		now := time.Now()
		list(a, watches, "No watches found. Add one with \"curlew watches add URL\".",
			[]string{"watch", "name", "status", "last run", "next run", "schedule", "url"}, func(w curlew.Watch) []string {
				return []string{string(w.ID), text.Clip(w.Name, 30), watchWord(w), ago(w.LastRunAt, now), nextWord(w, now), w.Schedule,
					text.Clip(w.URL, 60)}
			})
		return nil
	})
}

// watchWord is how a watch stands, with what a person should know at a glance.
func watchWord(w curlew.Watch) string {
	switch {
	case w.Held != nil && !w.Held.Accepted:
		return string(w.Status) + ", holds"
	case w.Standing() == curlew.WatchFailing:
		return fmt.Sprintf("failing (%d)", w.ConsecutiveFailures)
	}
	return string(w.Status)
}

// nextWord is when a watch is checked next; one that is due waits for a worker.
func nextWord(w curlew.Watch, now time.Time) string {
	switch {
	case w.Status != curlew.WatchActive || w.NextRunAt == nil:
		return "–"
	case !w.NextRunAt.After(now):
		return "due"
	}
	return ago(w.NextRunAt, now)
}

type watchesShow struct {
	ID string `arg:"" help:"Id of the watch."`
}

// watchReport is all that is known of a watch.
type watchReport struct {
	curlew.Watch
	ScheduleWords string                        `json:"schedule_words"`
	NextWhy       string                        `json:"next_why,omitempty"`
	SourceName    string                        `json:"source_name"`
	Version       int                           `json:"blueprint_version"`
	Tier          curlew.Tier                   `json:"tier"`
	Schema        curlew.SchemaName             `json:"schema"`
	Entities      map[curlew.EntityStatus]int64 `json:"entities"`
	Savings       string                        `json:"savings,omitempty"`
	Runs          []curlew.Run                  `json:"runs"`
}

func (c watchesShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.WatchID) error {
		report, err := reportWatch(ctx, scope, id)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, report)
			return nil
		}
		report.print(a)
		return nil
	})
}

func reportWatch(ctx context.Context, scope store.Scope, id curlew.WatchID) (r watchReport, err error) {
	if r.Watch, err = scope.Watches().Get(ctx, id); err != nil {
		return r, err
	}
	source, err := scope.Sources().Get(ctx, r.Source)
	if err != nil {
		return r, err
	}
	b, err := scope.Blueprints().Get(ctx, r.Blueprint)
	if err != nil {
		return r, err
	}
	r.SourceName, r.Version, r.Tier, r.Schema = source.Name, b.Version, b.Tier, b.Schema
	if r.Entities, err = scope.Entities().Count(ctx, store.BrowseFilter{Watch: id}); err != nil {
		return r, err
	}
	if s, err := schedule.Parse(r.Schedule); err == nil {
		r.ScheduleWords = s.Describe()
		if adaptive, ok := s.For(string(id)).Adaptive(); ok && r.Rhythm.Checks > 0 {
			_, r.NextWhy = adaptive.Next(r.Rhythm, r.Rhythm.LastCheckAt, 0)
			r.Savings = adaptive.Savings(r.Rhythm)
		}
	}
	r.Runs, err = app.RunsOfWatch(ctx, scope, r.Watch, 5)
	return r, err
}

func (r watchReport) print(a *program) {
	now := time.Now()
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.Out, "%-10s %s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintf(a.Out, "%s  %s\n", r.ID, printable(r.Name))
	line("url", "%s", r.URL)
	line("source", "%s  %s", r.Source, r.SourceName)
	line("reads", "%s entries from %s, blueprint %s version %d", r.Schema, curlew.ReadFrom(r.Tier), r.Blueprint, r.Version)
	line("status", "%s", watchWord(r.Watch))
	if r.LastError != "" {
		line("", "%s (failed %s in a row)", r.LastError, count(r.ConsecutiveFailures, "time", "times"))
	}
	if h := r.Held; h != nil {
		line("held", "%d of %d entries are missing since %s: %s", h.Missing, h.Of, moment(&h.Since), h.Why)
		if h.Accepted {
			line("", "accepted: the next run removes them")
		} else {
			line("", "\"curlew watches accept %s\" removes them; if they come back, the hold ends automatically", r.ID)
		}
	}
	line("schedule", "%s: %s", r.Schedule, r.ScheduleWords)
	line("last run", "%s (%s)", moment(r.LastRunAt), ago(r.LastRunAt, now))
	line("next run", "%s (%s)", moment(r.NextRunAt), nextWord(r.Watch, now))
	if r.NextWhy != "" {
		line("", "%s", r.NextWhy)
	}
	if n := r.Rhythm.News; n != nil && n.URL != "" {
		line("news", "%s is asked every %.0f minutes; the list is read at %s at the latest", strings.Join(n.Files(), ", "),
			time.Duration(n.Every).Minutes(),
			moment(&n.ListAt))
	}
	if r.Savings != "" {
		line("rhythm", "%s, %d found a change; %s", count(r.Rhythm.Checks, "check", "checks"), r.Rhythm.Hits, r.Savings)
	}
	line("entities", "%s", statusCounts(r.Entities))
	if settings := settingWords(r.Settings); settings != "" {
		line("settings", "%s", settings)
	}
	if len(r.Runs) == 0 {
		return
	}
	fmt.Fprintln(a.Out)
	var rows [][]string
	for _, run := range r.Runs {
		rows = append(rows, []string{string(run.ID), string(run.State), watch.PlanOf(run).Trigger, moment(&run.CreatedAt), took(run),
			watchFigures(run)})
	}
	table(a.Out, []string{"run", "state", "trigger", "created", "took", "outcome"}, rows)
}

// watchFigures are what a run of a watch came to, in words.
func watchFigures(run curlew.Run) string {
	if run.Fault != nil {
		return text.Clip(run.Fault.Sentence, 80)
	}
	parts := []string{fmt.Sprintf("%d fetched", run.Counters[curlew.CountScraped]),
		fmt.Sprintf("%d unchanged", run.Counters[curlew.CountSkipped]),
		fmt.Sprintf("%d read", run.Counters[curlew.CountParsed])}
	for _, name := range []curlew.Counter{"appeared", "changed", "disappeared", "missing", "held", "drifted", curlew.CountPersonal,
		curlew.CountWarnings} {
		if n := run.Counters[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	return strings.Join(parts, ", ")
}

// settingWords are the settings of a watch that are not the defaults.
func settingWords(s curlew.WatchSettings) string {
	var parts []string
	say := func(set bool, format string, args ...any) {
		if set {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	say(s.Zone != "", "times in %s", s.Zone)
	say(s.Ranked, "the order counts")
	say(s.Only != "", "only entries with %s", s.Only)
	say(s.Upcoming, "no events that are over")
	say(s.StaleDays > 0, "stale after %s", curlew.Counted(s.StaleDays, "day"))
	say(s.MaxPages > 0, "at most %d pages", s.MaxPages)
	say(s.RemovalShare > 0, "removals above %s%% are held", app.PercentOf(s.RemovalShare))
	say(s.DetailsEvery > 0, "detail pages every %s", time.Duration(s.DetailsEvery))
	if s.Delay != nil {
		say(true, "%s between requests", time.Duration(*s.Delay))
	}
	return strings.Join(parts, ", ")
}

type watchesHealth struct {
	Source string `help:"Only watches of this source." placeholder:"ID"`
}

// watchHealth is one line of it.
type watchHealth struct {
	Source    string             `json:"source"`
	Watch     curlew.WatchID     `json:"watch_id"`
	Name      string             `json:"name"`
	Status    curlew.WatchStatus `json:"status"`
	LastRun   *time.Time         `json:"last_run_at"`
	RunState  curlew.RunState    `json:"run_state,omitempty"`
	Failures  int                `json:"consecutive_failures"`
	Counters  curlew.Counters    `json:"counters,omitempty"`
	LastError string             `json:"last_error,omitempty"`
	Held      *curlew.Hold       `json:"held,omitempty"`
	figures   string
}

func (c watchesHealth) Run(a *program) error {
	source, err := parseOptional[curlew.SourceID](c.Source)
	if err != nil {
		return err
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: source}, store.Window{Limit: 10_000})
		if err != nil {
			return err
		}
		var all []watchHealth
		for _, w := range watches {
			h := watchHealth{Watch: w.ID, Name: w.Name, Status: w.Status, LastRun: w.LastRunAt, Failures: w.ConsecutiveFailures,
				LastError: w.LastError, Held: w.Held}
			if s, err := scope.Sources().Get(ctx, w.Source); err == nil {
				h.Source = s.Name
			}
			runs, err := app.RunsOfWatch(ctx, scope, w, 1)
			if err != nil {
				return err
			}
			if len(runs) > 0 {
				h.RunState, h.Counters, h.figures = runs[0].State, runs[0].Counters, watchFigures(runs[0])
			}
			all = append(all, h)
		}
		now := time.Now()
		list(a, all, "There are no watches. Add one with \"curlew watches add URL\".",
			[]string{"source", "watch", "status", "last run", "run", "failures", "outcome"}, func(h watchHealth) []string {
				w := curlew.Watch{Status: h.Status, Held: h.Held, ConsecutiveFailures: h.Failures}
				return []string{text.Clip(h.Source, 30), string(h.Watch), watchWord(w), ago(h.LastRun, now), string(h.RunState),
					fmt.Sprint(h.Failures), h.figures}
			})
		return nil
	})
}
