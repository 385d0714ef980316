package money

import (
	"math"
	"strings"

	"github.com/bojanz/currency"
)

// digitsOf gives how many decimals a currency counts; two when it is unknown.
func digitsOf(code string) int {
	if d, ok := former[code]; ok {
		return d
	}
	if d, ok := currency.GetDigits(code); ok {
		return int(d)
	}
	return 2
}

// Minor turns a decimal amount into minor units of its currency, rounding halves
// away from zero. It counts two decimals when the currency is unknown.
func Minor(amount, currency string) (int64, bool) {
	digits, negative := strings.CutPrefix(amount, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if whole == "" && fraction == "" || !decimal(whole) || !decimal(fraction) {
		return 0, false
	}
	places := digitsOf(currency)
	round := len(fraction) > places && fraction[places] >= '5'
	fraction += strings.Repeat("0", max(0, places-len(fraction)))
	var units uint64
	for _, d := range []byte(whole + fraction[:places]) {
		if units > (math.MaxInt64-9)/10 {
			return 0, false
		}
		units = units*10 + uint64(d-'0')
	}
	if round {
		units++
	}
	if negative {
		return -int64(units), true
	}
	return int64(units), true
}

// Shown writes minor units with their currency, as people read them: "12.50 EUR".
func Shown(units int64, currency string) string {
	return strings.TrimSpace(Major(units, currency) + " " + currency)
}

// Major writes minor units as a decimal amount of their currency.
func Major(units int64, currency string) string {
	places := digitsOf(currency)
	text, sign := formatUint(units), ""
	if units < 0 {
		sign = "-"
	}
	if places == 0 {
		return sign + text
	}
	text = strings.Repeat("0", max(0, places+1-len(text))) + text
	return sign + text[:len(text)-places] + "." + text[len(text)-places:]
}

// formatUint writes the absolute value, also of the lowest integer.
func formatUint(units int64) string {
	value := uint64(units)
	if units < 0 {
		value = -value
	}
	var b [20]byte
	at := len(b)
	for {
		at--
		b[at] = byte('0' + value%10)
		if value /= 10; value == 0 {
			return string(b[at:])
		}
	}
}

func decimal(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// shift moves the decimal point of a plain decimal to the right, or to the left
// when the power is negative.
func shift(amount string, power int) string {
	if power == 0 {
		return amount
	}
	whole, fraction, _ := strings.Cut(amount, ".")
	if power > 0 {
		fraction += strings.Repeat("0", max(0, power-len(fraction)))
		whole, fraction = whole+fraction[:power], fraction[power:]
	} else {
		whole = strings.Repeat("0", max(0, 1-power-len(whole))) + whole
		cut := len(whole) + power
		whole, fraction = whole[:cut], whole[cut:]+fraction
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
