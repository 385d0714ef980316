package workers

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
)

// Subscribe opens a sink and lets it receive what a subscription asks for.
func (o *Watching) Subscribe(sub curlew.Subscription) (*sinktest.Sink, curlew.Subscription) {
	o.Helper()
	sink := sinktest.New(1)
	server := httptest.NewServer(sink)
	o.Cleanup(server.Close)
	return sink, o.SubscribeTo(server.URL, sub)
}

// SubscribeTo lets an address receive what a subscription asks for.
func (o *Watching) SubscribeTo(address string, sub curlew.Subscription) curlew.Subscription {
	o.Helper()
	secret, err := deliver.NewSecret(bytes.NewReader(bytes.Repeat([]byte("k"), 64)))
	if err != nil {
		o.Fatal(err)
	}
	sub.Target, err = json.Marshal(deliver.WebhookTarget{URL: address, Secrets: []deliver.Secret{secret}})
	if err != nil {
		o.Fatal(err)
	}
	sub.Channel, sub.Status = curlew.ChannelWebhook, curlew.SubscriptionActive
	err = o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		sub, err = w.Subscriptions().Add(o.Context(), sub)
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return sub
}

// Backlog counts the deliveries of a subscription.
func (o *Watching) Backlog(sub curlew.Subscription) map[curlew.DeliveryStatus]int64 {
	o.Helper()
	counts, err := o.Store.Org(curlew.DefaultOrg).Deliveries().Backlog(o.Context(), sub.ID)
	if err != nil {
		o.Fatal(err)
	}
	return counts
}
