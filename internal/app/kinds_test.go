package app

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
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

// A form says all labels of a field anew, and does not know what it was called before.
func TestAFieldKeepsTheNameThatItHadAsALabel(t *testing.T) {
	fields := []curlew.Field{{Name: "middle_rate", Labels: []string{"Kurs"}}, {Name: "code"}}
	keepOldNames(fields, curlew.Renaming{"kurz": "middle_rate", "flag": ""})
	if got := fields[0].Labels; len(got) != 2 || got[1] != "kurz" || len(fields[1].Labels) > 0 {
		t.Errorf("%+v", fields)
	}
}
