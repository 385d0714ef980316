package runs

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// EditSubscription changes a subscription, which may get a new secret by it.
func (j *Jobs) EditSubscription(
	ctx context.Context, org curlew.OrgID, id curlew.SubscriptionID, edit func(*curlew.Subscription) (string, error),
) (s curlew.Subscription, secret string, err error) {
	err = j.store.Write(ctx, org, func(w store.WriteScope) (err error) {
		if s, err = w.Subscriptions().Lock(ctx, id); err != nil {
			return err
		}
		if secret, err = edit(&s); err != nil {
			return err
		}
		return w.Subscriptions().Save(ctx, s)
	})
	return s, secret, err
}

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
