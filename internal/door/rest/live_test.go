package rest

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func names(events []Event) (all []string) {
	for _, e := range events {
		all = append(all, e.Name)
	}
	return all
}

func TestATellerTellsEachThingOnce(t *testing.T) {
	r := &river{changes: []curlew.Change{{Sequence: 1}, {Sequence: 2}}, pages: []curlew.Page{{ID: "pag_1", URL: "https://a.example/", Outcome: curlew.OutcomeNotModified}},
		runs: []store.MovedRun{{Run: curlew.Run{ID: "run_1", State: curlew.RunRunning}, ChangedAt: dawn}}}
	teller := newEventReader("acme", r.source(), Position{At: dawn.Add(-time.Hour)})
	events, more, err := teller.next(t.Context())
	if want := []string{"change", "change", "article.processed", "domain.metrics", "job.progress"}; err != nil || more || !slices.Equal(names(events), want) {
		t.Fatalf("%v %v %v", names(events), more, err)
	}
	if again, _, _ := teller.next(t.Context()); len(again) != 0 {
		t.Errorf("again: %v", names(again))
	}
	r.runs = []store.MovedRun{{Run: curlew.Run{ID: "run_2", State: curlew.RunPending}, ChangedAt: dawn.Add(-5 * time.Second)}, {Run: curlew.Run{ID: "run_1", State: curlew.RunFailed}, ChangedAt: dawn.Add(time.Second)}}
	later, _, _ := teller.next(t.Context())
	if want := []string{"job.progress", "job.complete"}; !slices.Equal(names(later), want) { // the first became visible late
		t.Errorf("later: %v", names(later))
	}
	place, err := unpackCursor("acme", "live", later[1].ID)
	if at, failed := parsePosition(place); err != nil || failed != nil || at != (Position{2, dawn.Add(time.Second)}) {
		t.Errorf("the cursor leads to %+v: %v %v", at, err, failed)
	}
}

func TestATellerReadsAllOfABusyMoment(t *testing.T) {
	r := &river{}
	for n := range 3 * batchSize {
		r.changes = append(r.changes, curlew.Change{Sequence: int64(n + 1)})
		r.pages = append(r.pages, curlew.Page{ID: curlew.PageID(fmt.Sprintf("pag_%05d", n)), URL: "https://a.example/"})
		r.runs = append(r.runs, store.MovedRun{Run: curlew.Run{ID: curlew.RunID(fmt.Sprintf("run_%05d", n)), State: curlew.RunPending}, ChangedAt: dawn}) // all in one moment
	}
	teller, counts := newEventReader("acme", r.source(), Position{At: dawn}), map[string]int{}
	for more := true; more; {
		var events []Event
		events, more, _ = teller.next(t.Context())
		for _, e := range events {
			counts[e.Name]++
		}
	}
	for _, name := range []string{"change", "article.processed", "job.progress"} {
		t.Run(name, func(t *testing.T) {
			if counts[name] != 3*batchSize {
				t.Errorf("%d of %d", counts[name], 3*batchSize)
			}
		})
	}
}

func TestAViewerWhoDoesNotReadIsSentAwayAndOthersGoOn(t *testing.T) {
	r := &river{}
	h := newHubs(Options{Poll: time.Millisecond, Log: slog.New(slog.DiscardHandler)})
	asleep, _, err := h.join(t.Context(), "acme", r.source())
	if err != nil {
		t.Fatal(err)
	}
	awake, _, err := h.join(t.Context(), "acme", r.source())
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 * mostWaiting {
		if n%64 == 0 { // so few that nobody who reads is too slow
			r.mu.Lock()
			for i := range 64 {
				r.changes = append(r.changes, curlew.Change{Sequence: int64(n + i + 1)})
			}
			r.mu.Unlock()
		}
		select {
		case <-awake.events:
		case <-awake.gone:
			t.Fatalf("the one who reads was sent away after %d events", n)
		case <-time.After(2 * time.Minute):
			t.Fatalf("the one who reads waits for event %d", n)
		}
	}
	select {
	case <-asleep.gone:
	case <-time.After(2 * time.Minute):
		t.Fatal("the sleeper was not sent away")
	}
	if len(asleep.events) != mostWaiting || !strings.Contains(asleep.why, "too slowly") {
		t.Errorf("%d events wait for the sleeper, %q", len(asleep.events), asleep.why)
	}
	h.leave("acme", asleep)
	h.leave("acme", awake)
	if len(h.by) != 0 {
		t.Error("the hub goes on though nobody looks on")
	}
}

func TestPlacesThatSomebodyMadeUpAreRefused(t *testing.T) {
	for _, place := range []string{"", "1", ".", "1.", "-1.5", "1.-5", "1.5.6", "x.y", "99999999999999999999.1"} {
		t.Run(place, func(t *testing.T) {
			if at, err := parsePosition(place); err == nil {
				t.Errorf("%q is %+v", place, at)
			}
		})
	}
	good := packCursor("acme", "live", "1.5")
	for _, c := range []struct {
		org     curlew.OrgID
		listing string
		text    string
	}{{"birch", "live", good}, {"acme", "/runs?", good}, {"acme", "live", good + "A"}, {"acme", "live", good[1:]}, {"acme", "live", "!"}} {
		t.Run(c.listing, func(t *testing.T) {
			if place, err := unpackCursor(c.org, c.listing, c.text); err == nil {
				t.Errorf("%+v is %q", c, place)
			}
		})
	}
}
