package console

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestShortValuesAndThoseWithLittleInCommonAreShownWhole(t *testing.T) {
	picture := curlew.EntityPicture{Schema: curlew.SchemaProduct, Fields: curlew.Values{"currency": "EUR"}}
	for _, f := range []struct {
		change   curlew.FieldChange
		old, new string
	}{
		{curlew.FieldChange{Field: "title", Old: "One", New: "One two"}, "One", "One two"},
		{curlew.FieldChange{Field: "price", Old: 1499.0, New: nil}, "14.99 EUR", "–"},
		{curlew.FieldChange{Field: "tags", Old: []any{"a", "b"}, New: []any{"a"}}, "a, b", "a"},
		{curlew.FieldChange{Field: "description", Old: strings.Repeat("alpha beta ", 30), New: strings.Repeat("gamma delta ", 30)},
			strings.TrimSpace(strings.Repeat("alpha beta ", 10)) + " …", strings.TrimSpace(strings.Repeat("gamma delta ", 9)) + " …"},
	} {
		t.Run(f.old, func(t *testing.T) {
			if got := diffOf(f.change, picture, curlew.SchemaProduct.Kind()); got.Old != f.old || got.New != f.new || got.Words != nil {
				t.Errorf("%s: %+v", f.change.Field, got)
			}
		})
	}
}
