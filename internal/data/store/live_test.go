package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

func idempotency(t *testing.T, b *bench) {
	claim := func(org curlew.OrgID, request string, keep, lapse time.Duration) (kept *store.KeptAnswer) {
		b.write(t, org, func(s store.WriteScope) (err error) {
			kept, err = s.Idempotency().Claim(t.Context(), "k", request, keep, lapse)
			return err
		})
		return kept
	}
	age := func() { // makes all keys two hours old
		b.write(t, acme, func(s store.WriteScope) error {
			_, err := s.Tx.Exec(t.Context(), `UPDATE idempotency_keys SET created_at = {now} - ?`, (2 * time.Hour).Microseconds())
			return err
		})
	}
	if kept := claim(acme, "r1", time.Hour, time.Hour); kept != nil {
		t.Errorf("a new key was taken already: %+v", kept)
	}
	if kept := claim(acme, "r2", time.Hour, time.Hour); kept == nil || kept.Request != "r1" || kept.Status != 0 {
		t.Errorf("while the first is being answered: %+v", kept)
	}
	if kept := claim(birch, "r1", time.Hour, time.Hour); kept != nil {
		t.Errorf("another org's key is in the way: %+v", kept)
	}
	b.write(t, acme, func(s store.WriteScope) error { return s.Idempotency().Keep(t.Context(), "k", 201, words) })
	b.write(t, acme, func(s store.WriteScope) error { return s.Idempotency().Release(t.Context(), "k") })
	if kept := claim(acme, "r1", time.Hour, 0); kept == nil || kept.Status != 201 || kept.Answer != words {
		t.Errorf("the answer is kept as %+v", kept)
	}
	age()
	if kept := claim(acme, "r1", time.Hour, 0); kept != nil {
		t.Errorf("an old key is remembered: %+v", kept)
	}
	b.write(t, acme, func(s store.WriteScope) error { return s.Idempotency().Release(t.Context(), "k") })
	if kept := claim(acme, "r3", time.Hour, time.Hour); kept != nil {
		t.Errorf("a released key is taken: %+v", kept)
	}
	age()
	if kept := claim(acme, "r4", 3*time.Hour, time.Hour); kept != nil {
		t.Errorf("a claim that came to nothing stays: %+v", kept)
	}
	wantFault(t, b.store.Write(t.Context(), empty, func(s store.WriteScope) error {
		return s.Idempotency().Keep(t.Context(), "k", 200,
			"")
	}), "not_found")
}

func lookingOn(t *testing.T, b *bench) {
	ours, theirs := b.fill(t, acme), b.fill(t, birch)
	moved, err := b.store.Org(acme).Runs().ChangedSince(t.Context(), time.Time{}, "", 0)
	must(t, err)
	if len(moved) != 1 || moved[0].ID != ours.run.ID || moved[0].ChangedAt.IsZero() {
		t.Fatalf("%+v changed, want %s", moved, ours.run.ID)
	}
	since := moved[0].ChangedAt
	if again, err := b.store.Org(acme).Runs().ChangedSince(t.Context(), since, "", 0); err != nil || len(again) != 0 {
		t.Errorf("since then %+v changed: %v", again, err)
	}
	if ties, err := b.store.Org(acme).Runs().ChangedSince(t.Context(), since, "run_", 0); err != nil || len(ties) != 1 {
		t.Errorf("%d runs of the same moment come after no run, want one: %v", len(ties), err)
	}
	eventually.Told(t, "the clock has moved on and the run that was saved is seen", func() (bool, string) {
		ours.run.State = curlew.RunRunning
		b.write(t, acme, func(s store.WriteScope) error { return s.Runs().Save(t.Context(), ours.run) })
		again, err := b.store.Org(acme).Runs().ChangedSince(t.Context(), since, "", 0)
		must(t, err)
		return len(again) == 1 && again[0].State == curlew.RunRunning, fmt.Sprintf("%+v", again)
	})
	pages, err := b.store.Org(acme).Pages().Since(t.Context(), time.Now().Add(-time.Hour), "", 0)
	must(t, err)
	if len(pages) != 1 || pages[0].ID != ours.page.ID || pages[0].ID == theirs.page.ID {
		t.Errorf("%+v came, want %s", pages, ours.page.ID)
	}
	if pages, err = b.store.Org(acme).Pages().Since(t.Context(), time.Now().Add(time.Hour), "", 0); err != nil || len(pages) != 0 {
		t.Errorf("%+v came in the future: %v", pages, err)
	}
	if pages, err = b.store.Org(acme).Pages().Since(t.Context(), time.Time{}, ours.page.ID, 0); err != nil || len(pages) != 0 {
		t.Errorf("%+v came after itself: %v", pages, err)
	}
	if n, err := b.store.Org(acme).Pages().CountSince(t.Context(), time.Now().Add(-time.Hour)); err != nil || n != 1 {
		t.Errorf("%d pages came, want one: %v", n, err)
	}
	if now, err := b.store.Clock(t.Context()); err != nil || time.Since(now).Abs() > 30*time.Minute {
		t.Errorf("the clock says %s: %v", now, err)
	}
}
