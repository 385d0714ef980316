package console

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"curlew/internal/curlew"
)

type subscriptionList struct {
	Subscriptions []curlew.Subscription
	Next          string
}

func listSubscriptions(ctx context.Context, v *visit) (view, error) {
	all, err := v.rooms.Subscriptions.Subscriptions(ctx, v.window())
	all, next := paged(v, all, func(s curlew.Subscription) string { return string(s.ID) })
	return view{"subscriptions", "Subscriptions", subscriptionList{all, next}}, err
}

type subscriptionPage struct {
	curlew.Subscription
	Receiver   string // its target, without secrets
	Backlog    map[curlew.DeliveryStatus]int64
	Deliveries []deliveryRow
	Where      string // what it is about: a source, a watch, or everything
	Link       string
	Feeds      feedPart
}

func showSubscription(ctx context.Context, v *visit) (view, error) {
	s, backlog, err := v.rooms.Subscriptions.Subscription(ctx, curlew.SubscriptionID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	p := subscriptionPage{Subscription: s, Backlog: backlog, Where: "everything"}
	if p.Feeds, err = feedsOf(ctx, v, subscriptionFeed, string(s.ID)); err != nil {
		return view{}, err
	}
	if source, err := v.app.Source(ctx, v.who, s.Source); s.Source != "" && err == nil {
		p.Where, p.Link = source.Name, "/sources/"+string(s.Source)
	}
	if watch, err := v.app.Watch(ctx, v.who, s.Watch); s.Watch != "" && err == nil {
		p.Where, p.Link = watch.Name, "/watches/"+string(s.Watch)
	}
	var target bytes.Buffer
	if json.Indent(&target, s.Target, "", "  ") == nil {
		lines := strings.Split(target.String(), "\n")
		for i := range lines {
			lines[i] = clean(lines[i])
		}
		p.Receiver = strings.Join(lines, "\n")
	}
	last, err := v.rooms.Deliveries.Deliveries(ctx, DeliveryFilter{Subscription: s.ID}, Window{Limit: 20})
	if err != nil {
		return view{}, err
	}
	p.Deliveries, err = deliveryRows(ctx, v, last, nil)
	return view{"subscription", shorten(clean(s.Name), 100), p}, err
}

func steerSubscription(s Step) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		id := curlew.SubscriptionID(v.PathValue("id"))
		return "/subscriptions/" + string(id) + "?done=" + string(s), v.rooms.Subscriptions.Steer(ctx, id, s)
	}
}
