package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

type blueprintsCommand struct {
	List     blueprintsList     `cmd:"" help:"List blueprints and their versions."`
	Show     blueprintsShow     `cmd:"" help:"Show one blueprint with its rules."`
	Export   blueprintsExport   `cmd:"" help:"Print the rules alone, as learn writes and apply reads them."`
	Import   blueprintsImport   `cmd:"" help:"Keep a blueprint from a file as the next version."`
	Diff     blueprintsDiff     `cmd:"" help:"Compare two blueprints."`
	Activate blueprintsActivate `cmd:"" help:"Use this version from now on; an earlier one to go back."`
}

type blueprintsList struct {
	Source string `help:"Only blueprints of this source." placeholder:"ID"`
	Limit  atMost `help:"At most this many; all unless given."`
}

func (c blueprintsList) Run(a *program) error {
	source, err := parseOptional[curlew.SourceID](c.Source)
	if err != nil {
		return err
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		all, err := scope.Blueprints().List(ctx, store.BlueprintFilter{Source: source}, store.Window{Limit: c.Limit.orAll()})
		if err != nil {
			return err
		}
		blueprintTable(a, all)
		return nil
	})
}

func blueprintTable(a *program, all []curlew.Blueprint) {
	list(a, all, "There are no blueprints. \"curlew watches add URL\" makes one.",
		[]string{"blueprint", "source", "schema", "page", "tier", "version", "status", "created"}, func(b curlew.Blueprint) []string {
			return []string{string(b.ID), string(b.Source), string(b.Schema), string(b.PageType), string(b.Tier), fmt.Sprint(b.Version),
				string(b.Status), moment(&b.CreatedAt)}
		})
}

type blueprintsShow struct {
	ID string `arg:"" help:"Id of the blueprint."`
}

func (c blueprintsShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.BlueprintID) error {
		b, err := scope.Blueprints().Get(ctx, id)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, b)
			return nil
		}
		blueprintTable(a, []curlew.Blueprint{b})
		fmt.Fprintf(a.Out, "made for %s\n\n", printable(b.TestURL))
		return printRules(a.Out, b.Rules)
	})
}

func printRules(w io.Writer, rules json.RawMessage) error {
	var tidy bytes.Buffer
	if err := json.Indent(&tidy, rules, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, tidy.String())
	return err
}

type blueprintsExport struct {
	ID  string `arg:"" help:"Id of the blueprint."`
	Out string `short:"o" help:"Write to this file instead of standard output." placeholder:"FILE" type:"outfile"`
}

func (c blueprintsExport) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.BlueprintID) error {
		b, err := scope.Blueprints().Get(ctx, id)
		if err != nil {
			return err
		}
		return a.writeTo(c.Out, func(w io.Writer) error { return printRules(w, b.Rules) })
	})
}

type blueprintsImport struct {
	Source   string `required:"" help:"Source that it is for." placeholder:"ID"`
	File     string `arg:"" help:"The blueprint; - for standard input."`
	Activate bool   `help:"Use this version from now on."`
	switching
}

func (c blueprintsImport) Run(a *program) error {
	if c.Shadow && !c.Activate {
		return usage("--shadow is for switching: add --activate, or leave it out to keep a draft")
	}
	rules, err := a.readRules(c.File)
	if err != nil {
		return err
	}
	return useOn(a, c.Source, func(ctx context.Context, cases *app.App, who auth.Identity, id curlew.SourceID) error {
		if err := (app.ActivateBlueprint{Switching: c.how()}).Check().Err(); err != nil {
			return err
		}
		kept, err := cases.AddBlueprint(ctx, who, app.AddBlueprint{Source: id, Rules: rules})
		if err != nil {
			return err
		}
		if c.Activate {
			return c.activate(ctx, a, cases, who, app.ActivateBlueprint{ID: kept.ID})
		}
		a.say(kept, "%s is version %d, a draft. Put it to use with \"curlew blueprints activate %s\".", kept.ID, kept.Version, kept.ID)
		return nil
	})
}

// readRules reads a file, or standard input.
func (a *program) readRules(path string) (text []byte, err error) {
	if path == "-" {
		text, err = io.ReadAll(io.LimitReader(a.In, 16<<20))
	} else {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, exitError{unreadable(path, err), exitUsage}
	}
	return text, nil
}

type blueprintsDiff struct {
	A string `arg:"" help:"Id of a blueprint."`
	B string `arg:"" help:"Id of another."`
}

func (c blueprintsDiff) Run(a *program) error {
	return about(a, c.A, func(ctx context.Context, scope store.Scope, id curlew.BlueprintID) error {
		var both [2]*blueprint.Blueprint
		for n, one := range []curlew.BlueprintID{id, curlew.BlueprintID(c.B)} {
			b, err := scope.Blueprints().Get(ctx, one)
			if err != nil {
				return err
			}
			if both[n], err = blueprint.Parse(b.Rules); err != nil {
				return err
			}
		}
		differ := append([]string{}, blueprint.Diff(both[0], both[1])...)
		switch {
		case a.JSON:
			writeJSON(a.Out, map[string]any{"differences": differ})
		case len(differ) == 0:
			fmt.Fprintln(a.Out, "They read the same.")
		}
		for _, line := range differ {
			if !a.JSON {
				fmt.Fprintln(a.Out, printable(line))
			}
		}
		return nil
	})
}

type blueprintsActivate struct {
	ID    string `arg:"" help:"Id of the blueprint."`
	Watch string `help:"Only for this watch; without it, all watches that use another version." placeholder:"ID"`
	switching
}

func (c blueprintsActivate) Run(a *program) error {
	only, err := parseOptional[curlew.WatchID](c.Watch)
	if err != nil {
		return err
	}
	return useOn(a, c.ID, func(ctx context.Context, cases *app.App, who auth.Identity, id curlew.BlueprintID) error {
		return c.activate(ctx, a, cases, who, app.ActivateBlueprint{ID: id, Watch: only})
	})
}

func (s switching) activate(ctx context.Context, a *program, app *app.App, who auth.Identity, c app.ActivateBlueprint) error {
	c.Switching = s.how()
	done, err := app.ActivateBlueprint(ctx, who, c)
	if err := s.shadowed(a, done.Shadows, err); err != nil {
		return err
	}
	told := map[string]any{"blueprint": done.Blueprint, "watches": append([]curlew.Watch{}, done.Watches...)}
	if s.Shadow {
		told["shadows"] = done.Shadows
	}
	a.say(told, "Version %d is active; %s.", done.Blueprint.Version, count(len(done.Watches), "watch follows", "watches follow"))
	for _, w := range done.Watches {
		if !a.JSON {
			fmt.Fprintf(a.Out, "  %s  %s: read what is archived again with \"curlew replay --watch %s\"\n", w.ID, printable(w.Name), w.ID)
		}
	}
	return nil
}
