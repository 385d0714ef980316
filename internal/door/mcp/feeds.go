package mcp

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The addresses of feeds in this protocol: of what there is, and of what changed.
const (
	feedPrefix   = "curlew://feeds/"
	changePrefix = "curlew://changes/"
)

// feedURI is where the feed of a thing is read.
func feedURI(id string) string { return feedPrefix + id + "." + string(syndicate.JSONLines) }

// addFeeds offers the feeds of sources, watches and subscriptions. Those of watches are listed, a page at a time.
func (c *conversation) addFeeds() {
	if !auth.Can(c.caller, auth.Export) {
		return
	}
	about := "%s of a source (src_…), a watch (wat_…) or a subscription (sub_…), as jsonl, csv, ics, json (JSON Feed), atom or rss."
	c.server.AddResourceTemplate(&sdk.ResourceTemplate{Name: "feed", URITemplate: feedPrefix + "{id}.{format}",
		Description: fmt.Sprintf(about, "The entities")}, c.readFeed)
	c.server.AddResourceTemplate(&sdk.ResourceTemplate{Name: "changes", URITemplate: changePrefix + "{id}.{format}",
		Description: fmt.Sprintf(about, "The changes")}, c.readFeed)
	c.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if list, ok := r.(*sdk.ListResourcesRequest); ok && method == "resources/list" {
				return c.listFeeds(ctx, list)
			}
			return next(ctx, method, r)
		}
	})
}

// feedsListed is how many feeds a page lists.
const feedsListed = 100

func (c *conversation) listFeeds(ctx context.Context, r *sdk.ListResourcesRequest) (*sdk.ListResourcesResult, error) {
	after := ""
	if r.Params != nil {
		after = r.Params.Cursor
	}
	out, err := answer(ctx, c, doing{name: "resources/list"}, func(ctx context.Context, who auth.Identity) (*sdk.ListResourcesResult, error) {
		scope, err := c.App.Read(who)
		if err != nil {
			return nil, err
		}
		watches, err := scope.Watches().List(ctx, store.WatchFilter{}, store.Window{After: after, Limit: feedsListed})
		out := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}, Cacheable: sdk.Cacheable{CacheScope: private}}
		for _, w := range watches {
			out.Resources = append(out.Resources, &sdk.Resource{URI: feedURI(string(w.ID)), Name: w.Name, MIMEType: mime(syndicate.JSONLines),
				Description: "What is known of " + w.URL})
		}
		if len(watches) == feedsListed {
			out.NextCursor = string(watches[feedsListed-1].ID)
		}
		return out, err
	})
	if err != nil {
		return nil, c.failure("resources/list", err)
	}
	return out, nil
}

func (c *conversation) readFeed(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	request, err := feedRequest(r.Params.URI)
	if err != nil {
		return nil, err
	}
	text, err := answer(ctx, c, doing{name: "resources/read"}, func(ctx context.Context, who auth.Identity) (string, error) {
		feed, err := c.App.OwnFeed(ctx, who, request)
		if err != nil {
			return "", err
		}
		var out bytes.Buffer
		err = syndicate.Write(&out, request.Format, feed, syndicate.Options{})
		return out.String(), err
	})
	if err != nil {
		return nil, c.failure("resources/read", err)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: mime(request.Format), Text: text}}}, nil
}

// feedRequest is the feed that an address names.
func feedRequest(uri string) (app.FeedRequest, error) {
	name, changes := strings.CutPrefix(uri, changePrefix)
	if !changes {
		name = strings.TrimPrefix(uri, feedPrefix)
	}
	id, ending, _ := strings.Cut(name, ".")
	format, err := syndicate.ParseFormat(ending)
	if err != nil {
		return app.FeedRequest{}, fmt.Errorf("%s", curlew.AsFault(err).Sentence)
	}
	return app.FeedRequest{ID: id, Format: format, Changes: changes}, nil
}

// mime is the media type alone.
func mime(f syndicate.Format) string {
	kind, _, _ := strings.Cut(f.ContentType(), ";")
	return kind
}
