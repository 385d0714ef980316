package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"curlew/internal/api"
	"curlew/internal/curlew"
	"curlew/internal/deliver"
	"curlew/internal/filter"
	"curlew/internal/schedule"
	"curlew/internal/store"
)

type tenantSubscriptions struct{ tenant }

// shown is a subscription without secrets, and what waits for it.
func (t tenant) shown(ctx context.Context, s curlew.Subscription, secret string) (shown api.Subscribed, err error) {
	s.Target = deliver.Redact(s.Channel, s.Target)
	shown = api.Subscribed{Subscription: s, Secret: secret}
	shown.Backlog, err = t.scope.Backlog(ctx, s.ID)
	return shown, err
}

// List lists subscriptions.
func (t tenantSubscriptions) List(ctx context.Context, w api.Window) ([]api.Subscribed, error) {
	subs, err := t.scope.Subscriptions(ctx, window(w))
	all := make([]api.Subscribed, 0, len(subs))
	for _, s := range subs {
		s.Target = deliver.Redact(s.Channel, s.Target)
		all = append(all, api.Subscribed{Subscription: s})
	}
	return all, err
}

// Get returns one.
func (t tenantSubscriptions) Get(ctx context.Context, id curlew.SubscriptionID) (api.Subscribed, error) {
	s, err := t.scope.Subscription(ctx, id)
	if err != nil {
		return api.Subscribed{}, err
	}
	return t.shown(ctx, s, "")
}

// Add tells somebody of changes.
func (t tenantSubscriptions) Add(ctx context.Context, n api.NewSubscription) (api.Subscribed, error) {
	s := curlew.Subscription{Name: string(n.Channel), Channel: n.Channel, Source: n.Source, Watch: n.Watch, Status: curlew.SubscriptionActive}
	if err := wishes(&s, n.SubscriptionEdit); err != nil {
		return api.Subscribed{}, err
	}
	command := subscriptionsAdd{To: n.To, Header: n.Headers}
	secret, err := command.target(&s, t.i.cfg)
	if err != nil {
		if curlew.AsFault(err).Code == "no_channel" {
			return api.Subscribed{}, err
		}
		return api.Subscribed{}, api.Invalid("/to", err)
	}
	if err := there(ctx, t.scope, s); err != nil {
		return api.Subscribed{}, err
	}
	err = t.write(ctx, func(w store.WriteScope) error {
		s, err = w.AddSubscription(ctx, s)
		return err
	})
	if err != nil {
		return api.Subscribed{}, err
	}
	return t.shown(ctx, s, secret.Key)
}

// wishes writes what somebody wants into a subscription.
func wishes(s *curlew.Subscription, e api.SubscriptionEdit) error {
	set(&s.Name, e.Name)
	if e.Kinds != nil {
		s.Kinds = e.Kinds
	}
	switch {
	case e.Filter != nil && *e.Filter == "":
		s.Filter = ""
	case e.Filter != nil:
		wants, err := filter.Compile(*e.Filter, curlew.Schemas()...)
		if err != nil {
			return api.Invalid("/filter", err)
		}
		s.Filter = wants.String()
	}
	switch {
	case e.Digest != nil && *e.Digest == "":
		s.Digest = ""
	case e.Digest != nil:
		plan, err := schedule.Parse(*e.Digest)
		if err != nil {
			return api.Invalid("/digest", err)
		}
		if _, adaptive := plan.Adaptive(); adaptive {
			return api.Invalid("/digest", curlew.Permanent("bad_digest", "a digest needs times of its own, such as \"daily at 08:00 Europe/Oslo\""))
		}
		s.Digest = plan.String()
	}
	return nil
}

// Edit changes a subscription.
func (t tenantSubscriptions) Edit(ctx context.Context, id curlew.SubscriptionID, p api.SubscriptionPatch) (api.Subscribed, error) {
	scoped := curlew.Subscription{}
	set(&scoped.Source, p.Source)
	set(&scoped.Watch, p.Watch)
	if err := there(ctx, t.scope, scoped); err != nil {
		return api.Subscribed{}, err
	}
	return t.change(ctx, id, func(s *curlew.Subscription) (string, error) {
		if p.Whole {
			s.Source, s.Watch = "", ""
		}
		set(&s.Source, p.Source)
		set(&s.Watch, p.Watch)
		if err := wishes(s, p.SubscriptionEdit); err != nil {
			return "", err
		}
		return "", retarget(s, p, t.i.cfg.Deliver.PlainHTTP)
	})
}

// retarget leads a subscription elsewhere, with the secrets that it has.
func retarget(s *curlew.Subscription, p api.SubscriptionPatch, plain bool) (err error) {
	if len(p.To) == 0 && p.Headers == nil {
		return nil
	}
	if s.Channel != curlew.ChannelEmail && len(p.To) > 1 {
		return api.Invalid("/to", curlew.Permanent("bad_target", "%s takes one receiver: add a subscription for each", s.Channel))
	}
	if s.Channel != curlew.ChannelWebhook && len(p.Headers) > 0 {
		return api.Invalid("/headers", curlew.Permanent("bad_target", "only webhooks send headers of yours along"))
	}
	var target any
	switch s.Channel {
	case curlew.ChannelWebhook:
		hook := deliver.WebhookTarget{}
		if err := json.Unmarshal(s.Target, &hook); err != nil {
			return fmt.Errorf("target of %s: %w", s.ID, err)
		}
		if len(p.To) > 0 {
			hook.URL = p.To[0]
		}
		if p.Headers != nil {
			hook.Headers = p.Headers
		}
		target = hook
	case curlew.ChannelSlack:
		if len(p.To) == 0 {
			return nil
		}
		target = deliver.SlackTarget{URL: p.To[0]}
	default:
		if len(p.To) == 0 {
			return nil
		}
		target = deliver.EmailTarget{To: p.To}
	}
	if s.Target, err = json.Marshal(target); err != nil {
		return err
	}
	if err := (deliver.Rules{PlainHTTP: plain}).CheckTarget(s.Channel, s.Target); err != nil {
		return api.Invalid("/to", err)
	}
	return nil
}

// change changes a subscription, which may get a new secret by it.
func (t tenant) change(ctx context.Context, id curlew.SubscriptionID, edit func(*curlew.Subscription) (string, error)) (api.Subscribed, error) {
	s, secret, err := t.i.changeSubscription(ctx, t.org(), id, edit)
	if err != nil {
		return api.Subscribed{}, err
	}
	return t.shown(ctx, s, secret)
}

// Remove forgets a subscription.
func (t tenantSubscriptions) Remove(ctx context.Context, id curlew.SubscriptionID) error {
	return t.write(ctx, func(w store.WriteScope) error { return w.RemoveSubscription(ctx, id) })
}

type subscriptionControl struct{ tenant }

// Steer pauses and resumes a subscription, and gives it a new secret.
func (t subscriptionControl) Steer(ctx context.Context, id curlew.SubscriptionID, step api.SubscriptionStep) (api.Subscribed, error) {
	switch step {
	case api.PauseSubscription:
		return t.change(ctx, id, func(s *curlew.Subscription) (string, error) {
			s.Status = curlew.SubscriptionPaused
			return "", nil
		})
	case api.ResumeSubscription:
		s, err := t.i.jobs.ResumeSubscription(ctx, t.org(), id)
		if err != nil {
			return api.Subscribed{}, err
		}
		return t.shown(ctx, s, "")
	default:
		return t.change(ctx, id, rotate)
	}
}

// rotate gives a webhook a new secret.
func rotate(s *curlew.Subscription) (string, error) {
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

// Replay sends deliveries again.
func (t subscriptionControl) Replay(ctx context.Context, id curlew.SubscriptionID, r api.Replay) (int64, error) {
	if _, err := t.scope.Subscription(ctx, id); err != nil {
		return 0, err
	}
	return t.i.jobs.Replay(ctx, t.org(), id, store.ReplayOf{Subscription: id, After: r.After, DeadOnly: r.DeadOnly})
}

type tenantDeliveries struct{ tenant }

// List lists deliveries.
func (t tenantDeliveries) List(ctx context.Context, f api.DeliveryFilter, w api.Window) ([]curlew.Delivery, error) {
	return t.scope.DeliveriesBefore(ctx, store.DeliveryFilter{Status: f.Status, Subscription: f.Subscription}, window(w))
}

// Get returns one with its attempts.
func (t tenantDeliveries) Get(ctx context.Context, id curlew.DeliveryID) (report api.DeliveryReport, err error) {
	if report.Delivery, err = t.scope.Delivery(ctx, id); err != nil {
		return report, err
	}
	report.Tries, err = t.scope.Attempts(ctx, id)
	return report, err
}

// Replay sends one again.
func (t tenantDeliveries) Replay(ctx context.Context, id curlew.DeliveryID) (int64, error) {
	d, err := t.scope.Delivery(ctx, id)
	if err != nil {
		return 0, err
	}
	return t.i.jobs.Replay(ctx, t.org(), d.Subscription, store.ReplayOf{Delivery: id})
}
