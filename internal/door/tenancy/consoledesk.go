package tenancy

import (
	"context"
	"strings"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/door/console"
	"curlew/internal/door/rest"
)

// deskOf are the rooms of what people do, with those of the API behind them.
func deskOf(t tenant, base string) console.Desk {
	return console.Desk{Subscriptions: deskSubscriptions{t}, Rehearsal: deskSubscriptions{t},
		Org: deskOrg{t}, People: deskPeople{t}, Doors: deskPeople{t}, Keys: deskKeys{t}, Account: deskAccount{t}, Costs: deskCosts{t}, Feeds: feedAddresses{t}, Base: base}
}

// beside puts what the API says of the places of a body beside the fields of a form.
func beside(err error) error {
	var all console.Mistakes
	for _, m := range rest.Mistakes(err) {
		field, _, _ := strings.Cut(strings.TrimPrefix(m.Place, "/"), "/")
		all = append(all, console.Mistake{Field: field, Sentence: m.Sentence})
	}
	if all == nil {
		return err
	}
	return all
}

type deskSubscriptions struct{ tenant }

func edits(w console.SubscriptionWish) rest.SubscriptionEdit {
	if w.Kinds == nil {
		w.Kinds = []curlew.ChangeKind{}
	}
	return rest.SubscriptionEdit{Name: &w.Name, Kinds: w.Kinds, Filter: &w.Filter, Digest: &w.Digest}
}

// Subscribe tells somebody of changes.
func (d deskSubscriptions) Subscribe(ctx context.Context, w console.SubscriptionWish) (curlew.SubscriptionID, string, error) {
	made, err := tenantSubscriptions(d).Add(ctx, rest.NewSubscription{Channel: w.Channel, To: w.To, Headers: w.Headers, Source: w.Source, Watch: w.Watch, SubscriptionEdit: edits(w)})
	return made.ID, made.Secret, beside(err)
}

// Amend changes a subscription.
func (d deskSubscriptions) Amend(ctx context.Context, id curlew.SubscriptionID, w console.SubscriptionWish) error {
	p := rest.SubscriptionPatch{To: w.To, Headers: w.Headers, Whole: true, SubscriptionEdit: edits(w)}
	if w.Source != "" {
		p.Source = &w.Source
	}
	if w.Watch != "" {
		p.Watch = &w.Watch
	}
	_, err := tenantSubscriptions(d).Edit(ctx, id, p)
	return beside(err)
}

// Unsubscribe forgets a subscription.
func (d deskSubscriptions) Unsubscribe(ctx context.Context, id curlew.SubscriptionID) error {
	return tenantSubscriptions(d).Remove(ctx, id)
}

// Rotate makes a new secret.
func (d deskSubscriptions) Rotate(ctx context.Context, id curlew.SubscriptionID) (string, error) {
	made, err := subscriptionControl(d).Steer(ctx, id, rest.RotateSecret)
	return made.Secret, err
}

// Preview says what would have been told.
func (d deskSubscriptions) Preview(ctx context.Context, w console.SubscriptionWish, looks int) (console.Rehearsed, error) {
	p, err := rehearsal(d).Preview(ctx, rest.Wish{Kinds: w.Kinds, Filter: w.Filter, Source: w.Source, Watch: w.Watch, Channel: w.Channel, Name: w.Name, Digest: w.Digest != "", Looks: looks})
	return console.Rehearsed{Looked: p.Looked, Changes: p.Changes, Sample: p.Sample}, beside(err)
}

// Try sends a test.
func (d deskSubscriptions) Try(ctx context.Context, id curlew.SubscriptionID) (console.Trial, error) {
	r, err := rehearsal(d).Test(ctx, id)
	return console.Trial{Arrived: r.Arrived, Status: r.Status, Took: time.Duration(r.Took) * time.Millisecond, Answer: r.Answer, Sentence: r.Sentence}, err
}
