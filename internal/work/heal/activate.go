package heal

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Activate makes a version of a blueprint the active one, and lets the watches that read by
// another version of it follow; only one of them, if it is named.
func Activate(
	ctx context.Context, w store.WriteScope, id curlew.BlueprintID, only curlew.WatchID,
) (b curlew.Blueprint, moved []curlew.Watch, err error) {
	if b, err = w.Blueprints().Activate(ctx, id); err != nil {
		return b, nil, err
	}
	watches, err := Followers(ctx, w.Scope, b, only)
	if err != nil {
		return b, nil, err
	}
	for _, watch := range watches {
		if watch, err = w.Watches().Lock(ctx, watch.ID); err != nil {
			return b, nil, err
		}
		watch.Blueprint = b.ID
		if err := w.Watches().Save(ctx, watch); err != nil {
			return b, nil, err
		}
		moved = append(moved, watch)
	}
	return b, moved, nil
}

// AddVersion keeps a blueprint as the next version of its source, schema and page type,
// makes it the active one, and lets the watches follow.
func AddVersion(ctx context.Context, w store.WriteScope, n curlew.Blueprint) (b curlew.Blueprint, moved []curlew.Watch, err error) {
	if _, err := w.Sources().Lock(ctx, n.Source); err != nil {
		return b, nil, err
	}
	kept, err := w.Blueprints().Add(ctx, n)
	if err != nil {
		return b, nil, err
	}
	return Activate(ctx, w, kept.ID, "")
}

// Followers are the watches that read by another version of a blueprint, or the one of
// them that is named.
func Followers(ctx context.Context, scope store.Scope, b curlew.Blueprint, only curlew.WatchID) ([]curlew.Watch, error) {
	watches, err := scope.Watches().List(ctx, store.WatchFilter{Source: b.Source}, store.Window{Limit: 100_000})
	if err != nil {
		return nil, err
	}
	var all []curlew.Watch
	for _, watch := range watches {
		if watch.Blueprint == b.ID || only != "" && watch.ID != only {
			continue
		}
		had, err := scope.Blueprints().Get(ctx, watch.Blueprint)
		if err != nil {
			return nil, err
		}
		if had.SameLine(b) {
			all = append(all, watch)
		}
	}
	return all, nil
}
