package induce

import (
	"cmp"
	"maps"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// fate is a rule with what was expected of it and what became of it.
type fate struct {
	odds  float64
	lived bool
}

// TestTheOddsPredictWhichRulesSurvive learns all rules for the values on detail pages
// of the sample web, redesigns its sites, and looks which rules still find the value.
func TestTheOddsPredictWhichRulesSurvive(t *testing.T) {
	var all []fate
	for _, site := range demo.New(demo.Options{}).Sites() {
		all = append(all, fatesOf(t, site.Name, (*demo.Web).Redesign)...)
	}
	if len(all) < 300 {
		t.Fatalf("only %d rules were tried", len(all))
	}
	slices.SortStableFunc(all, func(a, b fate) int { return cmp.Compare(b.odds, a.odds) })
	third := len(all) / 3
	top, middle, bottom := lived(all[:third]), lived(all[third:2*third]), lived(all[2*third:])
	t.Logf("%d rules; of the likeliest third %.0f%% survive a redesign, of the middle %.0f%%, of the least likely %.0f%%", len(all), 100*top, 100*middle, 100*bottom)
	if top < 2*middle || middle < bottom {
		t.Errorf("the odds say nothing: %.2f of the likeliest survive, then %.2f, then %.2f", top, middle, bottom)
	}
}

func lived(all []fate) float64 {
	n := 0
	for _, f := range all {
		if f.lived {
			n++
		}
	}
	return float64(n) / float64(len(all))
}

// fatesOf tries the rules for some values of one site before and after a change.
func fatesOf(t *testing.T, name string, change func(*demo.Web, string) error) []fate {
	t.Helper()
	web := demo.New(demo.Options{})
	truth, err := web.Truth(name)
	if err != nil {
		t.Fatal(err)
	}
	truth = truth[:min(len(truth), 2)]
	var before []*pageIndex
	for _, record := range truth {
		before = append(before, fetch(t, web, name, record.URL))
	}
	if err := change(web, name); err != nil {
		t.Fatal(err)
	}
	var all []fate
	for i, record := range truth {
		after := fetch(t, web, name, record.URL)
		if before[i] == nil || after == nil {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(record.Fields)) {
			text, _ := record.Fields[field].(string)
			all = append(all, fatesOfValue(newValue(text), before[i], after)...)
		}
	}
	return all
}

func fatesOfValue(v value, before, after *pageIndex) []fate {
	if v.key == "" || len(before.places(v, nil)) == 0 || len(after.places(v, nil)) == 0 {
		return nil
	}
	f := &family{seen: map[string]bool{}, index: before, limit: 200, words: newVocabulary([]*pageIndex{before})}
	for _, p := range before.places(v, nil) {
		f.lead(p)
	}
	want := map[string][]value{"v": {v}}
	trial{samples: []sample{{index: before, want: want, known: true}, {index: after, want: want, known: true}}}.run(f.all, "v", false)
	var all []fate
	for _, c := range f.all {
		if c.covers[0] {
			all = append(all, fate{c.odds, c.covers[1]})
		}
	}
	return all
}

// fetch reads a page of the sample web; nil when it is none.
func fetch(t *testing.T, web *demo.Web, name, address string) *pageIndex {
	t.Helper()
	handler, err := web.Handler(name)
	if err != nil {
		t.Fatal(err)
	}
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequest("GET", address, nil))
	doc := dom.New(reply.Body.Bytes(), address)
	if reply.Code != 200 || doc.IsJSON() {
		return nil
	}
	return newPageIndex(t.Context(), doc, time.Time{})
}
