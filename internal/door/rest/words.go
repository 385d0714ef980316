package rest

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
)

type fieldWord struct {
	Schema curlew.SchemaName `query:"schema"` // name of the kind
	Field  string            `query:"field"`  // one of a set, or yes or no
	Word   string            `query:"word"`   // as pages have it
}

func wordRoutes() []Route {
	name := app.FieldWordName{Schema: curlew.SchemaProduct, Field: "availability", Word: "Nu te reserveren"}
	return []Route{
		operation(http.MethodGet, "/words", "listFieldWords", "List the org's dictionary of words on pages.",
			func(ctx context.Context, c *Call, _ struct{}) (List[curlew.FieldWord], error) {
				all, err := c.App.FieldWords(ctx, c.Caller)
				return List[curlew.FieldWord]{Data: filled(all)}, err
			}),
		operation(http.MethodPost, "/words", "setFieldWord", "Say what a word on pages means in a field of a kind.",
			sends((*app.App).SetFieldWord)).like(app.SetFieldWord{FieldWordName: name, Value: "preorder"}),
		operation(http.MethodDelete, "/words", "deleteFieldWord", "Forget what a word means.",
			func(ctx context.Context, c *Call, in fieldWord) (nothing, error) {
				return nothing{}, c.App.DeleteFieldWord(ctx, c.Caller, app.FieldWordName(in))
			}),
	}
}
