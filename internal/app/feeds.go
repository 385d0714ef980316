package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// FeedAddress is where something can be read as a feed. Each address carries the key of its feed; whoever knows one may.
type FeedAddress struct {
	Revoked bool         `json:"revoked"` // all addresses are revoked
	URLs    []FeedFormat `json:"feeds"`   // none when they were revoked
}

// FeedFormat is the address of a feed in one format; with changes=1 it tells changes.
type FeedFormat struct {
	Format string `json:"format"`
	URL    string `json:"url"`
}

// feedKind is a kind of thing that can be read as a feed.
type feedKind struct {
	name, verb string // in addresses, and in the audit log
	needs      auth.Action
}

// feedKinds by the prefix of their ids.
var feedKinds = map[string]feedKind{
	curlew.SourceID("").Prefix():       {"source", "SourceFeed", auth.EditSources},
	curlew.WatchID("").Prefix():        {"watch", "WatchFeed", auth.EditWatches},
	curlew.SubscriptionID("").Prefix(): {"subscription", "SubscriptionFeed", auth.EditSubscriptions},
}

// feedOf is the kind of thing that an id names.
func feedOf(id string) (feedKind, error) {
	prefix, _, _ := strings.Cut(id, "_")
	kind, ok := feedKinds[prefix]
	if !ok {
		return kind, curlew.Problems{{Field: "id", Sentence: fmt.Sprintf("%q is not the id of a source, a watch or a subscription: they "+
			"begin with src_, wat_ and sub_", id)}}
	}
	return kind, nil
}

// Feed says under which addresses something can be read as a feed.
func (a *App) Feed(ctx context.Context, who auth.Identity, id string) (FeedAddress, error) {
	scope, err := a.Read(who)
	if err != nil {
		return FeedAddress{}, err
	}
	return a.feedAddress(ctx, scope, id)
}

func (a *App) feedAddress(ctx context.Context, scope store.Scope, id string) (FeedAddress, error) {
	address := FeedAddress{URLs: []FeedFormat{}}
	kind, err := feedOf(id)
	if err != nil {
		return address, err
	}
	key, err := scope.Feeds().Key(ctx, id)
	if address.Revoked = key == ""; err != nil || address.Revoked {
		return address, err
	}
	for _, format := range syndicate.Formats() {
		address.URLs = append(address.URLs, FeedFormat{Format: string(format),
			URL: a.i.Reachable() + "/feeds/" + kind.name + "/" + id + "." + string(format) + "?key=" + key})
	}
	return address, nil
}

// RenewFeed makes new addresses; those that there were end at once. The answer opens the feed, so it is for those who may read.
func (a *App) RenewFeed(ctx context.Context, who auth.Identity, id string) (FeedAddress, error) {
	scope, err := a.Read(who)
	if err == nil {
		err = a.setFeedKey(ctx, who, id, "renew", strings.ToLower(rand.Text()))
	}
	if err != nil {
		return FeedAddress{}, err
	}
	return a.feedAddress(ctx, scope, id)
}

// RevokeFeed ends all addresses of a feed.
func (a *App) RevokeFeed(ctx context.Context, who auth.Identity, id string) error {
	return a.setFeedKey(ctx, who, id, "revoke", "")
}

func (a *App) setFeedKey(ctx context.Context, who auth.Identity, id, what, key string) error {
	kind, err := feedOf(id)
	if err != nil {
		return err
	}
	_, err = do(ctx, a.as(who), verb{what + kind.verb, kind.needs}, one[string]{id},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			tx.About(id)
			return none, tx.Feeds().SetKey(ctx, id, key)
		})
	return err
}
