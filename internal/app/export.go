package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Export is a listing that somebody saves: entities, or changes, as a view filters them.
type Export struct {
	Entities store.BrowseFilter
	Changes  *store.ChangeFilter // these instead of entities
}

// Export gathers a listing. Its entries are read as they are asked for, as often as that is.
func (a *App) Export(ctx context.Context, who auth.Identity, c Export) (syndicate.Feed, error) {
	scope, err := a.ReadFor(who, auth.Export)
	if err != nil {
		return syndicate.Feed{}, err
	}
	q := FeedQuery{Scope: scope, Filter: c.Entities, id: "entities", title: "Entities"}
	source, watch := c.Entities.Source, c.Entities.Watch
	if c.Changes != nil {
		q.Changes, q.Narrowed, q.id, q.title = true, *c.Changes, "all", "Curlew"
		source, watch = c.Changes.Source, c.Changes.Watch
	}
	switch {
	case watch != "":
		err = q.OfWatch(ctx, watch)
	case source != "":
		err = q.OfSource(ctx, source)
	}
	if err != nil {
		return syndicate.Feed{}, err
	}
	q.Filter = c.Entities
	feed, err := q.Feed(ctx)
	feed.Entries = q.Entries(ctx)
	return feed, err
}
