package app

import (
	"context"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// ReplaySubscription says which deliveries of a subscription to send again.
type ReplaySubscription struct {
	ID       curlew.SubscriptionID `json:"-"`
	After    int64                 `json:"after,omitempty" min:"0"` // only those of changes after this sequence
	DeadOnly bool                  `json:"dead_only,omitempty"`     // only those that ran out of attempts
}

// Check says what is wrong with the command.
func (c ReplaySubscription) Check() curlew.Problems { return bounds(c) }

// ReplaySubscription sends deliveries of a subscription again, and says how many.
func (a *App) ReplaySubscription(ctx context.Context, who auth.Identity, c ReplaySubscription) (int64, error) {
	return do(ctx, a.as(who), verb{"replaySubscription", auth.ReplayDeliveries}, c, func(ctx context.Context, tx *Tx) (int64, error) {
		if _, err := tx.Subscriptions().Get(ctx, c.ID); err != nil {
			return 0, err
		}
		tx.About(string(c.ID))
		return outbox.Replay(ctx, a.i.Queue, tx.WriteScope, c.ID, store.ReplayOf{Subscription: c.ID, After: c.After, DeadOnly: c.DeadOnly})
	})
}

// ReplayDelivery sends a delivery again, with the same id.
func (a *App) ReplayDelivery(ctx context.Context, who auth.Identity, id curlew.DeliveryID) (int64, error) {
	return do(ctx, a.as(who), verb{"replayDelivery", auth.ReplayDeliveries}, one[curlew.DeliveryID]{id},
		func(ctx context.Context, tx *Tx) (int64, error) {
			d, err := tx.Deliveries().Get(ctx, id)
			if err != nil {
				return 0, err
			}
			tx.About(string(id))
			return outbox.Replay(ctx, a.i.Queue, tx.WriteScope, d.Subscription, store.ReplayOf{Delivery: id})
		})
}

// DeliveryReport is a delivery with all attempts at it.
type DeliveryReport struct {
	curlew.Delivery
	Tries []curlew.Attempt `json:"tries"`
}

// Delivery is one with its attempts.
func (a *App) Delivery(ctx context.Context, who auth.Identity, id curlew.DeliveryID) (report DeliveryReport, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return report, err
	}
	if report.Delivery, err = scope.Deliveries().Get(ctx, id); err != nil {
		return report, err
	}
	if report.Tries, err = scope.Deliveries().Attempts(ctx, id); err != nil {
		return report, err
	}
	s, err := scope.Subscriptions().Get(ctx, report.Subscription)
	for i := range report.Tries {
		report.Tries[i].Answer = answerFor(who, s.Channel, report.Tries[i].Answer)
	}
	return report, err
}

// answerFor is what somebody may read of a receiver's answer: only owners its body, since whoever can name an
// address could read with it what the server reaches. Mail servers are the operator's, and say who was refused.
func answerFor(who auth.Identity, channel curlew.Channel, body string) string {
	if channel == curlew.ChannelEmail || auth.Can(who, auth.EditOrg) {
		return body
	}
	return ""
}

// SentMessage is a delivery as its receiver gets it, without secrets.
type SentMessage struct {
	Channel curlew.Channel
	Headers []deliver.Heading
	Body    string // JSON is indented for reading
	Digest  bool   // it is told together with others, of which this holds none
}

// SentMessage writes a delivery once more as it was or will be sent.
func (a *App) SentMessage(ctx context.Context, who auth.Identity, id curlew.DeliveryID) (m SentMessage, err error) {
	report, err := a.Delivery(ctx, who, id)
	if err != nil {
		return m, err
	}
	scope := a.i.Store.Org(who.Org)
	sub, err := scope.Subscriptions().Get(ctx, report.Delivery.Subscription)
	if err != nil {
		return m, err
	}
	change, err := scope.Changes().Get(ctx, report.Delivery.Change)
	if err != nil {
		return m, err
	}
	message := (&outbox.Outbox{Console: a.i.Config.Console.URL}).Message(ctx, scope, sub,
		store.PendingDelivery{Delivery: report.Delivery, Change: change})
	m = SentMessage{Channel: sub.Channel, Digest: sub.Digest != ""}
	if m.Body, err = deliver.Render(sub.Channel, message, deliver.TemplateOf(sub.Channel, sub.Target)); err != nil {
		return m, err
	}
	signed := report.Delivery.DeliveredAt
	if n := len(report.Tries); n > 0 {
		signed = &report.Tries[n-1].At
	}
	m.Headers = deliver.Head(sub.Channel, sub.Target, message, signed)
	return m, nil
}
