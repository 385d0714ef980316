package api

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

// SourceEdit is what to change about a source; what is absent stays.
type SourceEdit struct {
	Name     *string `json:"name,omitempty" maxlen:"200"`
	MinURLs  *int    `json:"min_urls,omitempty" min:"0" max:"10000000"` // fewer URLs than this is a failure, not a change
	Category *string `json:"category,omitempty" maxlen:"100"`           // of everything that it lists
	Timezone *string `json:"timezone,omitempty" maxlen:"60"`            // of times that name none, such as Europe/Oslo
	Archived *bool   `json:"archived,omitempty"`                        // true puts it away, false takes it back on probation
}

type sourceID struct {
	ID curlew.SourceID `path:"id"`
}

type listSources struct{ paging }

type editSource struct {
	sourceID
	Body SourceEdit `body:"json"`
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
