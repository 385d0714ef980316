package store_test

import (
	"context"
	"reflect"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// noun is one row of the table that each promise about every noun is tried with.
type noun struct {
	name     string
	assigned []string // JSON names of what the store sets itself, besides those of all nouns
	sample   func(*world) any
	add      func(context.Context, store.WriteScope, *world) error
	get      func(context.Context, store.Scope, *world) (any, error)
	// list gives the ids in a window of a listing; nil where there is no listing.
	list func(context.Context, store.Scope, *world, store.Window) ([]string, error)
}

// nouns are in the order in which they refer to each other.
func nouns() []noun {
	return []noun{
		row("source", sampleSource, func(w *world) *curlew.Source { return &w.source },
			adds(store.WriteScope.Sources, store.SourcesTx.Add), gets(store.Scope.Sources, store.Sources.Get),
			plain(store.Scope.Sources, store.Sources.List)),
		row("candidate", sampleCandidate, func(w *world) *curlew.Candidate { return &w.candidate },
			adds(store.WriteScope.Candidates, store.CandidatesTx.Add), gets(store.Scope.Candidates, store.Candidates.Get),
			filtered(store.Scope.Candidates, store.Candidates.List), "status"),
		row("blueprint", sampleBlueprint, func(w *world) *curlew.Blueprint { return &w.blueprint },
			adds(store.WriteScope.Blueprints, store.BlueprintsTx.Add), gets(store.Scope.Blueprints, store.Blueprints.Get),
			filtered(store.Scope.Blueprints, store.Blueprints.List), "version", "status"),
		row("watch", sampleWatch, func(w *world) *curlew.Watch { return &w.watch },
			adds(store.WriteScope.Watches, store.WatchesTx.Add), gets(store.Scope.Watches, store.Watches.Get),
			filtered(store.Scope.Watches, store.Watches.List)),
		row("run", sampleRun, func(w *world) *curlew.Run { return &w.run },
			adds(store.WriteScope.Runs, store.RunsTx.Add), gets(store.Scope.Runs, store.Runs.Get), filtered(store.Scope.Runs, store.Runs.List),
			"state", "progress", "counters", "slices", "summary", "fault", "started_at", "finished_at"),
		row("page", samplePage, func(w *world) *curlew.Page { return &w.page },
			adds(store.WriteScope.Pages, store.PagesTx.Add), gets(store.Scope.Pages, store.Pages.Get), nil),
		row("record", sampleRecord, func(w *world) *curlew.Record { return &w.record },
			adds(store.WriteScope.Records, store.RecordsTx.Add), gets(store.Scope.Records, store.Records.Get), recordsOfTheRun),
		row("entity", sampleEntity, func(w *world) *curlew.Entity { return &w.entity },
			adds(store.WriteScope.Entities, store.EntitiesTx.Add), gets(store.Scope.Entities, store.Entities.Get),
			filtered(store.Scope.Entities, store.Entities.List), "confirmed"),
		row("first publication", samplePublication, func(w *world) *curlew.Publication { return &w.first },
			adds(store.WriteScope.Publications, store.PublicationsTx.Add), gets(store.Scope.Publications, store.Publications.Get), nil,
			"supersedes", "published_at"),
		row("publication", samplePublication, func(w *world) *curlew.Publication { return &w.publication },
			adds(store.WriteScope.Publications, store.PublicationsTx.Add), gets(store.Scope.Publications, store.Publications.Get), nil,
			"published_at"),
		row("change", sampleChange, func(w *world) *curlew.Change { return &w.change },
			adds(store.WriteScope.Changes, store.ChangesTx.Add), gets(store.Scope.Changes, store.Changes.Get), changesAfter, "sequence"),
		row("subscription", sampleSubscription, func(w *world) *curlew.Subscription { return &w.subscription },
			adds(store.WriteScope.Subscriptions, store.SubscriptionsTx.Add), gets(store.Scope.Subscriptions, store.Subscriptions.Get),
			plain(store.Scope.Subscriptions, store.Subscriptions.List)),
		row("delivery", sampleDelivery, func(w *world) *curlew.Delivery { return &w.delivery },
			adds(store.WriteScope.Deliveries, store.DeliveriesTx.Add), gets(store.Scope.Deliveries, store.Deliveries.Get),
			filtered(store.Scope.Deliveries, store.Deliveries.List)),
		row("key", sampleKey, func(w *world) *curlew.APIKey { return &w.key },
			addKey, gets(store.Scope.Keys, store.Keys.Get), plain(store.Scope.Keys, store.Keys.List), "suspended"),
	}
}

// listing reads a window of a listing; the world says of what, where it must.
type listing[T any] func(store.Scope, context.Context, *world, store.Window) ([]T, error)

func row[T any, ID ~string](name string, sample func(*world) T, place func(*world) *T,
	add func(store.WriteScope, context.Context, T) (T, error),
	get func(store.Scope, context.Context, ID) (T, error), list listing[T], assigned ...string,
) noun {
	n := noun{name: name, assigned: assigned}
	n.sample = func(w *world) any { return sample(w) }
	n.add = func(ctx context.Context, s store.WriteScope, w *world) (err error) {
		*place(w), err = add(s, ctx, sample(w))
		return err
	}
	n.get = func(ctx context.Context, s store.Scope, w *world) (any, error) {
		return get(s, ctx, ID(idOf(*place(w))))
	}
	if list == nil {
		return n
	}
	n.list = func(ctx context.Context, s store.Scope, w *world, window store.Window) (ids []string, err error) {
		all, err := list(s, ctx, w, window)
		for _, v := range all {
			ids = append(ids, idOf(v))
		}
		return ids, err
	}
	return n
}

func idOf(v any) string { return reflect.ValueOf(v).FieldByName("ID").String() }

// adds opens a noun's store and adds with it.
func adds[S, T any](
	open func(store.WriteScope) S, add func(S, context.Context, T) (T, error),
) func(store.WriteScope, context.Context, T) (T, error) {
	return func(s store.WriteScope, ctx context.Context, v T) (T, error) { return add(open(s), ctx, v) }
}

// gets opens a noun's store and reads one row with it.
func gets[S, ID, T any](
	open func(store.Scope) S, get func(S, context.Context, ID) (T, error),
) func(store.Scope, context.Context, ID) (T, error) {
	return func(s store.Scope, ctx context.Context, id ID) (T, error) { return get(open(s), ctx, id) }
}

func plain[S, T any](open func(store.Scope) S, list func(S, context.Context, store.Window) ([]T, error)) listing[T] {
	return func(s store.Scope, ctx context.Context, _ *world, window store.Window) ([]T, error) {
		return list(open(s), ctx, window)
	}
}

func filtered[S, T, F any](open func(store.Scope) S, list func(S, context.Context, F, store.Window) ([]T, error)) listing[T] {
	return func(s store.Scope, ctx context.Context, _ *world, window store.Window) ([]T, error) {
		var everything F
		return list(open(s), ctx, everything, window)
	}
}

func recordsOfTheRun(s store.Scope, ctx context.Context, w *world, window store.Window) ([]curlew.Record, error) {
	return s.Records().List(ctx, w.run.ID, window)
}

// changesAfter goes by sequence, as readers of changes do.
func changesAfter(s store.Scope, ctx context.Context, _ *world, window store.Window) ([]curlew.Change, error) {
	var last curlew.Change
	if window.After != "" {
		var err error
		if last, err = s.Changes().Get(ctx, curlew.ChangeID(window.After)); err != nil {
			return nil, err
		}
	}
	return s.Changes().List(ctx, store.ChangeFilter{}, last.Sequence, window.Limit)
}
