// Package pages asks for pages on behalf of runs and commands, and archives what came
// before anything refers to it. The steps of one piece of work share a cache of what was read.
package pages

import (
	"context"
	"net/url"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/web/robots"
)

// Archiver keeps exchanges durably before anything refers to them.
type Archiver interface {
	Write(ctx context.Context, exchanges ...archive.Exchange) ([]archive.Entry, error)
}

// PageReader asks for pages and archives what came.
type PageReader struct {
	Fetcher *fetch.Fetcher
	Archive Archiver // nil keeps nothing
}

// Read asks for one page and archives the answer. The page that it returns refers
// only to what is durable.
func (r *PageReader) Read(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error) {
	result, err := r.Fetcher.Fetch(ctx, request)
	if err != nil || r.Archive == nil || result.Page.Outcome == curlew.OutcomeNotModified {
		return result, err
	}
	entries, err := r.Archive.Write(ctx, exchangeOf(result))
	if err != nil {
		return nil, err
	}
	result.Page.ArchiveRef, result.Page.Digest = string(entries[0].Ref), entries[0].Digest
	guard.Takes(ctx, result.Page.ArchiveRef)
	return result, nil
}

func exchangeOf(r *fetch.Capture) archive.Exchange {
	truncated := archive.Complete
	if r.Page.Outcome == curlew.OutcomeDamaged {
		truncated = archive.TruncatedUnspecified
	}
	return archive.Exchange{URL: r.Page.FinalURL, At: r.Page.FetchedAt, RequestHeader: r.RequestHeader, Status: r.Page.Status,
		Proto: r.Proto, Header: r.Header, Body: r.Body, Truncated: truncated, RemoteIP: r.RemoteIP}
}

// MaterialOf is a page that was just fetched.
func MaterialOf(r *fetch.Capture, now time.Time) extract.Material {
	m := extract.Material{Body: r.Body, Charset: r.Page.Charset, ContentType: r.Page.ContentType, URL: r.Page.FinalURL,
		Archived: r.Page.ArchiveRef, Now: now, Adapter: r.Page.Adapter}.Unpacked()
	for _, c := range r.Calls {
		m.Calls = append(m.Calls, feasibility.ScriptCall(c))
	}
	return m
}

// PageSource is what an inspection asks: pages, and what robots.txt says of them.
type PageSource interface {
	Fetch(ctx context.Context, request fetch.PageRequest) (*fetch.Capture, error)
	Robots(ctx context.Context, target *url.URL, fresh bool) (robots.SiteRules, error)
}
