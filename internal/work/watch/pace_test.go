package watch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/schedule"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// adaptiveWatches adds watches of one source whose pages change from hourly to monthly,
// and whose looks take from one to four requests.
func (o *watching) adaptiveWatches(count int) (watches []curlew.Watch) {
	o.Helper()
	err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		source, err := w.Sources().Add(o.Context(), curlew.Source{Name: "Many pages", BaseURL: "https://a.example", Trust: curlew.TrustStable})
		if err != nil {
			return err
		}
		b, err := w.Blueprints().Add(o.Context(), curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaItem, PageType: "list", Tier: curlew.TierHTML, Rules: []byte(`{}`)})
		if err != nil {
			return err
		}
		for i := range count {
			perDay := []float64{24, 4, 1, 0.2, 1. / 30}[i%5]
			watch, err := w.Watches().Add(o.Context(), curlew.Watch{Source: source.ID, Blueprint: b.ID, URL: fmt.Sprintf("https://a.example/%d", i), Schedule: "adaptive", Status: curlew.WatchActive,
				Rhythm: curlew.Rhythm{Checks: 100, Exposure: 30, Changed: 30 * perDay, LastCheckAt: workers.Today, Cost: float64(1 + i%4)}})
			if err != nil {
				return err
			}
			watches = append(watches, watch)
		}
		return nil
	})
	if err != nil {
		o.Fatal(err)
	}
	return watches
}

// requestsPerDay is what watches would ask for at a pace.
func requestsPerDay(t *testing.T, watches []curlew.Watch, pace schedule.Pace) (sum float64) {
	t.Helper()
	for _, w := range watches {
		s, err := schedule.Parse(w.Schedule)
		if err != nil {
			t.Fatal(err)
		}
		adaptive, _ := s.For(string(w.ID)).Adaptive()
		next, _ := adaptive.Next(w.Rhythm, w.Rhythm.LastCheckAt, pace)
		sum += w.Rhythm.Cost * 24 / next.Sub(w.Rhythm.LastCheckAt).Hours()
	}
	return sum
}

func TestADaysBudgetLastsTheDay(t *testing.T) {
	observe(t, true, func(o *watching) {
		watches := o.adaptiveWatches(600) // more than one page of a listing
		scope, none := o.Store.Org(curlew.DefaultOrg), requestsPerDay(o.T, watches, 0)
		const budget = 5000
		if none < 2*budget {
			o.Fatalf("without a budget they ask %.0f times a day, which proves nothing", none)
		}
		for _, budgets := range [][]curlew.DayBudget{
			{{Most: budget}, {Subject: "source:" + string(watches[0].Source)}},
			{{Most: 1_000_000}, {Subject: "source:" + string(watches[0].Source), Most: budget}},
		} {
			paces := &watch.Paces{}
			pace, err := paces.Of(o.Context(), scope, watches[0], budgets, workers.Today)
			if err != nil {
				o.Fatal(err)
			}
			if asked := requestsPerDay(o.T, watches, pace); asked > budget || asked < budget/2 {
				o.Errorf("of %d requests a day (%.0f without a budget) they take %.0f: %+v", budget, none, asked, budgets)
			}
		}
	})
}

func TestABudgetThatIsLargeEnoughChangesNothing(t *testing.T) {
	observe(t, false, func(o *watching) {
		watches := o.adaptiveWatches(20)
		paces := &watch.Paces{}
		pace, err := paces.Of(o.Context(), o.Store.Org(curlew.DefaultOrg), watches[0], []curlew.DayBudget{{Most: 1_000_000}}, workers.Today)
		if err != nil || pace != schedule.DefaultPace {
			o.Errorf("the pace is %s: %v", time.Duration(pace), err)
		}
		if pace, err = paces.Of(o.Context(), o.Store.Org(curlew.DefaultOrg), watches[0], []curlew.DayBudget{{}, {Subject: "source:x"}}, workers.Today); err != nil || pace != 0 {
			o.Errorf("without a budget the pace is %s: %v", time.Duration(pace), err)
		}
	})
}

func TestAWatchKnowsWhatACheckTakes(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		watch, err := o.EditWatch(watch.ID, func(w *curlew.Watch) error { w.Schedule = "adaptive"; return nil })
		if err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		b.Set(func(b *workers.Board) { b.Items[0] = "anvil=11" })
		run := o.MustVisit(watch)
		got, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if want := run.Counters[curlew.CountScraped] + run.Counters[curlew.CountSkipped]; err != nil || want == 0 || got.Rhythm.Cost != float64(want) {
			t.Errorf("a check took %d requests, the watch says %v: %v", want, got.Rhythm.Cost, err)
		}
	})
}
