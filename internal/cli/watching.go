package cli

import (
	"context"
	"math/rand/v2"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/deliver"
	"curlew/internal/egress"
	"curlew/internal/fetch"
	"curlew/internal/jobs"
	"curlew/internal/pipeline"
)

// watchSlicer is what works off the runs of watches in this process.
func (i *installation) watchSlicer(a *app, r *reading) jobs.Watch {
	w := i.cfg.Watch
	return jobs.Watch{Store: i.store, Watching: &pipeline.Watching{Reader: r.reader, Past: r.archive, Version: version()}, Outbox: i.outbox, Now: a.clock(), Wall: time.Now, Paces: &jobs.Paces{},
		Defaults: jobs.WatchDefaults{DetailsEvery: w.DetailsEvery, MaxPages: w.MaxPages, RemovalShare: float64(w.RemovalPercent) / 100,
			ConfirmAfter: w.ConfirmAfter, Failures: w.Failures, Budgets: i.dayBudgets}}
}

// dayBudgets are those of an org and a source, where the configuration sets any.
func (i *installation) dayBudgets(_ curlew.OrgID, source curlew.SourceID) []curlew.DayBudget {
	f := i.cfg.Fetch
	if f.PerOrgDay == 0 && f.PerSourceDay == 0 {
		return nil
	}
	return []curlew.DayBudget{{Most: int64(f.PerOrgDay)}, {Subject: "source:" + string(source), Most: int64(f.PerSourceDay)}}
}

// newOutbox is what brings changes to subscribers from this process.
func (i *installation) newOutbox(a *app, client *egress.Client, agent string) *jobs.Outbox {
	policy := deliver.DefaultPolicy()
	policy.Delays = i.cfg.Deliver.Retries
	channels := map[curlew.Channel]deliver.Channel{
		curlew.ChannelWebhook: deliver.Webhook{Client: client, UserAgent: agent, Now: time.Now},
		curlew.ChannelSlack:   deliver.Slack{Client: client, UserAgent: agent, Now: time.Now},
	}
	if m := i.cfg.Mail; m.Server.Host != "" {
		security := deliver.StartTLS
		if m.Server.Implicit {
			security = deliver.Implicit
		}
		channels[curlew.ChannelEmail] = deliver.Email{Dial: client.DialContext, Now: time.Now, Server: deliver.MailServer{Host: m.Server.Host, Port: m.Server.Port,
			Security: security, User: m.Server.User, Password: m.Server.Password.Secret(), From: m.From}}
	}
	return &jobs.Outbox{Store: i.store, Queue: i.queue, Channels: channels, Policy: policy, Random: rand.Float64, Now: time.Now, Log: a.log,
		Console: i.cfg.Console.URL}
}

// paced asks at the pace of a watch.
type paced struct {
	*fetch.Fetcher
	delay *curlew.Duration
}

// Fetch asks for a page.
func (p paced) Fetch(ctx context.Context, r fetch.Request) (*fetch.Result, error) {
	if p.delay != nil {
		delay := time.Duration(*p.delay)
		r.Delay = &delay
	}
	return p.Fetcher.Fetch(ctx, r)
}
