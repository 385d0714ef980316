package rest

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/heal"
)

// RolledBack is what going back to an earlier blueprint came to.
type RolledBack struct {
	From    curlew.BlueprintID `json:"from_blueprint_id"`
	To      curlew.BlueprintID `json:"to_blueprint_id"`
	Version int                `json:"version"` // that is active now
	Watches int                `json:"watches"` // that follow

	Shadows []heal.Shadowed `json:"shadows,omitempty"` // where a shadow was asked for, one for each watch that follows, at most three
}

type sourceID = named[curlew.SourceID]

type listSources struct{ paging }

type editSource struct {
	sourceID
	Body app.EditSource `body:"json"`
}

type rollbackSource struct {
	sourceID
	Body app.RollBackSource `body:"json"`
}

type healSource struct {
	sourceID
	Body app.HealSource `body:"json"`
}

type newestOfSource struct {
	sourceID
	app.PageSize
}

func sourceRoutes() []Route {
	name := "Town hall"
	return []Route{
		operation(http.MethodGet, "/sources", "listSources", "List sources, the oldest first.", doListSources),
		operation(http.MethodGet, "/sources/{id}", "getSource", "One source.", gets(store.Scope.Sources, store.Sources.Get)),
		operation(http.MethodPatch, "/sources/{id}", "editSource", "Edit a source.",
			edits[curlew.SourceID]((*app.App).EditSource)).like(app.EditSource{Name: &name}),
		operation(http.MethodPost, "/sources/{id}/pause", "pauseSource", "Pause a source and its watches.",
			steers((*app.App).PauseSource)),
		operation(http.MethodPost, "/sources/{id}/resume", "resumeSource", "Read a source again that is paused or broken, on probation.",
			steers((*app.App).ResumeSource)),
		operation(http.MethodPost, "/sources/{id}/promote", "promoteSource", "Trust a source that is on probation.",
			steers((*app.App).PromoteSource)),
		operation(http.MethodPost, "/sources/{id}/rollback", "rollbackSource", "Go back to an earlier version of the blueprint.", doRollback),
		operation(http.MethodPost, "/sources/{id}/heal", "healSource", "Learn again how to read a source, and switch if that is proved.",
			edits[curlew.SourceID]((*app.App).HealSource)).creates(nil),
		operation(http.MethodGet, "/sources/{id}/scorecards", "listScorecards", "Quality scores of a source, the newest first.", doScorecards),
		operation(http.MethodGet, "/sources/{id}/heals", "listHeals", "Attempts to heal a source, with their proofs, the newest first.", doHeals),
		operation(http.MethodGet, "/heals/{id}", "getHeal", "One attempt to heal, by its run: what changed, values before and after, the proof.",
			gets(store.Scope.Heals, store.Heals.Get)),
	}
}

func doListSources(ctx context.Context, c *Call, in listSources) (List[curlew.Source], error) {
	return listed(c, in.paging, func(x curlew.Source) string { return string(x.ID) }, func(w Window) ([]curlew.Source, error) {
		return c.Read.Sources().List(ctx, w)
	})
}

func doScorecards(ctx context.Context, c *Call, in newestOfSource) (List[curlew.Scorecard], error) {
	all, err := c.App.Scorecards(ctx, c.Caller, in.ID, in.Limit)
	return List[curlew.Scorecard]{Data: filled(all)}, err
}

func doHeals(ctx context.Context, c *Call, in newestOfSource) (List[curlew.Heal], error) {
	all, err := c.App.Heals(ctx, c.Caller, in.ID, in.Limit)
	return List[curlew.Heal]{Data: filled(all)}, err
}

func doRollback(ctx context.Context, c *Call, in rollbackSource) (RolledBack, error) {
	in.Body.ID = in.ID
	done, err := c.App.RollBackSource(ctx, c.Caller, in.Body)
	return RolledBack{From: done.From.ID, To: done.To.ID, Version: done.To.Version, Watches: len(done.Watches), Shadows: done.Shadows}, err
}
