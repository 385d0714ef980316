package rest

import (
	"context"
	"net/http"

	"curlew/internal/curlew"
)

// Sources are the sources of an org.
type Sources interface {
	List(ctx context.Context, w Window) ([]curlew.Source, error)
	Get(ctx context.Context, id curlew.SourceID) (curlew.Source, error)
	Edit(ctx context.Context, id curlew.SourceID, e SourceEdit) (curlew.Source, error)
	Scorecards(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Scorecard, error)
	Heals(ctx context.Context, id curlew.SourceID, limit int) ([]curlew.Heal, error)
}

// SourceControl steers sources.
type SourceControl interface {
	Steer(ctx context.Context, id curlew.SourceID, s SourceStep) (curlew.Source, error)
	Rollback(ctx context.Context, id curlew.SourceID, r Rollback) (RolledBack, error)
	Heal(ctx context.Context, id curlew.SourceID, watch curlew.WatchID) (curlew.Run, error)
}

// SourceStep is what may be done with a source.
type SourceStep string

const (
	PauseSource   SourceStep = "pause"   // with all of its watches
	ResumeSource  SourceStep = "resume"  // on probation again, its watches are due now
	PromoteSource SourceStep = "promote" // it is trusted from now on
)

// RolledBack is what going back to an earlier blueprint came to.
type RolledBack struct {
	From    curlew.BlueprintID `json:"from_blueprint_id"`
	To      curlew.BlueprintID `json:"to_blueprint_id"`
	Version int                `json:"version"` // that is read by now
	Watches int                `json:"watches"` // that follow

	Shadows []Shadowed `json:"shadows,omitempty"` // where a shadow was asked for, one for each watch that follows, at most three
}

// Rollback says where to go back to.
type Rollback struct {
	Version int `json:"version,omitempty" min:"1"` // to go back to; the one before when nobody says
	Switching
}

// SourceEdit is what to change about a source; what is absent stays.
type SourceEdit struct {
	Name     *string `json:"name,omitempty" maxlen:"200"`
	MinURLs  *int    `json:"min_urls,omitempty" min:"0" max:"10000000"` // fewer URLs than this is a failure, not a change
	Category *string `json:"category,omitempty" maxlen:"100"`           // of everything that it lists
	Timezone *string `json:"timezone,omitempty" maxlen:"60"`            // of times that name none, such as Europe/Oslo
	// Instructions are what a person knows of the site, for whoever learns it anew.
	Instructions *string `json:"instructions,omitempty" maxlen:"4000"`
	Archived     *bool   `json:"archived,omitempty"` // true puts it away, false takes it back on probation
}

type sourceID struct {
	ID curlew.SourceID `path:"id"`
}

type listSources struct{ paging }

type editSource struct {
	sourceID
	Body SourceEdit `body:"json"`
}

type rollbackSource struct {
	sourceID
	Body Rollback `body:"json"`
}

type healSource struct {
	sourceID
	Body struct {
		Watch curlew.WatchID `json:"watch_id,omitempty"` // whose page to learn anew; the first of the source when nobody says
	} `body:"json"`
}

type newestOfSource struct {
	sourceID
	Limit int `query:"limit" min:"1" max:"500" default:"100"` // how many at most
}

func sourceRoutes() []Route {
	name := "Town hall"
	return []Route{
		operation(http.MethodGet, "/sources", "listSources", "List sources, the oldest first.", doListSources),
		operation(http.MethodGet, "/sources/{id}", "getSource", "One source.", doSource),
		operation(http.MethodPatch, "/sources/{id}", "editSource", "Change what is known of a source.", doEditSource).like(SourceEdit{Name: &name}),
		operation(http.MethodPost, "/sources/{id}/pause", "pauseSource", "Let a source and its watches rest.", steerSource(PauseSource)),
		operation(http.MethodPost, "/sources/{id}/resume", "resumeSource", "Read a source again that is paused or broken, on probation.", steerSource(ResumeSource)),
		operation(http.MethodPost, "/sources/{id}/promote", "promoteSource", "Trust a source that is on probation.", steerSource(PromoteSource)),
		operation(http.MethodPost, "/sources/{id}/rollback", "rollbackSource", "Go back to an earlier version of the blueprint.", doRollback),
		operation(http.MethodPost, "/sources/{id}/heal", "healSource", "Learn anew how to read a source, and switch if that is proved.", doHeal).creates(nil),
		operation(http.MethodGet, "/sources/{id}/scorecards", "listScorecards", "Quality scores of a source, the newest first.", doScorecards),
		operation(http.MethodGet, "/sources/{id}/heals", "listHeals", "Attempts to heal a source, with their proofs, the newest first.", doHeals),
	}
}

func doListSources(ctx context.Context, c *Call, in listSources) (List[curlew.Source], error) {
	return listed(c, in.paging, func(x curlew.Source) string { return string(x.ID) }, func(w Window) ([]curlew.Source, error) { return c.Rooms.Sources.List(ctx, w) })
}

func doSource(ctx context.Context, c *Call, in sourceID) (curlew.Source, error) {
	return c.Rooms.Sources.Get(ctx, in.ID)
}

func doEditSource(ctx context.Context, c *Call, in editSource) (curlew.Source, error) {
	return c.Rooms.Sources.Edit(ctx, in.ID, in.Body)
}

func doScorecards(ctx context.Context, c *Call, in newestOfSource) (List[curlew.Scorecard], error) {
	if _, err := c.Rooms.Sources.Get(ctx, in.ID); err != nil {
		return List[curlew.Scorecard]{}, err
	}
	all, err := c.Rooms.Sources.Scorecards(ctx, in.ID, in.Limit)
	return List[curlew.Scorecard]{Data: filled(all)}, err
}

func doHeals(ctx context.Context, c *Call, in newestOfSource) (List[curlew.Heal], error) {
	if _, err := c.Rooms.Sources.Get(ctx, in.ID); err != nil {
		return List[curlew.Heal]{}, err
	}
	all, err := c.Rooms.Sources.Heals(ctx, in.ID, in.Limit)
	return List[curlew.Heal]{Data: filled(all)}, err
}

func steerSource(s SourceStep) handler[sourceID, curlew.Source] {
	return func(ctx context.Context, c *Call, in sourceID) (curlew.Source, error) {
		return c.Rooms.SourceControl.Steer(ctx, in.ID, s)
	}
}

func doRollback(ctx context.Context, c *Call, in rollbackSource) (RolledBack, error) {
	return c.Rooms.SourceControl.Rollback(ctx, in.ID, in.Body)
}

func doHeal(ctx context.Context, c *Call, in healSource) (curlew.Run, error) {
	return c.Rooms.SourceControl.Heal(ctx, in.ID, in.Body.Watch)
}
