// Package pipeline composes the stages: it alone knows their order. Each
// composition takes values and returns values; what is to be kept, and in which
// transaction, is for the room that calls it.
package pipeline

import (
	"context"

	"curlew/internal/curlew"
	"curlew/internal/web/archive"
	"curlew/internal/web/fetch"
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
