package cli

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type watchesTrigger struct {
	ID    string `arg:"" help:"Id of the watch."`
	Wait  bool   `help:"Run it here, follow it, and print what changed."`
	Force bool   `help:"Publish although nothing has changed."`
}

func (c watchesTrigger) Run(a *program) error {
	return a.visit(c.ID, app.CheckWatch{Force: c.Force}, c.Wait)
}

type replayCommand struct {
	Watch string `required:"" help:"Id of the watch." placeholder:"ID"`
	Wait  bool   `help:"Run it here, follow it, and print what changed."`
}

// Run reads the archived pages of a watch again by its present blueprint. Nobody is
// asked for anything.
func (c replayCommand) Run(a *program) error {
	return a.visit(c.Watch, app.CheckWatch{Archive: true}, c.Wait)
}

// visit starts a run of a watch; with wait, it is worked off by this process or by a
// server, whoever comes first.
func (a *program) visit(text string, c app.CheckWatch, wait bool) error {
	c.ID = curlew.WatchID(text)
	if !wait {
		return a.use(func(ctx context.Context, app *app.App, who auth.Identity) error {
			run, err := app.CheckWatch(ctx, who, c)
			if err != nil {
				return err
			}
			a.say(run, "%s waits for a running server (\"curlew serve\"); --wait runs it here. \"curlew runs log -f %[1]s\" follows it.", run.ID)
			return nil
		})
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
	run, err := a.startVisit(i, org, c)
	if err != nil {
		return err
	}
	return a.attend(i, run, c.ID)
}

// startVisit starts a run, or takes up the one of the same watch that is under way.
func (a *program) startVisit(i *setup.Installation, org curlew.OrgID, c app.CheckWatch) (curlew.Run, error) {
	run, underWay, err := useCases(i).CheckOrFollow(a.Context, operator(org), c)
	if underWay && !a.JSON {
		fmt.Fprintf(a.Err, "Following %s, which is under way already.\n", run.ID)
	}
	return run, err
}

// visitReport is a run and the changes that it found.
type visitReport struct {
	Run     curlew.Run      `json:"run"`
	Changes []curlew.Change `json:"changes"`
}

// attend works a run of a watch off and prints what changed.
func (a *program) attend(i *setup.Installation, run curlew.Run, id curlew.WatchID) error {
	run, err := a.workOff(i, run)
	if err != nil {
		return err
	}
	scope, err := useCases(i).Read(operator(run.Org))
	if err != nil {
		return err
	}
	changes, err := changesOf(a.Context, scope, run, id)
	if err != nil {
		return err
	}
	if a.JSON {
		writeJSON(a.Out, visitReport{run, append([]curlew.Change{}, changes...)})
	} else {
		printChanges(a, changes)
	}
	if run.Fault == nil {
		return failedRun([]curlew.Run{run})
	}
	watch, err := scope.Watches().Get(a.Context, id)
	if err != nil {
		return err
	}
	of := store.RunFilter{Kind: curlew.RunHeal, Scope: "heal:" + string(watch.Source)}
	heals, err := scope.Runs().List(a.Context, of, store.Window{Limit: 1})
	if err == nil && len(heals) > 0 && !heals[0].State.Ended() && !a.JSON {
		fmt.Fprintf(a.Err, "It is being healed: \"curlew runs log -f %s\" follows that.\n", heals[0].ID)
	}
	return run.Fault
}

// changesOf are the changes that came of a run.
func changesOf(ctx context.Context, scope store.Scope, run curlew.Run, watch curlew.WatchID) ([]curlew.Change, error) {
	var all []curlew.Change
	for before := int64(0); ; {
		some, err := scope.Changes().ListBefore(ctx, store.ChangeFilter{Watch: watch}, before, 500)
		if err != nil {
			return nil, err
		}
		for _, c := range some {
			if c.Run != run.ID { // a source is read by one run at a time, so these are all
				return all, nil
			}
			before = c.Sequence
			all = append([]curlew.Change{c}, all...)
		}
		if len(some) < 500 {
			return all, nil
		}
	}
}

// mostPrinted bounds the lines of changes after a run; the rest can be listed.
const mostPrinted = 15

func printChanges(a *program, changes []curlew.Change) {
	for _, c := range changes[:min(len(changes), mostPrinted)] {
		a.printChange(c)
	}
	if more := len(changes) - mostPrinted; more > 0 {
		fmt.Fprintf(a.Out, "        … and %d more: \"curlew changes list\"\n", more)
	}
}

type watchesPause struct {
	ID string `arg:"" help:"Id of the watch."`
}

func (c watchesPause) Run(a *program) error {
	return a.steerWatch(c.ID, "is paused", (*app.App).PauseWatch)
}

type watchesResume struct {
	ID string `arg:"" help:"Id of the watch."`
}

func (c watchesResume) Run(a *program) error {
	return a.steerWatch(c.ID, "is active and due now", (*app.App).ResumeWatch)
}

type watchesAccept struct {
	ID string `arg:"" help:"Id of the watch."`
}

func (c watchesAccept) Run(a *program) error {
	return a.steerWatch(c.ID, "may remove the missing entities at its next check", (*app.App).AcceptRemoval)
}

func (a *program) steerWatch(
	text, words string, do func(*app.App, context.Context, auth.Identity, curlew.WatchID) (curlew.Watch, error),
) error {
	return useOn(a, text, func(ctx context.Context, app *app.App, who auth.Identity, id curlew.WatchID) error {
		watch, err := do(app, ctx, who, id)
		if err != nil {
			return err
		}
		a.say(watch, "%s %s.", id, words)
		return nil
	})
}

type watchesRemove struct {
	ID string `arg:"" help:"Id of the watch."`
}

func (c watchesRemove) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, app *app.App, who auth.Identity, id curlew.WatchID) error {
		if err := app.RemoveWatch(ctx, who, id); err != nil {
			return err
		}
		a.say(map[string]any{"removed": id}, "%s is removed. What it found, and its history, stay.", id)
		return nil
	})
}

type watchesEdit struct {
	ID  string  `arg:"" help:"Id of the watch."`
	URL *string `help:"Watch this address instead." placeholder:"URL"`
	watchFlags
}

func (c *watchesEdit) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.WatchID) error {
		watch, err := use.EditWatch(ctx, who, app.EditWatch{ID: id, URL: c.URL, WatchFields: c.fields()})
		if err != nil {
			return err
		}
		a.say(watch, "%s is changed: %s.", id, editWords(watch))
		return nil
	})
}

func editWords(w curlew.Watch) string {
	words := w.Name + ", " + w.Schedule
	if settings := settingWords(w.Settings); settings != "" {
		words += ", " + settings
	}
	return words
}
