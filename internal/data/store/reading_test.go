package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// fillReading gives an org a URL in its log and one in a frontier.
func (b *bench) fillReading(ctx context.Context, s store.WriteScope, w *world) error {
	visit := curlew.Visit{URL: "https://example.org/e", Key: "https://example.org/e"}
	if err := s.URLs().Seen(ctx, "source", []curlew.Visit{visit}); err != nil {
		return err
	}
	if err := s.URLs().Fetched(ctx, "source", visit, w.page); err != nil {
		return err
	}
	_, err := s.Frontier().Add(ctx, w.run.ID, []curlew.Visit{visit})
	return err
}

func hostTurns(t *testing.T, b *bench) {
	const askers, gap = 12, time.Minute // so long that it is no matter how busy the machine is
	var mu sync.Mutex
	var turns []time.Time
	var group sync.WaitGroup
	for range askers {
		group.Go(func() {
			wait, taken, err := b.store.ReserveHost(t.Context(), "example.org", gap, time.Hour)
			if err != nil || !taken {
				t.Errorf("taken %v, error %v", taken, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			turns = append(turns, time.Now().Add(wait))
		})
	}
	group.Wait()
	slices.SortFunc(turns, time.Time.Compare)
	if spread := turns[len(turns)-1].Sub(turns[0]); spread < (askers-2)*gap {
		t.Errorf("%d turns lie within %v, want about %v", askers, spread, (askers-1)*gap)
	}
	wait, taken, err := b.store.ReserveHost(t.Context(), "example.org", gap, 0)
	if err != nil || taken || wait <= 0 {
		t.Errorf("a turn that is too far away: wait %v, taken %v, error %v", wait, taken, err)
	}
	again, _, _ := b.store.ReserveHost(t.Context(), "example.org", gap, 0)
	if again > wait {
		t.Errorf("a turn that was not taken moved the queue from %v to %v", wait, again)
	}
	if wait, taken, err := b.store.ReserveHost(t.Context(), "other.example", gap, 0); wait != 0 || !taken || err != nil {
		t.Errorf("another host: wait %v, taken %v, error %v", wait, taken, err)
	}
}

func hostRests(t *testing.T, b *bench) {
	for _, d := range []time.Duration{time.Hour, time.Minute} { // the longer rest counts
		if err := b.store.RestHost(t.Context(), "example.org", d, "Retry-After"); err != nil {
			t.Fatal(err)
		}
	}
	wait, taken, err := b.store.ReserveHost(t.Context(), "example.org", time.Second, time.Minute)
	if err != nil || taken || wait < 59*time.Minute {
		t.Errorf("wait %v, taken %v, error %v", wait, taken, err)
	}
}

func robotsKept(t *testing.T, b *bench) {
	file := curlew.RobotsFile{Origin: "https://example.org", Status: 200, Body: []byte("User-agent: *\nDisallow: /x")}
	if _, found, err := b.store.Robots(t.Context(), file.Origin); found || err != nil {
		t.Errorf("found %v, error %v", found, err)
	}
	if err := b.store.KeepRobots(t.Context(), file, time.Hour); err != nil {
		t.Fatal(err)
	}
	kept, found, err := b.store.Robots(t.Context(), file.Origin)
	if err != nil || !found || string(kept.Body) != string(file.Body) || kept.FetchedAt.IsZero() {
		t.Errorf("%+v, found %v, error %v", kept, found, err)
	}
	if err := b.store.KeepRobots(t.Context(), file, -time.Second); err != nil {
		t.Fatal(err)
	}
	if _, found, _ := b.store.Robots(t.Context(), file.Origin); found {
		t.Error("an old file is still used")
	}
}

func budgets(t *testing.T, b *bench) {
	spend := func(org curlew.OrgID, most int64) error {
		return b.store.Spend(t.Context(), org, "2026-03-02", 1, curlew.DayBudget{Most: 5}, curlew.DayBudget{Subject: "source:1", Most: most})
	}
	for range 3 {
		if err := spend(acme, 3); err != nil {
			t.Fatal(err)
		}
	}
	if fault := curlew.AsFault(spend(acme, 3)); !errors.Is(fault, curlew.ErrOverBudget) || fault.Kind != curlew.KindRefused {
		t.Errorf("the fourth of three: %+v", fault)
	}
	for range 2 { // what was refused has not been counted for the org either
		if err := spend(acme, 0); err != nil {
			t.Error(err)
		}
	}
	if curlew.AsFault(spend(acme, 0)) == nil {
		t.Error("the sixth of the org's five was allowed")
	}
	if err := spend(birch, 3); err != nil {
		t.Errorf("another org: %v", err)
	}
}

func visits(n int, depth int) []curlew.Visit {
	var all []curlew.Visit
	for i := range n {
		url := fmt.Sprintf("https://example.org/%d/%d", depth, i)
		all = append(all, curlew.Visit{URL: url, Key: url, FoundOn: "https://example.org/", Depth: depth})
	}
	return all
}

func urlLog(t *testing.T, b *bench) {
	all := visits(1001, 1)
	all[0].LastMod = pointer(morning)
	b.write(t, acme, func(s store.WriteScope) error {
		if err := s.URLs().Seen(t.Context(), "source", all); err != nil {
			return err
		}
		return s.URLs().Fetched(t.Context(), "source", all[0], curlew.Page{Outcome: curlew.OutcomeFetched, Status: 200, ETag: "e1", Digest: "d1"})
	})
	b.write(t, acme, func(s store.WriteScope) error { // a failure forgets no validator
		return s.URLs().Fetched(t.Context(), "source", all[0], curlew.Page{Outcome: curlew.OutcomeFailed, Status: 500})
	})
	found, err := b.store.Org(acme).URLs().Found(t.Context(), "source", []string{all[0].Key, all[7].Key, "unknown"})
	if err != nil || len(found) != 2 {
		t.Fatalf("%d found, error %v", len(found), err)
	}
	first := found[all[0].Key]
	if first.ETag != "e1" || first.Digest != "d1" || first.Outcome != curlew.OutcomeFailed || !first.Active || !first.LastMod.Equal(morning) {
		t.Errorf("%+v", first)
	}
	b.write(t, acme, func(s store.WriteScope) error {
		return s.URLs().Unchanged(t.Context(), "source", []string{all[0].Key, all[7].Key}, 304)
	})
	found, err = b.store.Org(acme).URLs().Found(t.Context(), "source", []string{all[0].Key, all[7].Key, all[8].Key})
	if f := found[all[0].Key]; err != nil || f.Outcome != curlew.OutcomeNotModified || f.Status != 304 || f.ETag != "e1" ||
		f.LastMod != nil || found[all[7].Key].FetchedAt == nil || found[all[8].Key].FetchedAt != nil {
		t.Errorf("%+v, error %v", found, err)
	}
	if elsewhere, err := b.store.Org(birch).URLs().List(t.Context(), "source", false, store.Window{}); err != nil || len(elsewhere) > 0 {
		t.Errorf("another org sees %d URLs, error %v", len(elsewhere), err)
	}
}

func orphans(t *testing.T, b *bench) {
	var run curlew.Run
	old := visits(3, 1)
	old[2].FoundOn = old[0].URL
	b.write(t, acme, func(s store.WriteScope) error {
		if err := s.URLs().Seen(t.Context(), "source", old); err != nil {
			return err
		}
		_, err := s.Tx.Exec(t.Context(), `UPDATE url_log SET last_seen_at = last_seen_at - ?`, time.Hour.Microseconds()) // before the run
		return err
	})
	b.write(t, acme, func(s store.WriteScope) (err error) {
		if run, err = s.Runs().Add(t.Context(), curlew.Run{Kind: curlew.RunCrawl, Scope: "source"}); err != nil {
			return err
		}
		if err := s.URLs().Seen(t.Context(), "source", old[:1]); err != nil { // the first is found again, and unchanged
			return err
		}
		if _, err := s.Frontier().Add(t.Context(), run.ID, old[:1]); err != nil {
			return err
		}
		return s.Frontier().End(t.Context(), run.ID, []string{old[0].Key}, curlew.VisitDone, string(curlew.OutcomeNotModified))
	})
	b.write(t, acme, func(s store.WriteScope) error {
		if err := s.URLs().SeenAgain(t.Context(), "source", []string{"unknown"}, time.Now()); err != nil {
			return err
		}
		gone, err := s.URLs().Orphans(t.Context(), "source", run)
		if len(gone) != 1 || gone[0] != old[1].URL {
			t.Errorf("orphans %v, want only the second: the third was found on a page that has not changed", gone)
		}
		return err
	})
	active, _ := b.store.Org(acme).URLs().List(t.Context(), "source", true, store.Window{})
	all, _ := b.store.Org(acme).URLs().List(t.Context(), "source", false, store.Window{})
	if len(active) != 2 || len(all) != 3 {
		t.Errorf("%d active of %d", len(active), len(all))
	}
}

func frontier(t *testing.T, b *bench) {
	var run curlew.Run
	b.write(t, acme, func(s store.WriteScope) (err error) {
		if run, err = s.Runs().Add(t.Context(), curlew.Run{Kind: curlew.RunCrawl, Scope: "crawl"}); err != nil {
			return err
		}
		for i, add := range []struct {
			visits []curlew.Visit
			want   int
		}{{visits(900, 2), 900}, {visits(3, 1), 3}, {visits(901, 2), 1}} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if keys, err := s.Frontier().Add(t.Context(), run.ID, add.visits); err != nil || len(keys) != add.want {
					t.Errorf("%d of %d were new, want %d, error %v", len(keys), len(add.visits), add.want, err)
				}
			})
		}
		if err := s.Frontier().End(t.Context(), run.ID, []string{"unknown"}, curlew.VisitDone, ""); !errors.Is(err, curlew.ErrNotFound) {
			t.Errorf("the end of a visit that never was: %v", err)
		}
		return s.Frontier().End(t.Context(), run.ID, []string{"https://example.org/1/1"}, curlew.VisitSkipped, "unchanged")
	})
	next, err := b.store.Org(acme).Frontier().Next(t.Context(), run.ID, 3)
	if err != nil || len(next) != 3 || next[0].URL != "https://example.org/1/0" || next[1].URL != "https://example.org/1/2" || next[2].URL != "https://example.org/2/0" {
		t.Errorf("next are %+v, error %v", next, err)
	}
	counts, err := b.store.Org(acme).Frontier().Count(t.Context(), run.ID)
	if err != nil || counts[curlew.VisitWaiting] != 903 || counts[curlew.VisitSkipped] != 1 {
		t.Errorf("%v, error %v", counts, err)
	}
}

func archivedPages(t *testing.T, b *bench) {
	b.write(t, acme, func(s store.WriteScope) error {
		for i, at := range []time.Time{morning, evening} {
			_, err := s.Pages().Add(t.Context(), curlew.Page{URL: "https://example.org/", Outcome: curlew.OutcomeFetched, FetchedAt: at,
				Digest: fmt.Sprint("d", i), ArchiveRef: fmt.Sprint("ref", i)})
			if err != nil {
				return err
			}
		}
		return nil
	})
	scope := b.store.Org(acme)
	for _, c := range []struct {
		at   time.Time
		want string
	}{{time.Time{}, "ref1"}, {evening.Add(-time.Hour), "ref0"}, {evening, "ref1"}} {
		t.Run(c.want, func(t *testing.T) {
			if page, err := scope.Pages().At(t.Context(), "https://example.org/", c.at); err != nil || page.ArchiveRef != c.want {
				t.Errorf("at %v: %s, want %s, error %v", c.at, page.ArchiveRef, c.want, err)
			}
		})
	}
	if _, err := scope.Pages().At(t.Context(), "https://example.org/", morning.Add(-time.Hour)); curlew.AsFault(err) == nil {
		t.Error("there is a page from before the first")
	}
	if page, found, err := b.store.ArchivedPayload(t.Context(), "d0"); err != nil || !found || page.ArchiveRef != "ref0" {
		t.Errorf("by digest: %+v, found %v, error %v", page, found, err)
	}
}
