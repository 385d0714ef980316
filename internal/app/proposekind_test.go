package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

func TestFieldsAreNamedAsThePageNamesThem(t *testing.T) {
	b := blueprint.LeftToReaders(curlew.SchemaItem.Kind(), curlew.PageList, curlew.TierHTML)
	kind := proposedKind(b, []curlew.Values{{"title": "Euro", "slots": map[string]any{"title": "Euro", "code": "EUR", "Sprzedaż": "4.28", "Średni kurs": "4.25",
		"курс": "4.2", "label_2": "x", "2026": "y", "Größe": "12 m"}}})
	var got []string
	for _, f := range kind.Fields {
		got = append(got, strings.Join(append([]string{f.Name, string(f.Type)}, f.Labels...), " "))
	}
	want := "title text|field_2 text 2026|grosse text Größe|sprzedaz number Sprzedaż|code_value text code|label_2 text|sredni_kurs number Średni kurs|field_8 number курс"
	if all := strings.Join(got, "|"); all != want {
		t.Errorf("the fields are\n%s, want\n%s", all, want)
	}
	if wrong := (AddKind{Name: "rate", KindFields: kind}).Check(); len(wrong) > 0 {
		t.Error(wrong)
	}
}

func TestProposedTypesHoldAllThatTheValuesSay(t *testing.T) {
	for what, c := range map[string]struct {
		look   string
		values []string
		want   curlew.FieldType
	}{
		"days":             {"date", []string{"03.12.2026", "10.12.2026"}, curlew.TypeDate},
		"days and hours":   {"date", []string{"03.12.2026, 10:00 Uhr", "10.12.2026, 12:00 Uhr"}, curlew.TypeTime},
		"hours":            {"date", []string{"08:30 – 08:30 Uhr", "09:00 – 09:00 Uhr"}, curlew.TypeText},
		"some other text":  {"date", []string{"03.12.2026", "not yet"}, curlew.TypeText},
		"numbers":          {"number", []string{"12", "0.5", "0"}, curlew.TypeNumber},
		"codes":            {"number", []string{"10115", "01067"}, curlew.TypeText},
		"a date in a line": {"date", []string{"Episode 148 • Nov 16, 2026 • 48 min", "Episode 147 • Nov 9, 2026 • 52 min"}, curlew.TypeText},
	} {
		t.Run(what, func(t *testing.T) {
			var records []curlew.Values
			for _, v := range c.values {
				records = append(records, curlew.Values{"slots": map[string]any{"x": v}})
			}
			if got := typeOf(c.look, "slots.x", records, nil); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Who chooses a reading sees what the page calls its columns, and names them so.
func TestAFieldIsRenamedByWhatThePageCallsIt(t *testing.T) {
	for _, called := range []string{"groesse", "größe", "Größe", "slots.größe"} {
		t.Run(called, func(t *testing.T) {
			fields := KindFields{Title: "groesse", Fields: []curlew.Field{{Name: "groesse", Type: curlew.TypeText, Labels: []string{"größe"}}}}
			got, err := fields.renamed(map[string]string{called: "size"})
			if err != nil || got.Fields[0].Name != "size" || got.Title != "size" || !slices.Contains(got.Fields[0].Labels, "größe") {
				t.Errorf("%s: %+v, %v", called, got, err)
			}
		})
	}
}

func TestAKindFromEventsHasTheColumnsOfTheirList(t *testing.T) {
	b := &blueprint.Blueprint{Schema: curlew.SchemaEvent, Fields: map[string]blueprint.FieldRules{"title": {}, "starts_at": {}}}
	kind := proposedKind(b, []curlew.Values{{"title": "Open day", "starts_at": "2026-12-01", "slots": map[string]any{"hall": "Blue", "age": "12"}},
		{"title": "Jazz", "starts_at": "2026-12-02", "slots": map[string]any{"hall": "Red", "age": "16"}}})
	var names []string
	for _, f := range kind.Fields {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "starts_at title age hall" {
		t.Errorf("its fields are %s", got)
	}
}
