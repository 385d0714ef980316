package cli

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type runsCommand struct {
	List   runsList   `cmd:"" help:"List runs, newest first."`
	Show   runsShow   `cmd:"" help:"Show one run with its slices and the end of its log."`
	Log    runsLog    `cmd:"" help:"Print the log of a run."`
	URLs   runsURLs   `cmd:"" name:"urls" help:"List the URLs of a crawl or of a check, with the last decision about each."`
	Pause  runsPause  `cmd:"" help:"Pause a run."`
	Resume runsResume `cmd:"" help:"Resume a paused run."`
	Stop   runsStop   `cmd:"" help:"Stop a run."`
	Clear  runsClear  `cmd:"" help:"Forget all ended runs of the org."`
	Drill  runsDrill  `cmd:"" help:"Start a test run that only counts."`
}

// within opens the installation and the org of a command.
func (a *program) within(do func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error) error {
	org, err := a.org()
	if err != nil {
		return err
	}
	i, err := a.open(a.Context)
	if err != nil {
		return err
	}
	defer i.Close()
	ctx, leave := i.WhileThere(a.Context, org)
	defer leave()
	err = do(ctx, i, org)
	if moved := (*curlew.Fault)(nil); errors.As(context.Cause(ctx), &moved) {
		return moved // what was read since may lack rows
	}
	return err
}

type runsList struct {
	Kind  string `help:"Only runs of this kind." placeholder:"KIND"`
	State string `help:"Only runs in this state." enum:",pending,running,paused,succeeded,failed,cancelled" default:"" placeholder:"STATE"`
	Scope string `help:"Only runs of this scope." placeholder:"SCOPE"`
	Limit atMost `help:"At most this many." default:"50"`
}

func (c runsList) Run(a *program) error {
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		runs, err := scope.Runs().List(ctx, store.RunFilter{Kind: curlew.RunKind(c.Kind), State: curlew.RunState(c.State), Scope: c.Scope},
			store.Window{Limit: int(c.Limit)})
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, append([]curlew.Run{}, runs...))
			return nil
		}
		if len(runs) == 0 {
			fmt.Fprintln(a.Out, "No runs found. Start one with \"curlew runs drill\".")
			return nil
		}
		var rows [][]string
		for _, r := range runs {
			rows = append(rows, []string{string(r.ID), string(r.Kind), r.Scope, string(r.State), progress(r), moment(&r.CreatedAt), took(r)})
		}
		table(a.Out, []string{"run", "kind", "scope", "state", "steps", "created", "took"}, rows)
		return nil
	})
}

// progress tells how far a run is.
func progress(r curlew.Run) string {
	if r.Total > 0 {
		return fmt.Sprintf("%d/%d", r.Counters[curlew.CountSteps], r.Total)
	}
	return fmt.Sprint(r.Counters[curlew.CountSteps])
}

func took(r curlew.Run) string {
	if r.StartedAt == nil || r.FinishedAt == nil {
		return "–"
	}
	return brief(r.FinishedAt.Sub(*r.StartedAt))
}

type runsShow struct {
	ID string `arg:"" help:"Id of the run."`
}

func (c runsShow) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, app *app.App, who auth.Identity, id curlew.RunID) error {
		run, err := app.RunDetail(ctx, who, id, 20, 10)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, run)
			return nil
		}
		printRun(a, run)
		return nil
	})
}

func printRun(a *program, r app.RunDetail) {
	fmt.Fprintf(a.Out, "%s  %s of %s, %s\n", r.ID, r.Kind, printable(r.Scope), r.State)
	fmt.Fprintf(a.Out, "created %s, started %s, finished %s\n", moment(&r.CreatedAt), moment(r.StartedAt), moment(r.FinishedAt))
	if r.Fault != nil {
		fmt.Fprintf(a.Out, "fault: %s (%s)\n", printable(r.Fault.Sentence), r.Fault.Kind)
	}
	var figures []string
	for name, n := range r.Counters {
		figures = append(figures, fmt.Sprintf("%s %d", curlew.CodeWords(name), n))
	}
	fmt.Fprintf(a.Out, "%s in %s\n\n", strings.Join(figures, ", "), curlew.Counted(r.Slices, "slice"))
	var rows [][]string
	for _, j := range r.SliceJobs {
		why := ""
		if j.Fault != nil {
			why = j.Fault.Sentence
		}
		rows = append(rows, []string{j.ID.String(), string(j.State), fmt.Sprintf("%d/%d", j.Attempt, j.MaxAttempts), moment(j.ClaimedAt),
			moment(j.FinishedAt), why})
	}
	table(a.Out, []string{"slice", "state", "attempt", "claimed", "finished", "fault"}, rows)
	fmt.Fprintln(a.Out)
	for _, line := range r.Log {
		printLine(a, line)
	}
}

func printLine(a *program, line curlew.LogLine) {
	fmt.Fprintf(a.Out, "%s %-5s %s\n", moment(&line.At), line.Level, printable(line.Text))
}

type runsLog struct {
	ID     string `arg:"" help:"Id of the run."`
	Follow bool   `short:"f" help:"Follow the log until the run has ended."`
}

func (c runsLog) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.RunID) error {
		after := int64(0)
		for {
			run, err := scope.Runs().Get(ctx, id)
			if err != nil {
				return err
			}
			lines, err := scope.Runs().Log(ctx, id, after, 1000)
			if err != nil {
				return err
			}
			for _, line := range lines {
				after = line.Seq
				if a.JSON {
					writeJSON(a.Out, line)
				} else {
					printLine(a, line)
				}
			}
			if len(lines) == 1000 {
				continue
			}
			if !c.Follow || run.State.Ended() || !pause(ctx, 300*time.Millisecond) {
				return nil
			}
		}
	})
}

// pause waits, unless the program is asked to end.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// who names the person at the command line in the records.
func who() string {
	if u, err := user.Current(); err == nil {
		return "cli:" + u.Username
	}
	return "cli"
}

type runsPause struct {
	ID string `arg:"" help:"Id of the run."`
}

func (c runsPause) Run(a *program) error { return a.steerRun(c.ID, "paused", (*app.App).PauseRun) }

type runsResume struct {
	ID string `arg:"" help:"Id of the run."`
}

func (c runsResume) Run(a *program) error { return a.steerRun(c.ID, "resumed", (*app.App).ResumeRun) }

type runsStop struct {
	ID string `arg:"" help:"Id of the run."`
}

func (c runsStop) Run(a *program) error { return a.steerRun(c.ID, "stopped", (*app.App).StopRun) }

func (a *program) steerRun(text, word string, step func(*app.App, context.Context, auth.Identity, curlew.RunID) (curlew.Run, error)) error {
	return useOn(a, text, func(ctx context.Context, app *app.App, who auth.Identity, id curlew.RunID) error {
		run, err := step(app, ctx, who, id)
		if err != nil {
			return err
		}
		a.say(run, "%s is %s.", id, word)
		return nil
	})
}

type runsClear struct{}

func (runsClear) Run(a *program) error {
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
		n, err := app.ClearRuns(ctx, who)
		if err != nil {
			return err
		}
		a.say(map[string]int64{"cleared": n}, "Forgot %s.", curlew.Counted(n, "ended run"))
		return nil
	})
}

var errRunGoesOn = errors.New("interrupted; the run continues on the server")
