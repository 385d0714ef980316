package normalise

import "testing"

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
