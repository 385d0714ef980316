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
	if channel != curlew.ChannelWebhook && !deliver.ChatHeaders(channel) && len(headers) > 0 {
		all.Add("headers", "only webhook, ntfy and http can send custom headers")
	}
}

// checkTemplate says that a channel has no template.
func checkTemplate(all *curlew.Problems, channel curlew.Channel, template *string) {
	if template != nil && *template != "" && !deliver.IsChat(channel) {
		all.Add("template", "only chats, push services and http have a template")
	}
}

// newTarget makes what the channel of a subscription needs, and checks it. A webhook gets
// a secret.
func (a *App) newTarget(s *curlew.Subscription, c Subscribe) (string, error) {
	to, headers := c.To, c.Headers
	if deliver.IsChat(s.Channel) {
		t := deliver.ChatTarget{URL: to[0], Headers: headers}
		set(&t.Template, c.Template)
		return "", a.target(s, t)
	}
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
func (a *App) retarget(s *curlew.Subscription, c EditSubscription) error {
	to, headers := c.To, c.Headers
	var wrong curlew.Problems
	checkReceivers(&wrong, s.Channel, to, headers)
	checkTemplate(&wrong, s.Channel, c.Template)
	switch {
	case len(wrong) > 0:
		return wrong
	case deliver.IsChat(s.Channel):
		return a.retargetChat(s, c)
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

func (a *App) retargetChat(s *curlew.Subscription, c EditSubscription) error {
	t := deliver.ChatTarget{}
	if err := json.Unmarshal(s.Target, &t); err != nil {
		return fmt.Errorf("target of %s: %w", s.ID, err)
	}
	if len(c.To) > 0 {
		t.URL = c.To[0]
	}
	if c.Headers != nil {
		t.Headers = c.Headers
	}
	set(&t.Template, c.Template)
	return a.target(s, t)
}
