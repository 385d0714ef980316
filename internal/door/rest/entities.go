package rest

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

type entityID = named[curlew.EntityID]

type listEntities struct {
	paging
	store.BrowseFilter
}

type entityHistory struct {
	entityID
	paging
}

type entityAt struct {
	entityID
	At time.Time `query:"at" required:"true"` // the moment to go back to
}

type listChanges struct {
	paging
	store.ChangeFilter
}

type listPublications struct {
	paging
	Watch curlew.WatchID `query:"watch_id"` // only those of this watch
}

type latestPublication struct {
	Watch curlew.WatchID `query:"watch_id" required:"true"` // whose
}

func entityRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/entities", "listEntities", "List entities, the newest first.", doListEntities),
		operation(http.MethodGet, "/entities/{id}", "getEntity", "One entity as it is now, with when and where each value was last read.",
			doGetEntity),
		operation(http.MethodGet, "/entities/{id}/history", "listEntityHistory",
			"All changes of an entity, the oldest first, with evidence.", doHistory),
		operation(http.MethodGet, "/entities/{id}/at", "getEntityAt", "An entity as it was known at a moment.", doEntityAt),
	}
}

func changeRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/changes", "listChanges",
			"List change events in order. The answer always has a cursor: pass it later to get newer events.", doListChanges),
		operation(http.MethodGet, "/changes/{id}", "getChange", "One change event.", gets(store.Scope.Changes, store.Changes.Get)),
	}
}

func publicationRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/publications", "listPublications", "List publications, the newest first.", doListPublications),
		operation(http.MethodGet, "/publications/latest", "getLatestPublication", "The publication of a watch that is in force.", doLatest),
		operation(http.MethodGet, "/publications/{id}", "getPublication", "One publication.",
			gets(store.Scope.Publications, store.Publications.Get)),
	}
}

func doListEntities(ctx context.Context, c *Call, in listEntities) (List[curlew.Entity], error) {
	kinds, err := c.Read.Kinds().All(ctx)
	if err == nil {
		err = kinds.Check(in.Schema)
	}
	if err != nil {
		return List[curlew.Entity]{}, err
	}
	return listed(c, in.paging, func(x curlew.Entity) string { return string(x.ID) }, func(w Window) ([]curlew.Entity, error) {
		return c.Read.Entities().Browse(ctx, in.BrowseFilter, w)
	})
}

func doGetEntity(ctx context.Context, c *Call, in entityID) (curlew.Entity, error) {
	e, err := c.Read.Entities().Get(ctx, in.ID)
	if err != nil {
		return e, err
	}
	confirmed := []curlew.Entity{e}
	err = c.Read.Entities().Confirm(ctx, confirmed)
	return confirmed[0], err
}

func doHistory(ctx context.Context, c *Call, in entityHistory) (List[curlew.Change], error) {
	if _, err := c.Read.Entities().Get(ctx, in.ID); err != nil {
		return List[curlew.Change]{}, err
	}
	return changesOf(ctx, c, in.paging, store.ChangeFilter{Entity: in.ID})
}

func changesOf(ctx context.Context, c *Call, p paging, f store.ChangeFilter) (List[curlew.Change], error) {
	return listed(c, p, func(x curlew.Change) string { return strconv.FormatInt(x.Sequence, 10) }, func(w Window) ([]curlew.Change, error) {
		after, err := number(w.After)
		if err != nil {
			return nil, err
		}
		return c.Read.Changes().List(ctx, f, after, w.Limit)
	})
}

func doEntityAt(ctx context.Context, c *Call, in entityAt) (curlew.EntityPicture, error) {
	return c.App.EntityAt(ctx, c.Caller, in.ID, in.At)
}

func doListChanges(ctx context.Context, c *Call, in listChanges) (List[curlew.Change], error) {
	page, err := changesOf(ctx, c, in.paging, in.ChangeFilter)
	if err == nil && page.Next == "" { // the end of today: others come
		page.Next = in.Cursor
		if n := len(page.Data); n > 0 {
			page.Next = c.cursor(strconv.FormatInt(page.Data[n-1].Sequence, 10))
		} else if page.Next == "" {
			page.Next = c.cursor("0")
		}
	}
	return page, err
}

func doListPublications(ctx context.Context, c *Call, in listPublications) (List[curlew.Publication], error) {
	return listed(c, in.paging, func(x curlew.Publication) string { return string(x.ID) }, func(w Window) ([]curlew.Publication, error) {
		scope := ""
		if in.Watch != "" {
			scope = publish.Scope(in.Watch)
		}
		return c.Read.Publications().List(ctx, scope, w)
	})
}

func doLatest(ctx context.Context, c *Call, in latestPublication) (curlew.Publication, error) {
	return c.Read.Publications().Latest(ctx, publish.Scope(in.Watch))
}
