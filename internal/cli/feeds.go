package cli

import (
	"context"
	"crypto/subtle"
	"errors"
	"iter"
	"net/url"
	"time"

	"curlew/internal/api"
	"curlew/internal/curlew"
	"curlew/internal/jobs"
	"curlew/internal/store"
	"curlew/internal/syndicate"
)

// How much a feed over HTTP holds: readers ask again and again, so it is the newest;
// a table or a calendar is wanted whole. Of a saved filter so many changes are asked.
const (
	feedEntries  = 500
	tableEntries = 20_000
	filterLooks  = 50_000
)

// feeds builds feeds of what is stored.
type feeds struct {
	store     *store.Store
	base      string // address of this installation, for links
	authority string // a domain of whoever runs it
}

// newFeeds are the feeds of an installation.
func (i *installation) newFeeds() feeds {
	f := feeds{store: i.store, base: i.address}
	if console := i.cfg.Console.URL; console != "" {
		f.base = console
		if u, err := url.Parse(console); err == nil {
			f.authority = u.Hostname()
		}
	}
	return f
}

// Feed gathers the feed that an address names. Who knows the address may read it.
func (f feeds) Feed(ctx context.Context, r api.FeedRequest) (syndicate.Feed, error) {
	org, err := f.store.Owner(ctx, r.ID)
	if err != nil {
		return syndicate.Feed{}, err
	}
	key, revoked, err := f.store.Org(org).FeedKey(ctx, r.ID)
	if err == nil && revoked && (key == "" || subtle.ConstantTimeCompare([]byte(key), []byte(r.Key)) == 0) {
		err = curlew.NotFound("feed", r.ID) // as if it had never been
	}
	if err != nil {
		return syndicate.Feed{}, err
	}
	q, err := f.query(ctx, f.store.Org(org), r)
	if err != nil {
		return syndicate.Feed{}, err
	}
	q.most, q.filter.Status = tableEntries, present
	switch r.Format {
	case syndicate.Atom, syndicate.RSS, syndicate.JSONFeed:
		q.most = feedEntries
	case syndicate.ICalendar:
		q.filter.Status = nil // what is gone is cancelled in the calendars that have it
	}
	feed := q.feed()
	feed.SelfURL, feed.Authority = f.base+r.Path, f.authority
	var entries []syndicate.Entry // one moment in time, for the validators and for the feed
	for entry, err := range q.entries(ctx) {
		if err != nil {
			return syndicate.Feed{}, err
		}
		entries = append(entries, entry)
	}
	feed.Entries = syndicate.Of(entries...)
	return feed, nil
}

func (f feeds) query(ctx context.Context, scope store.Scope, r api.FeedRequest) (q feedQuery, err error) {
	q = feedQuery{scope: scope, changes: r.Changes}
	switch r.Kind {
	case "source":
		err = q.ofSource(ctx, curlew.SourceID(r.ID))
	case "watch":
		err = q.ofWatch(ctx, curlew.WatchID(r.ID))
	default:
		err = q.ofSubscription(ctx, curlew.SubscriptionID(r.ID))
	}
	return q, err
}

// feedQuery is what a feed is made of.
type feedQuery struct {
	scope   store.Scope
	id      string // of the feed
	title   string
	home    string
	filter  store.BrowseFilter
	changes bool
	wants   func(curlew.Change) bool // nil for all
	since   time.Time
	most    int // entries; 0 means all
}

func (q *feedQuery) ofSource(ctx context.Context, id curlew.SourceID) error {
	source, err := q.scope.Source(ctx, id)
	q.id, q.title, q.home, q.filter.Source = "sources/"+string(id), source.Name, source.BaseURL, id
	return err
}

func (q *feedQuery) ofWatch(ctx context.Context, id curlew.WatchID) error {
	watch, err := q.scope.Watch(ctx, id)
	if err != nil {
		return err
	}
	q.id, q.title, q.home, q.filter.Watch = "watches/"+string(id), watch.Name, watch.URL, id
	b, err := q.scope.Blueprint(ctx, watch.Blueprint)
	q.filter.Schema = b.Schema
	return err
}

// ofSubscription is the feed of a saved filter: the changes that it wants.
func (q *feedQuery) ofSubscription(ctx context.Context, id curlew.SubscriptionID) error {
	sub, err := q.scope.Subscription(ctx, id)
	if err != nil {
		return err
	}
	match, err := jobs.Matcher(sub)
	if err != nil {
		return err
	}
	q.id, q.title, q.changes = "subscriptions/"+string(id), sub.Name, true
	q.filter.Source, q.filter.Watch = sub.Source, sub.Watch
	q.wants = func(c curlew.Change) bool {
		ok, _ := match(c)
		return ok
	}
	return nil
}

// present are the entities that a feed shows: what is gone is told by changes.
var present = []curlew.EntityStatus{curlew.EntityActive, curlew.EntityStale, curlew.EntityFinished}

func (q feedQuery) feed() syndicate.Feed {
	feed := syndicate.Feed{Org: q.scope.Org(), ID: q.id, Title: q.title, HomeURL: q.home, Changes: q.changes}
	if q.changes {
		feed.ID, feed.Title = q.id+"/changes", q.title+": changes"
	}
	if q.filter.Schema != "" {
		feed.Schemas = []curlew.SchemaName{q.filter.Schema}
	}
	return feed
}

var errEnough = errors.New("enough")

// entries are read as they are asked for.
func (q feedQuery) entries(ctx context.Context) iter.Seq2[syndicate.Entry, error] {
	return func(yield func(syndicate.Entry, error) bool) {
		n := 0
		give := func(e syndicate.Entry) error {
			if n++; !yield(e, nil) || q.most > 0 && n >= q.most {
				return errEnough
			}
			return nil
		}
		read := q.readEntities
		if q.changes {
			read = q.readChanges
		}
		if err := read(ctx, give); err != nil && !errors.Is(err, errEnough) {
			yield(syndicate.Entry{}, err)
		}
	}
}

const feedBatch = 500

func (q feedQuery) readEntities(ctx context.Context, give func(syndicate.Entry) error) error {
	for after := ""; ; {
		some, err := q.scope.BrowseEntities(ctx, q.filter, store.Window{After: after, Limit: feedBatch})
		if err != nil {
			return err
		}
		ids := make([]curlew.EntityID, len(some))
		for i, e := range some {
			ids[i] = e.ID
		}
		when, err := q.scope.LastChanged(ctx, ids)
		if err != nil {
			return err
		}
		for i := range some {
			after = string(some[i].ID)
			if err := give(syndicate.Entry{Entity: &some[i], Updated: when[some[i].ID]}); err != nil {
				return err
			}
		}
		if len(some) < feedBatch {
			return nil
		}
	}
}

func (q feedQuery) readChanges(ctx context.Context, give func(syndicate.Entry) error) error {
	f := store.ChangeFilter{Source: q.filter.Source, Watch: q.filter.Watch, Since: q.since}
	looks := 0
	for before := int64(0); q.wants == nil || q.most == 0 || looks < filterLooks; {
		some, err := q.scope.ChangesBefore(ctx, f, before, feedBatch)
		if err != nil {
			return err
		}
		for i := range some {
			before = some[i].Sequence
			if looks++; q.wants != nil && !q.wants(some[i]) {
				continue
			}
			if err := give(syndicate.Entry{Change: &some[i]}); err != nil {
				return err
			}
		}
		if len(some) < feedBatch {
			return nil
		}
	}
	return nil
}
