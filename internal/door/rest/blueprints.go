package rest

import (
	"context"
	"encoding/json"
	"net/http"

	"curlew/internal/curlew"
)

// Blueprints are the blueprints of an org.
type Blueprints interface {
	List(ctx context.Context, source curlew.SourceID, w Window) ([]curlew.Blueprint, error)
	Get(ctx context.Context, id curlew.BlueprintID) (curlew.Blueprint, error)
	Add(ctx context.Context, n NewBlueprint) (curlew.Blueprint, error)
	Activate(ctx context.Context, id curlew.BlueprintID, a Activation) (Activated, error)
}

// NewBlueprint is the next version of a blueprint, kept as a draft.
type NewBlueprint struct {
	Source  curlew.SourceID `json:"source_id"`
	Rules   json.RawMessage `json:"rules"`                            // a blueprint, as docs/blueprints.md describes it
	TestURL string          `json:"test_url,omitempty" maxlen:"2000"` // a page that it reads
}

type blueprintID struct {
	ID curlew.BlueprintID `path:"id"`
}

type listBlueprints struct {
	paging
	Source curlew.SourceID `query:"source_id"` // only those of this source
}

type addBlueprint struct {
	Body NewBlueprint `body:"json"`
}

// Activation says who follows a blueprint that becomes the active one.
type Activation struct {
	Watch curlew.WatchID `json:"watch_id,omitempty"` // only this watch; else all that read by another version
	Switching
}

// Switching says what has to be seen before a version takes over.
type Switching struct {
	Shadow bool `json:"shadow,omitempty"` // let it read beside the present version first, and refuse with 409 (would_lose_data) where it would lose data
	Force  bool `json:"force,omitempty"`  // with shadow: switch, whatever it says
}

// Shadowed is how a version read in the shadow of the one that a watch was read by.
type Shadowed struct {
	Watch  curlew.WatchID `json:"watch_id"`
	URL    string         `json:"url"` // that it read
	Shadow curlew.Shadow  `json:"shadow"`
}

// Activated is the blueprint that is read by now, and how it read in the shadow.
type Activated struct {
	curlew.Blueprint
	Shadows []Shadowed `json:"shadows,omitempty"` // where a shadow was asked for, one for each watch that follows, at most three
}

type activateBlueprint struct {
	blueprintID
	Body Activation `body:"json"`
}

func blueprintRoutes() []Route {
	example := NewBlueprint{Source: "src_0123456789abcdefghjkmnpq", TestURL: "https://example.org/events",
		Rules: json.RawMessage(`{"curlew":1,"schema":"event","page":"list","tier":"html","records":{"css":"ul.events > li"},"fields":{"title":{"css":"h3"}}}`)}
	return []Route{
		operation(http.MethodGet, "/blueprints", "listBlueprints", "List blueprints and their versions, the oldest first.", doListBlueprints),
		operation(http.MethodPost, "/blueprints", "addBlueprint", "Keep a blueprint as the next version, a draft.", doAddBlueprint).creates(example),
		operation(http.MethodGet, "/blueprints/{id}", "getBlueprint", "One blueprint with its rules.", doBlueprint),
		operation(http.MethodPost, "/blueprints/{id}/activate", "activateBlueprint", "Read by this version from now on; name an earlier one to go back.", doActivate),
	}
}

func doListBlueprints(ctx context.Context, c *Call, in listBlueprints) (List[curlew.Blueprint], error) {
	return listed(c, in.paging, func(x curlew.Blueprint) string { return string(x.ID) }, func(w Window) ([]curlew.Blueprint, error) {
		return c.Rooms.Blueprints.List(ctx, in.Source, w)
	})
}

func doAddBlueprint(ctx context.Context, c *Call, in addBlueprint) (curlew.Blueprint, error) {
	return c.Rooms.Blueprints.Add(ctx, in.Body)
}

func doBlueprint(ctx context.Context, c *Call, in blueprintID) (curlew.Blueprint, error) {
	return c.Rooms.Blueprints.Get(ctx, in.ID)
}

func doActivate(ctx context.Context, c *Call, in activateBlueprint) (Activated, error) {
	return c.Rooms.Blueprints.Activate(ctx, in.ID, in.Body)
}
