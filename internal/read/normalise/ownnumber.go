package normalise

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// figures are a number as people write it, with signs between its digits.
var figures = regexp.MustCompile(`[-−+]?\d(?:[\d.,'’\x{a0}\x{202f} ]*\d)?`)

// ownNumber reads the first number of a text. Whether a single sign before three digits is
// a decimal one ("1.234", "1,234") is as the language of the page has it.
func (w *work) ownNumber(text string) (float64, error) {
	found := figures.FindString(text)
	digits := strings.Map(func(r rune) rune {
		switch {
		case r == '−':
			return '-'
		case r == '.' || r == ',' || r == '-' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, found)
	point := strings.LastIndexAny(digits, ".,")
	if point < 0 {
		return strconv.ParseFloat(digits, 64)
	}
	sign := digits[point : point+1]
	whole, rest := digits[:point], digits[point+1:]
	before := strings.TrimLeft(whole, "-")
	grouped := strings.Contains(whole, sign) // 1.234.567
	if alone := !strings.ContainsAny(whole, ".,"); alone && len(rest) == 3 && len(before) <= 3 && before[0] != '0' {
		grouped = sign != decimalSign(w.Lang)
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	if grouped {
		return strconv.ParseFloat(whole+rest, 64)
	}
	return strconv.ParseFloat(whole+"."+rest, 64)
}

// decimalSign is the sign before decimals in a language.
func decimalSign(lang string) string {
	if strings.Contains(message.NewPrinter(language.Make(lang)).Sprint(number.Decimal(1.5)), ",") {
		return ","
	}
	return "."
}
