package store_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func entities(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.fill(t, acme) // another source knows another thing by the same id
	got, err := b.store.Org(acme).Entities().ByExternalID(t.Context(), w.source.ID, w.entity.Schema, w.entity.ExternalID)
	if err != nil || got.ID != w.entity.ID {
		t.Errorf("found %s (%v), want %s", got.ID, err, w.entity.ID)
	}
	_, err = b.store.Org(acme).Entities().ByExternalID(t.Context(), w.source.ID, curlew.SchemaJob, w.entity.ExternalID)
	wantFault(t, err, "not_found")
	err = b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
		_, err := s.Entities().Add(t.Context(), sampleEntity(&w))
		return err
	})
	wantFault(t, err, "exists_already")
}

// publish adds a publication to the scope of a world's run.
func (b *bench) publish(t *testing.T, w *world, supersedes curlew.PublicationID) (p curlew.Publication, err error) {
	p = samplePublication(w)
	p.Supersedes = supersedes
	err = b.store.Write(t.Context(), acme, func(s store.WriteScope) (err error) {
		p, err = s.Publications().Add(t.Context(), p)
		return err
	})
	return p, err
}

func publications(t *testing.T, b *bench) {
	w := b.fill(t, acme) // it has published twice
	third, err := b.publish(t, &w, w.publication.ID)
	must(t, err)
	_, err = b.publish(t, &w, w.publication.ID)
	wantFault(t, err, "exists_already")
	_, err = b.publish(t, &w, "")
	wantFault(t, err, "exists_already")
	_, err = b.publish(t, &w, "pub_unknown")
	wantFault(t, err, "dangling_reference")
	b.write(t, acme, func(s store.WriteScope) error { // the clock of the third was wrong
		_, err := s.Tx.Exec(t.Context(), `UPDATE publications SET published_at = 0 WHERE id = ?`, third.ID)
		return err
	})
	latest, err := b.store.Org(acme).Publications().Latest(t.Context(), w.run.Scope)
	if err != nil || latest.ID != third.ID || latest.Supersedes != w.publication.ID {
		t.Errorf("the latest is %+v (%v), want %s", latest, err, third.ID)
	}
	_, err = b.store.Org(acme).Publications().Latest(t.Context(), "another scope")
	wantFault(t, err, "not_found")
}

func publicationRace(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	next := together(8, func(int) error { _, err := b.publish(t, &w, w.publication.ID); return err })
	wantOneWinner(t, next, "exists_already")
	w.run.Scope = "a fresh scope"
	first := together(8, func(int) error { _, err := b.publish(t, &w, ""); return err })
	wantOneWinner(t, first, "exists_already")
}

func (b *bench) sequences(t *testing.T, org curlew.OrgID) (all []int64) {
	t.Helper()
	changes, err := b.store.Org(org).Changes().List(t.Context(), store.ChangeFilter{}, 0, 1000)
	must(t, err)
	for _, c := range changes {
		all = append(all, c.Sequence)
	}
	return all
}

func changeRace(t *testing.T, b *bench) {
	const writers, each = 8, 5
	errs := together(writers, func(i int) error {
		org := []curlew.OrgID{acme, birch}[i%2]
		return b.store.Write(t.Context(), org, func(s store.WriteScope) error {
			for range each {
				if _, err := s.Changes().Add(t.Context(), curlew.Change{Kind: curlew.SourceHealed}); err != nil {
					return err
				}
			}
			return nil
		})
	})
	for _, err := range errs {
		must(t, err)
	}
	for _, org := range []curlew.OrgID{acme, birch} {
		t.Run(string(org), func(t *testing.T) {
			got := b.sequences(t, org)
			for i, n := range got {
				if n != int64(i+1) {
					t.Fatalf("the sequences of %s are %v", org, got)
				}
			}
			if len(got) != writers/2*each {
				t.Errorf("%s has %d changes, want %d", org, len(got), writers/2*each)
			}
		})
	}
}

func changeUndone(t *testing.T, b *bench) {
	add := func(c curlew.Change, end error) error {
		return b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
			if _, err := s.Changes().Add(t.Context(), c); err != nil && end != nil {
				return err
			}
			return end
		})
	}
	healed := curlew.Change{Kind: curlew.SourceHealed}
	must(t, add(healed, nil))
	if err := add(healed, errUndo); !errors.Is(err, errUndo) {
		t.Fatal(err)
	}
	// Even a caller that overlooks the failure leaves no gap.
	if err := add(curlew.Change{Kind: curlew.EntityAppeared, Entity: "ent_unknown"}, nil); err == nil {
		t.Fatal("a failure was committed")
	}
	must(t, add(healed, nil))
	if got := b.sequences(t, acme); !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("the sequences are %v", got)
	}
}

func changeVersions(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	add := func(version int) error {
		return b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
			_, err := s.Changes().Add(t.Context(), curlew.Change{Kind: curlew.PositionChanged, Entity: w.entity.ID, Version: version})
			return err
		})
	}
	wantFault(t, add(w.change.Version), "exists_already")
	must(t, add(w.change.Version+1))
	must(t, add(0)) // a change that makes no version
	must(t, add(0))
	b.write(t, acme, func(s store.WriteScope) error {
		w.entity.Version++
		return s.Entities().Save(t.Context(), w.entity)
	})
	violations, err := b.store.Check(t.Context())
	if err != nil || len(violations) != 0 {
		t.Errorf("the check finds %v (%v)", violations, err)
	}
}

func deliveries(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	ids := make([]curlew.DeliveryID, 8)
	errs := together(len(ids), func(i int) error {
		return b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
			again := sampleDelivery(&w)
			again.Status, again.Attempts = curlew.DeliveryDelivered, 9
			kept, err := s.Deliveries().Add(t.Context(), again)
			if kept.Status != curlew.DeliveryPending || kept.Attempts != 1 {
				t.Errorf("the second time changed the first: %+v", kept)
			}
			ids[i] = kept.ID
			return err
		})
	})
	for i, err := range errs {
		if err != nil || ids[i] != w.delivery.ID {
			t.Errorf("got %s (%v), want the one there is, %s", ids[i], err, w.delivery.ID)
		}
	}
	all, err := b.store.Org(acme).Deliveries().List(t.Context(), store.DeliveryFilter{}, store.Window{})
	if err != nil || len(all) != 1 {
		t.Errorf("there are %d deliveries (%v)", len(all), err)
	}
}
