package rest

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
)

// feedRoutes are those of the feeds of one kind of thing.
func feedRoutes[ID curlew.Identifier](kind, noun, name string) []Route {
	path := "/" + noun + "/{id}/feed"
	return []Route{
		operation(http.MethodGet, path, "get"+name+"Feed", "Under which addresses a "+kind+" can be read as a feed.",
			func(ctx context.Context, c *Call, in feedOf[ID]) (app.FeedAddress, error) {
				return c.App.Feed(ctx, c.Caller, string(in.ID))
			}),
		operation(http.MethodPost, path+"/renew", "renew"+name+"Feed",
			"Make new addresses for the feed of a "+kind+". The old addresses stop working at once. A key also needs the scope read.",
			func(ctx context.Context, c *Call, in feedOf[ID]) (app.FeedAddress, error) {
				return c.App.RenewFeed(ctx, c.Caller, string(in.ID))
			}),
		operation(http.MethodDelete, path, "revoke"+name+"Feed", "Revoke all addresses of the feed of a "+kind+".",
			func(ctx context.Context, c *Call, in feedOf[ID]) (nothing, error) {
				return nothing{}, c.App.RevokeFeed(ctx, c.Caller, string(in.ID))
			}),
	}
}

type feedOf[I curlew.Identifier] struct {
	ID I `path:"id"`
}
