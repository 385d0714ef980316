package cli

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

type sourcesCommand struct {
	List     sourcesList     `cmd:"" help:"List sources: the sites that are read."`
	Show     sourcesShow     `cmd:"" help:"Show one source: trust, quality, watches, blueprints, entities, heals."`
	Pause    sourcesPause    `cmd:"" help:"Pause a source and its watches."`
	Resume   sourcesResume   `cmd:"" help:"Read a source again that is paused or broken, on probation."`
	Promote  sourcesPromote  `cmd:"" help:"Trust a source before its probation is over."`
	Rollback sourcesRollback `cmd:"" help:"Use an earlier version of a source's blueprint."`
}

type sourcesList struct {
	Limit atMost `help:"At most this many; all unless given."`
	After string `help:"Those after the source with this id." placeholder:"ID"`
}

// sourceReport is a source and what is known of it.
type sourceReport struct {
	curlew.Source
	Watches    []curlew.Watch                `json:"watches"`
	Blueprints []curlew.Blueprint            `json:"blueprints,omitempty"`
	Entities   map[curlew.EntityStatus]int64 `json:"entities"`
	Candidate  *curlew.Candidate             `json:"candidate,omitempty"`
	Scorecards []curlew.Scorecard            `json:"scorecards,omitempty"` // newest first
	Heals      []curlew.Heal                 `json:"heals,omitempty"`      // newest first
}

func reportSource(ctx context.Context, scope store.Scope, source curlew.Source) (r sourceReport, err error) {
	r.Source = source
	if r.Watches, err = scope.Watches().List(ctx, store.WatchFilter{Source: source.ID}, store.Window{Limit: 1000}); err != nil {
		return r, err
	}
	r.Entities, err = scope.Entities().Count(ctx, store.BrowseFilter{Source: source.ID})
	return r, err
}

func (c sourcesList) Run(a *program) error {
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		sources, err := scope.Sources().List(ctx, store.Window{After: c.After, Limit: c.Limit.orAll()})
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
		list(a, all, "There are no sources. \"curlew add URL\" makes one.",
			[]string{"source", "name", "address", "trust", "quality", "watches", "entities"}, func(r sourceReport) []string {
				return []string{string(r.ID), text.Clip(r.Name, 40), r.BaseURL, string(r.Trust), points(r.Quality), fmt.Sprint(len(r.Watches)),
					statusCounts(r.Entities)}
			})
		return nil
	})
}

type sourcesShow struct {
	ID string `arg:"" help:"Id of the source."`
}

func (c sourcesShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.SourceID) error {
		report, err := wholeSource(ctx, scope, id)
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
