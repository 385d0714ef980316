package rest

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Replayed says how many deliveries are sent again.
type Replayed struct {
	Replayed int64 `json:"replayed"`
}

type subscriptionID = named[curlew.SubscriptionID]

type listSubscriptions struct{ paging }

type subscribe struct {
	Body app.Subscribe `body:"json"`
}

type editSubscription struct {
	subscriptionID
	Body app.EditSubscription `body:"json"`
}

type replaySubscription struct {
	subscriptionID
	Body app.ReplaySubscription `body:"json"`
}

type deliveryID = named[curlew.DeliveryID]

type listDeliveries struct {
	paging
	store.DeliveryFilter
}

func subscriptionRoutes() []Route {
	cheaper, name := "price decreased by 10%", "Cheaper lamps"
	example := app.Subscribe{Channel: curlew.ChannelWebhook, To: []string{"https://hooks.example.org/curlew"},
		SubscriptionFields: app.SubscriptionFields{Name: &name, Kinds: []curlew.ChangeKind{curlew.EntityChanged}, Filter: &cheaper}}
	return []Route{
		operation(http.MethodGet, "/subscriptions", "listSubscriptions", "List subscriptions, the oldest first.", doListSubscriptions),
		operation(http.MethodPost, "/subscriptions", "subscribe",
			"Subscribe to changes. A webhook gets a secret, which is shown once.", sends((*app.App).Subscribe)).creates(example),
		operation(http.MethodGet, "/subscriptions/{id}", "getSubscription", "One subscription, how its endpoint does, and what waits.",
			steers((*app.App).Subscription)),
		operation(http.MethodPatch, "/subscriptions/{id}", "editSubscription", "Change a subscription.",
			edits[curlew.SubscriptionID]((*app.App).EditSubscription)).
			like(app.EditSubscription{SubscriptionFields: app.SubscriptionFields{Filter: &cheaper}}),
		operation(http.MethodDelete, "/subscriptions/{id}", "unsubscribe", "Forget a subscription and its deliveries.",
			removes((*app.App).Unsubscribe)),
		operation(http.MethodPost, "/subscriptions/{id}/pause", "pauseSubscription", "Pause a subscription.",
			steers((*app.App).PauseSubscription)),
		operation(http.MethodPost, "/subscriptions/{id}/resume", "resumeSubscription", "Resume a subscription, with what waits first.",
			steers((*app.App).ResumeSubscription)),
		operation(http.MethodPost, "/subscriptions/{id}/rotate", "rotateSecret", "Make a new webhook secret, shown this once.",
			steers((*app.App).RotateSecret)),
		operation(http.MethodPost, "/subscriptions/{id}/test", "testSubscription", "Send a test message.",
			steers((*app.App).TestSubscription)),
		operation(http.MethodPost, "/subscriptions/preview", "previewSubscription",
			"Preview which of the last changes a subscription would have sent, and how.",
			sends((*app.App).PreviewSubscription)).like(app.PreviewSubscription{Kinds: []curlew.ChangeKind{curlew.EntityChanged}, Filter: cheaper}),
		operation(http.MethodPost, "/subscriptions/{id}/replay", "replaySubscription", "Send deliveries of a subscription again.",
			doReplaySubscription).like(app.ReplaySubscription{DeadOnly: true}),
	}
}

func deliveryRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/deliveries", "listDeliveries", "List deliveries, the newest first.", doListDeliveries),
		operation(http.MethodGet, "/deliveries/{id}", "getDelivery", "One delivery: each attempt and its answer.", steers((*app.App).Delivery)),
		operation(http.MethodPost, "/deliveries/{id}/replay", "replayDelivery", "Send a delivery again, with the same id.", doReplayDelivery),
	}
}

func doListSubscriptions(ctx context.Context, c *Call, in listSubscriptions) (List[app.Subscribed], error) {
	return listed(c, in.paging, func(x app.Subscribed) string { return string(x.ID) }, func(w Window) ([]app.Subscribed, error) {
		return c.App.Subscriptions(ctx, c.Caller, w)
	})
}

type previewSubscription struct {
	Body app.PreviewSubscription `body:"json"`
}

func doReplaySubscription(ctx context.Context, c *Call, in replaySubscription) (Replayed, error) {
	in.Body.ID = in.ID
	n, err := c.App.ReplaySubscription(ctx, c.Caller, in.Body)
	return Replayed{n}, err
}

func doListDeliveries(ctx context.Context, c *Call, in listDeliveries) (List[curlew.Delivery], error) {
	return listed(c, in.paging, func(x curlew.Delivery) string { return string(x.ID) }, func(w Window) ([]curlew.Delivery, error) {
		return c.Read.Deliveries().ListBefore(ctx, in.DeliveryFilter, w)
	})
}

func doReplayDelivery(ctx context.Context, c *Call, in deliveryID) (Replayed, error) {
	n, err := c.App.ReplayDelivery(ctx, c.Caller, in.ID)
	return Replayed{n}, err
}
