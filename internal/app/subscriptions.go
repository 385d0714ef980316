package app

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/change/filter"
	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// Subscribed is a subscription as it may be shown.
type Subscribed struct {
	curlew.Subscription
	Backlog map[curlew.DeliveryStatus]int64 `json:"backlog,omitempty"`     // how many deliveries wait, arrived and are dead
	Secret  string                          `json:"secret,omitempty"`      // a new one, shown this once
	Tree    json.RawMessage                 `json:"filter_tree,omitempty"` // the filter as a tree, as docs/filters.md describes it
}

// shown is a subscription without secrets.
func shown(s curlew.Subscription, secret string) Subscribed {
	s.Target = deliver.Redact(s.Channel, s.Target)
	return Subscribed{Subscription: s, Secret: secret, Tree: treeOf(s.Filter)}
}

// treeOf is a filter as a tree; one that wants all has none.
func treeOf(expression string) json.RawMessage {
	wants, err := filter.Parse(expression)
	if err != nil || wants.Empty() {
		return nil
	}
	return wants.JSON()
}

// SubscriptionFields are which changes somebody wants, and how; what is absent stays.
type SubscriptionFields struct {
	Name   *string             `json:"name,omitempty" maxlen:"200"`
	Kinds  []curlew.ChangeKind `json:"kinds,omitempty" max:"20"`               // only changes of these kinds; none means all
	Filter *string             `json:"filter,omitempty" maxlen:"4000"`         // an expression, as docs/filters.md describes it
	Tree   json.RawMessage     `json:"filter_tree,omitempty"`                  // the same as a tree, instead of the expression
	Digest *string             `json:"digest,omitempty" maxlen:"200"`          // the schedule of a digest; "" sends each change at once
	Settle *string             `json:"settle,omitempty" maxlen:"20"`           // updates of an entity within this time are sent as one: "10m"
	Quiet  *string             `json:"quiet,omitempty" maxlen:"100"`           // no messages in these hours: "22:00-07:00 Europe/Oslo"
	AtMost *int                `json:"at_most,omitempty" min:"0" max:"100000"` // messages an hour; 0 is no limit
	// Template is how a chat or http is told of a change, as docs/deliveries.md describes it; "" is the usual text.
	Template *string      `json:"template,omitempty" maxlen:"2000"`
	known    curlew.Kinds // whose fields a filter may name; none are the built-in ones
}

// checkKinds says which kinds of changes there are not.
func checkKinds(kinds []curlew.ChangeKind, all *curlew.Problems) {
	for i, kind := range kinds {
		all.Add(fmt.Sprintf("kinds/%d", i), curlew.ChoiceProblem(string(kind), words(curlew.ChangeKinds())))
	}
}

func (f SubscriptionFields) check(all *curlew.Problems) {
	if f.Name != nil {
		all.Add("name", curlew.NameProblem(*f.Name))
	}
	checkKinds(f.Kinds, all)
	if _, _, problems := narrowed(f.Filter, f.Tree, f.known); problems != nil {
		*all = append(*all, problems...)
	}
	f.checkMessages(all)
}

// checkMessages says what is wrong with what is sent, and when.
func (f SubscriptionFields) checkMessages(all *curlew.Problems) {
	if f.Template != nil {
		all.Add("template", deliver.TemplateProblem(*f.Template))
	}
	if f.Digest != nil && *f.Digest != "" {
		if _, err := schedule.ParseDigest(*f.Digest); err != nil {
			all.Add("digest", curlew.AsFault(err).Sentence)
		}
	}
	if f.Settle != nil && *f.Settle != "" {
		if d, err := time.ParseDuration(*f.Settle); err != nil || d < 0 || d > longestSettle {
			all.Add("settle", "write a time of up to a day, such as 10m or 2h")
		}
	}
	if f.Quiet != nil && *f.Quiet != "" {
		if _, err := schedule.ParseQuiet(*f.Quiet); err != nil {
			all.Add("quiet", curlew.AsFault(err).Sentence)
		}
	}
}

// longestSettle bounds how long updates of an entity are held back to be told as one.
const longestSettle = 24 * time.Hour

// pace writes how the subscriber is spared, in its one spelling.
func (f SubscriptionFields) pace(p *curlew.Pacing) {
	set(&p.Settle, f.Settle)
	if p.SettleTime() == 0 {
		p.Settle = ""
	}
	set(&p.Quiet, f.Quiet)
	if q, err := schedule.ParseQuiet(p.Quiet); err == nil {
		p.Quiet = q.String()
	}
	set(&p.AtMost, f.AtMost)
}

func words[T ~string](all []T) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = string(one)
	}
	return texts
}

// narrowed is which changes are wanted in its one spelling, said as an expression or as
// a tree; what is absent is not given, and an empty one wants all.
func narrowed(expression *string, tree json.RawMessage, known curlew.Kinds) (wants string, given bool, wrong curlew.Problems) {
	if string(tree) == "null" {
		tree = nil
	}
	if known == nil {
		known = curlew.Schemas()
	}
	var parsed filter.Expr
	var err error
	field := "filter"
	switch {
	case expression != nil && tree != nil:
		return "", false, curlew.Problems{{Field: "filter_tree", Sentence: "the filter is given twice: send either filter or filter_tree"}}
	case tree != nil:
		field = "filter_tree"
		parsed, err = filter.FromJSON(tree)
	case expression == nil:
		return "", false, nil
	case *expression != "":
		parsed, err = filter.Parse(*expression)
	}
	if err == nil && !parsed.Empty() {
		var checked *filter.Filter
		if checked, err = filter.CompileExpr(parsed, known...); err == nil {
			wants = checked.String()
		}
	}
	if err != nil {
		return "", false, curlew.Problems{{Field: field, Sentence: curlew.AsFault(err).Sentence}}
	}
	return wants, true, nil
}

// apply writes what was said into a subscription. It was checked before.
func (f SubscriptionFields) apply(s *curlew.Subscription) {
	set(&s.Name, f.Name)
	if f.Kinds != nil {
		s.Kinds = f.Kinds
	}
	if wants, given, _ := narrowed(f.Filter, f.Tree, f.known); given {
		s.Filter = wants
	}
	if f.Digest != nil {
		s.Digest = ""
		if plan, err := schedule.ParseDigest(*f.Digest); err == nil && *f.Digest != "" {
			s.Digest = plan.String()
		}
	}
	f.pace(&s.Pacing)
}

// Subscribe says who wants which changes where.
type Subscribe struct {
	Channel curlew.Channel    `json:"channel"`
	To      []string          `json:"to" max:"20"`         // the address of a webhook, or e-mail addresses
	Headers map[string]string `json:"headers,omitempty"`   // to send along with a webhook
	Source  curlew.SourceID   `json:"source_id,omitempty"` // only changes of this source
	Watch   curlew.WatchID    `json:"watch_id,omitempty"`  // only changes that this watch finds
	SubscriptionFields
}

// Check says what is wrong with the command.
func (c Subscribe) Check() curlew.Problems {
	all := bounds(c)
	all.Add("channel", curlew.ChoiceProblem(string(c.Channel), words(curlew.Channels())))
	if len(c.To) == 0 {
		all.Add("to", "name at least one receiver")
	}
	checkReceivers(&all, c.Channel, c.To, c.Headers)
	checkTemplate(&all, c.Channel, c.Template)
	c.check(&all)
	return all
}

// Subscribe tells somebody of changes. A webhook gets a secret, which is shown this once.
func (a *App) Subscribe(ctx context.Context, who auth.Identity, c Subscribe) (_ Subscribed, err error) {
	if c.known, err = a.i.Store.Org(who.Org).Kinds().All(ctx); err != nil {
		return Subscribed{}, err
	}
	return do(ctx, a.as(who), verb{"subscribe", auth.EditSubscriptions}, c, func(ctx context.Context, tx *Tx) (Subscribed, error) {
		s := curlew.Subscription{Name: string(c.Channel), Channel: c.Channel, Source: c.Source, Watch: c.Watch, Status: curlew.SubscriptionActive}
		c.apply(&s)
		secret, err := a.newTarget(&s, c)
		if err != nil {
			return Subscribed{}, err
		}
		if err := outbox.CheckNamed(ctx, tx.Scope, s); err != nil {
			return Subscribed{}, err
		}
		if s, err = tx.Subscriptions().Add(ctx, s); err != nil {
			return Subscribed{}, err
		}
		tx.About(string(s.ID))
		return a.withBacklog(ctx, tx, shown(s, secret))
	})
}

func (a *App) withBacklog(ctx context.Context, tx *Tx, s Subscribed) (Subscribed, error) {
	var err error
	s.Backlog, err = tx.Deliveries().Backlog(ctx, s.ID)
	return s, err
}

// EditSubscription changes a subscription. Its channel and its secrets stay.
type EditSubscription struct {
	ID      curlew.SubscriptionID `json:"-"`
	To      []string              `json:"to,omitempty" max:"20"` // the address of a webhook, or e-mail addresses
	Headers map[string]string     `json:"headers,omitempty"`     // to send along with a webhook, instead of those it has
	Source  *curlew.SourceID      `json:"source_id,omitempty"`   // only changes of this source; null leaves it
	Watch   *curlew.WatchID       `json:"watch_id,omitempty"`    // only changes that this watch finds; null leaves it
	Whole   bool                  `json:"everything,omitempty"`  // changes of all sources and watches from now on
	SubscriptionFields
}

// Check says what is wrong with the command.
func (c EditSubscription) Check() curlew.Problems {
	all := bounds(c)
	c.check(&all)
	return all
}

func (c EditSubscription) id() curlew.SubscriptionID { return c.ID }

// EditSubscription changes a subscription.
func (a *App) EditSubscription(ctx context.Context, who auth.Identity, c EditSubscription) (_ Subscribed, err error) {
	if c.known, err = a.i.Store.Org(who.Org).Kinds().All(ctx); err != nil {
		return Subscribed{}, err
	}
	return a.changeSubscription(ctx, who, "editSubscription", c,
		func(ctx context.Context, tx *Tx, s *curlew.Subscription) (string, error) {
			if c.Whole {
				s.Source, s.Watch = "", ""
			}
			set(&s.Source, c.Source)
			set(&s.Watch, c.Watch)
			named := curlew.Subscription{}
			set(&named.Source, c.Source)
			set(&named.Watch, c.Watch)
			if err := outbox.CheckNamed(ctx, tx.Scope, named); err != nil {
				return "", err
			}
			c.apply(s)
			return "", a.retarget(s, c)
		})
}

// changeSubscription changes a subscription, which may get a new secret by it.
func (a *App) changeSubscription(ctx context.Context, who auth.Identity, name string, c on[curlew.SubscriptionID],
	edit func(context.Context, *Tx, *curlew.Subscription) (string, error)) (Subscribed, error) {
	return do(ctx, a.as(who), verb{name, auth.EditSubscriptions}, c, func(ctx context.Context, tx *Tx) (Subscribed, error) {
		s, err := tx.Subscriptions().Lock(ctx, c.id())
		if err != nil {
			return Subscribed{}, err
		}
		secret, err := edit(ctx, tx, &s)
		if err != nil {
			return Subscribed{}, err
		}
		if err := tx.Subscriptions().Save(ctx, s); err != nil {
			return Subscribed{}, err
		}
		tx.About(string(c.id()))
		return a.withBacklog(ctx, tx, shown(s, secret))
	})
}

// PauseSubscription tells nothing for a while.
func (a *App) PauseSubscription(ctx context.Context, who auth.Identity, id curlew.SubscriptionID) (Subscribed, error) {
	return a.changeSubscription(ctx, who, "pauseSubscription", one[curlew.SubscriptionID]{id},
		func(_ context.Context, _ *Tx, s *curlew.Subscription) (string, error) {
			s.Status = curlew.SubscriptionPaused
			return "", nil
		})
}

// RotateSecret makes a new webhook secret, shown this once; the old one stays valid for
// a day.
func (a *App) RotateSecret(ctx context.Context, who auth.Identity, id curlew.SubscriptionID) (Subscribed, error) {
	return a.changeSubscription(ctx, who, "rotateSecret", one[curlew.SubscriptionID]{id},
		func(_ context.Context, _ *Tx, s *curlew.Subscription) (string, error) { return outbox.RotateSecret(s) })
}

// ResumeSubscription tells again, what waits first.
func (a *App) ResumeSubscription(ctx context.Context, who auth.Identity, id curlew.SubscriptionID) (Subscribed, error) {
	return do(ctx, a.as(who), verb{"resumeSubscription", auth.EditSubscriptions}, one[curlew.SubscriptionID]{id},
		func(ctx context.Context, tx *Tx) (Subscribed, error) {
			s, err := outbox.Resume(ctx, a.i.Queue, tx.WriteScope, id)
			if err != nil {
				return Subscribed{}, err
			}
			tx.About(string(id))
			return a.withBacklog(ctx, tx, shown(s, ""))
		})
}

// Unsubscribe forgets a subscription and its deliveries.
func (a *App) Unsubscribe(ctx context.Context, who auth.Identity, id curlew.SubscriptionID) error {
	_, err := do(ctx, a.as(who), verb{"unsubscribe", auth.EditSubscriptions}, one[curlew.SubscriptionID]{id},
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			tx.About(string(id))
			return none, tx.Subscriptions().Remove(ctx, id)
		})
	return err
}

// Subscriptions lists subscriptions without their secrets.
func (a *App) Subscriptions(ctx context.Context, who auth.Identity, w store.Window) ([]Subscribed, error) {
	scope, err := a.Read(who)
	if err != nil {
		return nil, err
	}
	subs, err := scope.Subscriptions().List(ctx, w)
	all := make([]Subscribed, 0, len(subs))
	for _, s := range subs {
		all = append(all, shown(s, ""))
	}
	return all, err
}

// Subscription is one, and what waits for it.
func (a *App) Subscription(ctx context.Context, who auth.Identity, id curlew.SubscriptionID) (Subscribed, error) {
	scope, err := a.Read(who)
	if err != nil {
		return Subscribed{}, err
	}
	s, err := scope.Subscriptions().Get(ctx, id)
	if err != nil {
		return Subscribed{}, err
	}
	told := shown(s, "")
	told.Backlog, err = a.Backlog(ctx, who, id)
	return told, err
}

// testWithin is how long a test may take: a receiver has 15 seconds to answer.
const testWithin = 18 * time.Second

// TestReport is what became of a test.
type TestReport struct {
	Arrived  bool   `json:"arrived"`
	Status   int    `json:"status"` // of HTTP or SMTP; 0 when there was no answer
	Took     int64  `json:"took_ms"`
	Size     int    `json:"size"`             // of the answer's body, of which 16 KiB are read
	Answer   string `json:"answer,omitempty"` // its body, for owners
	Sentence string `json:"sentence,omitempty"`
}

// TestSubscription sends a message that only shows that deliveries arrive.
func (a *App) TestSubscription(ctx context.Context, who auth.Identity, id curlew.SubscriptionID) (TestReport, error) {
	scope, err := a.ReadFor(who, auth.EditSubscriptions)
	if err != nil {
		return TestReport{}, err
	}
	s, err := scope.Subscriptions().Get(ctx, id)
	if err != nil {
		return TestReport{}, err
	}
	sending, cancel := context.WithTimeout(ctx, testWithin)
	defer cancel()
	answer, outcome, err := a.i.SendTest(sending, s)
	if err != nil {
		return TestReport{}, err
	}
	report := TestReport{Arrived: outcome.Class == deliver.Delivered, Status: answer.Status, Took: answer.Took.Milliseconds(),
		Size: len(answer.Text), Answer: answerFor(who, s.Channel, answer.Text), Sentence: cmp.Or(outcome.Sentence, answer.Partly)}
	_, err = do(ctx, a.as(who), verb{"testSubscription", auth.EditSubscriptions}, one[curlew.SubscriptionID]{id},
		func(_ context.Context, tx *Tx) (none struct{}, err error) {
			tx.About(string(id))
			return none, nil
		})
	return report, err
}
