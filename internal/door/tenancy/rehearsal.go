package tenancy

import (
	"context"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/rest"
	"curlew/internal/work/deliver"
	"curlew/internal/work/runs"
)

type rehearsal struct{ tenant }

// Preview says which of the last changes a wish would have been told, and how.
func (t rehearsal) Preview(ctx context.Context, w rest.Wish) (p rest.Preview, err error) {
	s := curlew.Subscription{ID: "sub_preview", Org: t.org(), Name: w.Name, Kinds: w.Kinds, Source: w.Source, Watch: w.Watch, Channel: w.Channel}
	expression := &w.Filter
	if w.Filter == "" && w.Tree != nil {
		expression = nil
	}
	if err := narrowTo(&s, expression, w.Tree); err != nil {
		return p, err
	}
	if err := runs.CheckNamed(ctx, t.scope, s); err != nil {
		return p, err
	}
	match, err := runs.Matcher(s)
	if err != nil {
		return p, err
	}
	last, err := t.scope.Changes().ListBefore(ctx, store.ChangeFilter{Source: w.Source, Watch: w.Watch}, 0, w.Looks)
	if err != nil {
		return p, err
	}
	p.Looked = len(last)
	for _, c := range last {
		if ok, _ := match(c); ok {
			p.Changes = append(p.Changes, c)
		}
	}
	if p.Matched = len(p.Changes); p.Matched > 0 {
		p.Sample, err = t.sample(ctx, s, p.Changes, w.Digest)
	}
	return p, err
}

// mostInSample is how many changes a rehearsed digest holds.
const mostInSample = 5

// sample writes the newest change, or a digest of a few, as it would have been sent.
func (t rehearsal) sample(ctx context.Context, s curlew.Subscription, changes []curlew.Change, digest bool) (string, error) {
	var items []deliver.Item
	for _, c := range changes[:min(len(changes), mostInSample)] {
		item := deliver.Item{Delivery: "del_preview", Change: c}
		if source, err := t.scope.Sources().Get(ctx, c.Source); err == nil {
			item.Source = source.Name
		}
		if watch, err := t.scope.Watches().Get(ctx, c.Watch); err == nil {
			item.Watch = watch.Name
		}
		items = append(items, item)
	}
	links := deliver.Links{Console: t.i.Config.Console.URL}
	if digest {
		return deliver.Render(s.Channel, deliver.Digest(s, items, changes[0].OccurredAt, links))
	}
	return deliver.Render(s.Channel, deliver.Single(s, items[0], links))
}

// testWithin is how long a test may take: a receiver has 15 seconds to answer.
const testWithin = 18 * time.Second

// Test sends a message that only shows that deliveries arrive.
func (t rehearsal) Test(ctx context.Context, id curlew.SubscriptionID) (r rest.TestReport, err error) {
	s, err := t.scope.Subscriptions().Get(ctx, id)
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, testWithin)
	defer cancel()
	answer, outcome, err := t.i.SendTest(ctx, s)
	if err != nil {
		return r, err
	}
	return rest.TestReport{Arrived: outcome.Class == deliver.Delivered, Status: answer.Status, Took: answer.Took.Milliseconds(), Answer: answer.Text, Sentence: outcome.Sentence}, nil
}
