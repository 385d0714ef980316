package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// watchCommand adds a page, checks it again and again in this process, and prints what changed.
type watchCommand struct {
	URL          string         `arg:"" name:"url" help:"Address of the page."`
	Every        time.Duration  `help:"How long to wait between two checks." default:"5m" placeholder:"5m"`
	Kind         string         `help:"Kind that the page lists, built in or custom." placeholder:"KIND"`
	Region       string         `help:"Read the text of this part of the page: a CSS selector, for the kind page." placeholder:"CSS"`
	Instructions string         `help:"Instructions for the page, in plain words." placeholder:"TEXT"`
	Delay        *time.Duration `help:"Pause between requests; under 1s only for addresses allowed in configuration." placeholder:"1s"`
}

// leastEvery is the shortest time between two checks of a page that is not on this machine.
const leastEvery = time.Minute

// Validate says what is wrong with the flags.
func (c *watchCommand) Validate() error {
	if c.Every < leastEvery && !c.quick() {
		return fmt.Errorf("--every is %s: wait at least %s between two checks", c.Every, leastEvery)
	}
	return c.add().Validate()
}

// quick says whether the caller paces itself, which the configuration allows for some addresses only.
func (c *watchCommand) quick() bool { return c.Delay != nil && *c.Delay < time.Second && c.Every > 0 }

func (c *watchCommand) add() *addCommand {
	return &addCommand{URLs: []string{c.URL}, Kind: c.Kind, Region: c.Region, Instructions: c.Instructions, Delay: c.Delay,
		Wait: true, Priority: "normal"}
}

func (c *watchCommand) Run(a *program) error {
	add := c.add()
	if err := add.proposal(c.URL).Check().Err(); err != nil {
		return err
	}
	return add.reading(a, func(i *setup.Installation, org curlew.OrgID) (err error) {
		a.working(i, func() { err = c.follow(a, i, org) })
		return err
	})
}

// follow checks the page until somebody stops it. A check that fails is told, and the next one tries again.
func (c *watchCommand) follow(a *program, i *setup.Installation, org curlew.OrgID) error {
	scope, err := useCases(i).Read(operator(org))
	if err != nil {
		return err
	}
	last, err := scope.Changes().LastSequence(a.Context)
	if err != nil {
		return err
	}
	watch, err := c.watch(a, i, org, scope)
	if err != nil {
		return stopped(a, err)
	}
	if !a.JSON {
		a.quiet()
		fmt.Fprintf(a.Out, "Watching %s every %s. Press Ctrl-C to stop. \"curlew serve\" keeps checking %s.\n",
			printable(watch.URL), c.Every, watch.ID)
	}
	told := changesList{}
	for {
		some, err := scope.Changes().List(a.Context, store.ChangeFilter{Watch: watch.ID}, last, 500)
		if err != nil {
			return stopped(a, err)
		}
		for _, one := range some {
			last = one.Sequence
			told.print(a, one)
		}
		if len(some) == 500 {
			continue
		}
		if !pause(a.Context, c.Every) {
			return nil
		}
		if err := c.check(a, i, watch); err != nil && a.Context.Err() == nil {
			fmt.Fprintln(a.Err, "curlew: "+printable(curlew.AsFault(err).Sentence))
		}
	}
}

// stopped is nothing where a person ended the command.
func stopped(a *program, err error) error {
	if a.Context.Err() != nil {
		return nil
	}
	return err
}

// check visits the watch once more.
func (c *watchCommand) check(a *program, i *setup.Installation, watch curlew.Watch) error {
	run, _, err := useCases(i).CheckOrFollow(a.Context, operator(watch.Org), app.CheckWatch{ID: watch.ID})
	if err != nil {
		return err
	}
	scope := i.Store.Org(watch.Org)
	for !run.State.Ended() {
		if !pause(a.Context, 100*time.Millisecond) {
			return errRunGoesOn
		}
		if run, err = scope.Runs().Get(a.Context, run.ID); err != nil {
			return err
		}
	}
	if run.Fault != nil {
		return run.Fault
	}
	return nil
}

// watch is that of the page: the one that is there, or a new one, by the likeliest reading where that is not sure.
func (c *watchCommand) watch(a *program, i *setup.Installation, org curlew.OrgID, scope store.Scope) (none curlew.Watch, err error) {
	one, err := c.add().addAddress(a, i, org, c.URL)
	switch {
	case errors.Is(err, curlew.ErrWatchedAlready):
		return scope.Watches().Get(a.Context, curlew.WatchID(curlew.AsFault(err).ID))
	case err != nil:
		return none, err
	case one.Watch == nil && one.Candidate.Watch != "":
		return scope.Watches().Get(a.Context, one.Candidate.Watch)
	case one.Candidate.Review:
		choice := app.ChooseCandidateReading{ID: one.Candidate.ID, Reading: 1}
		if one.Candidate, err = useCases(i).ChooseCandidateReading(a.Context, operator(org), choice); err != nil {
			return none, err
		}
		if !a.JSON {
			fmt.Fprintln(a.Out, "The first reading is watched. For another one, give its kind: --kind KIND")
		}
		watch, err := scope.Watches().Get(a.Context, one.Candidate.Watch)
		if err != nil {
			return none, err
		}
		return watch, c.check(a, i, watch)
	}
	return *one.Watch, nil
}
