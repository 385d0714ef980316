package fetch

import (
	"context"
	"errors"
	"log/slog"
	"net/url"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// tell says what came of a request. Of the address it tells the host and nothing else:
// paths and queries may hold what is secret.
func tell(ctx context.Context, span *instrument.Span, r PageRequest, result *Capture, err error) {
	h := instrument.Fetched{Outcome: whyNone(ctx, err)}
	if err == nil {
		page := result.Page
		h = instrument.Fetched{Adapter: page.Adapter, Outcome: instrument.FetchOutcome(page.Outcome), Bytes: page.Bytes, Took: result.took,
			Waited: result.Waited}
	}
	instrument.Tell(ctx, h)
	if span == nil {
		return
	}
	host := ""
	if u, failed := url.Parse(r.URL); failed == nil {
		host = u.Host
	}
	span.Note(
		slog.String("server.address", host), slog.String("curlew.outcome", string(h.Outcome)), slog.String("curlew.adapter", string(h.Adapter)),
		slog.Int64("http.response.body.size", h.Bytes), slog.Int64("curlew.waited_ms", h.Waited.Milliseconds()))
	if err == nil {
		span.Note(slog.Int("http.response.status_code", result.Page.Status))
	}
	if h.Outcome == instrument.FetchPostponed {
		err = nil // the host has its rest: nothing went wrong
	}
	span.End(err)
}

// whyNone says in a word why there is no page.
func whyNone(ctx context.Context, err error) instrument.FetchOutcome {
	switch {
	case err == nil:
		return ""
	case errors.As(err, new(*BusyError)):
		return instrument.FetchPostponed
	case ctx.Err() != nil:
		return instrument.FetchGivenUp
	case curlew.AsFault(err).Kind == curlew.KindRefused:
		return instrument.FetchRefused
	}
	return instrument.FetchUnreachable
}
