package store_test

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// owners checks that an id alone leads to its org, and only to that.
func owners(t *testing.T, b *bench) {
	ours, theirs := b.fill(t, acme), b.fill(t, birch)
	for id, want := range map[string]curlew.OrgID{string(ours.source.ID): acme, string(ours.watch.ID): acme,
		string(theirs.source.ID): birch, string(theirs.subscription.ID): birch} {
		t.Run(id, func(t *testing.T) {
			if org, err := b.store.Owner(t.Context(), id); err != nil || org != want {
				t.Errorf("%s belongs to %q (%v), want %s", id, org, err, want)
			}
		})
	}
	for _, id := range []string{"", "src_", "src_unknown", string(ours.entity.ID), string(ours.run.ID)} {
		_, err := b.store.Owner(t.Context(), id)
		wantFault(t, err, "not_found")
	}
}

func sourceOfSite(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.fill(t, birch)
	b.write(t, acme, func(s store.WriteScope) error {
		got, err := s.Sources().At(t.Context(), w.source.BaseURL)
		if got.ID != w.source.ID {
			t.Errorf("found %s, want %s", got.ID, w.source.ID)
		}
		return err
	})
	for org, base := range map[curlew.OrgID]string{acme: "https://elsewhere.example/", empty: w.source.BaseURL} {
		err := b.store.Write(t.Context(), org, func(s store.WriteScope) error {
			_, err := s.Sources().At(t.Context(), base)
			return err
		})
		wantFault(t, err, "not_found")
	}
	made := together(6, func(int) error {
		return b.store.Write(t.Context(), empty, func(s store.WriteScope) error {
			if _, err := s.Sources().At(t.Context(), "https://new.example/"); err == nil {
				return curlew.Permanent("there_already", "somebody was quicker")
			}
			_, err := s.Sources().Add(t.Context(), curlew.Source{Name: "new", BaseURL: "https://new.example/", Trust: curlew.TrustProbation})
			return err
		})
	})
	wantOneWinner(t, made, "there_already")
}

func newestFirst(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.fill(t, birch)
	b.outbox(t, &w, 3)
	scope := b.store.Org(acme)
	var seen []int64
	for before := int64(0); ; {
		some, err := scope.Changes().ListBefore(t.Context(), store.ChangeFilter{Source: w.source.ID}, before, 2)
		must(t, err)
		if len(some) == 0 {
			break
		}
		for _, c := range some {
			seen, before = append(seen, c.Sequence), c.Sequence
		}
	}
	all, err := scope.Changes().List(t.Context(), store.ChangeFilter{}, 0, 100)
	must(t, err)
	if len(seen) != len(all) {
		t.Fatalf("backwards there are %d changes, forwards %d", len(seen), len(all))
	}
	for i, c := range all {
		if seen[len(seen)-1-i] != c.Sequence {
			t.Errorf("backwards %v is not the order of the changes", seen)
		}
	}
	when, err := scope.Entities().LastChanged(t.Context(), []curlew.EntityID{w.entity.ID, "ent_unknown"})
	if err != nil || len(when) != 1 || !when[w.entity.ID].Equal(morning) {
		t.Errorf("last changed %v (%v)", when, err)
	}
	sent, err := scope.Deliveries().ListBefore(t.Context(), store.DeliveryFilter{Subscription: w.subscription.ID}, store.Window{Limit: 3})
	if err != nil || len(sent) != 3 || sent[0].ID < sent[1].ID || sent[1].ID < sent[2].ID {
		t.Errorf("deliveries %v (%v)", sent, err)
	}
	published, err := scope.Publications().List(t.Context(), w.run.Scope, store.Window{})
	if err != nil || len(published) != 2 || published[0].ID < published[1].ID {
		t.Errorf("publications %v (%v)", published, err)
	}
}

func browse(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	other := b.fill(t, acme)
	b.fill(t, birch)
	scope := b.store.Org(acme)
	for name, x := range map[string]struct {
		filter store.BrowseFilter
		want   int
	}{
		"everything":            {store.BrowseFilter{}, 2},
		"a source":              {store.BrowseFilter{Source: w.source.ID}, 1},
		"what a watch has seen": {store.BrowseFilter{Watch: other.watch.ID}, 1},
		"another schema":        {store.BrowseFilter{Schema: curlew.SchemaJob}, 0},
		"one of two states":     {store.BrowseFilter{Status: []curlew.EntityStatus{curlew.EntityActive, curlew.EntityStale}}, 2},
		"another state":         {store.BrowseFilter{Status: []curlew.EntityStatus{curlew.EntityRemoved}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := scope.Entities().Browse(t.Context(), x.filter, store.Window{})
			if err != nil || len(got) != x.want {
				t.Errorf("%s: %d entities (%v), want %d", name, len(got), err, x.want)
			}
			if len(x.filter.Status) > 0 {
				return
			}
			counts, err := scope.Entities().Count(t.Context(), x.filter)
			if err != nil || counts[curlew.EntityActive] != int64(x.want) {
				t.Errorf("%s: counted %v (%v), want %d", name, counts, err, x.want)
			}
		})
	}
	first, err := scope.Entities().Browse(t.Context(), store.BrowseFilter{}, store.Window{Limit: 1})
	must(t, err)
	second, err := scope.Entities().Browse(t.Context(), store.BrowseFilter{}, store.Window{Limit: 1, After: string(first[0].ID)})
	if err != nil || len(second) != 1 || second[0].ID >= first[0].ID {
		t.Errorf("after %s comes %v (%v)", first[0].ID, second, err)
	}
}

// atAGlance counts what a dashboard shows.
func atAGlance(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.fill(t, birch)
	scope := b.store.Org(acme)
	all, err := scope.Changes().List(t.Context(), store.ChangeFilter{}, 0, 100)
	must(t, err)
	day := all[0].OccurredAt.UTC().Truncate(24 * time.Hour)
	counts, err := scope.Changes().PerDay(t.Context(), day)
	if err != nil || counts[day] != int64(len(all)) {
		t.Errorf("on %s there were %v (%v), want %d", day, counts, err, len(all))
	}
	if later, err := scope.Changes().PerDay(t.Context(), day.AddDate(0, 0, 1)); err != nil || len(later) != 0 {
		t.Errorf("since the day after: %v (%v)", later, err)
	}
	candidates, err := scope.Candidates().ListBefore(t.Context(), store.CandidateFilter{}, store.Window{Limit: 10})
	if err != nil || len(candidates) == 0 || candidates[0].Org != w.source.Org {
		t.Fatalf("candidates: %v (%v)", candidates, err)
	}
	byStatus, err := scope.Candidates().Count(t.Context())
	if err != nil || byStatus[candidates[0].Status] != int64(len(candidates)) {
		t.Errorf("counted %v (%v), want %d", byStatus, err, len(candidates))
	}
	last := string(candidates[len(candidates)-1].ID)
	if after, err := scope.Candidates().ListBefore(t.Context(), store.CandidateFilter{}, store.Window{After: last}); err != nil ||
		len(after) != 0 {
		t.Errorf("after the oldest come %v (%v)", after, err)
	}
}

// removal forgets candidates, watches and subscriptions, and nothing that others rely on.
func removal(t *testing.T, b *bench) {
	w, theirs := b.fill(t, acme), b.fill(t, birch)
	gone := func(org curlew.OrgID, do func(store.WriteScope) error) error {
		return b.store.Write(t.Context(), org, do)
	}
	watch := func(s store.WriteScope) error { return s.Watches().Remove(t.Context(), w.watch.ID) }
	candidate := func(s store.WriteScope) error { return s.Candidates().Remove(t.Context(), w.candidate.ID) }
	wantFault(t, gone(birch, candidate), "not_found")
	must(t, gone(acme, candidate))
	wantFault(t, gone(acme, candidate), "not_found")
	if moves, err := b.store.Org(acme).Candidates().Transitions(t.Context(), w.candidate.ID); err != nil || len(moves) != 0 {
		t.Errorf("the moves stay: %v (%v)", moves, err)
	}
	subscription := func(s store.WriteScope) error { return s.Subscriptions().Remove(t.Context(), w.subscription.ID) }
	wantFault(t, gone(birch, watch), "not_found")
	wantFault(t, gone(birch, subscription), "not_found")
	wantFault(t, gone(acme, watch), "watch_in_use")
	must(t, gone(acme, subscription))
	must(t, gone(acme, watch))
	_, err := b.store.Org(acme).Watches().Get(t.Context(), w.watch.ID)
	wantFault(t, err, "not_found")
	_, err = b.store.Org(acme).Deliveries().Get(t.Context(), w.delivery.ID)
	wantFault(t, err, "not_found")
	change, err := b.store.Org(acme).Changes().Get(t.Context(), w.change.ID)
	if err != nil || change.Watch != "" || change.Entity != w.entity.ID {
		t.Errorf("the change is %+v (%v)", change, err)
	}
	if _, err := b.store.Org(acme).Entities().Get(t.Context(), w.entity.ID); err != nil {
		t.Error(err)
	}
	if _, err := b.store.Org(birch).Deliveries().Get(t.Context(), theirs.delivery.ID); err != nil {
		t.Error(err)
	}
}
