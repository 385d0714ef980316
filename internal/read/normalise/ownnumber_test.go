package normalise

import "testing"

func TestNumbersOfOwnKindsAreReadInTheLanguageOfThePage(t *testing.T) {
	for _, c := range []struct {
		text, lang string
		want       float64
	}{
		{"11.481", "en", 11.481}, {"Rate: 11.481", "en", 11.481}, {"11.481", "de", 11481}, {"11,481", "de", 11.481}, {"12,431", "en", 12431},
		{"1,234.5 points", "en", 1234.5}, {"1.234,5", "pl", 1234.5}, {"1 234,5", "fr", 1234.5}, {"0.834", "de", 0.834}, {"1.234.567", "en", 1234567},
		{"-0.12", "en", -0.12}, {"−3,5 %", "cs", -3.5}, {"4.2871", "de", 4.2871}, {"7", "", 7}, {"163.22", "", 163.22}, {"1’250", "de-CH", 1250},
	} {
		w := &work{Context: Context{Lang: c.lang}}
		if got, err := w.ownNumber(c.text); err != nil || got != c.want {
			t.Errorf("%q in %q: %v %v, want %v", c.text, c.lang, got, err, c.want)
		}
	}
}
