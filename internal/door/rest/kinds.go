package rest

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
)

type kindName struct {
	Name curlew.SchemaName `path:"name"`
}

type editKind struct {
	kindName
	Body app.EditKind `body:"json"`
}

func kindRoutes() []Route {
	example := app.AddKind{Name: "home", KindFields: app.KindFields{Identity: [][]string{{"street"}}, Fields: []curlew.Field{
		{Name: "street", Type: curlew.TypeText, Required: true}, {Name: "price", Type: curlew.TypeMoney}}}}
	return []Route{
		operation(http.MethodGet, "/kinds", "listKinds", "List the kinds of things: built in, and your own.", doListKinds),
		operation(http.MethodPost, "/kinds", "addKind", "Make a custom kind.", sends((*app.App).AddKind)).creates(example),
		operation(http.MethodGet, "/watches/{id}/kind", "proposeKind", "Propose the fields of a kind of your own from what a watch reads.",
			steers((*app.App).ProposeKind)),
		operation(http.MethodGet, "/kinds/{name}", "getKind", "One kind with its fields.",
			func(ctx context.Context, c *Call, in kindName) (curlew.Schema, error) {
				return c.App.Kind(ctx, c.Caller, in.Name)
			}),
		operation(http.MethodPatch, "/kinds/{name}", "editKind", "Change a kind of your own, and rename its fields.",
			func(ctx context.Context, c *Call, in editKind) (curlew.Schema, error) {
				in.Body.Name = in.Name
				return c.App.EditKind(ctx, c.Caller, in.Body)
			}).like(app.EditKind{Rename: map[string]string{"street": "address"}}),
		operation(http.MethodDelete, "/kinds/{name}", "deleteKind", "Delete a custom kind that no blueprint uses.",
			func(ctx context.Context, c *Call, in kindName) (nothing, error) {
				return nothing{}, c.App.DeleteKind(ctx, c.Caller, in.Name)
			}),
	}
}

func doListKinds(ctx context.Context, c *Call, _ struct{}) (List[curlew.Schema], error) {
	all, err := c.App.Kinds(ctx, c.Caller)
	return List[curlew.Schema]{Data: filled(all)}, err
}
