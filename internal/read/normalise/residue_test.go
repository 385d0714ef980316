package normalise

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestWhatATemplateLeftIsNoValue(t *testing.T) {
	for text, is := range map[string]bool{
		"{{price}}": true, "$brand": true, "%sku%": true, "${name}": true, "{{product.title}} - Shop": true, "<%= title %>": true,
		"How {{ x }} works in templates": false, "$100 off": false, "100%": false, "A$AP Rocky": false, "Ke$ha": false, "": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := isResidue(text); got != is {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestAMarkForNothingIsNoValue(t *testing.T) {
	for text, is := range map[string]bool{
		"–": true, "-": true, " — ": true, "- -": true, "n/a": true, "N/A": true, "k. A.": true, "n.v.t.": true, "Keine Angabe": true,
		"": false, "0": false, "0 – 0": false, "A-": false, "NA": false, "none": false, "?": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := saysNothing(text); got != is {
				t.Errorf("%v", got)
			}
		})
	}
	kind := curlew.Schema{Name: "match", Title: "home", Fields: []curlew.Field{{Name: "home", Type: curlew.TypeText}, {Name: "result", Type: curlew.TypeText}}}
	for _, mark := range []string{"–", "&lt;b&gt;–", "<b>n/a</b>"} {
		t.Run(mark, func(t *testing.T) {
			d := curlew.Draft{Schema: "match", Own: &kind, Fields: curlew.Values{"home": "-", "result": mark}}
			if r, _ := Record(d, Context{}); r.Fields["result"] != nil || r.Fields["home"] != "-" {
				t.Errorf("read %v", r.Fields)
			}
		})
	}
}
