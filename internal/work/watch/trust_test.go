package watch_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

func TestGoodRunsOnThreeDaysEndProbation(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		_, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		for i := range 3 {
			if trust := o.Source(watch.Source).Trust; trust != curlew.TrustProbation {
				t.Fatalf("after %d runs it is %s", i, trust)
			}
			for range 3 { // one a day counts, however often somebody checks
				o.MustVisit(watch)
			}
			if s := o.Source(watch.Source); s.GoodRuns != i+1 {
				t.Errorf("after %d days, %d good runs count", i+1, s.GoodRuns)
			}
			o.Days.Add(1)
		}
		if s := o.Source(watch.Source); s.Trust != curlew.TrustStable || s.Quality == nil {
			t.Errorf("after good runs on three days it is %s with the quality %v", s.Trust, s.Quality)
		}
	})
}

// marked says of the changes after a sequence whether each came on probation.
func (o *watching) marked(after int64) (all []bool) {
	o.Helper()
	for _, c := range o.ChangesAfter(after) {
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
	observe(t, false, func(o *watching) {
		defer o.Work()()
		b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		edit := func(w *curlew.Watch) error { w.Schedule = "adaptive"; return nil }
		if _, err := o.EditWatch(watch.ID, edit); err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		o.MustVisit(watch)
		if next := o.WatchNow(watch.ID).NextRunAt; next == nil || time.Until(*next) > 3*time.Hour {
			t.Errorf("on probation it is checked next at %v", next)
		}
		if marks := o.marked(0); len(marks) != 4 || slices.Contains(marks, false) {
			t.Errorf("marked %v", marks)
		}
		b.Set(func(b *workers.Board) { b.Status = 500 })
		o.Visit(watch)
		b.Set(func(b *workers.Board) { b.Status = 0; b.Items[0] = "anvil=11" })
		at := o.Sequence()
		for i := range 3 {
			if trust := o.Source(watch.Source).Trust; trust != curlew.TrustProbation {
				t.Fatalf("after a failure and %d good runs it is %s", i, trust)
			}
			o.Days.Add(1)
			o.MustVisit(watch)
		}
		if trust := o.Source(watch.Source).Trust; trust != curlew.TrustStable {
			t.Errorf("after three good runs in a row it is %s", trust)
		}
		b.Set(func(b *workers.Board) { b.Items[0] = "anvil=12" })
		o.MustVisit(watch)
		if marks := o.marked(at); !slices.Equal(marks, []bool{true, false}) {
			t.Errorf("marked %v", marks)
		}
	})
}

func TestASourceWhoseQualityFallsIsPaused(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		rules := workers.BoardRules
		rules.Expect = nil // nobody remembers that there were prices
		b, watch := o.PinnedBy(rules, "anvil=10", "bell=20", "cart=30", "drum=40")
		b.Set(func(b *workers.Board) { // no prices, and no addresses
			b.Body = strings.NewReplacer(`class="price"`, `class="amount"`, "<a ", "<b ", "</a>", "</b>").Replace(b.Page())
		})
		card, err := json.Marshal(map[string]any{"schema": curlew.SchemaProduct, "score": 100, "dimensions": []any{}})
		if err != nil {
			t.Fatal(err)
		}
		err = o.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
			for i := range 3 {
				at := o.Now().Add(-time.Duration(i+1) * 24 * time.Hour)
				if err := w.Scorecards().Add(t.Context(), curlew.Scorecard{Source: watch.Source, Score: 100, Card: card, At: at}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		s := o.Source(watch.Source)
		if *s.Quality >= 80 {
			t.Fatalf("the board is better than it should be: %d", *s.Quality)
		}
		got, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(t.Context(), watch.ID)
		if err != nil || s.Trust != curlew.TrustPaused || got.Status != curlew.WatchPaused || s.Why == "" {
			t.Errorf("with the quality %d it is %s (%q), its watch %s (%v)", *s.Quality, s.Trust, s.Why, got.Status, err)
		}
		if !slices.ContainsFunc(o.Told(0), func(line string) bool { return line == "quality_dropped" }) {
			t.Errorf("told %v", o.Told(0))
		}
	})
}
