package rest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/heal"
)

type blueprintID = named[curlew.BlueprintID]

type listBlueprints struct {
	paging
	Source curlew.SourceID `query:"source_id"` // only those of this source
}

type addBlueprint struct {
	Body app.AddBlueprint `body:"json"`
}

// Activated is the blueprint that is active now, and how it read in the shadow.
type Activated struct {
	curlew.Blueprint
	Shadows []heal.Shadowed `json:"shadows,omitempty"` // where a shadow was asked for, one for each watch that follows, at most three
}

type activateBlueprint struct {
	blueprintID
	Body app.ActivateBlueprint `body:"json"`
}

func blueprintRoutes() []Route {
	example := app.AddBlueprint{Source: "src_0123456789abcdefghjkmnpq", TestURL: "https://example.org/events",
		Rules: json.RawMessage(`{"curlew":1,"schema":"event","page":"list","tier":"html",` +
			`"records":{"css":"ul.events > li"},"fields":{"title":{"css":"h3"}}}`)}
	return []Route{
		operation(http.MethodGet, "/blueprints", "listBlueprints", "List blueprints and their versions, the oldest first.", doListBlueprints),
		operation(http.MethodPost, "/blueprints", "addBlueprint", "Keep a blueprint as the next version, a draft.",
			sends((*app.App).AddBlueprint)).creates(example),
		operation(http.MethodGet, "/blueprints/{id}", "getBlueprint", "One blueprint with its rules.",
			gets(store.Scope.Blueprints, store.Blueprints.Get)),
		operation(http.MethodPost, "/blueprints/{id}/activate", "activateBlueprint",
			"Read by this version from now on; name an earlier one to go back.", doActivate),
	}
}

func doListBlueprints(ctx context.Context, c *Call, in listBlueprints) (List[curlew.Blueprint], error) {
	return listed(c, in.paging, func(x curlew.Blueprint) string { return string(x.ID) }, func(w Window) ([]curlew.Blueprint, error) {
		return c.Read.Blueprints().List(ctx, store.BlueprintFilter{Source: in.Source}, w)
	})
}

func doActivate(ctx context.Context, c *Call, in activateBlueprint) (Activated, error) {
	in.Body.ID = in.ID
	done, err := c.App.ActivateBlueprint(ctx, c.Caller, in.Body)
	return Activated{Blueprint: done.Blueprint, Shadows: done.Shadows}, err
}
