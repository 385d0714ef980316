package app

import (
	"strings"
	"testing"

	"curlew/internal/curlew"
	"curlew/internal/read/blueprint"
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
