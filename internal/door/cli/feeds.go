package cli

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
)

type feedsCommand struct {
	Show   feedsShow   `cmd:"" help:"Print the addresses of the feed of a source, a watch or a subscription."`
	Renew  feedsRenew  `cmd:"" help:"Make new addresses for a feed; the old ones stop working at once."`
	Revoke feedsRevoke `cmd:"" help:"Revoke all addresses of a feed."`
}

// feedOf names a thing that can be read as a feed.
type feedOf struct {
	ID string `arg:"" help:"Id of a source, a watch or a subscription."`
}

// print does something about a feed, and prints its addresses.
func (c feedOf) print(a *program, step func(ctx context.Context, use *app.App, who auth.Identity) error) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		if err := step(ctx, use, who); err != nil {
			return err
		}
		address, err := use.Feed(ctx, who, c.ID)
		if err != nil {
			return err
		}
		showFeeds(a, address, c.ID)
		return nil
	})
}

func showFeeds(a *program, address app.FeedAddress, id string) {
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

func (c feedsShow) Run(a *program) error {
	return c.print(a, func(context.Context, *app.App, auth.Identity) error { return nil })
}

type feedsRenew struct{ feedOf }

func (c feedsRenew) Run(a *program) error {
	return c.print(a, func(ctx context.Context, use *app.App, who auth.Identity) error {
		_, err := use.RenewFeed(ctx, who, c.ID)
		return err
	})
}

type feedsRevoke struct{ feedOf }

func (c feedsRevoke) Run(a *program) error {
	return c.print(a, func(ctx context.Context, use *app.App, who auth.Identity) error {
		return use.RevokeFeed(ctx, who, c.ID)
	})
}
