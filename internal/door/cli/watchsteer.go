package cli

import (
	"context"
	"fmt"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/ops/setup"
	"curlew/internal/work/runs"
)

type watchesTrigger struct {
	ID    string `arg:"" help:"Id of the watch."`
	Wait  bool   `help:"Work it off here, follow it, and print what changed."`
	Force bool   `help:"Publish although nothing has changed."`
}

func (c watchesTrigger) Run(a *program) error {
	return a.visit(c.ID, runs.WatchPlan{Trigger: "manual", Force: c.Force}, c.Wait)
}

type replayCommand struct {
	Watch string `required:"" help:"Id of the watch." placeholder:"ID"`
	Wait  bool   `help:"Work it off here, follow it, and print what changed."`
}

// Run reads the archived pages of a watch again by its present blueprint. Nobody is
// asked for anything.
func (c replayCommand) Run(a *program) error {
	return a.visit(c.Watch, runs.WatchPlan{Trigger: "replay", Archive: true}, c.Wait)
}

// visit starts a run of a watch; with wait, it is worked off by this process or by a
// server, whoever comes first.
func (a *program) visit(text string, plan runs.WatchPlan, wait bool) error {
	id, err := parseID[curlew.WatchID](text)
	if err != nil {
		return err
	}
	if !wait {
		return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
			run, err := i.Jobs.Visit(ctx, org, id, plan)
			if err != nil {
				return err
			}
			a.say(run, "Started %s; a server works it off. \"curlew runs log -f %s\" follows it.", run.ID, run.ID)
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
	run, err := a.startVisit(i, org, id, plan)
	if err != nil {
		return err
	}
	return a.attend(i, run, id)
}

// startVisit starts a run, or takes up the one of the same watch that is under way.
func (a *program) startVisit(i *setup.Installation, org curlew.OrgID, id curlew.WatchID, plan runs.WatchPlan) (curlew.Run, error) {
	run, err := i.Jobs.Visit(a.Context, org, id, plan)
	if fault := curlew.AsFault(err); fault == nil || fault.Code != "run_active" {
		return run, err
	}
	watch, failed := i.Store.Org(org).Watches().Get(a.Context, id)
	if failed != nil {
		return run, failed
	}
	active, failed := i.Store.Org(org).Runs().Active(a.Context, "source:"+string(watch.Source))
	if failed != nil || runs.PlanOf(active).Watch != id || runs.PlanOf(active).Archive != plan.Archive {
		return run, err
	}
	if !a.JSON {
		fmt.Fprintf(a.Err, "Following %s, which is under way already.\n", active.ID)
	}
	return active, nil
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
	told, err := changesOf(a.Context, i.Store.Org(run.Org), run, id)
	if err != nil {
		return err
	}
	if a.JSON {
		writeJSON(a.Out, visitReport{run, append([]curlew.Change{}, told...)})
	} else {
		printTold(a, told)
	}
	if run.Fault != nil {
		return run.Fault
	}
	return failedRun([]curlew.Run{run})
}

// changesOf are the changes that a run told.
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

// most lines of changes after a run; the rest can be listed.
const mostTold = 15

func printTold(a *program, told []curlew.Change) {
	for _, c := range told[:min(len(told), mostTold)] {
		printChange(a.Out, c)
	}
	if more := len(told) - mostTold; more > 0 {
		fmt.Fprintf(a.Out, "        … and %d more: \"curlew changes list\"\n", more)
	}
}

type watchesPause struct {
	ID string `arg:"" help:"Id of the watch."`
}

func (c watchesPause) Run(a *program) error {
	return a.steerWatch(c.ID, "is paused", (*runs.Jobs).PauseWatch)
}

type watchesResume struct {
	ID string `arg:"" help:"Id of the watch."`
}

func (c watchesResume) Run(a *program) error {
	return a.steerWatch(c.ID, "is active and due now", (*runs.Jobs).ResumeWatch)
}

type watchesAccept struct {
	ID string `arg:"" help:"Id of the watch."`
}

func (c watchesAccept) Run(a *program) error {
	return a.steerWatch(c.ID, "may remove what is missing; its next run does", (*runs.Jobs).AcceptRemoval)
}

func (a *program) steerWatch(text, words string, do func(*runs.Jobs, context.Context, curlew.OrgID, curlew.WatchID) (curlew.Watch, error)) error {
	return about(a, text, func(ctx context.Context, i *setup.Installation, scope store.Scope, id curlew.WatchID) error {
		watch, err := do(i.Jobs, ctx, scope.Org(), id)
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
	return about(a, c.ID, func(ctx context.Context, i *setup.Installation, scope store.Scope, id curlew.WatchID) error {
		if err := i.Jobs.RemoveWatch(ctx, scope.Org(), id); err != nil {
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
	return about(a, c.ID, func(ctx context.Context, i *setup.Installation, scope store.Scope, id curlew.WatchID) error {
		watch, err := i.Jobs.EditWatch(ctx, scope.Org(), id, func(w *curlew.Watch) error {
			if c.URL != nil {
				base, err := siteOf(*c.URL)
				if err != nil {
					return err
				}
				if was, _ := siteOf(w.URL); was != base {
					return usage("%s is another site: add a watch for it", base)
				}
				w.URL = *c.URL
			}
			return c.apply(w, i.Config.Watch.Shortest)
		})
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
