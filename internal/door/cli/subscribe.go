package cli

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

// changeFlags is which changes somebody wants.
type changeFlags struct {
	Kinds  []string `help:"Only changes of these kinds, such as entity_appeared,entity_changed." placeholder:"KIND,…"`
	Filter string   `help:"Only changes that match this filter, such as \"price decreased by 10%\"; see docs/filters.md." placeholder:"EXPR"`
	Source string   `help:"Only changes of this source." placeholder:"ID"`
	Watch  string   `help:"Only changes that this watch finds." placeholder:"ID"`
}

// subscription is the wish as a subscription. Its use case checks it: the org's own kinds
// have fields of their own.
func (w changeFlags) subscription() (s curlew.Subscription, err error) {
	s.Kinds, s.Filter = w.kinds(), w.Filter
	if s.Source, err = parseOptional[curlew.SourceID](w.Source); err != nil {
		return s, err
	}
	s.Watch, err = parseOptional[curlew.WatchID](w.Watch)
	return s, err
}

func (w changeFlags) kinds() []curlew.ChangeKind {
	var kinds []curlew.ChangeKind
	for _, kind := range w.Kinds {
		kinds = append(kinds, curlew.ChangeKind(kind))
	}
	return kinds
}

type subscriptionsAdd struct {
	Channel string            `required:"" help:"How: ${enum}." enum:"webhook,slack,email,discord,telegram,teams,mattermost,ntfy,gotify,pushover,matrix,http" placeholder:"CHANNEL"`
	To      []string          `required:"" help:"Address of a webhook or chat (see docs/deliveries.md), or e-mail addresses." placeholder:"TARGET"`
	Header  map[string]string `help:"A header to send along with a webhook, ntfy or http, such as Authorization=…" placeholder:"NAME=VALUE"`
	Text    *string           `name:"template" help:"Text of a chat message, such as \"{what}: {title}\"; see docs/deliveries.md." placeholder:"TEXT"`
	Digest  string            `help:"Send changes together in a digest: \"hourly\", \"daily at 08:00 Europe/Oslo\", or cron." placeholder:"SCHEDULE"`
	Settle  *string           `help:"Join updates of an entity within this time into one, such as 10m." placeholder:"TIME"`
	Quiet   *string           `help:"Quiet hours; changes are sent together afterwards: \"22:00-07:00 Europe/Oslo\"." placeholder:"HOURS"`
	AtMost  *int              `help:"Send at most this many messages per hour; the rest are combined into one." placeholder:"N"`
	Name    *string           `help:"What to call it." placeholder:"NAME"`
	changeFlags
}

func (c *subscriptionsAdd) Run(a *program) error {
	wanted, err := c.subscription()
	if err != nil {
		return err
	}
	command := app.Subscribe{Channel: curlew.Channel(c.Channel), To: c.To, Headers: c.Header, Source: wanted.Source, Watch: wanted.Watch,
		SubscriptionFields: app.SubscriptionFields{Name: c.Name, Kinds: wanted.Kinds, Filter: &c.Filter, Digest: &c.Digest,
			Settle: c.Settle, Quiet: c.Quiet, AtMost: c.AtMost, Template: c.Text}}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		s, err := use.Subscribe(ctx, who, command)
		if err != nil {
			return err
		}
		a.saySecret(s, fmt.Sprintf("%s notifies %s of %s.", s.ID, targetWord(s.Subscription), wantsWord(s.Subscription)))
		return nil
	})
}

// subscriptionsEdit changes a subscription; what is not named stays.
type subscriptionsEdit struct {
	ID     string            `arg:"" help:"Id of the subscription."`
	To     []string          `help:"Address of a webhook, or e-mail addresses." placeholder:"TARGET"`
	Header map[string]string `help:"Headers to send along with a webhook, instead of those it has." placeholder:"NAME=VALUE"`
	Text   *string           `name:"template" help:"Text of a chat message; \"\" is the default text." placeholder:"TEXT"`
	Kinds  *string           `help:"Only changes of these kinds; \"\" is all." placeholder:"KIND,…"`
	Filter *string           `help:"Only changes that match this filter; \"\" is all." placeholder:"EXPR"`
	Source string            `help:"Only changes of this source." placeholder:"ID"`
	Watch  string            `help:"Only changes that this watch finds." placeholder:"ID"`
	Whole  bool              `name:"everything" help:"Changes of all sources and watches."`
	Digest *string           `help:"Send changes together in a digest; \"\" sends each at once." placeholder:"SCHEDULE"`
	Settle *string           `help:"Join updates of an entity within this time into one; \"\" joins none." placeholder:"TIME"`
	Quiet  *string           `help:"Quiet hours; \"\" is none." placeholder:"HOURS"`
	AtMost *int              `help:"Send at most this many messages per hour; 0 for no limit." placeholder:"N"`
	Name   *string           `help:"What to call it." placeholder:"NAME"`
}

// Validate says when nothing would change, or two flags contradict each other.
func (c *subscriptionsEdit) Validate() error {
	switch unchanged := (subscriptionsEdit{ID: c.ID}); {
	case reflect.DeepEqual(*c, unchanged):
		return errors.New("name what to change: see curlew subscriptions edit --help")
	case c.Whole && (c.Source != "" || c.Watch != ""):
		return errors.New("--everything is for changes of all sources: leave out --source and --watch")
	}
	return nil
}

func (c *subscriptionsEdit) Run(a *program) error {
	flags := changeFlags{Source: c.Source, Watch: c.Watch}
	if c.Kinds != nil {
		flags.Kinds = strings.FieldsFunc(*c.Kinds, func(r rune) bool { return r == ',' || r == ' ' })
	}
	wanted, err := flags.subscription()
	if err != nil {
		return err
	}
	command := app.EditSubscription{ID: curlew.SubscriptionID(c.ID), To: c.To, Headers: c.Header, Whole: c.Whole,
		SubscriptionFields: app.SubscriptionFields{Name: c.Name, Kinds: wanted.Kinds, Filter: c.Filter, Digest: c.Digest,
			Settle: c.Settle, Quiet: c.Quiet, AtMost: c.AtMost, Template: c.Text}}
	if c.Kinds != nil && len(wanted.Kinds) == 0 {
		command.Kinds = []curlew.ChangeKind{}
	}
	if c.Source != "" {
		command.Source = &wanted.Source
	}
	if c.Watch != "" {
		command.Watch = &wanted.Watch
	}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		s, err := use.EditSubscription(ctx, who, command)
		if err != nil {
			return err
		}
		a.say(s.Subscription, "%s notifies %s of %s.", s.ID, targetWord(s.Subscription), wantsWord(s.Subscription))
		return nil
	})
}

type subscriptionsPreview struct {
	ID    string        `arg:"" optional:"" help:"Id of a subscription; without it, select changes by flags."`
	Since time.Duration `help:"How far back to search." default:"168h" placeholder:"168h"`
	Limit atMost        `help:"Show at most this many." default:"20"`
	changeFlags
}

func (c *subscriptionsPreview) Run(a *program) error {
	s, err := c.subscription()
	if err != nil {
		return err
	}
	if given := s.Filter != "" || s.Source != "" || s.Watch != ""; c.ID != "" && (given || len(s.Kinds) > 0) {
		return usage("give the id of a subscription, or flags that select changes, not both")
	}
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		if c.ID != "" {
			kept, err := use.Subscription(ctx, who, curlew.SubscriptionID(c.ID))
			if err != nil {
				return err
			}
			s = kept.Subscription
		}
		seen, err := use.PreviewSubscription(ctx, who,
			app.PreviewSubscription{Kinds: s.Kinds, Filter: s.Filter, Source: s.Source, Watch: s.Watch, Since: time.Now().Add(-c.Since)})
		if err != nil {
			return err
		}
		shownOnes := seen.Changes[:min(len(seen.Changes), int(c.Limit))]
		slices.Reverse(shownOnes)
		if a.JSON {
			writeJSON(a.Out, map[string]any{"matched": seen.Matched, "of": seen.Checked, "changes": shownOnes})
			return nil
		}
		for _, one := range shownOnes {
			a.printChange(one)
		}
		fmt.Fprintf(a.Out, "%d of the %s of the last %s would have been sent.\n", seen.Matched, count(seen.Checked, "change", "changes"),
			roughly(c.Since))
		return nil
	})
}
