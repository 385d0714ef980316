package setup

import (
	"context"
	crand "crypto/rand"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// newOutbox is what brings changes to subscribers from this process.
func (i *Installation) newOutbox(client *egress.Client, agent string) *outbox.Outbox {
	policy := deliver.DefaultPolicy()
	policy.Delays = i.Config.Deliver.Retries
	channels := map[curlew.Channel]deliver.Channel{
		curlew.ChannelWebhook: deliver.Webhook{Client: client, UserAgent: agent, Now: time.Now},
		curlew.ChannelSlack:   deliver.Slack{Client: client, UserAgent: agent, Now: time.Now},
	}
	for _, channel := range curlew.Channels() {
		if deliver.IsChat(channel) {
			channels[channel] = deliver.Chat{Channel: channel, Client: client, UserAgent: agent, Now: time.Now}
		}
	}
	if i.Config.Mail.Server.Host != "" {
		channels[curlew.ChannelEmail] = newEmail(i.Config)
	}
	return &outbox.Outbox{Store: i.Store, Queue: i.Queue, Channels: channels, Policy: policy, Random: rand.Float64, Now: time.Now, Log: i.Log,
		Console: i.Config.Console.URL}
}

// newEmail sends by the configured mail server.
func newEmail(cfg config.Config) deliver.Email {
	m := cfg.Mail
	return deliver.Email{Dial: Way(cfg, m.Server.Address()).DialContext, Now: time.Now,
		Server: deliver.MailServer{Host: m.Server.Host, Port: m.Server.Port, Security: deliver.SecurityOf(m.Server.Host, m.Server.Implicit),
			User: m.Server.User, Password: m.Server.Password.Secret(), From: m.From}}
}

// SendTest sends a subscriber a message that only shows that deliveries arrive.
func (i *Installation) SendTest(ctx context.Context, s curlew.Subscription) (deliver.Answer, deliver.SendOutcome, error) {
	client := i.NewClient()
	defer client.Close()
	agent := fetch.New(fetch.Options{Client: client, Hosts: &fetch.Alone{}, Version: i.Release, Contact: i.Config.Contact}).UserAgent()
	channel, ok := i.newOutbox(client, agent).Channels[s.Channel]
	if !ok {
		return deliver.Answer{}, deliver.SendOutcome{}, curlew.Permanent("no_channel",
			"nothing is set up to deliver by %s: see docs/deliveries.md", s.Channel)
	}
	answer, err := channel.Send(ctx, s.Target, deliver.Test(s, "test_"+strings.ToLower(crand.Text()), time.Now(), i.Config.Console.URL))
	return answer, deliver.Classify(answer, err), nil
}
