package wrapper

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestALabelNamesAFieldWithoutItsDiacritics(t *testing.T) {
	kind := curlew.Schema{Name: "rate", Fields: []curlew.Field{{Name: "sprzedaz", Type: curlew.TypeNumber}, {Name: "groesse", Type: curlew.TypeText},
		{Name: "grosse_breite", Type: curlew.TypeText}}}
	for label, want := range map[string]string{"Sprzedaż": "sprzedaz", "SPRZEDAŻ:": "sprzedaz", "Größe": "groesse", "Große Breite": "grosse_breite", "Höhe": ""} {
		t.Run(label, func(t *testing.T) {
			if got := FieldOf(kind, label, false); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
