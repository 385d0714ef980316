package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/ops/setup"
	"curlew/internal/read/blueprint"
	"curlew/internal/work/runs"
)

type blueprintsCommand struct {
	List     blueprintsList     `cmd:"" help:"List blueprints and their versions."`
	Show     blueprintsShow     `cmd:"" help:"Show one blueprint with its rules."`
	Export   blueprintsExport   `cmd:"" help:"Print the rules alone, as learn writes and apply reads them."`
	Import   blueprintsImport   `cmd:"" help:"Keep a blueprint from a file as the next version."`
	Diff     blueprintsDiff     `cmd:"" help:"Say what differs between two blueprints."`
	Activate blueprintsActivate `cmd:"" help:"Read by this version from now on; an earlier one to go back."`
}

type blueprintsList struct {
	Source string `help:"Only blueprints of this source." placeholder:"ID"`
	Limit  int    `help:"At most this many." default:"100"`
}

func (c blueprintsList) Run(a *program) error {
	source, err := parseOptional[curlew.SourceID](c.Source)
	if err != nil {
		return err
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		all, err := i.Store.Org(org).Blueprints().List(ctx, store.BlueprintFilter{Source: source}, store.Window{Limit: c.Limit})
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
			return []string{string(b.ID), string(b.Source), string(b.Schema), string(b.PageType), string(b.Tier), fmt.Sprint(b.Version), string(b.Status), moment(&b.CreatedAt)}
		})
}

type blueprintsShow struct {
	ID string `arg:"" help:"Id of the blueprint."`
}

func (c blueprintsShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, _ *setup.Installation, scope store.Scope, id curlew.BlueprintID) error {
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
	Out string `short:"o" help:"Write it here instead of to standard output." placeholder:"FILE" type:"path"`
}

func (c blueprintsExport) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, _ *setup.Installation, scope store.Scope, id curlew.BlueprintID) error {
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
	Activate bool   `help:"Read by it from now on."`
	switching
}

func (c blueprintsImport) Run(a *program) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Shadow && !c.Activate {
		return usage("--shadow is for switching: add --activate, or leave it out to keep a draft")
	}
	b, rules, err := a.importBlueprint(c.File)
	if err != nil {
		return err
	}
	return about(a, c.Source, func(ctx context.Context, i *setup.Installation, scope store.Scope, id curlew.SourceID) error {
		source, err := scope.Sources().Get(ctx, id)
		if err != nil {
			return err
		}
		test := b.URL
		if test == "" {
			test = source.BaseURL
		}
		var kept curlew.Blueprint
		err = i.Store.Write(ctx, scope.Org(), func(w store.WriteScope) error {
			kept, err = w.Blueprints().Add(ctx, curlew.Blueprint{Source: id, Schema: b.Schema, PageType: b.Page, Tier: b.Tier, Rules: rules, TestURL: test})
			return err
		})
		if err != nil {
			return err
		}
		if c.Activate {
			return a.activate(ctx, i, scope.Org(), kept.ID, "", c.switching)
		}
		a.say(kept, "%s is version %d, a draft. \"curlew blueprints activate %s\" reads by it.", kept.ID, kept.Version, kept.ID)
		return nil
	})
}

// importBlueprint reads and checks a blueprint, and gives it in its one spelling.
func (a *program) importBlueprint(path string) (*blueprint.Blueprint, []byte, error) {
	var text []byte
	var err error
	if path == "-" {
		text, err = io.ReadAll(io.LimitReader(a.In, 16<<20))
	} else {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, nil, usage("%s cannot be read: check its name and mode", path)
	}
	b, err := blueprint.Parse(text)
	if err != nil {
		return nil, nil, exitError{err, exitUsage}
	}
	rules, err := blueprint.Marshal(b)
	return b, rules, err
}

type blueprintsDiff struct {
	A string `arg:"" help:"Id of a blueprint."`
	B string `arg:"" help:"Id of another."`
}

func (c blueprintsDiff) Run(a *program) error {
	other, err := parseID[curlew.BlueprintID](c.B)
	if err != nil {
		return err
	}
	return about(a, c.A, func(ctx context.Context, _ *setup.Installation, scope store.Scope, id curlew.BlueprintID) error {
		var both [2]*blueprint.Blueprint
		for n, one := range []curlew.BlueprintID{id, other} {
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
			fmt.Fprintln(a.Out, "They read alike.")
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
	Watch string `help:"Only this watch follows; without it, all that read by another version of it." placeholder:"ID"`
	switching
}

func (c blueprintsActivate) Run(a *program) error {
	if err := c.check(); err != nil {
		return err
	}
	only, err := parseOptional[curlew.WatchID](c.Watch)
	if err != nil {
		return err
	}
	return about(a, c.ID, func(ctx context.Context, i *setup.Installation, scope store.Scope, id curlew.BlueprintID) error {
		return a.activate(ctx, i, scope.Org(), id, only, c.switching)
	})
}

func (a *program) activate(ctx context.Context, i *setup.Installation, org curlew.OrgID, id curlew.BlueprintID, only curlew.WatchID, how switching) error {
	shadows, err := how.shadow(ctx, a, i, func(h runs.Heal) (runs.Shadows, error) { return h.ShadowVersion(ctx, org, id, only) })
	if err != nil {
		return err
	}
	b, moved, err := i.Jobs.ActivateBlueprint(ctx, org, id, only)
	if err != nil {
		return err
	}
	told := map[string]any{"blueprint": b, "watches": append([]curlew.Watch{}, moved...)}
	if how.Shadow {
		told["shadows"] = shadows
	}
	a.say(told, "Version %d is active; %s.", b.Version, count(len(moved), "watch follows", "watches follow"))
	for _, w := range moved {
		if !a.JSON {
			fmt.Fprintf(a.Out, "  %s  %s: read what is archived again with \"curlew replay --watch %s\"\n", w.ID, printable(w.Name), w.ID)
		}
	}
	return nil
}
