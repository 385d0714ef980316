package watch_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/runs"
)

func TestAWatchTellsWhatAppearedChangedAndWentAway(t *testing.T) {
	observe(t, true, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40", "elk=50")
		o.MustVisit(watch)
		o.Want(0, "entity_appeared anvil", "entity_appeared bell", "entity_appeared cart", "entity_appeared drum", "entity_appeared elk")
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Items = []string{"fife=60", "cart=30", "bell=18.50", "drum=40", "elk=50"} })
		o.MustVisit(watch)
		o.Want(at, "entity_appeared fife", "entity_changed bell price 2000→1850")
		o.MustVisit(watch) // the anvil is missing for the second time, and its page is gone
		o.Want(at, "entity_appeared fife", "entity_changed bell price 2000→1850", "entity_disappeared anvil")
		o.MustVisit(watch)
		if n := len(o.ChangesAfter(at)); n != 3 {
			t.Errorf("%d changes after nothing more happened, want 3", n)
		}
		b.Set(func(b *workers.Board) { b.Items = append(b.Items, "anvil=10") })
		at = o.Sequence()
		o.MustVisit(watch)
		o.Want(at, "entity_appeared anvil")
	})
}

func TestWhatLeftTheListButHasItsPageIsNotGone(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("kept-one=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Items = b.Items[1:] })
		for range 4 {
			o.MustVisit(watch)
		}
		o.Want(at)
	})
}

func TestADamagedPageNeverMeansRemoved(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40", "elk=50", "fife=60", "gong=70", "harp=80", "iris=90", "jar=95")
		o.MustVisit(watch)
		whole := b.Page()
		at := o.Sequence()
		for name, damage := range map[string]func(*workers.Board){
			"empty": func(b *workers.Board) { b.Body = " " },
			"no list": func(b *workers.Board) {
				b.Body = "<html><body><h1>We are sorry</h1>" + strings.Repeat("Please come back. ", 80) + "</body></html>"
			},
			"captcha": func(b *workers.Board) { b.Body = "<html><body>Please verify you are human: captcha</body></html>" },
			"cut off": func(b *workers.Board) { b.Body = whole[:len(whole)/3] },
			"500":     func(b *workers.Board) { b.Status, b.Body = 500, "broken" },
			"403":     func(b *workers.Board) { b.Status, b.Body = 403, "no" },
			"no names": func(b *workers.Board) {
				b.Body = strings.ReplaceAll(strings.ReplaceAll(whole, "<h3>", "<h4>"), "</h3>", "</h4>")
			},
			"no prices":  func(b *workers.Board) { b.Body = strings.ReplaceAll(whole, `class="price"`, `class="amount"`) },
			"other list": func(b *workers.Board) { b.Body = strings.ReplaceAll(whole, `id="list"`, `id="items"`) },
		} {
			for range 2 {
				b.Set(func(b *workers.Board) { b.Status, b.Body = 0, ""; damage(b) })
				o.Visit(watch)
				if told := o.Told(at); len(told) > 0 && !slices.ContainsFunc(told, func(s string) bool { return strings.HasPrefix(s, "watch_error") }) {
					t.Errorf("%s: told %v", name, told)
				}
			}
			b.Set(func(b *workers.Board) { b.Status, b.Body = 0, "" })
			o.MustVisit(watch)
		}
		for _, told := range o.Told(at) {
			if !strings.HasPrefix(told, "watch_error") {
				t.Errorf("in the end it told %s", told)
			}
		}
	})
}

func TestABulkRemovalWaitsForAPerson(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		var items []string
		for i := range 20 {
			items = append(items, fmt.Sprintf("thing%02d=%d", i, i+1))
		}
		b, watch := o.Pinned(items...)
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Items = b.Items[:8] })
		for range 3 {
			o.MustVisit(watch)
		}
		o.Want(at)
		held, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || held.Held == nil || held.Held.Missing != 12 {
			t.Fatalf("held is %+v (%v)", held.Held, err)
		}
		err = o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			held.Held.Accepted = true
			return w.Watches().Save(t.Context(), held)
		})
		if err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		if n := len(o.Told(at)); n != 12 {
			t.Errorf("%d told after it was accepted, want 12", n)
		}
	})
}

func TestAListUnderTheFloorOfItsSourceIsAFailure(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		at := o.Sequence()
		err := o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			source, err := w.Sources().Get(t.Context(), watch.Source)
			source.MinURLs = 4
			return errors.Join(err, w.Sources().Save(t.Context(), source))
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Set(func(b *workers.Board) { b.Items = []string{"anvil=11", "bell=20", "cart=30"} })
		run := o.Visit(watch)
		if run.State != curlew.RunFailed || !strings.Contains(run.Summary, "3 entries") || !strings.Contains(run.Summary, "4") {
			t.Errorf("the run is %s: %s", run.State, run.Summary)
		}
		o.Want(at)
		b.Set(func(b *workers.Board) { b.Items = append(b.Items, "elk=50") })
		o.MustVisit(watch)
		o.Want(at, "entity_appeared elk", "entity_changed anvil price 1000→1100")
	})
}

func TestThreeFailuresOpenTheBreaker(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Status, b.Body = 500, "broken" })
		for i := range 3 {
			if run := o.Visit(watch); run.State != curlew.RunFailed {
				t.Fatalf("run %d is %s", i, run.State)
			}
			got, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
			if err != nil || got.ConsecutiveFailures != i+1 || got.LastError == "" || (got.Status == curlew.WatchError) != (i == 2) {
				t.Errorf("after %d failures: %s, %d, %q (%v)", i+1, got.Status, got.ConsecutiveFailures, got.LastError, err)
			}
		}
		o.Visit(watch) // by hand: still the same outage
		o.Want(at, "watch_error")
		b.Set(func(b *workers.Board) { b.Status = 0; b.Body = "" })
		o.MustVisit(watch) // by hand
		o.MustVisit(watch)
		o.Want(at, "watch_error", "source_healed")
		got, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || got.Status != curlew.WatchActive || got.ConsecutiveFailures != 0 || got.LastError != "" {
			t.Errorf("after it came back: %+v (%v)", got, err)
		}
	})
}

func TestAnUnchangedPageCostsNothing(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		b.Set(func(b *workers.Board) { b.Tag = `"v1"` })
		o.MustVisit(watch)
		at := o.Sequence()
		scope := o.Store.Org(curlew.DefaultOrg)
		for range 10 {
			run := o.MustVisit(watch)
			if run.Counters[curlew.CountSkipped] != 1 || run.Counters[curlew.CountScraped] != 0 {
				t.Errorf("the run says %s", run.Summary)
			}
			if records, err := scope.Records().List(t.Context(), run.ID, store.Window{}); err != nil || len(records) != 0 {
				t.Errorf("%d new records (%v)", len(records), err)
			}
		}
		o.Want(at)
	})
}

func TestAWatchIsVisitedWhenItsTimeHasCome(t *testing.T) {
	observe(t, true, func(o *watching) {
		_, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		past := time.Now().Add(-time.Minute)
		watch.NextRunAt = &past
		err := o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error { return w.Watches().Save(t.Context(), watch) })
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // however often it is looked
			if err := o.Handlers()[runs.KindTick](t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		runs, err := o.Store.Org(curlew.DefaultOrg).Runs().List(t.Context(), store.RunFilter{}, store.Window{})
		if err != nil || len(runs) != 1 {
			t.Fatalf("%d runs (%v), want one", len(runs), err)
		}
		defer o.Work()()
		o.Ended(runs[0])
		got, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || got.LastRunAt == nil || got.NextRunAt == nil || got.NextRunAt.Sub(*got.LastRunAt) < time.Minute {
			t.Errorf("after its visit the watch is %+v (%v)", got, err)
		}
	})
}

// Events that are over and still listed are known again when their addresses are gone.
func TestWhatIsOverIsKnownAgainWithoutItsAddress(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		page := func(linked bool) string {
			var list strings.Builder
			for i, name := range workers.PlanNames[:8] {
				title, day := name+" in the old mill", o.Now().AddDate(0, 0, 3*(i-3)).Format("2 January 2006")
				if linked {
					title = fmt.Sprintf(`<a href="/e/%d">%s</a>`, i, title)
				}
				fmt.Fprintf(&list, `<li><h3>%s</h3><p class="when">%s, 19:30</p></li>`, title, day)
			}
			return "<html><head><title>Concerts</title></head><body><h1>Concerts</h1><ul>" + list.String() + "</ul></body></html>"
		}
		b := &workers.Board{Body: page(true)}
		site := demo.Site{Name: "mill", Title: "Concerts", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = page(false) })
		o.MustVisit(watch)
		for _, told := range o.Told(at) {
			if strings.Contains(told, "appeared") {
				t.Errorf("told as new: %s", told)
			}
		}
	})
}
