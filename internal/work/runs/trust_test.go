package runs_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

func (o *observatory) source(id curlew.SourceID) curlew.Source {
	o.Helper()
	s, err := o.store.Org(curlew.DefaultOrg).Sources().Get(o.Context(), id)
	if err != nil {
		o.Fatal(err)
	}
	return s
}

func TestGoodRunsOnThreeDaysEndProbation(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		_, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		for i := range 3 {
			if trust := o.source(watch.Source).Trust; trust != curlew.TrustProbation {
				t.Fatalf("after %d runs it is %s", i, trust)
			}
			for range 3 { // one a day counts, however often somebody checks
				o.mustVisit(watch)
			}
			if s := o.source(watch.Source); s.GoodRuns != i+1 {
				t.Errorf("after %d days, %d good runs count", i+1, s.GoodRuns)
			}
			o.days.Add(1)
		}
		if s := o.source(watch.Source); s.Trust != curlew.TrustStable || s.Quality == nil {
			t.Errorf("after good runs on three days it is %s with the quality %v", s.Trust, s.Quality)
		}
	})
}

// marked says of the changes after a sequence whether each came on probation.
func (o *observatory) marked(after int64) (all []bool) {
	o.Helper()
	for _, c := range o.changesAfter(after) {
		var p curlew.ChangePayload
		if err := json.Unmarshal(c.Payload, &p); err != nil {
			o.Fatal(err)
		}
		all = append(all, p.Probation)
	}
	return all
}

// On probation a source is checked more often, its changes are marked, and only good runs in a row end it.
func TestProbationMeansACloserLook(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		b, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		edit := func(w *curlew.Watch) error { w.Schedule = "adaptive"; return nil }
		if _, err := o.EditWatch(t.Context(), curlew.DefaultOrg, watch.ID, edit); err != nil {
			t.Fatal(err)
		}
		o.mustVisit(watch)
		o.mustVisit(watch)
		if next := o.watchNow(watch.ID).NextRunAt; next == nil || time.Until(*next) > 3*time.Hour {
			t.Errorf("on probation it is checked next at %v", next)
		}
		if marks := o.marked(0); len(marks) != 4 || slices.Contains(marks, false) {
			t.Errorf("marked %v", marks)
		}
		b.set(func(b *board) { b.status = 500 })
		o.visit(watch)
		b.set(func(b *board) { b.status = 0; b.items[0] = "anvil=11" })
		at := o.sequence()
		for i := range 3 {
			if trust := o.source(watch.Source).Trust; trust != curlew.TrustProbation {
				t.Fatalf("after a failure and %d good runs it is %s", i, trust)
			}
			o.days.Add(1)
			o.mustVisit(watch)
		}
		if trust := o.source(watch.Source).Trust; trust != curlew.TrustStable {
			t.Errorf("after three good runs in a row it is %s", trust)
		}
		b.set(func(b *board) { b.items[0] = "anvil=12" })
		o.mustVisit(watch)
		if marks := o.marked(at); !slices.Equal(marks, []bool{true, false}) {
			t.Errorf("marked %v", marks)
		}
	})
}

func TestASourceWhoseQualityFallsIsPaused(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		rules := boardRules
		rules.Expect = nil // nobody remembers that there were prices
		b, watch := o.pinnedBy(rules, "anvil=10", "bell=20", "cart=30", "drum=40")
		b.set(func(b *board) { // no prices, and no addresses
			b.body = strings.NewReplacer(`class="price"`, `class="amount"`, "<a ", "<b ", "</a>", "</b>").Replace(b.page())
		})
		card, err := json.Marshal(map[string]any{"schema": curlew.SchemaProduct, "score": 100, "dimensions": []any{}})
		if err != nil {
			t.Fatal(err)
		}
		err = o.store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			for i := range 3 {
				at := o.now().Add(-time.Duration(i+1) * 24 * time.Hour)
				if err := w.Scorecards().Add(t.Context(), curlew.Scorecard{Source: watch.Source, Score: 100, Card: card, At: at}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		o.mustVisit(watch)
		s := o.source(watch.Source)
		if *s.Quality >= 80 {
			t.Fatalf("the board is better than it should be: %d", *s.Quality)
		}
		got, err := o.store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || s.Trust != curlew.TrustPaused || got.Status != curlew.WatchPaused || s.Why == "" {
			t.Errorf("with the quality %d it is %s (%q), its watch %s (%v)", *s.Quality, s.Trust, s.Why, got.Status, err)
		}
		if !slices.ContainsFunc(o.told(0), func(line string) bool { return line == "quality_dropped" }) {
			t.Errorf("told %v", o.told(0))
		}
	})
}
