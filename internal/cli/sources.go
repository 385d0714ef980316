package cli

import (
	"context"
	"fmt"

	"curlew/internal/curlew"
	"curlew/internal/store"
)

type sourcesCommand struct {
	List sourcesList `cmd:"" help:"List sources: the sites that are read."`
	Show sourcesShow `cmd:"" help:"Show one source with its watches, blueprints and entities."`
}

type sourcesList struct {
	Limit int    `help:"At most this many." default:"100"`
	After string `help:"Those after the source with this id." placeholder:"ID"`
}

// sourceReport is a source and what is known of it.
type sourceReport struct {
	curlew.Source
	Watches    []curlew.Watch                `json:"watches"`
	Blueprints []curlew.Blueprint            `json:"blueprints,omitempty"`
	Entities   map[curlew.EntityStatus]int64 `json:"entities"`
}

func reportSource(ctx context.Context, scope store.Scope, source curlew.Source) (r sourceReport, err error) {
	r.Source = source
	if r.Watches, err = scope.Watches(ctx, store.WatchFilter{Source: source.ID}, store.Window{Limit: 1000}); err != nil {
		return r, err
	}
	r.Entities, err = scope.CountEntities(ctx, store.BrowseFilter{Source: source.ID})
	return r, err
}

func (c sourcesList) Run(a *app) error {
	return a.within(func(ctx context.Context, i *installation, org curlew.OrgID) error {
		scope := i.store.Org(org)
		sources, err := scope.Sources(ctx, store.Window{After: c.After, Limit: c.Limit})
		if err != nil {
			return err
		}
		var all []sourceReport
		for _, source := range sources {
			report, err := reportSource(ctx, scope, source)
			if err != nil {
				return err
			}
			all = append(all, report)
		}
		list(a, all, "There are no sources. \"curlew watches add URL\" makes one.",
			[]string{"source", "name", "address", "trust", "watches", "entities"}, func(r sourceReport) []string {
				return []string{string(r.ID), shorten(r.Name, 40), r.BaseURL, string(r.Trust), fmt.Sprint(len(r.Watches)), statusCounts(r.Entities)}
			})
		return nil
	})
}

type sourcesShow struct {
	ID string `arg:"" help:"Id of the source."`
}

func (c sourcesShow) Run(a *app) error {
	return about(a, c.ID, func(ctx context.Context, _ *installation, scope store.Scope, id curlew.SourceID) error {
		source, err := scope.Source(ctx, id)
		if err != nil {
			return err
		}
		report, err := reportSource(ctx, scope, source)
		if err != nil {
			return err
		}
		if report.Blueprints, err = scope.Blueprints(ctx, store.BlueprintFilter{Source: id}, store.Window{Limit: 1000}); err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, report)
			return nil
		}
		fmt.Fprintf(a.Out, "%s  %s\n%s, trust %s, since %s\nentities: %s\n\n", id, printable(source.Name), printable(source.BaseURL), source.Trust,
			moment(&source.CreatedAt), statusCounts(report.Entities))
		var rows [][]string
		for _, w := range report.Watches {
			rows = append(rows, []string{string(w.ID), shorten(w.Name, 40), watchWord(w), moment(w.LastRunAt), w.Schedule})
		}
		table(a.Out, []string{"watch", "name", "status", "last run", "schedule"}, rows)
		fmt.Fprintln(a.Out)
		blueprintTable(a, report.Blueprints)
		return nil
	})
}
