package quality

import (
	"maps"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Two readings of one entity, and what the page says about their differences.
func TestThePageDecidesBetweenTwoReadings(t *testing.T) {
	for _, c := range []struct {
		name  string
		field string
		was   func(old, is curlew.Values) // changes the old reading, or the new one
		want  curlew.FieldAgreement
		wrong bool
	}{
		{"the same", "title", func(_, _ curlew.Values) {}, curlew.FieldAgreement{Same: 1}, false},
		{"spelled otherwise", "title", func(old, _ curlew.Values) { old["title"] = " SPRING  overture " }, curlew.FieldAgreement{Same: 1}, false},
		{"less exact than before", "starts_at", func(old, _ curlew.Values) { old["starts_at"] = "2026-05-04" }, curlew.FieldAgreement{Same: 1}, false},
		{"the site has a new price", "price_min", func(old, _ curlew.Values) { old["price_min"] = int64(987654) }, curlew.FieldAgreement{Explained: 1}, false},
		{"the site has a new date", "starts_at", func(old, _ curlew.Values) { old["starts_at"] = "2026-01-02T11:00:00" }, curlew.FieldAgreement{Explained: 1}, false},
		{"the venue is read as the title", "title", func(_, is curlew.Values) { is["title"] = "Harbour Hall" }, curlew.FieldAgreement{Wrong: 1}, true},
		{"a title that the page does not have", "title", func(_, is curlew.Values) { is["title"] = "Autumn Finale" }, curlew.FieldAgreement{Wrong: 1}, true},
		{"the venue is not read any more", "venue_name", func(_, is curlew.Values) { delete(is, "venue_name") }, curlew.FieldAgreement{Missed: 1}, false},
		{"the site says it no more", "category", func(old, _ curlew.Values) { old["category"] = "falconry" }, curlew.FieldAgreement{Gone: 1}, false},
		{"something new is read", "venue_name", func(old, _ curlew.Values) { delete(old, "venue_name") }, curlew.FieldAgreement{Gained: 1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample := readRight(season)
			is := sample[0]
			old := maps.Clone(is.Record.Fields)
			c.was(old, is.Record.Fields)
			fields, _ := Compare(t.Context(), []Pair{{Old: old, New: is}}, march())
			for _, got := range fields {
				if got.Field != c.field {
					continue
				}
				if wrong := len(got.Examples) > 0 && got.Examples[0].Wrong; wrong != c.wrong {
					t.Errorf("%+v", got.Examples)
				}
				got.Field, got.Examples = "", nil
				if got.Compared() != c.want.Compared() || got.Same != c.want.Same || got.Wrong != c.want.Wrong || got.Missed != c.want.Missed || got.Gone != c.want.Gone || got.Gained != c.want.Gained {
					t.Errorf("%+v, want %+v", got, c.want)
				}
			}
		})
	}
}

// Ten values are shown: of several entities and fields, and what is read wrong among them.
func TestTenValuesAreShownBeforeAndAfter(t *testing.T) {
	var pairs []Pair
	for i, is := range readRight(season) {
		old := maps.Clone(is.Record.Fields)
		if i == 2 {
			is.Record.Fields["venue_name"] = "Nowhere Hall"
		}
		pairs = append(pairs, Pair{Old: old, New: is})
	}
	_, values := Compare(t.Context(), pairs, march())
	fields, entities, wrong := map[string]bool{}, map[string]bool{}, 0
	for _, v := range values {
		fields[v.Field], entities[v.Entity] = true, true
		if v.Wrong {
			wrong++
			if v.New != "Nowhere Hall" || v.Old == nil || v.Why == "" {
				t.Errorf("%+v", v)
			}
		}
	}
	if len(values) != 10 || wrong != 1 || len(fields) < 4 || len(entities) < min(4, len(pairs)) {
		t.Errorf("%d values of %d fields and %d entities, %d wrong: %+v", len(values), len(fields), len(entities), wrong, values)
	}
}

func TestLongTextsAgreeInSubstance(t *testing.T) {
	const text = "The council voted eleven to four in favour after a debate of three hours, and work begins in May."
	for other, want := range map[string]bool{
		text + " Share this story.":                                   true,
		"A standfirst comes first. " + text:                           true,
		"We use cookies to make this site better for all of us. Okay": false,
	} {
		t.Run(other, func(t *testing.T) {
			if alikeEnough(curlew.TypeLong, text, other) != want {
				t.Errorf("%q", other)
			}
		})
	}
}

func TestASampleIsWorseThanTheOneItReplaces(t *testing.T) {
	good, bad, worse := Judgement{Passed: true, Accuracy: 100}, Judgement{Accuracy: 60, Sentence: "titles are venues"}, Judgement{Accuracy: 30}
	for name, c := range map[string]struct {
		is   Judgement
		than *Judgement
		want bool
	}{
		"it passes": {good, &bad, false}, "both fail alike": {bad, &bad, false}, "it failed after a pass": {bad, &good, true},
		"it is worse": {worse, &bad, true}, "nothing to compare with": {bad, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.is.Worse(c.than); (got != "") != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}
