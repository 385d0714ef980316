package normalise

import (
	"cmp"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"curlew/internal/curlew"
)

// figures are a number as people write it, with signs between its digits.
var figures = regexp.MustCompile(`[-−+]?\d(?:[\d.,'’\x{a0}\x{202f} ]*\d)?`)

// ownNumber reads the first number of a text. Whether a single sign before three digits is
// a decimal one ("1.234", "1,234") is as the other values of the field have it, or else the
// language of the page.
func (w *work) ownNumber(field, text string) (float64, error) {
	digits := digitsIn(text)
	point := strings.LastIndexAny(digits, ".,")
	if point < 0 {
		return strconv.ParseFloat(digits, 64)
	}
	sign := digits[point : point+1]
	whole, rest := digits[:point], digits[point+1:]
	before := strings.TrimLeft(whole, "-")
	grouped := strings.Contains(whole, sign) // 1.234.567
	if alone := !strings.ContainsAny(whole, ".,"); alone && len(rest) == 3 && len(before) <= 3 && before[0] != '0' {
		grouped = sign != cmp.Or(w.Decimals[field], decimalSign(w.Lang))
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	if grouped {
		return strconv.ParseFloat(whole+rest, 64)
	}
	return strconv.ParseFloat(whole+"."+rest, 64)
}

// digitsIn are the digits of the first number of a text, with points, commas and its sign.
func digitsIn(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '−':
			return '-'
		case r == '.' || r == ',' || r == '-' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, figures.FindString(text))
}

// DecimalSigns are the signs before decimals in the numbers of a list of an org's own kind, by field:
// where one value leaves no doubt ("3.95", "0.381") and none says otherwise.
func DecimalSigns(drafts []curlew.Draft) map[string]string {
	if len(drafts) == 0 || drafts[0].Schema.BuiltIn() {
		return nil
	}
	signs, doubted := map[string]string{}, map[string]bool{}
	for _, d := range drafts {
		for name, value := range d.Fields {
			text, _ := value.(string)
			if sign := surelyDecimal(digitsIn(text)); sign != "" {
				doubted[name] = doubted[name] || signs[name] != "" && signs[name] != sign
				signs[name] = sign
			}
		}
	}
	maps.DeleteFunc(signs, func(name, _ string) bool { return doubted[name] })
	return signs
}

// surelyDecimal is the sign before the decimals of a number that can be read in one way only.
func surelyDecimal(digits string) string {
	point := strings.LastIndexAny(digits, ".,")
	if point < 0 || strings.Count(digits, digits[point:point+1]) > 1 {
		return ""
	}
	whole, rest := strings.TrimLeft(digits[:point], "-"), digits[point+1:]
	if len(rest) != 3 || whole == "0" || len(whole) > 3 {
		return digits[point : point+1]
	}
	return ""
}

// decimalSign is the sign before decimals in a language.
func decimalSign(lang string) string {
	if strings.Contains(message.NewPrinter(language.Make(lang)).Sprint(number.Decimal(1.5)), ",") {
		return ","
	}
	return "."
}
