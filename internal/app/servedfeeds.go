package app

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"iter"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// How much a feed over HTTP holds: readers ask again and again, so it is the newest;
// a table or a calendar is wanted whole. Of a saved filter so many changes are asked.
const (
	feedEntries  = 500
	tableEntries = 20_000
	mostFiltered = 50_000
)

// FeedRequest names a feed.
type FeedRequest struct {
	Kind    string // source, watch or subscription
	ID      string
	Format  syndicate.Format
	Changes bool   // changes instead of entities; a subscription has nothing else
	Key     string // without which the id opens nothing
	Path    string // with the query, for the feed to name itself
}

// ServedFeed gathers the feed that an address names. Who knows its key may read it; one that is not
// there, or has another key, is a fault with the code not_found.
func (a *App) ServedFeed(ctx context.Context, r FeedRequest) (syndicate.Feed, error) {
	org, err := a.i.Store.Owner(ctx, r.ID)
	if err != nil {
		return syndicate.Feed{}, err
	}
	key, err := a.i.Store.Org(org).Feeds().Key(ctx, r.ID)
	if err == nil && (key == "" || subtle.ConstantTimeCompare([]byte(key), []byte(r.Key)) == 0) {
		err = curlew.NotFound("feed", r.ID) // as if it had never been
	}
	if err != nil {
		return syndicate.Feed{}, err
	}
	return a.gatherFeed(ctx, a.i.Store.Org(org), r)
}

// OwnFeed gathers a feed for a caller of its org, who needs no key of it.
func (a *App) OwnFeed(ctx context.Context, who auth.Identity, r FeedRequest) (syndicate.Feed, error) {
	scope, err := a.ReadFor(who, auth.Export)
	if err != nil {
		return syndicate.Feed{}, err
	}
	kind, err := feedOf(r.ID)
	if err != nil {
		return syndicate.Feed{}, err
	}
	r.Kind = kind.name
	return a.gatherFeed(ctx, scope, r)
}

func (a *App) gatherFeed(ctx context.Context, scope store.Scope, r FeedRequest) (syndicate.Feed, error) {
	q, err := feedQuery(ctx, scope, r)
	if err != nil {
		return syndicate.Feed{}, err
	}
	q.most, q.Filter.Status = tableEntries, Present
	switch r.Format {
	case syndicate.Atom, syndicate.RSS, syndicate.JSONFeed:
		q.most = feedEntries
	case syndicate.ICalendar:
		q.Filter.Status = nil // what is gone is cancelled in the calendars that have it
	}
	feed, err := q.Feed(ctx)
	if err != nil {
		return feed, err
	}
	feed.SelfURL = cmp.Or(a.i.Config.Console.URL, a.i.Address) + r.Path
	var entries []syndicate.FeedEntry // one moment in time, for the validators and for the feed
	for entry, err := range q.Entries(ctx) {
		if err != nil {
			return syndicate.Feed{}, err
		}
		entries = append(entries, entry)
	}
	feed.Entries = syndicate.Of(entries...)
	return feed, nil
}

func feedQuery(ctx context.Context, scope store.Scope, r FeedRequest) (q FeedQuery, err error) {
	q = FeedQuery{Scope: scope, Changes: r.Changes}
	switch r.Kind {
	case "source":
		err = q.OfSource(ctx, curlew.SourceID(r.ID))
	case "watch":
		err = q.OfWatch(ctx, curlew.WatchID(r.ID))
	default:
		err = q.ofSubscription(ctx, curlew.SubscriptionID(r.ID))
	}
	return q, err
}

// FeedQuery is what a feed is made of.
type FeedQuery struct {
	Scope    store.Scope
	Filter   store.BrowseFilter // which entities
	Changes  bool               // what changed, instead of what there is
	Narrowed store.ChangeFilter // which changes; of the source and the watch of Filter where it names none

	id    string // of the feed
	title string
	home  string
	wants func(curlew.Change) bool // nil for all
	most  int                      // entries; 0 means all
}

// OfSource makes it the feed of a source.
func (q *FeedQuery) OfSource(ctx context.Context, id curlew.SourceID) error {
	source, err := q.Scope.Sources().Get(ctx, id)
	q.id, q.title, q.home, q.Filter.Source = "sources/"+string(id), source.Name, source.BaseURL, id
	return err
}

// OfWatch makes it the feed of a watch.
func (q *FeedQuery) OfWatch(ctx context.Context, id curlew.WatchID) error {
	watch, err := q.Scope.Watches().Get(ctx, id)
	if err != nil {
		return err
	}
	q.id, q.title, q.home, q.Filter.Watch = "watches/"+string(id), watch.Name, watch.URL, id
	b, err := q.Scope.Blueprints().Get(ctx, watch.Blueprint)
	q.Filter.Schema = b.Schema
	return err
}

// ofSubscription is the feed of a saved filter: the changes that it wants.
func (q *FeedQuery) ofSubscription(ctx context.Context, id curlew.SubscriptionID) error {
	sub, err := q.Scope.Subscriptions().Get(ctx, id)
	if err != nil {
		return err
	}
	kinds, err := q.Scope.Kinds().All(ctx)
	if err != nil {
		return err
	}
	match, err := outbox.Matcher(sub, kinds)
	if err != nil {
		return err
	}
	q.id, q.title, q.Changes = "subscriptions/"+string(id), sub.Name, true
	q.Filter.Source, q.Filter.Watch = sub.Source, sub.Watch
	q.wants = func(c curlew.Change) bool {
		ok, _ := match(c)
		return ok
	}
	return nil
}

// Present are the entities that a feed shows: what is gone is told by changes.
var Present = []curlew.EntityStatus{curlew.EntityActive, curlew.EntityStale, curlew.EntityFinished}

// Feed is the feed without its entries.
func (q FeedQuery) Feed(ctx context.Context) (syndicate.Feed, error) {
	kinds, err := q.Scope.Kinds().All(ctx)
	feed := syndicate.Feed{Org: q.Scope.Org(), ID: q.id, Title: q.title, HomeURL: q.home, Kinds: kinds, Changes: q.Changes}
	if q.Changes {
		feed.ID, feed.Title = q.id+"/changes", q.title+": changes"
	}
	if q.Filter.Schema != "" {
		feed.Schemas = []curlew.SchemaName{q.Filter.Schema}
	}
	return feed, err
}

var errEnough = errors.New("enough")

// Entries are read as they are asked for.
func (q FeedQuery) Entries(ctx context.Context) iter.Seq2[syndicate.FeedEntry, error] {
	return func(yield func(syndicate.FeedEntry, error) bool) {
		n := 0
		give := func(e syndicate.FeedEntry) error {
			if n++; !yield(e, nil) || q.most > 0 && n >= q.most {
				return errEnough
			}
			return nil
		}
		read := q.readEntities
		if q.Changes {
			read = q.readChanges
		}
		if err := read(ctx, give); err != nil && !errors.Is(err, errEnough) {
			yield(syndicate.FeedEntry{}, err)
		}
	}
}

const feedBatch = 500

func (q FeedQuery) readEntities(ctx context.Context, give func(syndicate.FeedEntry) error) error {
	for after := ""; ; {
		some, err := q.Scope.Entities().Browse(ctx, q.Filter, store.Window{After: after, Limit: feedBatch})
		if err != nil {
			return err
		}
		ids := make([]curlew.EntityID, len(some))
		for i, e := range some {
			ids[i] = e.ID
		}
		when, err := q.Scope.Entities().LastChanged(ctx, ids)
		if err != nil {
			return err
		}
		if err := q.Scope.Entities().Confirm(ctx, some); err != nil {
			return err
		}
		for i := range some {
			after = string(some[i].ID)
			if err := give(syndicate.FeedEntry{Entity: &some[i], Updated: when[some[i].ID]}); err != nil {
				return err
			}
		}
		if len(some) < feedBatch {
			return nil
		}
	}
}

func (q FeedQuery) readChanges(ctx context.Context, give func(syndicate.FeedEntry) error) error {
	f := q.Narrowed
	f.Source, f.Watch = cmp.Or(f.Source, q.Filter.Source), cmp.Or(f.Watch, q.Filter.Watch)
	checked := 0
	for before := int64(0); q.wants == nil || q.most == 0 || checked < mostFiltered; {
		some, err := q.Scope.Changes().ListBefore(ctx, f, before, feedBatch)
		if err != nil {
			return err
		}
		for i := range some {
			before = some[i].Sequence
			if checked++; q.wants != nil && !q.wants(some[i]) {
				continue
			}
			if err := give(syndicate.FeedEntry{Change: &some[i]}); err != nil {
				return err
			}
		}
		if len(some) < feedBatch {
			return nil
		}
	}
	return nil
}
