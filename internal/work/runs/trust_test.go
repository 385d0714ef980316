package runs_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

func (o *observatory) source(id curlew.SourceID) curlew.Source {
	o.Helper()
	s, err := o.store.Org(curlew.DefaultOrg).Sources().Get(o.Context(), id)
	if err != nil {
		o.Fatal(err)
	}
	return s
}

func TestThreeGoodRunsEndProbation(t *testing.T) {
	observe(t, false, func(o *observatory) {
		defer o.work()()
		_, watch := o.pinned("anvil=10", "bell=20", "cart=30", "drum=40")
		for i := range 3 {
			if trust := o.source(watch.Source).Trust; trust != curlew.TrustProbation {
				t.Fatalf("after %d runs it is %s", i, trust)
			}
			o.mustVisit(watch)
		}
		if s := o.source(watch.Source); s.Trust != curlew.TrustStable || s.Quality == nil {
			t.Errorf("after three good runs it is %s with the quality %v", s.Trust, s.Quality)
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
