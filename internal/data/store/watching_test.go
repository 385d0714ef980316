package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func sampleSighting(w *world) curlew.Sighting {
	return curlew.Sighting{Watch: w.watch.ID, Entity: w.entity.ID, SeenAt: morning, Misses: 1, MissedAt: &evening, Position: 3, Listed: "l", Lost: map[string]int{"price": 1},
		DetailAt: &morning,
		Detail:   &curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": words}}}
}

func sampleAlias(w *world) curlew.Alias {
	return curlew.Alias{Source: w.source.ID, Schema: curlew.SchemaEvent, ExternalID: "old-1", Entity: w.entity.ID, Confidence: 0.95,
		Why: words, CreatedAt: morning}
}

func sampleAttempt(w *world) curlew.Attempt {
	return curlew.Attempt{Delivery: w.delivery.ID, Number: 1, At: morning, TookMillis: 12, Status: 500, Answer: words, Error: "500"}
}

// fillWatching gives an org a sighting, an alias and an attempt.
func (b *bench) fillWatching(ctx context.Context, s store.WriteScope, w *world) error {
	if err := s.Entities().KeepSightings(ctx, []curlew.Sighting{sampleSighting(w)}); err != nil {
		return err
	}
	if err := s.Entities().KeepAlias(ctx, sampleAlias(w)); err != nil {
		return err
	}
	return s.Deliveries().EndAttempts(ctx, nil, []curlew.Attempt{sampleAttempt(w)})
}

func sightings(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.fill(t, birch)
	scope := b.store.Org(acme)
	got, err := scope.Entities().Sightings(t.Context(), w.watch.ID)
	must(t, err)
	if len(got) != 1 {
		t.Fatalf("%d sightings, want one", len(got))
	}
	same(t, got[0], sampleSighting(&w))
	confirmed := []curlew.Entity{w.entity}
	must(t, scope.Entities().Confirm(t.Context(), confirmed))
	if is := confirmed[0].Confirmed["title"]; !is.At.Equal(morning) || is.URL == "" {
		t.Errorf("the title was last read %+v", is)
	}
	b.write(t, acme, func(s store.WriteScope) error {
		seen := sampleSighting(&w)
		seen.Misses, seen.MissedAt = 0, nil
		if err := s.Entities().KeepSightings(t.Context(), []curlew.Sighting{seen}); err != nil {
			return err
		}
		return s.Entities().SeenAgain(t.Context(), w.watch.ID, []curlew.EntityID{w.entity.ID}, evening.Add(time.Hour))
	})
	got, err = scope.Entities().Sightings(t.Context(), w.watch.ID)
	must(t, err)
	if got[0].Misses != 0 || got[0].MissedAt != nil || !got[0].SeenAt.Equal(evening.Add(time.Hour)) {
		t.Errorf("seen again it is %+v", got[0])
	}
	entity, err := scope.Entities().Get(t.Context(), w.entity.ID)
	if err != nil || !entity.LastSeenAt.Equal(evening.Add(time.Hour)) {
		t.Errorf("the entity was last seen at %s (%v)", entity.LastSeenAt, err)
	}
	theirs, err := scope.Entities().Sighted(t.Context(), w.watch.ID)
	if err != nil || len(theirs) != 1 || theirs[0].ID != w.entity.ID {
		t.Errorf("the watch has seen %v (%v)", theirs, err)
	}
	entity.Status = curlew.EntityRemoved
	b.write(t, acme, func(s store.WriteScope) error { return s.Entities().Save(t.Context(), entity) })
	if theirs, err = scope.Entities().Sighted(t.Context(), w.watch.ID); err != nil || len(theirs) != 0 {
		t.Errorf("a removed entity is still watched: %v (%v)", theirs, err)
	}
}

func aliases(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	got, err := b.store.Org(acme).Entities().Aliases(t.Context(), w.source.ID, curlew.SchemaEvent, []string{"old-1", "unknown"})
	if err != nil || len(got) != 1 {
		t.Fatalf("found %v (%v)", got, err)
	}
	same(t, got[0], sampleAlias(&w))
	if got, err = b.store.Org(birch).Entities().Aliases(t.Context(), w.source.ID, curlew.SchemaEvent, []string{"old-1"}); err != nil ||
		len(got) != 0 {
		t.Errorf("another org sees %v (%v)", got, err)
	}
}

// outbox puts n changes of each of two entities into the outbox of a subscription.
func (b *bench) outbox(t *testing.T, w *world, n int) []curlew.Change {
	t.Helper()
	second := sampleEntity(w)
	second.ExternalID = "e-2"
	var changes []curlew.Change
	b.write(t, acme, func(s store.WriteScope) error {
		other, err := s.Entities().Add(t.Context(), second)
		if err != nil {
			return err
		}
		for i := range n {
			for _, id := range []curlew.EntityID{w.entity.ID, other.ID} {
				changes = append(changes, curlew.Change{Kind: curlew.EntityChanged, Source: w.source.ID, Entity: id, Version: i + 2,
					Payload: json.RawMessage(`{}`), OccurredAt: morning})
			}
		}
		if changes, err = s.Changes().AddAll(t.Context(), changes); err != nil {
			return err
		}
		var deliveries []curlew.Delivery
		for _, c := range changes {
			deliveries = append(deliveries, curlew.Delivery{Change: c.ID, Subscription: w.subscription.ID, Sequence: c.Sequence, Entity: c.Entity})
		}
		if err := s.Deliveries().AddAll(t.Context(), deliveries); err != nil {
			return err
		}
		return s.Deliveries().AddAll(t.Context(), deliveries) // asked again, nothing is doubled
	})
	return changes
}

func outboxOrder(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.write(t, acme, func(s store.WriteScope) error { // what the world put there is out of the way
		done := w.delivery
		done.Status = curlew.DeliveryDelivered
		return s.Deliveries().EndAttempts(t.Context(), []curlew.Delivery{done}, nil)
	})
	changes := b.outbox(t, &w, 3)
	for i := 1; i < len(changes); i++ {
		if changes[i].Sequence != changes[i-1].Sequence+1 {
			t.Errorf("sequences are not in a row: %d after %d", changes[i].Sequence, changes[i-1].Sequence)
		}
	}
	byID, err := b.store.Org(acme).Changes().ByIDs(t.Context(), []curlew.ChangeID{changes[2].ID, changes[0].ID, "chg_unknown"})
	if must(t, err); len(byID) != 2 || byID[0].ID != changes[0].ID || byID[1].ID != changes[2].ID {
		t.Errorf("by their ids come %+v", byID)
	}
	if others, err := b.store.Org(birch).Changes().ByIDs(t.Context(), []curlew.ChangeID{changes[0].ID}); err != nil || len(others) != 0 {
		t.Errorf("another org sees %+v (%v)", others, err)
	}
	var order []int64
	for {
		pending, err := b.store.Org(acme).Deliveries().Pending(t.Context(), store.Endpoint{Subscription: w.subscription.ID}, 10)
		must(t, err)
		if len(pending) == 0 {
			break
		}
		if len(pending) > 2 {
			t.Fatalf("%d pending at once: a change must wait for the earlier ones about its entity", len(pending))
		}
		var done []curlew.Delivery
		for _, p := range pending {
			order = append(order, p.Change.Sequence)
			p.Delivery.Status, p.Delivery.Attempts, p.Delivery.DeliveredAt = curlew.DeliveryDelivered, 1, &evening
			done = append(done, p.Delivery)
		}
		b.write(t, acme, func(s store.WriteScope) error { return s.Deliveries().EndAttempts(t.Context(), done, nil) })
	}
	if len(order) != len(changes) || !slices.IsSorted(order) {
		t.Errorf("delivered in the order %v, want all %d in theirs", order, len(changes))
	}
}

func replay(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	changes := b.outbox(t, &w, 2)
	count := func() int64 {
		counts, err := b.store.Org(acme).Deliveries().Backlog(t.Context(), w.subscription.ID)
		must(t, err)
		return counts[curlew.DeliveryPending]
	}
	var all []curlew.Delivery
	pending, err := b.store.Org(acme).Deliveries().PendingTogether(t.Context(), store.Endpoint{Subscription: w.subscription.ID}, 10)
	must(t, err)
	for _, d := range append([]store.PendingDelivery{{Delivery: w.delivery}}, pending...) {
		d.Delivery.Status, d.Delivery.Attempts, d.Delivery.DeliveredAt = curlew.DeliveryDelivered, 1, &evening
		all = append(all, d.Delivery)
	}
	all[0].Status, all[0].DeliveredAt = curlew.DeliveryDead, nil
	b.write(t, acme, func(s store.WriteScope) error { return s.Deliveries().EndAttempts(t.Context(), all, nil) })
	if n := count(); n != 0 {
		t.Fatalf("%d pending after all are done", n)
	}
	for i, step := range []struct {
		what store.ReplayOf
		want int64
	}{
		{store.ReplayOf{Subscription: w.subscription.ID, DeadOnly: true}, 1},
		{store.ReplayOf{Delivery: all[1].ID}, 2},
		{store.ReplayOf{Subscription: w.subscription.ID, After: changes[1].Sequence}, 4},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b.write(t, acme, func(s store.WriteScope) error {
				_, err := s.Deliveries().Replay(t.Context(), step.what)
				return err
			})
			if n := count(); n != step.want {
				t.Errorf("after %+v there are %d pending, want %d", step.what, n, step.want)
			}
		})
	}
	due, err := b.store.DueEndpoints(t.Context(), 10)
	if err != nil || len(due) != 2 || due[0].Subscription != w.subscription.ID || due[1].Receiver != w.delivery.Receiver {
		t.Errorf("due are %v (%v)", due, err)
	}
}

func dueWatches(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	_, err := b.store.DueWatches(t.Context(), 10)
	must(t, err)
	past := time.Now().Add(-time.Minute)
	watch := w.watch
	watch.NextRunAt = &past
	b.write(t, acme, func(s store.WriteScope) error { return s.Watches().Save(t.Context(), watch) })
	due := func() int {
		all, err := b.store.DueWatches(t.Context(), 10)
		must(t, err)
		return len(all)
	}
	if n := due(); n != 0 {
		t.Errorf("%d watches are due although their source is being read", n)
	}
	b.write(t, acme, func(s store.WriteScope) error {
		run, err := s.Runs().Lock(t.Context(), w.run.ID)
		if err != nil {
			return err
		}
		run.State = curlew.RunSucceeded
		return s.Runs().Save(t.Context(), run)
	})
	if n := due(); n != 1 {
		t.Errorf("%d watches are due, want one", n)
	}
	b.write(t, acme, func(s store.WriteScope) error {
		return s.Watches().SetStatus(t.Context(), watch.ID, curlew.WatchPaused)
	})
	if n := due(); n != 0 {
		t.Errorf("%d watches are due although they are paused", n)
	}
}

// same compares as people see it: two moments are the same in any zone.
func same[T any](t *testing.T, got, want T) {
	t.Helper()
	g, err := json.Marshal(got)
	must(t, err)
	w, err := json.Marshal(want)
	must(t, err)
	if string(g) != string(w) {
		t.Errorf("read back as\n%s\nwant\n%s", g, w)
	}
}

func sampleHeal(w *world) curlew.Heal {
	return curlew.Heal{Run: w.run.ID, Source: w.source.ID, Watch: w.watch.ID, Outcome: curlew.HealDone, From: w.blueprint.ID,
		To: w.blueprint.ID,
		Report: curlew.HealReport{Cause: words, How: "by known values", Timeline: []curlew.HealStep{{At: morning, What: words, Good: true}},
			Known: 3, Found: 2,
			Shadow: &curlew.Shadow{Agrees: true, Basis: words, After: curlew.ShadowSide{Version: 2, Score: 80},
				Known: curlew.Beside{Both: 2, Fields: []curlew.FieldAgreement{{Field: "title", Same: 2}}}}},
		BeganAt: morning, EndedAt: evening}
}

func sampleModelCall(w *world) curlew.ModelCall {
	return curlew.ModelCall{Source: w.source.ID, ModelUsage: curlew.ModelUsage{Provider: "openai", Model: "m", Purpose: curlew.PurposeHeal,
		InputTokens:  1000,
		OutputTokens: 20, CostMicros: 1234, Took: time.Second, Outcome: curlew.ModelAnswered}, At: morning}
}

// fillOnboarding gives an org a healing, a scorecard and a call of a model.
func (b *bench) fillOnboarding(ctx context.Context, s store.WriteScope, w *world) error {
	if err := s.Heals().Add(ctx, sampleHeal(w)); err != nil {
		return err
	}
	if err := s.Scorecards().Add(ctx, curlew.Scorecard{Source: w.source.ID, Run: w.run.ID, Score: 81, Card: json.RawMessage(`{"n": 5}`),
		At: morning}); err != nil {
		return err
	}
	if _, _, ok, err := s.ModelCalls().Reserve(ctx, curlew.ModelReservation{Source: w.source.ID, Purpose: curlew.PurposeHeal, MostMicros: 5,
		For: time.Hour}, morning, 10_000); err != nil || !ok {
		return fmt.Errorf("reserved %v: %w", ok, err)
	}
	return s.ModelCalls().Add(ctx, sampleModelCall(w))
}

func healsAndScores(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.fill(t, birch)
	heals, err := b.store.Org(acme).Heals().List(t.Context(), w.source.ID, 10)
	if err != nil || len(heals) != 1 {
		t.Fatalf("heals %v (%v)", heals, err)
	}
	want := sampleHeal(&w)
	want.Org = acme
	same(t, heals[0], want)
	cards, err := b.store.Org(acme).Scorecards().List(t.Context(), w.source.ID, 10)
	if err != nil || len(cards) != 1 || cards[0].Score != 81 {
		t.Errorf("scorecards %v (%v)", cards, err)
	}
	costs, err := b.store.Org(acme).ModelCalls().Costs(t.Context(), morning.Add(-time.Hour), time.Time{})
	if err != nil || len(costs) != 1 || costs[0].CostMicros != 1234 || costs[0].Source != w.source.ID {
		t.Errorf("costs %v (%v)", costs, err)
	}
	if costs, err = b.store.Org(acme).ModelCalls().Costs(t.Context(), evening, time.Time{}); err != nil || len(costs) != 0 {
		t.Errorf("costs of later %v (%v)", costs, err)
	}
}

// TestACheckReadsNoEntitiesOfOtherWatches: what a check knows things again by costs the same in an org with many entities.
func TestACheckReadsNoEntitiesOfOtherWatches(t *testing.T) {
	db, err := database.Open(t.Context(), database.Options{URL: "sqlite:" + t.TempDir() + "/curlew.db"})
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.Migrate(t.Context(), store.Migrations())
	must(t, err)
	b := newBench(t, db)
	few, many := b.fill(t, birch), b.fill(t, acme)
	b.write(t, acme, func(s store.WriteScope) error {
		var others []curlew.Entity
		for i := range 3000 {
			other := many.entity
			other.ID, other.ExternalID = curlew.Mint[curlew.EntityID](b.store.IDs()), fmt.Sprint("other-", i)
			others = append(others, other)
		}
		return s.Entities().AddAll(t.Context(), others)
	})
	check := func(org curlew.OrgID, w world) func() {
		return func() {
			for range 50 {
				known, err := b.store.Org(org).Entities().SightedOrFinished(t.Context(), w.watch.ID)
				if err != nil || len(known) != 1 {
					t.Fatalf("a check knows %d entities (%v), want the one that it has seen", len(known), err)
				}
			}
		}
	}
	growth.Compare(t, 3, check(birch, few), check(acme, many))
}
