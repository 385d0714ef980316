package normalise

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestNumbersOfOwnKindsAreReadInTheLanguageOfThePage(t *testing.T) {
	for _, c := range []struct {
		text, lang string
		want       float64
	}{
		{"11.481", "en", 11.481}, {"Rate: 11.481", "en", 11.481}, {"11.481", "de", 11481}, {"11,481", "de", 11.481}, {"12,431", "en", 12431},
		{"1,234.5 points", "en", 1234.5}, {"1.234,5", "pl", 1234.5}, {"1 234,5", "fr", 1234.5}, {"0.834", "de", 0.834}, {"1.234.567", "en", 1234567},
		{"-0.12", "en", -0.12}, {"−3,5 %", "cs", -3.5}, {"4.2871", "de", 4.2871}, {"7", "", 7}, {"163.22", "", 163.22}, {"1’250", "de-CH", 1250},
	} {
		t.Run(c.text, func(t *testing.T) {
			w := &work{Context: Context{Lang: c.lang}}
			if got, err := w.ownNumber("rate", c.text); err != nil || got != c.want {
				t.Errorf("%q in %q: %v %v, want %v", c.text, c.lang, got, err, c.want)
			}
		})
	}
}

func TestAColumnShowsItsSignBeforeDecimals(t *testing.T) {
	for name, c := range map[string]struct {
		rates []string
		want  float64 // of the first
	}{
		"by another value":       {[]string{"4.281", "3.95", "0.381"}, 4.281},
		"by a zero before it":    {[]string{"4.281", "0.381"}, 4.281},
		"not at all":             {[]string{"4.281", "5.122"}, 4281},
		"values that contradict": {[]string{"4.281", "3.95", "3,95"}, 4281},
	} {
		t.Run(name, func(t *testing.T) {
			kind := curlew.Schema{Name: "rate", Fields: []curlew.Field{{Name: "rate", Type: curlew.TypeNumber}}}
			var drafts []curlew.Draft
			for _, rate := range c.rates {
				drafts = append(drafts, curlew.Draft{Schema: kind.Name, Own: &kind, Fields: curlew.Values{"rate": rate}})
			}
			r, _ := Record(drafts[0], Context{Lang: "pl", Decimals: DecimalSigns(drafts)})
			if r.Fields["rate"] != c.want {
				t.Errorf("read as %v, want %v", r.Fields["rate"], c.want)
			}
		})
	}
}
