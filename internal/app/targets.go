package app

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// checkReceivers says what a channel does not take.
func checkReceivers(all *curlew.Problems, channel curlew.Channel, to []string, headers map[string]string) {
	if channel != curlew.ChannelEmail && len(to) > 1 {
		all.Add("to", fmt.Sprintf("%s takes one receiver: add a subscription for each", channel))
	}
	if channel != curlew.ChannelWebhook && len(headers) > 0 {
		all.Add("headers", "only webhooks send headers of yours along")
	}
}

// newTarget makes what the channel of a subscription needs, and checks it. A webhook gets
// a secret.
func (a *App) newTarget(s *curlew.Subscription, to []string, headers map[string]string) (string, error) {
	switch s.Channel {
	case curlew.ChannelWebhook:
		secret, err := deliver.NewSecret(rand.Reader)
		if err != nil {
			return "", err
		}
		return secret.Key, a.target(s, deliver.WebhookTarget{URL: to[0], Secrets: []deliver.Secret{secret}, Headers: headers})
	case curlew.ChannelSlack:
		return "", a.target(s, deliver.SlackTarget{URL: to[0]})
	}
	if a.i.Config.Mail.Server.Host == "" {
		return "", curlew.Permanent("no_channel", "no mail server is set up: set mail.server and mail.from, see docs/deliveries.md")
	}
	return "", a.target(s, deliver.EmailTarget{To: deliver.Distinct(to)})
}

// target writes and checks where a subscription leads.
func (a *App) target(s *curlew.Subscription, target any) (err error) {
	if s.Target, err = json.Marshal(target); err != nil {
		return err
	}
	return curlew.Wrong("to", (deliver.Rules{PlainHTTP: a.i.Config.Deliver.PlainHTTP}).CheckTarget(s.Channel, s.Target))
}

// retarget leads a subscription elsewhere, with the secrets that it has.
func (a *App) retarget(s *curlew.Subscription, to []string, headers map[string]string) error {
	var wrong curlew.Problems
	checkReceivers(&wrong, s.Channel, to, headers)
	switch {
	case len(wrong) > 0:
		return wrong
	case s.Channel == curlew.ChannelWebhook && (len(to) > 0 || headers != nil):
		hook := deliver.WebhookTarget{}
		if err := json.Unmarshal(s.Target, &hook); err != nil {
			return fmt.Errorf("target of %s: %w", s.ID, err)
		}
		if len(to) > 0 {
			hook.URL = to[0]
		}
		if headers != nil {
			hook.Headers = headers
		}
		return a.target(s, hook)
	case len(to) == 0:
		return nil
	case s.Channel == curlew.ChannelSlack:
		return a.target(s, deliver.SlackTarget{URL: to[0]})
	}
	mail := deliver.EmailTarget{}
	if err := json.Unmarshal(s.Target, &mail); err != nil {
		return fmt.Errorf("target of %s: %w", s.ID, err)
	}
	mail.To = deliver.Distinct(to)
	return a.target(s, mail)
}
