package storetest

import (
	"context"
	"reflect"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
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
			store.WriteScope.AddSource, store.Scope.Source, plain(store.Scope.Sources)),
		row("candidate", sampleCandidate, func(w *world) *curlew.Candidate { return &w.candidate },
			store.WriteScope.AddCandidate, store.Scope.Candidate, filtered(store.Scope.Candidates), "status"),
		row("blueprint", sampleBlueprint, func(w *world) *curlew.Blueprint { return &w.blueprint },
			store.WriteScope.AddBlueprint, store.Scope.Blueprint, filtered(store.Scope.Blueprints), "version", "status"),
		row("watch", sampleWatch, func(w *world) *curlew.Watch { return &w.watch },
			store.WriteScope.AddWatch, store.Scope.Watch, filtered(store.Scope.Watches)),
		row("run", sampleRun, func(w *world) *curlew.Run { return &w.run },
			store.WriteScope.AddRun, store.Scope.Run, filtered(store.Scope.Runs),
			"state", "progress", "counters", "slices", "summary", "fault", "started_at", "finished_at"),
		row("page", samplePage, func(w *world) *curlew.Page { return &w.page },
			store.WriteScope.AddPage, store.Scope.Page, nil),
		row("record", sampleRecord, func(w *world) *curlew.Record { return &w.record },
			store.WriteScope.AddRecord, store.Scope.Record, recordsOfTheRun),
		row("entity", sampleEntity, func(w *world) *curlew.Entity { return &w.entity },
			store.WriteScope.AddEntity, store.Scope.Entity, filtered(store.Scope.Entities)),
		row("first publication", samplePublication, func(w *world) *curlew.Publication { return &w.first },
			store.WriteScope.AddPublication, store.Scope.Publication, nil, "supersedes", "published_at"),
		row("publication", samplePublication, func(w *world) *curlew.Publication { return &w.publication },
			store.WriteScope.AddPublication, store.Scope.Publication, nil, "published_at"),
		row("change", sampleChange, func(w *world) *curlew.Change { return &w.change },
			store.WriteScope.AddChange, store.Scope.Change, changesAfter, "sequence"),
		row("subscription", sampleSubscription, func(w *world) *curlew.Subscription { return &w.subscription },
			store.WriteScope.AddSubscription, store.Scope.Subscription, plain(store.Scope.Subscriptions)),
		row("delivery", sampleDelivery, func(w *world) *curlew.Delivery { return &w.delivery },
			store.WriteScope.AddDelivery, store.Scope.Delivery, filtered(store.Scope.Deliveries)),
		row("key", sampleKey, func(w *world) *curlew.APIKey { return &w.key },
			addKey, store.Scope.Key, plain(store.Scope.Keys), "suspended"),
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

func plain[T any](list func(store.Scope, context.Context, store.Window) ([]T, error)) listing[T] {
	return func(s store.Scope, ctx context.Context, _ *world, window store.Window) ([]T, error) {
		return list(s, ctx, window)
	}
}

func filtered[T, F any](list func(store.Scope, context.Context, F, store.Window) ([]T, error)) listing[T] {
	return func(s store.Scope, ctx context.Context, _ *world, window store.Window) ([]T, error) {
		var everything F
		return list(s, ctx, everything, window)
	}
}

func recordsOfTheRun(s store.Scope, ctx context.Context, w *world, window store.Window) ([]curlew.Record, error) {
	return s.Records(ctx, w.run.ID, window)
}

// changesAfter goes by sequence, as readers of changes do.
func changesAfter(s store.Scope, ctx context.Context, _ *world, window store.Window) ([]curlew.Change, error) {
	var last curlew.Change
	if window.After != "" {
		var err error
		if last, err = s.Change(ctx, curlew.ChangeID(window.After)); err != nil {
			return nil, err
		}
	}
	return s.Changes(ctx, store.ChangeFilter{}, last.Sequence, window.Limit)
}
