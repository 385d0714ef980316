package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type addCommand struct {
	URLs         []string       `arg:"" name:"url" help:"Address of a site, or of the page on it that lists things."`
	Name         string         `help:"Name of the source; the site's own name by default." placeholder:"NAME"`
	Instructions string         `help:"Instructions, in plain words: \"events on /agenda, Polish language, Europe/Warsaw\"." placeholder:"TEXT"`
	Priority     string         `help:"How urgent it is: ${enum}." enum:"high,normal,low" default:"normal" placeholder:"PRIORITY"`
	NoAutoDeploy bool           `help:"Always wait for approval."`
	Wait         bool           `help:"Follow the onboarding; without a server, run it here."`
	Kind         string         `help:"Kind that the page lists, built in or custom." placeholder:"KIND"`
	Region       string         `help:"Read the text of this part of the page: a CSS selector, for the kind page." placeholder:"CSS"`
	Readings     bool           `help:"Print every reading of the page, best first; add nothing."`
	Now          string         `help:"With --wait or --readings: date of the page, for archived pages." placeholder:"DAY"`
	Delay        *time.Duration `help:"With --wait or --readings: pause between requests; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// Validate says what does not go together.
func (c *addCommand) Validate() error {
	if c.Name != "" && len(c.URLs) > 1 {
		return errors.New("--name names one source: add the others one by one")
	}
	if c.Delay != nil && !c.Wait && !c.Readings {
		return errors.New("--delay is for --wait and --readings")
	}
	if why := app.DelayProblem((*curlew.Duration)(c.Delay)); why != "" {
		return errors.New("--delay: " + why)
	}
	if c.Now != "" && !c.Wait && !c.Readings {
		return errors.New("--now is for --wait and --readings")
	}
	if _, err := time.Parse("2006-1-2", c.Now); c.Now != "" && err != nil {
		return fmt.Errorf("--now %q is not a day such as 2026-03-01", c.Now)
	}
	return nil
}

var priorities = map[string]curlew.Priority{"high": curlew.PriorityHigh, "normal": curlew.PriorityNormal, "low": curlew.PriorityLow}

// addResult is what became of one address, for programs.
type addResult struct {
	Candidate curlew.Candidate            `json:"candidate"`
	Moves     []store.CandidateTransition `json:"moves,omitempty"`
	Watch     *curlew.Watch               `json:"watch,omitempty"`
	Run       *curlew.Run                 `json:"run,omitempty"` // the first check
	watched   curlew.WatchID              // already
}

func (c *addCommand) Run(a *program) error {
	for _, address := range c.URLs {
		if err := c.proposal(address).Check().Err(); err != nil {
			return err
		}
	}
	if day, err := time.Parse("2006-1-2", c.Now); err == nil {
		a.now = func() time.Time { return day.Add(12 * time.Hour) }
	}
	switch {
	case c.Readings:
		return c.dryRun(a)
	case c.Wait:
		return c.reading(a, func(i *setup.Installation, org curlew.OrgID) error { return c.here(a, i, org) })
	}
	return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
		scope, err := app.Read(who)
		if err != nil {
			return err
		}
		var all []addResult
		for _, address := range c.URLs {
			candidate, err := app.ProposeCandidate(ctx, who, c.proposal(address))
			if err != nil {
				return err
			}
			one := addResult{Candidate: candidate, watched: candidate.Watch}
			if err := a.watchedAlready(scope, &one); err != nil {
				return err
			}
			all = append(all, one)
			if !a.JSON && one.Watch == nil {
				fmt.Fprintf(a.Out, "%s is the candidate for %s. A running server analyses it, or --wait does it here; "+
					"\"curlew candidates show %s\" shows how it stands.\n", candidate.ID, printable(address), candidate.ID)
			}
		}
		if a.JSON {
			writeJSON(a.Out, all)
		}
		return nil
	})
}

// watchedAlready shows what is there of a page that is watched already.
func (a *program) watchedAlready(scope store.Scope, one *addResult) error {
	if one.watched == "" {
		return nil
	}
	watch, err := scope.Watches().Get(a.Context, one.watched)
	if err != nil {
		return err
	}
	one.Watch = &watch
	if !a.JSON {
		fmt.Fprintf(a.Out, "%s is watched already, by %s of the source %s.\n", printable(watch.URL), watch.ID, watch.Source)
		fmt.Fprintf(a.Out, "See it: curlew sources show %s · curlew entities list --watch %s\n", watch.Source, watch.ID)
	}
	return nil
}

func (c *addCommand) proposal(address string) app.ProposeCandidate {
	deploy := !c.NoAutoDeploy
	return app.ProposeCandidate{URL: address, Name: c.Name, Instructions: c.Instructions, Kind: c.Kind, Region: c.Region,
		Priority: priorities[c.Priority], AutoDeploy: &deploy}
}

// reading opens the installation for a command that reads pages itself.
func (c *addCommand) reading(a *program, do func(*setup.Installation, curlew.OrgID) error) error {
	org, err := a.org()
	if err != nil {
		return err
	}
	a.delay, a.asked = (*curlew.Duration)(c.Delay), a.asks
	i, err := a.openToRead(a.Context, "")
	if err != nil {
		return err
	}
	defer i.Close()
	return do(i, org)
}

// here works the onboardings off in this process, or follows a server that is quicker.
func (c *addCommand) here(a *program, i *setup.Installation, org curlew.OrgID) error {
	var all []addResult
	var worst error
	a.working(i, func() {
		for _, address := range c.URLs {
			one, err := c.addAddress(a, i, org, address)
			a.quiet()
			err = cmp.Or(err, a.watchedAlready(i.Store.Org(org), &one))
			if a.Context.Err() != nil {
				worst = curlew.Temporary("interrupted", "interrupted; run the same command again to continue")
				return
			}
			if one.Candidate.ID != "" || one.Watch != nil {
				all = append(all, one)
			}
			if err != nil && len(c.URLs) > 1 && !a.JSON {
				fmt.Fprintln(a.Err, "curlew: "+printable(curlew.AsFault(err).Sentence))
			}
			if worst == nil {
				worst = err
			}
		}
	})
	if a.JSON {
		writeJSON(a.Out, append([]addResult{}, all...))
	}
	return worst
}

// working does something while this process works off jobs.
func (a *program) working(i *setup.Installation, do func()) {
	ctx, end := context.WithCancel(a.Context)
	var worker sync.WaitGroup
	defer worker.Wait()
	defer end()
	worker.Go(func() {
		o := i.WorkerOptions()
		o.Concurrency, o.Poll = 2, 100*time.Millisecond
		i.Queue.Work(ctx, o)
	})
	do()
}

// addAddress proposes an address, follows it to its end, and lets the new source be looked
// at for the first time.
func (c *addCommand) addAddress(a *program, i *setup.Installation, org curlew.OrgID, address string) (one addResult, err error) {
	use, who := useCases(i), operator(org)
	scope, err := use.Read(who)
	if err != nil {
		return one, err
	}
	one.Candidate, err = use.ProposeCandidate(a.Context, who, c.proposal(address))
	if errors.Is(err, curlew.ErrProposedAlready) {
		if one.Candidate, err = use.ProposedBefore(a.Context, who, err); err != nil {
			return one, err
		}
		if !a.JSON {
			fmt.Fprintf(a.Err, "Following %s, which was proposed already.\n", one.Candidate.ID)
		}
	}
	if one.watched = one.Candidate.Watch; err != nil || one.watched != "" {
		return one, err
	}
	if !a.JSON {
		fmt.Fprintf(a.Out, "%s  %s\n", one.Candidate.ID, printable(address))
	}
	if one.Candidate, err = a.followCandidate(scope, one.Candidate); err != nil {
		return one, err
	}
	if one.Moves, err = scope.Candidates().Transitions(a.Context, one.Candidate.ID); err != nil {
		return one, err
	}
	if one.Candidate.Status != curlew.CandidateDeployed {
		if one.Candidate.Review && !a.JSON {
			printChoices(a, one.Candidate)
		}
		one.watched, err = use.NotDeployed(a.Context, who, one.Candidate)
		return one, err
	}
	return one, c.firstCheck(a, i, scope, &one)
}

// followCandidate prints what the onboarding says until nothing more happens by itself.
func (a *program) followCandidate(scope store.Scope, c curlew.Candidate) (curlew.Candidate, error) {
	told := map[curlew.RunID]int64{}
	for {
		runs, err := scope.Runs().List(a.Context, store.RunFilter{Kind: curlew.RunOnboard, Scope: "candidate:" + string(c.ID)},
			store.Window{Limit: 20})
		if err != nil {
			return c, err
		}
		if c, err = scope.Candidates().Get(a.Context, c.ID); err != nil {
			return c, err
		}
		working := false
		for _, run := range runs {
			working = working || run.State == curlew.RunRunning || run.State == curlew.RunPending && c.Attempts == 0
			lines, err := scope.Runs().Log(a.Context, run.ID, told[run.ID], 1000)
			if err != nil {
				return c, err
			}
			for _, line := range lines {
				told[run.ID] = line.Seq
				if !a.JSON {
					a.quiet()
					fmt.Fprintf(a.Out, "  %s\n", printable(line.Text))
				}
			}
		}
		if c.Settled() || !working && len(runs) > 0 {
			return c, nil
		}
		if !pause(a.Context, 50*time.Millisecond) {
			return c, errRunGoesOn
		}
	}
}

// firstCheck visits the watch of a new source and prints what came of it.
func (c *addCommand) firstCheck(a *program, i *setup.Installation, scope store.Scope, one *addResult) error {
	watch, err := scope.Watches().Get(a.Context, one.Candidate.Watch)
	if err != nil {
		return err
	}
	one.Watch = &watch
	run, err := a.startVisit(i, one.Candidate.Org, app.CheckWatch{ID: watch.ID})
	if err != nil {
		return err
	}
	if run, err = a.follow(a.Context, i, run); err != nil {
		return err
	}
	one.Run = &run
	if !a.JSON {
		counts, err := scope.Entities().Count(a.Context, store.BrowseFilter{Watch: watch.ID})
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Out, "Source %s is deployed on probation: %s.\nSee it: curlew sources show %s · curlew score %s · curlew entities "+
			"list --source %s\n",
			one.Candidate.Source, statusCounts(counts), one.Candidate.Source, one.Candidate.Source, one.Candidate.Source)
		read, narrowed := run.Counters[curlew.CountParsed], watch.Settings.Only != "" || watch.Settings.Upcoming
		if len(counts) == 0 && read > 0 && narrowed {
			fmt.Fprintf(a.Out, "The instructions leave none of the %s that were read: \"curlew watches edit %s\" with --only or --no-upcoming "+
				"changes that.\n", curlew.Counted(read, "record"), watch.ID)
		}
	}
	if run.Fault != nil {
		return run.Fault
	}
	return failedRun([]curlew.Run{run})
}
