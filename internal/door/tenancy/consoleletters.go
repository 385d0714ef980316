package tenancy

import (
	"context"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/console"
	"curlew/internal/work/deliver"
	"curlew/internal/work/runs"
)

// Told returns the changes that deliveries tell of.
func (s seenDeliveries) Told(ctx context.Context, ids []curlew.ChangeID) ([]curlew.Change, error) {
	return s.scope.Changes().ByIDs(ctx, ids)
}

// Letter writes a delivery once more, by what sends it.
func (s seenDeliveries) Letter(ctx context.Context, id curlew.DeliveryID) (l console.Letter, err error) {
	report, err := tenantDeliveries(s).Get(ctx, id)
	if err != nil {
		return l, err
	}
	sub, err := s.scope.Subscriptions().Get(ctx, report.Delivery.Subscription)
	if err != nil {
		return l, err
	}
	change, err := s.scope.Changes().Get(ctx, report.Delivery.Change)
	if err != nil {
		return l, err
	}
	m := (&runs.Outbox{Console: s.i.Config.Console.URL}).Message(ctx, s.scope, sub, store.Parcel{Delivery: report.Delivery, Change: change})
	l = console.Letter{Channel: sub.Channel, Digest: sub.Digest != ""}
	if l.Body, err = deliver.Render(sub.Channel, m); err != nil {
		return l, err
	}
	signed := report.Delivery.DeliveredAt
	if n := len(report.Tries); n > 0 {
		signed = &report.Tries[n-1].At
	}
	for _, h := range deliver.Head(sub.Channel, sub.Target, m, signed) {
		l.Head = append(l.Head, console.Heading(h))
	}
	return l, nil
}
