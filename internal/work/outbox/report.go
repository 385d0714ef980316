package outbox

import (
	"context"
	"log/slog"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// tried counts the deliveries of messages whose attempts are kept.
func (o *Outbox) tried(ctx context.Context, sub curlew.Subscription, deliveries []curlew.Delivery, attempts []curlew.Attempt) {
	for i, d := range deliveries {
		result := "retry"
		if d.Status != curlew.DeliveryPending {
			result = string(d.Status)
		}
		instrument.Tell(ctx, instrument.DeliveryTried{Channel: sub.Channel, Result: result,
			Took: time.Duration(attempts[i].TookMillis) * time.Millisecond})
	}
}

// mostLinks bounds the runs that the span of a digest names.
const mostLinks = 32

// sending begins the span of a message, in the trace of the run whose change it tells
// first.
func sending(ctx context.Context, sub curlew.Subscription, pending []store.PendingDelivery) (context.Context, *instrument.Span) {
	run := pending[0].Change.Run
	start := instrument.Start{Name: "deliver", Run: run, Under: instrument.SpanPublish, Client: true}
	linked := map[curlew.RunID]bool{run: true, "": true}
	for _, p := range pending[1:] {
		if c := p.Change; !linked[c.Run] && len(start.Links) < mostLinks {
			linked[c.Run] = true
			start.Links = append(start.Links, c.Run)
		}
	}
	ctx, span := instrument.Begin(ctx, start)
	span.Note(slog.String("curlew.channel", string(sub.Channel)), slog.String("curlew.subscription", string(sub.ID)),
		slog.Int("curlew.deliveries", len(pending)), slog.Int("curlew.attempt", pending[0].Delivery.Attempts+1))
	return ctx, span
}
