package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"curlew/internal/change/filter"
	"curlew/internal/change/schedule"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/tenancy"
	"curlew/internal/ops/config"
	"curlew/internal/ops/setup"
	"curlew/internal/work/deliver"
	"curlew/internal/work/runs"
)

// wish is which changes somebody wants.
type wish struct {
	Kinds  []string `help:"Only changes of these kinds, such as entity_appeared,entity_changed." placeholder:"KIND,…"`
	Filter string   `help:"Only changes for which this holds, such as \"price decreased by 10%\"; see docs/filters.md." placeholder:"EXPR"`
	Source string   `help:"Only changes of this source." placeholder:"ID"`
	Watch  string   `help:"Only changes that this watch finds." placeholder:"ID"`
}

var allKinds = []curlew.ChangeKind{curlew.EntityAppeared, curlew.EntityChanged, curlew.EntityDisappeared, curlew.EntityWentStale,
	curlew.PositionChanged, curlew.WatchFailed, curlew.SourceBroken, curlew.SourceHealed, curlew.QualityDropped}

// subscription checks the wish.
func (w wish) subscription() (s curlew.Subscription, err error) {
	for _, kind := range w.Kinds {
		if !slices.Contains(allKinds, curlew.ChangeKind(kind)) {
			return s, usage("there is no kind of change %q: use %s", kind, joined(allKinds))
		}
		s.Kinds = append(s.Kinds, curlew.ChangeKind(kind))
	}
	if w.Filter != "" {
		wants, err := filter.Compile(w.Filter, curlew.Schemas()...)
		if err != nil {
			return s, exitError{err, exitUsage}
		}
		s.Filter = wants.String()
	}
	if s.Source, err = parseOptional[curlew.SourceID](w.Source); err != nil {
		return s, err
	}
	s.Watch, err = parseOptional[curlew.WatchID](w.Watch)
	return s, err
}

func joined(kinds []curlew.ChangeKind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}

type subscriptionsAdd struct {
	Channel string            `required:"" help:"How: ${enum}." enum:"webhook,slack,email" placeholder:"CHANNEL"`
	To      []string          `required:"" help:"Where: the address of a webhook, or e-mail addresses." placeholder:"TARGET"`
	Header  map[string]string `help:"A header to send along with a webhook, such as Authorization=…" placeholder:"NAME=VALUE"`
	Digest  string            `help:"Gather changes and tell them together: \"hourly\", \"daily at 08:00 Europe/Oslo\", or cron." placeholder:"SCHEDULE"`
	Name    string            `help:"What to call it." placeholder:"NAME"`
	wish
}

func (c *subscriptionsAdd) Run(a *program) error {
	s, err := c.subscription()
	if err != nil {
		return err
	}
	s.Name, s.Channel, s.Status = c.Name, curlew.Channel(c.Channel), curlew.SubscriptionActive
	if s.Name == "" {
		s.Name = c.Channel
	}
	if c.Digest != "" {
		plan, err := schedule.ParseDigest(c.Digest)
		if err != nil {
			return exitError{err, exitUsage}
		}
		s.Digest = plan.String()
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		secret, err := c.target(&s, i.Config)
		if err != nil {
			return err
		}
		if err := runs.CheckNamed(ctx, i.Store.Org(org), s); err != nil {
			return err
		}
		err = i.Store.Write(ctx, org, func(w store.WriteScope) error {
			s, err = w.Subscriptions().Add(ctx, s)
			return err
		})
		if err != nil {
			return err
		}
		a.saySecret(s, secret.Key, fmt.Sprintf("%s tells %s of %s.", s.ID, targetWord(s), wantsWord(s)))
		return nil
	})
}

// target makes what the channel needs, and checks it. A webhook gets a secret.
func (c *subscriptionsAdd) target(s *curlew.Subscription, cfg config.Config) (secret deliver.Secret, err error) {
	if s.Channel != curlew.ChannelEmail && len(c.To) > 1 {
		return secret, usage("%s takes one --to: add a subscription for each", s.Channel)
	}
	if s.Channel != curlew.ChannelWebhook && len(c.Header) > 0 {
		return secret, usage("--header is for webhooks")
	}
	if secret, err = tenancy.NewTarget(s, c.To, c.Header, cfg); err != nil && curlew.AsFault(err).Code != "no_channel" {
		err = exitError{err, exitUsage}
	}
	return secret, err
}

type subscriptionsPreview struct {
	ID    string        `arg:"" optional:"" help:"Id of a subscription; without it, say by flags which changes are wanted."`
	Since time.Duration `help:"How far to look back." default:"168h" placeholder:"168h"`
	Limit int           `help:"Show at most this many." default:"20"`
	wish
}

func (c *subscriptionsPreview) Run(a *program) error {
	s, err := c.subscription()
	if err != nil {
		return err
	}
	id, err := parseOptional[curlew.SubscriptionID](c.ID)
	if err != nil {
		return err
	}
	return a.within(func(ctx context.Context, i *setup.Installation, org curlew.OrgID) error {
		scope := i.Store.Org(org)
		if id != "" {
			if s, err = scope.Subscriptions().Get(ctx, id); err != nil {
				return err
			}
		}
		if err := runs.CheckNamed(ctx, scope, s); err != nil {
			return err
		}
		var outbox runs.Outbox // previewing sends nothing, so it needs nothing
		matched, looked, err := outbox.Preview(ctx, scope, s, time.Now().Add(-c.Since), 1_000_000)
		if err != nil {
			return err
		}
		shownOnes := matched[max(0, len(matched)-c.Limit):]
		if a.JSON {
			writeJSON(a.Out, map[string]any{"matched": len(matched), "of": looked, "changes": append([]curlew.Change{}, shownOnes...)})
			return nil
		}
		for _, one := range shownOnes {
			printChange(a.Out, one)
		}
		fmt.Fprintf(a.Out, "%d of the %s of the last %s would have been told.\n", len(matched), count(looked, "change", "changes"), roughly(c.Since))
		return nil
	})
}
