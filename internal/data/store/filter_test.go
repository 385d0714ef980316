package store_test

import (
	"context"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// filters fills an org twice and asks for what is only in the first filling, or
// in none, or in both.
func filters(t *testing.T, b *bench) {
	w, other := b.fill(t, acme), b.fill(t, acme)
	b.write(t, acme, func(s store.WriteScope) error {
		must(t, s.Watches().SetStatus(t.Context(), other.watch.ID, curlew.WatchPaused))
		_, err := s.Candidates().Move(t.Context(), other.candidate.ID, curlew.CandidateRejected, "no")
		return err
	})
	all := store.Window{}
	for name, c := range map[string]struct {
		want int
		got  func(context.Context, store.Scope) (int, error)
	}{
		"candidates by status": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Candidates().List(ctx, store.CandidateFilter{Status: curlew.CandidateAnalyzing}, all))
		}},
		"blueprints by source": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Blueprints().List(ctx, store.BlueprintFilter{Source: w.source.ID}, all))
		}},
		"blueprints by all that they can be narrowed by": {2, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Blueprints().List(ctx, store.BlueprintFilter{Schema: w.blueprint.Schema, Status: w.blueprint.Status,
				Tier: w.blueprint.Tier}, all))
		}},
		"active blueprints": {0, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Blueprints().ListBefore(ctx, store.BlueprintFilter{Status: curlew.BlueprintActive}, all))
		}},
		"blueprints of another tier": {0, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Blueprints().ListBefore(ctx, store.BlueprintFilter{Tier: curlew.TierLLM}, all))
		}},
		"blueprints before the last one": {1, func(ctx context.Context, s store.Scope) (int, error) {
			before, err := s.Blueprints().ListBefore(ctx, store.BlueprintFilter{}, store.Window{After: string(other.blueprint.ID)})
			if err == nil && (len(before) != 1 || before[0].ID != w.blueprint.ID) {
				t.Errorf("before the last one come %+v", before)
			}
			return len(before), err
		}},
		"watches by source": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Watches().List(ctx, store.WatchFilter{Source: w.source.ID}, all))
		}},
		"watches by status": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Watches().List(ctx, store.WatchFilter{Status: curlew.WatchPaused}, all))
		}},
		"runs by scope": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Runs().List(ctx, store.RunFilter{Scope: w.run.Scope}, all))
		}},
		"runs by kind": {0, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Runs().List(ctx, store.RunFilter{Kind: curlew.RunDrill}, all))
		}},
		"runs by state": {2, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Runs().List(ctx, store.RunFilter{State: curlew.RunPending}, all))
		}},
		"records by run": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Records().List(ctx, w.run.ID, all))
		}},
		"entities by source": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Entities().List(ctx, store.EntityFilter{Source: w.source.ID}, all))
		}},
		"entities by schema": {2, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Entities().List(ctx, store.EntityFilter{Schema: curlew.SchemaEvent}, all))
		}},
		"entities by status": {0, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Entities().List(ctx, store.EntityFilter{Status: curlew.EntityStale}, all))
		}},
		"changes by kind": {0, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Changes().List(ctx, store.ChangeFilter{Kind: curlew.WatchFailed}, 0, 0))
		}},
		"changes by entity": {1, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Changes().List(ctx, store.ChangeFilter{Entity: w.entity.ID}, 0, 0))
		}},
		"deliveries by status": {2, func(ctx context.Context, s store.Scope) (int, error) {
			return size(s.Deliveries().List(ctx, store.DeliveryFilter{Status: curlew.DeliveryPending}, all))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := c.got(t.Context(), b.store.Org(acme)); err != nil || got != c.want {
				t.Errorf("%s: %d (%v), want %d", name, got, err, c.want)
			}
		})
	}
}

func size[T any](all []T, err error) (int, error) { return len(all), err }
