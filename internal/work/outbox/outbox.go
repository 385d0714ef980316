// Package outbox leads changes to subscribers: it keeps a delivery for everybody who wants
// a change in the transaction that made it, and sends what waits.
package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/change/filter"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// Outbox is how changes reach subscribers. Telling puts a change and one delivery for
// each matching subscription, of e-mail for each receiver, into the transaction that made it; sending
// comes after, one job per endpoint at a time, so that a slow one keeps nobody else waiting.
type Outbox struct {
	Store    *store.Store
	Queue    *queue.Queue
	Channels map[curlew.Channel]deliver.Channel
	Policy   deliver.RetryPolicy
	Random   func() float64
	Now      func() time.Time
	Log      *slog.Logger
	Console  string // its address, for links; "" when there is none
}

// TellFailure tells subscribers that a watch or a crawl failed.
func (o *Outbox) TellFailure(ctx context.Context, w store.WriteScope, c curlew.Change, fault *curlew.Fault, details curlew.Values) error {
	payload, err := json.Marshal(curlew.ChangePayload{Reason: fault.Sentence, Code: fault.Code, Details: details})
	if err != nil {
		return fmt.Errorf("payload of a failure: %w", err)
	}
	c.Kind, c.Payload = curlew.WatchFailed, payload
	return o.Tell(ctx, w, []curlew.Change{c})
}

// Tell keeps changes, and a delivery of each to everybody who wants it.
func (o *Outbox) Tell(ctx context.Context, w store.WriteScope, changes []curlew.Change) error {
	failpoint.Here(failpoint.PublishInside)
	changes, err := w.Changes().AddAll(ctx, changes)
	if err != nil || len(changes) == 0 {
		return err
	}
	subscriptions, err := w.Subscriptions().Active(ctx)
	if err != nil {
		return err
	}
	kinds, err := w.Kinds().All(ctx)
	if err != nil {
		return err
	}
	for _, sub := range subscriptions {
		deliveries, err := o.wanted(sub, kinds, changes)
		if err != nil {
			return err
		}
		if len(deliveries) == 0 {
			continue
		}
		if err := w.Deliveries().AddAll(ctx, deliveries); err != nil {
			return err
		}
		if sub.Settle != "" {
			if err := w.Deliveries().JoinWaiting(ctx, sub.ID); err != nil {
				return err
			}
		}
		if err := o.wake(ctx, w, deliveries); err != nil {
			return err
		}
	}
	failpoint.Here(failpoint.PublishTold)
	return nil
}

// wanted are the deliveries of those changes that a subscription wants.
func (o *Outbox) wanted(sub curlew.Subscription, kinds curlew.Kinds, changes []curlew.Change) ([]curlew.Delivery, error) {
	match, err := Matcher(sub, kinds)
	if err != nil { // it was checked when it was saved; a newer Curlew may know more words
		o.Log.Error("a subscription's filter cannot be read, so it receives nothing", "subscription", sub.ID, "error", err)
		return nil, nil
	}
	due, err := dueAt(sub, o.Now())
	if err != nil {
		return nil, err
	}
	var deliveries []curlew.Delivery
	for _, c := range changes {
		if ok, _ := match(c); !ok {
			continue
		}
		for _, receiver := range deliver.Receivers(sub) {
			deliveries = append(deliveries, curlew.Delivery{Change: c.ID, Subscription: sub.ID, Receiver: receiver, Sequence: c.Sequence,
				Entity: c.Entity, NextRetryAt: due})
		}
	}
	return deliveries, nil
}

// Matcher says whether a subscription wants a change, and why not. The kinds are those of
// its org.
func Matcher(sub curlew.Subscription, kinds curlew.Kinds) (func(curlew.Change) (bool, string), error) {
	var wants *filter.Filter
	if sub.Filter != "" {
		var err error
		if wants, err = filter.Compile(sub.Filter); err != nil {
			return nil, err
		}
		wants = wants.Knowing(kinds)
	}
	return func(c curlew.Change) (bool, string) {
		switch {
		case len(sub.Kinds) > 0 && !slices.Contains(sub.Kinds, c.Kind):
			return false, "it is not of the kinds that the subscription selects"
		case sub.Source != "" && sub.Source != c.Source:
			return false, "it is of another source"
		case sub.Watch != "" && !concerns(c, sub.Watch):
			return false, "it is of another watch"
		case wants == nil:
			return true, ""
		}
		return wants.Admits(c)
	}, nil
}

// concerns says whether a change is of a watch, or of a whole source to which it belongs.
func concerns(c curlew.Change, watch curlew.WatchID) bool {
	if c.Watch != "" {
		return c.Watch == watch
	}
	var payload struct {
		Details struct {
			Watches []curlew.WatchID `json:"watches"`
		} `json:"details"`
	}
	_ = json.Unmarshal(c.Payload, &payload) // one that cannot be read names no watches
	return slices.Contains(payload.Details.Watches, watch)
}

// wake lets workers send those of new deliveries to a subscription that are due.
func (o *Outbox) wake(ctx context.Context, w store.WriteScope, deliveries []curlew.Delivery) error {
	woken := map[string]bool{}
	for _, d := range deliveries {
		if d.NextRetryAt != nil || woken[d.Receiver] {
			continue
		}
		woken[d.Receiver] = true
		to := store.Endpoint{Subscription: d.Subscription, Receiver: d.Receiver}
		if _, err := o.Queue.Insert(ctx, w.Tx, DeliverJob(w.Org(), to)); err != nil {
			return err
		}
	}
	return nil
}

// Handlers are the handlers of the jobs that send; a process without an outbox has none.
func (o *Outbox) Handlers() map[string]queue.Handler {
	if o == nil {
		return nil
	}
	return map[string]queue.Handler{runs.KindOutbox: o.sweep, runs.KindDeliver: o.send}
}

// sweep wakes senders for all that is due: retries, digests, and what a crash left.
func (o *Outbox) sweep(ctx context.Context, _ *queue.Lease) error {
	paused, err := o.Queue.PausedOrgs(ctx)
	if err != nil {
		return err
	}
	due, err := o.Store.DueEndpoints(ctx, 1000, paused...)
	if err != nil || len(due) == 0 {
		return err
	}
	var all []queue.NewJob
	for _, d := range due {
		all = append(all, DeliverJob(d.Org, d.Endpoint))
	}
	_, err = o.Queue.InsertNow(ctx, all...)
	return err
}

// names of sources and watches, for people who read messages.
type names struct {
	scope   store.Scope
	sources map[curlew.SourceID]string
	watches map[curlew.WatchID]string
	kinds   curlew.Kinds
}

func namesIn(scope store.Scope) *names {
	return &names{scope: scope, sources: map[curlew.SourceID]string{}, watches: map[curlew.WatchID]string{}}
}

// Message is what a subscriber is sent of one change. Of a digest it is the part about
// that change: what else goes into it is known only when it is sent.
func (o *Outbox) Message(ctx context.Context, scope store.Scope, sub curlew.Subscription, p store.PendingDelivery) deliver.Message {
	return o.message(ctx, sub, namesIn(scope), composed{[]update{{PendingDelivery: p}}, sub.Digest != ""})
}

func (o *Outbox) message(ctx context.Context, sub curlew.Subscription, known *names, m composed) deliver.Message {
	links := deliver.LinksOf(sub, o.Console)
	var items []deliver.Item
	for _, u := range m.updates {
		items = append(items, known.item(ctx, u.PendingDelivery))
	}
	message := deliver.Single(sub, items[0], links)
	if m.digest {
		message = deliver.Digest(sub, items, items[len(items)-1].Change.OccurredAt, links)
	}
	message.To = m.updates[0].Delivery.Receiver
	return message
}

func (n *names) item(ctx context.Context, p store.PendingDelivery) deliver.Item {
	c := p.Change
	if _, ok := n.sources[c.Source]; !ok && c.Source != "" {
		if source, err := n.scope.Sources().Get(ctx, c.Source); err == nil {
			n.sources[c.Source] = source.Name
		}
	}
	if _, ok := n.watches[c.Watch]; !ok && c.Watch != "" {
		if watch, err := n.scope.Watches().Get(ctx, c.Watch); err == nil {
			n.watches[c.Watch] = watch.Name
		}
	}
	if n.kinds == nil {
		n.kinds, _ = n.scope.Kinds().All(ctx) // without them it can be told all the same
	}
	return deliver.Item{Delivery: p.Delivery.ID, Change: c, Kinds: n.kinds, Source: n.sources[c.Source], Watch: n.watches[c.Watch]}
}

// deliverArgs name an endpoint.
type deliverArgs struct {
	Subscription curlew.SubscriptionID `json:"subscription_id"`
	Receiver     string                `json:"receiver,omitempty"`
}

// DeliverJob sends what waits for an endpoint, one job at a time.
func DeliverJob(org curlew.OrgID, to store.Endpoint) queue.NewJob {
	return queue.NewJob{Org: org, Kind: runs.KindDeliver, Args: deliverArgs(to), Subject: string(to.Subscription),
		UniqueKey: "deliver:" + string(to.Subscription) + " " + to.Receiver, MaxAttempts: 3}
}
