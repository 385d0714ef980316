package rest

import (
	"context"
	"net/http"

	"curlew/internal/curlew"
)

// FeedAddresses are the addresses under which things of an org are read without signing in.
type FeedAddresses interface {
	Addresses(ctx context.Context, kind, id string) (FeedAddress, error)
	// Renew makes new addresses, and revokes those that there were.
	Renew(ctx context.Context, kind, id string) (FeedAddress, error)
	Revoke(ctx context.Context, kind, id string) error
}

// FeedAddress is where something can be read as a feed. Whoever knows an address may.
type FeedAddress struct {
	Revoked bool         `json:"revoked"` // the bare address, without a key, is no longer good
	URLs    []FeedFormat `json:"feeds"`   // none when all were revoked
}

// FeedFormat is the address of a feed in one format; with changes=1 it tells changes.
type FeedFormat struct {
	Format string `json:"format"`
	URL    string `json:"url"`
}

// feedRoutes are those of the feeds of one kind of thing.
func feedRoutes[ID curlew.Identifier](kind, noun, name string) []Route {
	path := "/" + noun + "/{id}/feed"
	return []Route{
		operation(http.MethodGet, path, "get"+name+"Feed", "Under which addresses a "+kind+" can be read as a feed.", func(ctx context.Context, c *Call, in feedOf[ID]) (FeedAddress, error) {
			return c.Rooms.FeedAddresses.Addresses(ctx, kind, string(in.ID))
		}),
		operation(http.MethodPost, path+"/renew", "renew"+name+"Feed", "Make new addresses for the feed of a "+kind+". Those that there were end at once.", func(ctx context.Context, c *Call, in feedOf[ID]) (FeedAddress, error) {
			return c.Rooms.FeedAddresses.Renew(ctx, kind, string(in.ID))
		}),
		operation(http.MethodDelete, path, "revoke"+name+"Feed", "Revoke all addresses of the feed of a "+kind+".", func(ctx context.Context, c *Call, in feedOf[ID]) (nothing, error) {
			return nothing{}, c.Rooms.FeedAddresses.Revoke(ctx, kind, string(in.ID))
		}),
	}
}

type feedOf[I curlew.Identifier] struct {
	ID I `path:"id"`
}
