package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func candidateMoves(t *testing.T, b *bench) {
	var id curlew.CandidateID
	b.write(t, acme, func(s store.WriteScope) error {
		added, err := s.Candidates().Add(t.Context(), curlew.Candidate{URL: "https://example.org/", Status: curlew.CandidateDeployed})
		if added.Status != curlew.CandidatePending {
			t.Errorf("a new candidate is %s", added.Status)
		}
		id = added.ID
		return err
	})
	path := []curlew.CandidateStatus{curlew.CandidateAnalyzing, curlew.CandidateFeasible, curlew.CandidateGenerating}
	for _, to := range path {
		t.Run(string(to), func(t *testing.T) {
			b.write(t, acme, func(s store.WriteScope) error {
				moved, err := s.Candidates().Move(t.Context(), id, to, "on to "+string(to))
				if moved.Status != to || moved.UpdatedAt.Before(moved.CreatedAt) {
					t.Errorf("moved to %s, it is %+v", to, moved)
				}
				return err
			})
		})
	}
	err := b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
		_, err := s.Candidates().Move(t.Context(), id, curlew.CandidateDeployed, "too early")
		return err
	})
	wantFault(t, err, "illegal_transition")
	moves, err := b.store.Org(acme).Candidates().Transitions(t.Context(), id)
	must(t, err)
	from := curlew.CandidatePending
	for i, m := range moves {
		if m.Seq != int64(i+1) || m.From != from || m.To != path[i] || m.Why != "on to "+string(path[i]) || m.At.IsZero() {
			t.Errorf("move %d is kept as %+v", i+1, m)
		}
		from = m.To
	}
	if len(moves) != len(path) {
		t.Errorf("%d moves are kept, want %d", len(moves), len(path))
	}
}

func candidateRace(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	errs := together(8, func(int) error {
		return b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
			_, err := s.Candidates().Move(t.Context(), w.candidate.ID, curlew.CandidateFeasible, "analyzed")
			return err
		})
	})
	wantOneWinner(t, errs, "illegal_transition")
	moves, err := b.store.Org(acme).Candidates().Transitions(t.Context(), w.candidate.ID)
	if err != nil || len(moves) != 2 {
		t.Errorf("the moves are %v (%v)", moves, err)
	}
}

func blueprints(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	single := sampleBlueprint(&w)
	single.PageType = curlew.PageSingle
	var second, third, other curlew.Blueprint
	b.write(t, acme, func(s store.WriteScope) (err error) {
		second, err = s.Blueprints().Add(t.Context(), sampleBlueprint(&w))
		must(t, err)
		third, err = s.Blueprints().Add(t.Context(), sampleBlueprint(&w))
		must(t, err)
		other, err = s.Blueprints().Add(t.Context(), single)
		return err
	})
	if w.blueprint.Version != 1 || second.Version != 2 || third.Version != 3 || other.Version != 1 || second.Status != curlew.BlueprintDraft {
		t.Errorf("the versions are %d, %d, %d and %d for another page type; a new one is %s",
			w.blueprint.Version, second.Version, third.Version, other.Version, second.Status)
	}
	const draft, active, archived = curlew.BlueprintDraft, curlew.BlueprintActive, curlew.BlueprintArchived
	for i, step := range []struct {
		activate curlew.BlueprintID
		want     []curlew.BlueprintStatus
	}{
		{other.ID, []curlew.BlueprintStatus{draft, draft, draft, active}},
		{second.ID, []curlew.BlueprintStatus{draft, active, draft, active}},
		{third.ID, []curlew.BlueprintStatus{draft, archived, active, active}},
		{third.ID, []curlew.BlueprintStatus{draft, archived, active, active}},
		{second.ID, []curlew.BlueprintStatus{draft, active, archived, active}}, // back to an older one
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			b.write(t, acme, func(s store.WriteScope) error {
				now, err := s.Blueprints().Activate(t.Context(), step.activate)
				if now.ID != step.activate || now.Status != active {
					t.Errorf("activated, it is %+v", now)
				}
				return err
			})
			var got []curlew.BlueprintStatus
			for _, id := range []curlew.BlueprintID{w.blueprint.ID, second.ID, third.ID, other.ID} {
				one, err := b.store.Org(acme).Blueprints().Get(t.Context(), id)
				must(t, err)
				got = append(got, one.Status)
			}
			if !slices.Equal(got, step.want) {
				t.Errorf("after activating %s they are %v, want %v", step.activate, got, step.want)
			}
		})
	}
}

func blueprintRace(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	const many = 8
	errs := together(many, func(int) error {
		return b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
			added, err := s.Blueprints().Add(t.Context(), sampleBlueprint(&w))
			if err != nil {
				return err
			}
			_, err = s.Blueprints().Activate(t.Context(), added.ID)
			return err
		})
	})
	for _, err := range errs {
		must(t, err)
	}
	all, err := b.store.Org(acme).Blueprints().List(t.Context(), store.BlueprintFilter{Source: w.source.ID}, store.Window{})
	must(t, err)
	var versions []int
	active := 0
	for _, one := range all {
		versions = append(versions, one.Version)
		if one.Status == curlew.BlueprintActive {
			active++
		}
	}
	slices.Sort(versions)
	if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(versions, want) || active != 1 {
		t.Errorf("the versions are %v and %d are active, want %v and one", versions, active, want)
	}
}

func decisions(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.write(t, acme, func(s store.WriteScope) error {
		must(t, s.Sources().SetTrust(t.Context(), w.source.ID, curlew.TrustStable))
		return s.Watches().SetStatus(t.Context(), w.watch.ID, curlew.WatchError)
	})
	source, err := b.store.Org(acme).Sources().Get(t.Context(), w.source.ID)
	must(t, err)
	watch, err := b.store.Org(acme).Watches().Get(t.Context(), w.watch.ID)
	must(t, err)
	if source.Trust != curlew.TrustStable || watch.Status != curlew.WatchError {
		t.Errorf("the source is %s and the watch %s", source.Trust, watch.Status)
	}
}
