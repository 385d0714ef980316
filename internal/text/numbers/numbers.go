// Package numbers reads numbers as people write them, whose signs between the digits mean one
// thing in one language and another elsewhere. It finds no numbers and knows no units.
package numbers

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Plain writes a number with a point before its decimals and nothing between thousands. Whether
// a single sign before three digits is a decimal one ("1.234", "1,234") the caller says.
func Plain(written, decimalSign string) string {
	digits := digitsOf(written)
	point := strings.LastIndexAny(digits, ".,")
	if point < 0 {
		return digits
	}
	sign := digits[point : point+1]
	whole, rest := digits[:point], digits[point+1:]
	before := strings.TrimLeft(whole, "-")
	grouped := strings.Contains(whole, sign) // 1.234.567
	if alone := !strings.ContainsAny(whole, ".,"); alone && len(rest) == 3 && len(before) <= 3 && before != "" && before[0] != '0' {
		grouped = sign != decimalSign
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	if grouped {
		return whole + rest
	}
	return whole + "." + rest
}

// digitsOf are the digits of a number, with points, commas and its minus sign.
func digitsOf(written string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '−':
			return '-'
		case r == '.' || r == ',' || r == '-' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, written)
}

// DecimalSigns gathers which sign stands before decimals in numbers that belong together. The zero value
// has seen none.
type DecimalSigns struct {
	sign    string
	doubted bool
}

// See takes a number: one that can be read in one way only ("3.95", "0.381") tells its sign.
func (s *DecimalSigns) See(written string) {
	digits := digitsOf(written)
	point := strings.LastIndexAny(digits, ".,")
	if point < 0 || strings.Count(digits, digits[point:point+1]) > 1 {
		return
	}
	whole, rest := strings.TrimLeft(digits[:point], "-"), digits[point+1:]
	if len(rest) == 3 && whole != "0" && len(whole) <= 3 {
		return
	}
	sign := digits[point : point+1]
	s.doubted = s.doubted || s.sign != "" && s.sign != sign
	s.sign = sign
}

// Decimal is the sign before decimals, "" where the numbers did not tell or contradict one another.
func (s *DecimalSigns) Decimal() string {
	if s.doubted {
		return ""
	}
	return s.sign
}

// DecimalIn is the sign before decimals in a language.
func DecimalIn(lang string) string {
	if strings.Contains(message.NewPrinter(language.Make(lang)).Sprint(number.Decimal(1.5)), ",") {
		return ","
	}
	return "."
}
