package tenancy

import (
	"context"
	"crypto/rand"
	"strings"

	"curlew/internal/change/syndicate"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
)

// feedAddresses steers under which addresses things of the org are read as feeds.
type feedAddresses struct{ tenant }

// Addresses says where something can be read as a feed.
func (f feedAddresses) Addresses(ctx context.Context, kind, id string) (rest.FeedAddress, error) {
	return AddressesOf(ctx, f.scope, f.i.Reachable(), kind, id)
}

// AddressesOf says where something of an org can be read as a feed of this installation.
func AddressesOf(ctx context.Context, scope store.Scope, base, kind, id string) (rest.FeedAddress, error) {
	key, revoked, err := scope.Feeds().Key(ctx, id)
	address := rest.FeedAddress{Revoked: revoked, URLs: []rest.FeedFormat{}}
	if err != nil || revoked && key == "" {
		return address, err
	}
	if key != "" {
		key = "?key=" + key
	}
	for _, format := range syndicate.Formats() {
		address.URLs = append(address.URLs, rest.FeedFormat{Format: string(format), URL: base + "/feeds/" + kind + "/" + id + "." + string(format) + key})
	}
	return address, nil
}

// NewFeedKey is what a new address of a feed carries.
func NewFeedKey() string { return strings.ToLower(rand.Text()) }

// Renew makes new addresses.
func (f feedAddresses) Renew(ctx context.Context, kind, id string) (rest.FeedAddress, error) {
	if err := f.RenewFeed(ctx, id); err != nil {
		return rest.FeedAddress{}, err
	}
	return f.Addresses(ctx, kind, id)
}

// Revoke leaves none.
func (f feedAddresses) Revoke(ctx context.Context, _, id string) error { return f.RevokeFeed(ctx, id) }

// FeedKey is what the address of a feed must carry.
func (f feedAddresses) FeedKey(ctx context.Context, id string) (string, bool, error) {
	return f.scope.Feeds().Key(ctx, id)
}

// RenewFeed makes a new address.
func (f feedAddresses) RenewFeed(ctx context.Context, id string) error {
	return f.write(ctx, func(w store.WriteScope) error { return w.Feeds().SetKey(ctx, id, NewFeedKey()) })
}

// RevokeFeed leaves none.
func (f feedAddresses) RevokeFeed(ctx context.Context, id string) error {
	return f.write(ctx, func(w store.WriteScope) error { return w.Feeds().SetKey(ctx, id, "") })
}
