package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

type subscriptionsCommand struct {
	Add     subscriptionsAdd     `cmd:"" help:"Send changes by webhook, Slack or e-mail."`
	List    subscriptionsList    `cmd:"" help:"List subscriptions."`
	Show    subscriptionsShow    `cmd:"" help:"Show one subscription, the health of its endpoint, and pending deliveries."`
	Preview subscriptionsPreview `cmd:"" help:"Preview what a subscription, or the same flags as add, would have sent in the last week."`
	Edit    subscriptionsEdit    `cmd:"" help:"Change where a subscription sends, what, and how often."`
	Test    subscriptionsTest    `cmd:"" help:"Send a test message."`
	Pause   subscriptionsPause   `cmd:"" help:"Pause a subscription."`
	Resume  subscriptionsResume  `cmd:"" help:"Resume a paused subscription, or one that was stopped after failures."`
	Rotate  subscriptionsRotate  `cmd:"" help:"Make a new webhook secret; the old one stays valid for a day."`
	Remove  subscriptionsRemove  `cmd:"" help:"Forget a subscription and its deliveries."`
}

type subscriptionsList struct {
	Limit atMost `help:"At most this many; all unless given."`
}

func (c subscriptionsList) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		all, err := use.Subscriptions(ctx, who, store.Window{Limit: c.Limit.orAll()})
		if err != nil {
			return err
		}
		for i := range all {
			if all[i].Backlog, err = use.Backlog(ctx, who, all[i].ID); err != nil {
				return err
			}
		}
		list(a, all, "There are no subscriptions. Add one with \"curlew subscriptions add --channel webhook --to URL\".",
			[]string{"subscription", "name", "channel", "to", "status", "waiting", "delivered", "dead"}, func(r app.Subscribed) []string {
				return []string{string(r.ID), text.Clip(r.Name, 30), string(r.Channel), targetWord(r.Subscription), string(r.Status),
					fmt.Sprint(r.Backlog[curlew.DeliveryPending]), fmt.Sprint(r.Backlog[curlew.DeliveryDelivered]),
					fmt.Sprint(r.Backlog[curlew.DeliveryDead])}
			})
		return nil
	})
}

// targetWord is where a subscription leads, as far as that may be shown.
func targetWord(s curlew.Subscription) string {
	var t struct {
		URL string   `json:"url"`
		To  []string `json:"to"`
	}
	_ = json.Unmarshal(deliver.Redact(s.Channel, s.Target), &t)
	if t.URL == "" {
		t.URL = strings.Join(t.To, ", ")
	}
	return text.Clip(printable(t.URL), 60)
}

type subscriptionsShow struct {
	ID string `arg:"" help:"Id of the subscription."`
}

func (c subscriptionsShow) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.SubscriptionID) error {
		s, err := use.Subscription(ctx, who, id)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, s)
			return nil
		}
		printSubscription(a, s)
		return nil
	})
}

func printSubscription(a *program, r app.Subscribed) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.Out, "%-10s %s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintf(a.Out, "%s  %s\n", r.ID, printable(r.Name))
	line("to", "%s %s", r.Channel, targetWord(r.Subscription))
	line("wants", "%s", wantsWord(r.Subscription))
	if r.Digest != "" {
		line("digest", "%s", r.Digest)
	}
	if r.Settle != "" {
		line("settle", "updates of an entity within %s are sent as one", r.Settle)
	}
	if r.Quiet != "" {
		line("quiet", "%s", r.Quiet)
	}
	if r.AtMost > 0 {
		line("at most", "%s an hour", count(r.AtMost, "message", "messages"))
	}
	line("status", "%s", r.Status)
	h := r.Health
	if h.DisabledWhy != "" {
		line("", "%s", h.DisabledWhy)
	}
	line("endpoint", "last success %s, %s in a row", moment(h.LastSuccessAt), count(h.Failures, "failure", "failures"))
	if h.LastError != "" {
		line("", "%s", h.LastError)
	}
	if h.RestUntil != nil {
		line("", "nothing is sent before %s", moment(h.RestUntil))
	}
	line("deliveries", "%d waiting, %d delivered, %d dead", r.Backlog[curlew.DeliveryPending], r.Backlog[curlew.DeliveryDelivered],
		r.Backlog[curlew.DeliveryDead])
}

// wantsWord is what a subscription wants, in words.
func wantsWord(s curlew.Subscription) string {
	words := "all changes"
	if len(s.Kinds) > 0 {
		kinds := make([]string, len(s.Kinds))
		for i, k := range s.Kinds {
			kinds[i] = string(k)
		}
		words = strings.Join(kinds, ", ")
	}
	if s.Source != "" {
		words += " of " + string(s.Source)
	}
	if s.Watch != "" {
		words += " of " + string(s.Watch)
	}
	if s.Filter != "" {
		words += " where " + s.Filter
	}
	return words
}

type subscriptionsTest struct {
	ID string `arg:"" help:"Id of the subscription."`
}

func (c subscriptionsTest) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.SubscriptionID) error {
		s, err := use.Subscription(ctx, who, id)
		if err != nil {
			return err
		}
		report, err := use.TestSubscription(ctx, who, id)
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, report)
		}
		if !report.Arrived {
			return curlew.Permanent("not_delivered", "the test did not arrive: %s", report.Sentence)
		}
		switch {
		case a.JSON:
		case report.Sentence != "":
			fmt.Fprintf(a.Out, "The test was %s.\n", report.Sentence)
		default:
			fmt.Fprintf(a.Out, "The test arrived at %s: status %d after %s.\n", targetWord(s.Subscription), report.Status,
				brief(time.Duration(report.Took)*time.Millisecond))
		}
		return nil
	})
}

type subscriptionsPause struct {
	ID string `arg:"" help:"Id of the subscription."`
}

func (c subscriptionsPause) Run(a *program) error {
	return a.steerSubscription(c.ID, "is paused: changes meanwhile are not sent, pending deliveries are kept", (*app.App).PauseSubscription)
}

type subscriptionsResume struct {
	ID string `arg:"" help:"Id of the subscription."`
}

func (c subscriptionsResume) Run(a *program) error {
	return a.steerSubscription(c.ID, "is active", (*app.App).ResumeSubscription)
}

type subscriptionsRotate struct {
	ID string `arg:"" help:"Id of the subscription."`
}

func (c subscriptionsRotate) Run(a *program) error {
	return a.steerSubscription(c.ID, "signs with a new secret; the old one is valid for another day", (*app.App).RotateSecret)
}

// steerSubscription changes a subscription and says so, with its new secret where it got
// one.
func (a *program) steerSubscription(
	text, words string, step func(*app.App, context.Context, auth.Identity, curlew.SubscriptionID) (app.Subscribed, error),
) error {
	return useOn(a, text, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.SubscriptionID) error {
		s, err := step(use, ctx, who, id)
		if err != nil {
			return err
		}
		a.saySecret(s, fmt.Sprintf("%s %s.", id, words))
		return nil
	})
}

// saySecret says what became of a subscription, and shows a new secret, this once.
func (a *program) saySecret(s app.Subscribed, sentence string) {
	a.say(s, "%s", sentence)
	if s.Secret != "" && !a.JSON {
		fmt.Fprintf(a.Out, "Secret: %s\nIt is shown only once. docs/deliveries.md explains how to verify signatures.\n", s.Secret)
	}
}

type subscriptionsRemove struct {
	ID string `arg:"" help:"Id of the subscription."`
}

func (c subscriptionsRemove) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.SubscriptionID) error {
		if err := use.Unsubscribe(ctx, who, id); err != nil {
			return err
		}
		a.say(map[string]any{"removed": id}, "%s is removed, with its deliveries.", id)
		return nil
	})
}
