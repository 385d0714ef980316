package console

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

type subscriptionList struct {
	Subscriptions []app.Subscribed
	Next          string
}

func listSubscriptions(ctx context.Context, v *visit) (view, error) {
	all, err := v.app.Subscriptions(ctx, v.who, v.window())
	all, next := paged(v, all, func(s app.Subscribed) string { return string(s.ID) })
	return view{"subscriptions", "Subscriptions", subscriptionList{all, next}}, err
}

type subscriptionPage struct {
	app.Subscribed
	Receiver   string // its target, without secrets
	Deliveries []deliveryRow
	Where      string // what it is about: a source, a watch, or everything
	Link       string
	Feeds      feedPart
}

func showSubscription(ctx context.Context, v *visit) (view, error) {
	s, err := v.app.Subscription(ctx, v.who, subscriptionAt(v))
	if err != nil {
		return view{}, err
	}
	p := subscriptionPage{Subscribed: s, Where: "everything"}
	if p.Feeds, err = feedsOf(ctx, v, subscriptionFeed, string(s.ID)); err != nil {
		return view{}, err
	}
	if source, err := v.read.Sources().Get(ctx, s.Source); s.Source != "" && err == nil {
		p.Where, p.Link = source.Name, "/sources/"+string(s.Source)
	}
	if watch, err := v.read.Watches().Get(ctx, s.Watch); s.Watch != "" && err == nil {
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
	last, err := v.read.Deliveries().ListBefore(ctx, store.DeliveryFilter{Subscription: s.ID}, Window{Limit: 20})
	if err != nil {
		return view{}, err
	}
	p.Deliveries, err = deliveryRows(ctx, v, last, nil)
	return view{"subscription", text.Clip(clean(s.Name), 100), p}, err
}

func steerSubscription(
	done string, step func(*app.App, context.Context, auth.Identity, curlew.SubscriptionID) (app.Subscribed, error),
) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		_, err := step(v.app, ctx, v.who, subscriptionAt(v))
		return "/subscriptions/" + string(subscriptionAt(v)) + "?done=" + done, err
	}
}
