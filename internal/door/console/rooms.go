package console

import (
	"context"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// House opens the rooms of the org of whoever looks.
type House interface {
	Open(who auth.Identity) Rooms
}

// Rooms are the rooms of one org. A screen gets no others.
type Rooms struct {
	Overview      Overview
	Subscriptions Subscriptions
	Deliveries    Deliveries
	Desk          Desk
}

// Window is a part of a listing.
type Window = store.Window

// Overview is what a person should know first.
type Overview interface {
	Attention(ctx context.Context) ([]string, error) // sentences: what a person should look at
	Totals(ctx context.Context) (Totals, error)
}

// Totals are how much there is.
type Totals struct {
	Active  int64 // entities that are there now
	Changes int64 // told since the beginning
}

// Step is what may be done with a watch, a subscription or a run.
type Step string

const (
	Pause  Step = "pause"
	Resume Step = "resume"
	Accept Step = "accept" // the removals that a watch holds back
	Stop   Step = "stop"   // a run, for good
)

// Subscriptions are the subscriptions of an org, without their secrets.
type Subscriptions interface {
	Subscriptions(ctx context.Context, w Window) ([]curlew.Subscription, error)
	Subscription(ctx context.Context, id curlew.SubscriptionID) (curlew.Subscription, map[curlew.DeliveryStatus]int64, error)
	Steer(ctx context.Context, id curlew.SubscriptionID, s Step) error
}

// DeliveryFilter narrows a listing of deliveries; empty fields do not.
type DeliveryFilter struct {
	Subscription curlew.SubscriptionID
	Status       curlew.DeliveryStatus
}

// Letter is a delivery as its receiver gets it, without secrets.
type Letter struct {
	Channel curlew.Channel
	Head    []Heading
	Body    string // JSON is indented for reading
	Digest  bool   // it is told together with others, of which the letter holds none
}

// Heading is a header that goes with a letter, or what is said of one that is not shown.
type Heading struct{ Name, Value string }

// Deliveries are the deliveries of an org, the newest first.
type Deliveries interface {
	// Told are the changes that deliveries tell of.
	Told(ctx context.Context, ids []curlew.ChangeID) ([]curlew.Change, error)
	// Letter writes a delivery once more as it was or will be sent.
	Letter(ctx context.Context, id curlew.DeliveryID) (Letter, error)
	Deliveries(ctx context.Context, f DeliveryFilter, w Window) ([]curlew.Delivery, error)
	Delivery(ctx context.Context, id curlew.DeliveryID) (curlew.Delivery, []curlew.Attempt, error)
	Replay(ctx context.Context, id curlew.DeliveryID) error
}
