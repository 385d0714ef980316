package cli

import (
	"context"
	"fmt"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
	"curlew/internal/door/tenancy"
	"curlew/internal/ops/setup"
)

type feedsCommand struct {
	Show   feedsShow   `cmd:"" help:"Print the addresses of the feed of a source, a watch or a subscription."`
	Renew  feedsRenew  `cmd:"" help:"Make new addresses for a feed; those that there were end at once."`
	Revoke feedsRevoke `cmd:"" help:"Revoke all addresses of a feed."`
}

// feedKinds are the kinds of things that can be read as feeds, by the beginnings of their ids.
var feedKinds = map[string]string{curlew.SourceID("").Prefix(): "source", curlew.WatchID("").Prefix(): "watch", curlew.SubscriptionID("").Prefix(): "subscription"}

// feedOf names a thing that can be read as a feed.
type feedOf struct {
	ID string `arg:"" help:"Id of a source, a watch or a subscription."`
}

// steer sets what the addresses must carry, where a key is given, and prints them.
func (c feedOf) steer(a *program, key *string) error {
	prefix, _, _ := strings.Cut(c.ID, "_")
	kind, ok := feedKinds[prefix]
	if !ok {
		return usage("%q is not the id of a source, a watch or a subscription: they begin with src_, wat_ and sub_", c.ID)
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		if key != nil {
			if err := i.Store.Write(ctx, org, func(w store.WriteScope) error { return w.Feeds().SetKey(ctx, c.ID, *key) }); err != nil {
				return err
			}
		}
		address, err := tenancy.AddressesOf(ctx, i.Store.Org(org), i.Reachable(), kind, c.ID)
		if err != nil {
			return err
		}
		showFeeds(a, address, c.ID)
		return nil
	})
}

func showFeeds(a *program, address rest.FeedAddress, id string) {
	if a.JSON {
		writeJSON(a.Out, address)
		return
	}
	if len(address.URLs) == 0 {
		fmt.Fprintf(a.Out, "All addresses of this feed are revoked. Make a new one with \"curlew feeds renew %s\".\n", id)
	}
	for _, f := range address.URLs {
		fmt.Fprintf(a.Out, "%-6s %s\n", f.Format, f.URL)
	}
}

type feedsShow struct{ feedOf }

func (c feedsShow) Run(a *program) error { return c.steer(a, nil) }

type feedsRenew struct{ feedOf }

func (c feedsRenew) Run(a *program) error {
	key := tenancy.NewFeedKey()
	return c.steer(a, &key)
}

type feedsRevoke struct{ feedOf }

func (c feedsRevoke) Run(a *program) error {
	none := ""
	return c.steer(a, &none)
}
