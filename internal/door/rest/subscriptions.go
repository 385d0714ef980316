package rest

import (
	"context"
	"encoding/json"
	"net/http"

	"curlew/internal/curlew"
)

// Subscriptions are the subscriptions of an org. What they return is without secrets.
type Subscriptions interface {
	List(ctx context.Context, w Window) ([]Subscribed, error)
	Get(ctx context.Context, id curlew.SubscriptionID) (Subscribed, error)
	Add(ctx context.Context, n NewSubscription) (Subscribed, error)
	Edit(ctx context.Context, id curlew.SubscriptionID, p SubscriptionPatch) (Subscribed, error)
	Remove(ctx context.Context, id curlew.SubscriptionID) error
}

// SubscriptionControl steers subscriptions.
type SubscriptionControl interface {
	Steer(ctx context.Context, id curlew.SubscriptionID, s SubscriptionStep) (Subscribed, error)
	Replay(ctx context.Context, id curlew.SubscriptionID, r Replay) (int64, error)
}

// Deliveries are the deliveries of an org.
type Deliveries interface {
	List(ctx context.Context, f DeliveryFilter, w Window) ([]curlew.Delivery, error)
	Get(ctx context.Context, id curlew.DeliveryID) (DeliveryReport, error)
	Replay(ctx context.Context, id curlew.DeliveryID) (int64, error)
}

// SubscriptionStep is what may be done with a subscription.
type SubscriptionStep string

const (
	PauseSubscription  SubscriptionStep = "pause"
	ResumeSubscription SubscriptionStep = "resume"
	RotateSecret       SubscriptionStep = "rotate" // a new webhook secret; the old one stays valid for a day
)

// Subscribed is a subscription as it may be shown.
type Subscribed struct {
	curlew.Subscription
	Backlog map[curlew.DeliveryStatus]int64 `json:"backlog,omitempty"`     // how many deliveries wait, arrived and are dead
	Secret  string                          `json:"secret,omitempty"`      // a new one, shown this once
	Tree    json.RawMessage                 `json:"filter_tree,omitempty"` // the filter as a tree, as docs/filters.md describes it
}

// NewSubscription says who wants which changes where.
type NewSubscription struct {
	Channel curlew.Channel    `json:"channel"`
	To      []string          `json:"to" max:"50"`         // the address of a webhook, or e-mail addresses
	Headers map[string]string `json:"headers,omitempty"`   // to send along with a webhook
	Source  curlew.SourceID   `json:"source_id,omitempty"` // only changes of this source
	Watch   curlew.WatchID    `json:"watch_id,omitempty"`  // only changes that this watch finds
	SubscriptionEdit
}

// SubscriptionEdit is what to change about a subscription; what is absent stays.
type SubscriptionEdit struct {
	Name   *string             `json:"name,omitempty" maxlen:"200"`
	Kinds  []curlew.ChangeKind `json:"kinds,omitempty" max:"20"`       // only changes of these kinds; none means all
	Filter *string             `json:"filter,omitempty" maxlen:"4000"` // an expression, as docs/filters.md describes it
	Tree   json.RawMessage     `json:"filter_tree,omitempty"`          // the same as a tree, instead of the expression
	Digest *string             `json:"digest,omitempty" maxlen:"200"`  // a schedule to tell changes together; "" tells each at once
}

// SubscriptionPatch is what to change about a subscription that is there. Its channel
// and its secrets stay.
type SubscriptionPatch struct {
	To      []string          `json:"to,omitempty" max:"50"` // the address of a webhook, or e-mail addresses
	Headers map[string]string `json:"headers,omitempty"`     // to send along with a webhook, instead of those it has
	Source  *curlew.SourceID  `json:"source_id,omitempty"`   // only changes of this source; null leaves it
	Watch   *curlew.WatchID   `json:"watch_id,omitempty"`    // only changes that this watch finds; null leaves it
	Whole   bool              `json:"everything,omitempty"`  // changes of all sources and watches from now on
	SubscriptionEdit
}

// Replay says which deliveries to send again.
type Replay struct {
	After    int64 `json:"after,omitempty" min:"0"` // only those of changes after this sequence
	DeadOnly bool  `json:"dead_only,omitempty"`     // only those that ran out of attempts
}

// Replayed says how many deliveries are sent again.
type Replayed struct {
	Replayed int64 `json:"replayed"`
}

// DeliveryReport is a delivery with all attempts at it.
type DeliveryReport struct {
	curlew.Delivery
	Tries []curlew.Attempt `json:"tries"`
}

// DeliveryFilter narrows a listing of deliveries.
type DeliveryFilter struct {
	Subscription curlew.SubscriptionID `query:"subscription_id"` // only those of this subscription
	Status       curlew.DeliveryStatus `query:"status"`          // only those that stand so
}

type subscriptionID struct {
	ID curlew.SubscriptionID `path:"id"`
}

type listSubscriptions struct{ paging }

type subscribe struct {
	Body NewSubscription `body:"json"`
}

type editSubscription struct {
	subscriptionID
	Body SubscriptionPatch `body:"json"`
}

type replaySubscription struct {
	subscriptionID
	Body Replay `body:"json"`
}

type deliveryID struct {
	ID curlew.DeliveryID `path:"id"`
}

type listDeliveries struct {
	paging
	DeliveryFilter
}

func subscriptionRoutes() []Route {
	cheaper, name := "price decreased by 10%", "Cheaper lamps"
	example := NewSubscription{Channel: curlew.ChannelWebhook, To: []string{"https://hooks.example.org/curlew"},
		SubscriptionEdit: SubscriptionEdit{Name: &name, Kinds: []curlew.ChangeKind{curlew.EntityChanged}, Filter: &cheaper}}
	return []Route{
		operation(http.MethodGet, "/subscriptions", "listSubscriptions", "List subscriptions, the oldest first.", doListSubscriptions),
		operation(http.MethodPost, "/subscriptions", "subscribe", "Tell somebody of changes. A webhook gets a secret, which is shown this once.", doSubscribe).creates(example),
		operation(http.MethodGet, "/subscriptions/{id}", "getSubscription", "One subscription, how its endpoint does, and what waits.", doSubscription),
		operation(http.MethodPatch, "/subscriptions/{id}", "editSubscription", "Change a subscription.", doEditSubscription).like(SubscriptionPatch{SubscriptionEdit: SubscriptionEdit{Filter: &cheaper}}),
		operation(http.MethodDelete, "/subscriptions/{id}", "unsubscribe", "Forget a subscription and its deliveries.", doUnsubscribe),
		operation(http.MethodPost, "/subscriptions/{id}/pause", "pauseSubscription", "Tell nothing for a while.", steerSubscription(PauseSubscription)),
		operation(http.MethodPost, "/subscriptions/{id}/resume", "resumeSubscription", "Tell again, what waits first.", steerSubscription(ResumeSubscription)),
		operation(http.MethodPost, "/subscriptions/{id}/rotate", "rotateSecret", "Make a new webhook secret, shown this once.", steerSubscription(RotateSecret)),
		operation(http.MethodPost, "/subscriptions/{id}/test", "testSubscription", "Send a message that only shows that deliveries arrive.", doTest),
		operation(http.MethodPost, "/subscriptions/preview", "previewSubscription", "Say which of the last changes a subscription would have told, and how.", doPreview).like(wishFor(cheaper)).quietly(),
		operation(http.MethodPost, "/subscriptions/{id}/replay", "replaySubscription", "Send deliveries of a subscription again.", doReplaySubscription).like(Replay{DeadOnly: true}),
	}
}

func deliveryRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/deliveries", "listDeliveries", "List deliveries, the newest first.", doListDeliveries),
		operation(http.MethodGet, "/deliveries/{id}", "getDelivery", "One delivery: each attempt and its answer.", doDelivery),
		operation(http.MethodPost, "/deliveries/{id}/replay", "replayDelivery", "Send a delivery again, with the same id.", doReplayDelivery),
	}
}

func doListSubscriptions(ctx context.Context, c *Call, in listSubscriptions) (List[Subscribed], error) {
	return listed(c, in.paging, func(x Subscribed) string { return string(x.ID) }, func(w Window) ([]Subscribed, error) { return c.Rooms.Subscriptions.List(ctx, w) })
}

func doSubscribe(ctx context.Context, c *Call, in subscribe) (Subscribed, error) {
	if len(in.Body.To) == 0 {
		return Subscribed{}, invalid{{"/to", "name at least one receiver"}}
	}
	return c.Rooms.Subscriptions.Add(ctx, in.Body)
}

func doSubscription(ctx context.Context, c *Call, in subscriptionID) (Subscribed, error) {
	return c.Rooms.Subscriptions.Get(ctx, in.ID)
}

func doEditSubscription(ctx context.Context, c *Call, in editSubscription) (Subscribed, error) {
	return c.Rooms.Subscriptions.Edit(ctx, in.ID, in.Body)
}

func doUnsubscribe(ctx context.Context, c *Call, in subscriptionID) (nothing, error) {
	return nothing{}, c.Rooms.Subscriptions.Remove(ctx, in.ID)
}

func steerSubscription(s SubscriptionStep) handler[subscriptionID, Subscribed] {
	return func(ctx context.Context, c *Call, in subscriptionID) (Subscribed, error) {
		return c.Rooms.SubscriptionControl.Steer(ctx, in.ID, s)
	}
}

func doReplaySubscription(ctx context.Context, c *Call, in replaySubscription) (Replayed, error) {
	n, err := c.Rooms.SubscriptionControl.Replay(ctx, in.ID, in.Body)
	return Replayed{n}, err
}

func doListDeliveries(ctx context.Context, c *Call, in listDeliveries) (List[curlew.Delivery], error) {
	return listed(c, in.paging, func(x curlew.Delivery) string { return string(x.ID) }, func(w Window) ([]curlew.Delivery, error) {
		return c.Rooms.Deliveries.List(ctx, in.DeliveryFilter, w)
	})
}

func doDelivery(ctx context.Context, c *Call, in deliveryID) (DeliveryReport, error) {
	return c.Rooms.Deliveries.Get(ctx, in.ID)
}

func doReplayDelivery(ctx context.Context, c *Call, in deliveryID) (Replayed, error) {
	n, err := c.Rooms.Deliveries.Replay(ctx, in.ID)
	return Replayed{n}, err
}
