package tenancy

import (
	"context"
	"encoding/json"

	"curlew/internal/change/filter"
	"curlew/internal/change/schedule"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
	"curlew/internal/work/deliver"
	"curlew/internal/work/runs"
)

type tenantSubscriptions struct{ tenant }

// shown is a subscription without secrets, and what waits for it.
func (t tenant) shown(ctx context.Context, s curlew.Subscription, secret string) (shown rest.Subscribed, err error) {
	s.Target = deliver.Redact(s.Channel, s.Target)
	shown = rest.Subscribed{Subscription: s, Secret: secret, Tree: treeOf(s.Filter)}
	shown.Backlog, err = t.App.Backlog(ctx, t.account, s.ID)
	return shown, err
}

// List lists subscriptions.
func (t tenantSubscriptions) List(ctx context.Context, w rest.Window) ([]rest.Subscribed, error) {
	subs, err := t.scope.Subscriptions().List(ctx, store.Window(w))
	all := make([]rest.Subscribed, 0, len(subs))
	for _, s := range subs {
		s.Target = deliver.Redact(s.Channel, s.Target)
		all = append(all, rest.Subscribed{Subscription: s, Tree: treeOf(s.Filter)})
	}
	return all, err
}

// Get returns one.
func (t tenantSubscriptions) Get(ctx context.Context, id curlew.SubscriptionID) (rest.Subscribed, error) {
	s, err := t.scope.Subscriptions().Get(ctx, id)
	if err != nil {
		return rest.Subscribed{}, err
	}
	return t.shown(ctx, s, "")
}

// Add tells somebody of changes.
func (t tenantSubscriptions) Add(ctx context.Context, n rest.NewSubscription) (rest.Subscribed, error) {
	s := curlew.Subscription{Name: string(n.Channel), Channel: n.Channel, Source: n.Source, Watch: n.Watch, Status: curlew.SubscriptionActive}
	if err := wishes(&s, n.SubscriptionEdit); err != nil {
		return rest.Subscribed{}, err
	}
	secret, err := NewTarget(&s, n.To, n.Headers, t.i.Config)
	if err != nil {
		if curlew.AsFault(err).Code == "no_channel" {
			return rest.Subscribed{}, err
		}
		return rest.Subscribed{}, rest.Invalid("/to", err)
	}
	if err := runs.CheckNamed(ctx, t.scope, s); err != nil {
		return rest.Subscribed{}, err
	}
	err = t.write(ctx, func(w store.WriteScope) error {
		s, err = w.Subscriptions().Add(ctx, s)
		return err
	})
	if err != nil {
		return rest.Subscribed{}, err
	}
	return t.shown(ctx, s, secret.Key)
}

// wishes writes what somebody wants into a subscription.
func wishes(s *curlew.Subscription, e rest.SubscriptionEdit) error {
	set(&s.Name, e.Name)
	if e.Kinds != nil {
		s.Kinds = e.Kinds
	}
	if err := narrowTo(s, e.Filter, e.Tree); err != nil {
		return err
	}
	switch {
	case e.Digest != nil && *e.Digest == "":
		s.Digest = ""
	case e.Digest != nil:
		plan, err := schedule.ParseDigest(*e.Digest)
		if err != nil {
			return rest.Invalid("/digest", err)
		}
		s.Digest = plan.String()
	}
	return nil
}

// narrowTo keeps which changes are wanted, said as an expression or as a tree; what is
// absent stays, and an empty one wants all.
func narrowTo(s *curlew.Subscription, expression *string, tree json.RawMessage) error {
	if string(tree) == "null" {
		tree = nil
	}
	var wants filter.Expr
	var err error
	place := "/filter"
	switch {
	case expression != nil && tree != nil:
		return rest.Invalid("/filter_tree", curlew.Permanent("two_filters", "the filter is given twice: send either filter or filter_tree"))
	case tree != nil:
		place = "/filter_tree"
		wants, err = filter.FromJSON(tree)
	case expression == nil:
		return nil
	case *expression != "":
		wants, err = filter.Parse(*expression)
	}
	if err != nil {
		return rest.Invalid(place, err)
	}
	s.Filter = ""
	if wants.Empty() {
		return nil
	}
	checked, err := filter.CompileExpr(wants, curlew.Schemas()...)
	if err != nil {
		return rest.Invalid(place, err)
	}
	s.Filter = checked.String()
	return nil
}

// treeOf is a filter as a tree; one that wants all has none.
func treeOf(expression string) json.RawMessage {
	wants, err := filter.Parse(expression)
	if err != nil || wants.Empty() {
		return nil
	}
	return wants.JSON()
}

// Edit changes a subscription.
func (t tenantSubscriptions) Edit(ctx context.Context, id curlew.SubscriptionID, p rest.SubscriptionPatch) (rest.Subscribed, error) {
	scoped := curlew.Subscription{}
	set(&scoped.Source, p.Source)
	set(&scoped.Watch, p.Watch)
	if err := runs.CheckNamed(ctx, t.scope, scoped); err != nil {
		return rest.Subscribed{}, err
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
		return "", retarget(s, p, t.i.Config.Deliver.PlainHTTP)
	})
}

// change changes a subscription, which may get a new secret by it.
func (t tenant) change(ctx context.Context, id curlew.SubscriptionID, edit func(*curlew.Subscription) (string, error)) (rest.Subscribed, error) {
	s, secret, err := t.i.Jobs.EditSubscription(ctx, t.org(), id, edit)
	if err != nil {
		return rest.Subscribed{}, err
	}
	return t.shown(ctx, s, secret)
}

// Remove forgets a subscription.
func (t tenantSubscriptions) Remove(ctx context.Context, id curlew.SubscriptionID) error {
	return t.write(ctx, func(w store.WriteScope) error { return w.Subscriptions().Remove(ctx, id) })
}

type subscriptionControl struct{ tenant }

// Steer pauses and resumes a subscription, and gives it a new secret.
func (t subscriptionControl) Steer(ctx context.Context, id curlew.SubscriptionID, step rest.SubscriptionStep) (rest.Subscribed, error) {
	switch step {
	case rest.PauseSubscription:
		return t.change(ctx, id, func(s *curlew.Subscription) (string, error) {
			s.Status = curlew.SubscriptionPaused
			return "", nil
		})
	case rest.ResumeSubscription:
		s, err := t.i.Jobs.ResumeSubscription(ctx, t.org(), id)
		if err != nil {
			return rest.Subscribed{}, err
		}
		return t.shown(ctx, s, "")
	default:
		return t.change(ctx, id, runs.RotateSecret)
	}
}

// Replay sends deliveries again.
func (t subscriptionControl) Replay(ctx context.Context, id curlew.SubscriptionID, r rest.Replay) (int64, error) {
	if _, err := t.scope.Subscriptions().Get(ctx, id); err != nil {
		return 0, err
	}
	return t.i.Jobs.Replay(ctx, t.org(), id, store.ReplayOf{Subscription: id, After: r.After, DeadOnly: r.DeadOnly})
}

type tenantDeliveries struct{ tenant }

// List lists deliveries.
func (t tenantDeliveries) List(ctx context.Context, f rest.DeliveryFilter, w rest.Window) ([]curlew.Delivery, error) {
	return t.scope.Deliveries().ListBefore(ctx, store.DeliveryFilter{Status: f.Status, Subscription: f.Subscription}, store.Window(w))
}

// Get returns one with its attempts.
func (t tenantDeliveries) Get(ctx context.Context, id curlew.DeliveryID) (report rest.DeliveryReport, err error) {
	if report.Delivery, err = t.scope.Deliveries().Get(ctx, id); err != nil {
		return report, err
	}
	report.Tries, err = t.scope.Deliveries().Attempts(ctx, id)
	return report, err
}

// Replay sends one again.
func (t tenantDeliveries) Replay(ctx context.Context, id curlew.DeliveryID) (int64, error) {
	d, err := t.scope.Deliveries().Get(ctx, id)
	if err != nil {
		return 0, err
	}
	return t.i.Jobs.Replay(ctx, t.org(), d.Subscription, store.ReplayOf{Delivery: id})
}

// set changes what somebody said something about.
func set[T any](into *T, value *T) {
	if value != nil {
		*into = *value
	}
}
