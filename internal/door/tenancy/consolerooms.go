package tenancy

import (
	"context"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/console"
	"curlew/internal/door/rest"
	"curlew/internal/work/deliver"
)

type seenSubscriptions struct{ tenant }

// Subscriptions lists subscriptions.
func (s seenSubscriptions) Subscriptions(ctx context.Context, w console.Window) ([]curlew.Subscription, error) {
	all, err := s.scope.Subscriptions().List(ctx, store.Window(w))
	for i := range all {
		all[i].Target = deliver.Redact(all[i].Channel, all[i].Target)
	}
	return all, err
}

// Subscription returns one, and what waits for it.
func (s seenSubscriptions) Subscription(ctx context.Context, id curlew.SubscriptionID) (curlew.Subscription, map[curlew.DeliveryStatus]int64, error) {
	shown, err := tenantSubscriptions(s).Get(ctx, id)
	return shown.Subscription, shown.Backlog, err
}

// Steer pauses and resumes a subscription.
func (s seenSubscriptions) Steer(ctx context.Context, id curlew.SubscriptionID, step console.Step) error {
	_, err := subscriptionControl(s).Steer(ctx, id, rest.SubscriptionStep(step))
	return err
}

type seenDeliveries struct{ tenant }

// Deliveries lists deliveries.
func (s seenDeliveries) Deliveries(ctx context.Context, f console.DeliveryFilter, w console.Window) ([]curlew.Delivery, error) {
	return s.scope.Deliveries().ListBefore(ctx, store.DeliveryFilter{Status: f.Status, Subscription: f.Subscription}, store.Window(w))
}

// Delivery returns one with its attempts.
func (s seenDeliveries) Delivery(ctx context.Context, id curlew.DeliveryID) (curlew.Delivery, []curlew.Attempt, error) {
	report, err := tenantDeliveries(s).Get(ctx, id)
	return report.Delivery, report.Tries, err
}

// Replay sends one again.
func (s seenDeliveries) Replay(ctx context.Context, id curlew.DeliveryID) error {
	_, err := tenantDeliveries(s).Replay(ctx, id)
	return err
}
