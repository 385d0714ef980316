package tenancy

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"curlew/internal/curlew"
	"curlew/internal/door/rest"
	"curlew/internal/ops/config"
	"curlew/internal/work/deliver"
)

// NewTarget makes what the channel of a subscription needs, and checks it. A webhook gets
// a secret.
func NewTarget(s *curlew.Subscription, to []string, headers map[string]string, cfg config.Config) (secret deliver.Secret, err error) {
	var target any
	switch s.Channel {
	case curlew.ChannelWebhook:
		if secret, err = deliver.NewSecret(rand.Reader); err != nil {
			return secret, err
		}
		target = deliver.WebhookTarget{URL: to[0], Secrets: []deliver.Secret{secret}, Headers: headers}
	case curlew.ChannelSlack:
		target = deliver.SlackTarget{URL: to[0]}
	case curlew.ChannelEmail:
		if cfg.Mail.Server.Host == "" {
			return secret, curlew.Permanent("no_channel", "no mail server is set up: set mail.server and mail.from, see docs/deliveries.md")
		}
		target = deliver.EmailTarget{To: to}
	}
	if err := oneReceiver(s.Channel, to); err != nil {
		return secret, err
	}
	if err := ownHeaders(s.Channel, headers); err != nil {
		return secret, err
	}
	if s.Target, err = json.Marshal(target); err != nil {
		return secret, err
	}
	return secret, (deliver.Rules{PlainHTTP: cfg.Deliver.PlainHTTP}).CheckTarget(s.Channel, s.Target)
}

func oneReceiver(channel curlew.Channel, to []string) error {
	if channel != curlew.ChannelEmail && len(to) > 1 {
		return curlew.Permanent("bad_target", "%s takes one receiver: add a subscription for each", channel)
	}
	return nil
}

func ownHeaders(channel curlew.Channel, headers map[string]string) error {
	if channel != curlew.ChannelWebhook && len(headers) > 0 {
		return curlew.Permanent("bad_target", "only webhooks send headers of yours along")
	}
	return nil
}

// retarget leads a subscription elsewhere, with the secrets that it has.
func retarget(s *curlew.Subscription, p rest.SubscriptionPatch, plain bool) (err error) {
	if len(p.To) == 0 && p.Headers == nil {
		return nil
	}
	if err := oneReceiver(s.Channel, p.To); err != nil {
		return rest.Invalid("/to", err)
	}
	if err := ownHeaders(s.Channel, p.Headers); err != nil {
		return rest.Invalid("/headers", err)
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
		return rest.Invalid("/to", err)
	}
	return nil
}
