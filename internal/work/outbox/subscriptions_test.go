package outbox_test

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

func TestADisabledSubscriptionIsResumedInGoodHealth(t *testing.T) {
	observe(t, false, func(o *watching) {
		_, sub := o.Subscribe(curlew.Subscription{Name: "everything"})
		sub.Status, sub.Health = curlew.SubscriptionDisabled, curlew.EndpointHealth{Failures: 9, DisabledWhy: "it failed for too long"}
		if err := o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error { return w.Subscriptions().Save(t.Context(), sub) }); err != nil {
			t.Fatal(err)
		}
		var got curlew.Subscription
		err := o.Write(func(w store.WriteScope) (err error) {
			got, err = outbox.Resume(t.Context(), o.Queue, w, sub.ID)
			return err
		})
		if err != nil || got.Status != curlew.SubscriptionActive || got.Health.Failures != 0 || got.Health.DisabledWhy != "" {
			t.Errorf("resumed: %+v (%v)", got, err)
		}
	})
}
