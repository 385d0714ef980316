package normalise

import (
	"cmp"
	"strconv"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/numbers"
)

// figures are a number as people write it, with signs between its digits.
var figures = text.Pattern(`[-−+]?\d(?:[\d.,'’\x{a0}\x{202f} ]*\d)?`)

// ownNumber reads the first number of a text. Whether a single sign before three digits is
// a decimal one ("1.234", "1,234") is as the other values of the field have it, or else as
// the page says, or its language.
func (w *work) ownNumber(field, text string) (float64, error) {
	sign := cmp.Or(w.Decimals[field], w.Decimal, numbers.DecimalIn(w.Lang))
	return strconv.ParseFloat(numbers.Plain(figures().FindString(text), sign), 64)
}

// DecimalSigns are the signs before decimals in the numbers of a list of an org's own kind, by field:
// where one value leaves no doubt ("3.95", "0.381") and none says otherwise.
func DecimalSigns(drafts []curlew.Draft) map[string]string {
	if len(drafts) == 0 || drafts[0].Schema.BuiltIn() {
		return nil
	}
	seen := map[string]*numbers.DecimalSigns{}
	for _, d := range drafts {
		for name, value := range d.Fields {
			if seen[name] == nil {
				seen[name] = &numbers.DecimalSigns{}
			}
			text, _ := value.(string)
			seen[name].See(figures().FindString(text))
		}
	}
	signs := map[string]string{}
	for name, s := range seen {
		signs[name] = s.Decimal()
	}
	return signs
}
