package console

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

// feedKind is a kind of thing that can be read as a feed.
type feedKind struct {
	name  string // in the feed's address
	path  string // in the console
	needs auth.Action
	title func(ctx context.Context, v *visit, id string) (string, error)
}

var (
	sourceFeed = feedKind{"source", "/sources/", auth.EditSources, func(ctx context.Context, v *visit, id string) (string, error) {
		s, err := v.read.Sources().Get(ctx, curlew.SourceID(id))
		return s.Name, err
	}}
	watchFeed = feedKind{"watch", "/watches/", auth.EditWatches, func(ctx context.Context, v *visit, id string) (string, error) {
		w, err := v.read.Watches().Get(ctx, curlew.WatchID(id))
		return w.Name, err
	}}
	subscriptionFeed = feedKind{"subscription", "/subscriptions/", auth.EditSubscriptions,
		func(ctx context.Context, v *visit, id string) (string, error) {
			s, err := v.read.Subscriptions().Get(ctx, curlew.SubscriptionID(id))
			return s.Name, err
		}}
)

// feedLink is the address of a feed.
type feedLink struct{ Name, URL string }

// feedPart is what a page says of a thing's feed.
type feedPart struct {
	Links []feedLink // none when all are revoked
	At    string     // where the feed is steered
	May   bool       // whoever looks may do so
}

// feedFormats are those of feeds, in the order in which people ask for them.
var feedFormats = []struct{ ending, name string }{{"atom", "Atom"}, {"rss", "RSS"}, {"json", "JSON Feed"}, {"ics", "Calendar"},
	{"csv", "CSV"}, {"jsonl", "JSON lines"}}

// feedsOf are the addresses under which something can be read as a feed.
func feedsOf(ctx context.Context, v *visit, kind feedKind, id string) (feedPart, error) {
	part := feedPart{At: kind.path + id + "/feed", May: auth.Allow(v.who, kind.needs) == nil}
	address, err := v.app.Feed(ctx, v.who, id)
	for _, f := range feedFormats {
		for _, one := range address.URLs {
			if one.Format == f.ending {
				part.Links = append(part.Links, feedLink{f.name, one.URL})
			}
		}
	}
	return part, err
}

func (k feedKind) confirm(renew bool) screen {
	return only(k.needs, func(ctx context.Context, v *visit) (view, error) {
		id := v.PathValue("id")
		title, err := k.title(ctx, v, id)
		if err != nil {
			return view{}, err
		}
		q := question{What: "The feed of " + title, Yes: "Yes, revoke them", Back: k.path + id, Danger: true, Lost: []string{
			"All addresses of this feed stop working at once.",
			"A new address can be made later; the old ones never work again."}}
		if !renew {
			return confirmation("Revoke the addresses of this feed?", q), nil
		}
		q.Yes, q.Lost[1] = "Yes, make a new address", "Give the new address to everyone who reads the feed."
		return confirmation("Make a new address for this feed?", q), nil
	})
}

func (k feedKind) turn(renew bool) action {
	return action{k.needs, func(ctx context.Context, v *visit) (string, error) {
		id := v.PathValue("id")
		if renew {
			_, err := v.app.RenewFeed(ctx, v.who, id)
			return k.path + id + "?done=feed-new", err
		}
		return k.path + id + "?done=feed-gone", v.app.RevokeFeed(ctx, v.who, id)
	}}
}
