package outbox

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// overlap is how long an old webhook secret stays valid.
const overlap = 24 * time.Hour

// RotateSecret gives a webhook a new secret; the old one is valid for another day.
func RotateSecret(s *curlew.Subscription) (string, error) {
	if s.Channel != curlew.ChannelWebhook {
		return "", curlew.Permanent("no_secret", "only webhooks have secrets; %s delivers by %s", s.ID, s.Channel)
	}
	var target deliver.WebhookTarget
	if err := json.Unmarshal(s.Target, &target); err != nil {
		return "", fmt.Errorf("target of %s: %w", s.ID, err)
	}
	secrets, err := deliver.Rotate(target.Secrets, rand.Reader, time.Now(), overlap)
	if err != nil {
		return "", err
	}
	target.Secrets = secrets
	s.Target, err = json.Marshal(target)
	return secrets[0].Key, err
}

// CheckNamed checks that what a subscription names is there.
func CheckNamed(ctx context.Context, scope store.Scope, s curlew.Subscription) error {
	if s.Source != "" {
		if _, err := scope.Sources().Get(ctx, s.Source); err != nil {
			return err
		}
	}
	if s.Watch != "" {
		if _, err := scope.Watches().Get(ctx, s.Watch); err != nil {
			return err
		}
	}
	return nil
}

// Replay sends deliveries again, and returns how many.
func Replay(
	ctx context.Context, q *queue.Queue, w store.WriteScope, subscription curlew.SubscriptionID, what ...store.ReplayOf,
) (n int64, err error) {
	for _, one := range what {
		some, err := w.Deliveries().Replay(ctx, one)
		if err != nil {
			return 0, err
		}
		n += some
	}
	return n, wakeSender(ctx, q, w, subscription)
}

// Resume lets a subscription that rests, or that was disabled, receive again, what waits
// for it first.
func Resume(ctx context.Context, q *queue.Queue, w store.WriteScope, id curlew.SubscriptionID) (curlew.Subscription, error) {
	sub, err := w.Subscriptions().Lock(ctx, id)
	if err != nil {
		return sub, err
	}
	if err := (deliver.Rules{PlainHTTP: true}).CheckTarget(sub.Channel, sub.Target); err != nil {
		return sub, err // nobody is left to receive it
	}
	sub.Status = curlew.SubscriptionActive
	sub.Health = curlew.EndpointHealth{LastSuccessAt: sub.Health.LastSuccessAt, NextDigestAt: sub.Health.NextDigestAt}
	if err := w.Subscriptions().Save(ctx, sub); err != nil {
		return sub, err
	}
	return sub, wakeSender(ctx, q, w, id)
}

func wakeSender(ctx context.Context, q *queue.Queue, w store.WriteScope, id curlew.SubscriptionID) error {
	due, err := w.Deliveries().Due(ctx, id)
	for _, to := range due {
		if _, err := q.Insert(ctx, w.Tx, DeliverJob(w.Org(), to)); err != nil {
			return err
		}
	}
	return err
}
