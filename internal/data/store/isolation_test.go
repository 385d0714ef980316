package store_test

import (
	"context"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func isolation(t *testing.T, b *bench) {
	ours, theirs := b.fill(t, acme), b.fill(t, birch)
	for _, n := range nouns() {
		_, err := n.get(t.Context(), b.store.Org(birch), &ours)
		wantFault(t, err, "not_found")
		if n.list == nil {
			continue
		}
		for _, org := range []curlew.OrgID{empty, birch} {
			t.Run(string(org), func(t *testing.T) {
				ids, err := n.list(t.Context(), b.store.Org(org), &theirs, store.Window{})
				must(t, err)
				if want := map[curlew.OrgID]int{empty: 0, birch: 1}[org]; len(ids) != want {
					t.Errorf("%s: %s lists %v, want %d", n.name, org, ids, want)
				}
			})
		}
		ids, err := n.list(t.Context(), b.store.Org(birch), &ours, store.Window{})
		must(t, err)
		own, err := n.list(t.Context(), b.store.Org(acme), &ours, store.Window{})
		must(t, err)
		if len(own) != 1 || slices.Contains(ids, own[0]) {
			t.Errorf("%s: birch lists %v, and %v is acme's", n.name, ids, own)
		}
	}
	lines, err := b.store.Org(birch).Runs().Log(t.Context(), ours.run.ID, 0, 0)
	if err != nil || len(lines) != 0 {
		t.Errorf("birch reads acme's log: %v %v", lines, err)
	}
	moves, err := b.store.Org(birch).Candidates().Transitions(t.Context(), ours.candidate.ID)
	if err != nil || len(moves) != 0 {
		t.Errorf("birch reads the moves of acme's candidate: %v %v", moves, err)
	}
}

// refusedScopes tries every way to a single thing that is not a getter by id.
func refusedScopes(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	doors := map[string]func(context.Context, store.WriteScope) error{
		"TrustSource": func(ctx context.Context, s store.WriteScope) error {
			return s.Sources().SetTrust(ctx, w.source.ID, curlew.TrustStable)
		},
		"PictureOfSource": func(ctx context.Context, s store.WriteScope) error {
			_, err := s.Sources().Picture(ctx, w.source.ID)
			return err
		},
		"MoveCandidate": func(ctx context.Context, s store.WriteScope) error {
			_, err := s.Candidates().Move(ctx, w.candidate.ID, curlew.CandidateFeasible, "")
			return err
		},
		"ActivateBlueprint": func(ctx context.Context, s store.WriteScope) error {
			_, err := s.Blueprints().Activate(ctx, w.blueprint.ID)
			return err
		},
		"SetWatchStatus": func(ctx context.Context, s store.WriteScope) error {
			return s.Watches().SetStatus(ctx, w.watch.ID, curlew.WatchPaused)
		},
		"ActiveRun": func(ctx context.Context, s store.WriteScope) error {
			_, err := s.Runs().Active(ctx, w.run.Scope)
			return err
		},
		"LockRun": func(ctx context.Context, s store.WriteScope) error {
			_, err := s.Runs().Lock(ctx, w.run.ID)
			return err
		},
		"SaveRun": func(ctx context.Context, s store.WriteScope) error { return s.Runs().Save(ctx, w.run) },
		"AppendLog": func(ctx context.Context, s store.WriteScope) error {
			return s.Runs().AppendLog(ctx, w.run.ID, curlew.LogLine{Level: curlew.LogInfo})
		},
		"EntityByExternalID": func(ctx context.Context, s store.WriteScope) error {
			_, err := s.Entities().ByExternalID(ctx, w.source.ID, w.entity.Schema, w.entity.ExternalID)
			return err
		},
		"LatestPublication": func(ctx context.Context, s store.WriteScope) error {
			_, err := s.Publications().Latest(ctx, w.run.Scope)
			return err
		},
	}
	for name, open := range doors {
		t.Run(name, func(t *testing.T) {
			wantFault(t, b.store.Write(t.Context(), birch, func(s store.WriteScope) error { return open(t.Context(), s) }), "not_found")
			must(t, b.store.Write(t.Context(), acme, func(s store.WriteScope) error { return open(t.Context(), s) }))
		})
	}
}

func danglingNouns(t *testing.T, b *bench) {
	theirs := b.fill(t, birch)
	alone := []string{"source", "run", "key"} // they refer to nothing but their org
	for _, n := range nouns() {
		w := theirs
		err := b.store.Write(t.Context(), acme, func(s store.WriteScope) error { return n.add(t.Context(), s, &w) })
		if slices.Contains(alone, n.name) {
			must(t, err)
			continue
		}
		wantFault(t, err, "dangling_reference")
	}
}
