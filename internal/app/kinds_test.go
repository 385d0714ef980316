package app

import (
	"strings"
	"testing"

	"curlew/internal/curlew"
)

func TestWhatAFieldCannotBeRenamedTo(t *testing.T) {
	kind := curlew.Schema{Name: "home", Fields: []curlew.Field{{Name: "address", Type: curlew.TypeText}, {Name: "price", Type: curlew.TypeMoney},
		{Name: "currency", Type: curlew.TypeText}}}
	for name, c := range map[string]struct {
		edit EditKind
		says string
	}{
		"a free name":                 {EditKind{Rename: map[string]string{"address": "street"}}, ""},
		"a taken name":                {EditKind{Rename: map[string]string{"address": "price"}}, "there is a field price already"},
		"names that change places":    {EditKind{Rename: map[string]string{"address": "price", "price": "address"}}, ""},
		"no such field":               {EditKind{Rename: map[string]string{"rooms": "beds"}}, `has no field "rooms"`},
		"to nothing":                  {EditKind{Rename: map[string]string{"address": " "}}, "give the new name of address"},
		"renamed and removed":         {EditKind{Rename: map[string]string{"address": "street"}, Remove: []string{"address"}}, "at once"},
		"the currency of a price":     {EditKind{Remove: []string{"currency"}}, "currency belongs to"},
		"the currency with its price": {EditKind{Remove: []string{"currency", "price"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.edit.renaming(kind)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}
