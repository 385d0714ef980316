package store_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// unsubscribeRace removes subscriptions while somebody writes deliveries for them.
func unsubscribeRace(t *testing.T, b *bench) {
	ctx := t.Context()
	for range 20 {
		var sub curlew.Subscription
		b.write(t, acme, func(s store.WriteScope) (err error) {
			sub, err = s.Subscriptions().Add(ctx, curlew.Subscription{Channel: curlew.ChannelWebhook, Status: curlew.SubscriptionActive})
			return err
		})
		found := make(chan struct{})
		errs := together(2, func(i int) error {
			if i == 0 {
				<-found
				return b.store.Write(ctx, acme, func(s store.WriteScope) error { return s.Subscriptions().Remove(ctx, sub.ID) })
			}
			told := false
			return b.store.Write(ctx, acme, func(s store.WriteScope) error {
				change, err := s.Changes().Add(ctx, curlew.Change{Kind: curlew.SourceHealed})
				if err != nil {
					return err
				}
				subs, err := s.Subscriptions().Active(ctx)
				if err != nil {
					return err
				}
				if !told { // a transaction may be tried again
					told = true
					close(found)
				}
				for _, sub := range subs {
					if _, err := s.Deliveries().Add(ctx, curlew.Delivery{Change: change.ID, Subscription: sub.ID, Sequence: change.Sequence,
						Status: curlew.DeliveryPending}); err != nil {
						return err
					}
				}
				return nil
			})
		})
		for _, err := range errs {
			must(t, err)
		}
	}
	if left, err := b.store.Org(acme).Deliveries().List(ctx, store.DeliveryFilter{}, store.Window{}); err != nil || len(left) != 0 {
		t.Errorf("%d deliveries have nobody to go to (%v)", len(left), err)
	}
}
