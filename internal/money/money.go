// Package money reads prices as people write them, and counts in minor units.
//
// It does not guess a currency that neither the text nor the caller gives, and it
// never goes through floating point.
package money

// Price is an amount as it was written.
type Price struct {
	Amount   string // decimal: "1234.50"; "" when there is none
	Currency string // ISO 4217, or "" when unknown
	Begin    int    // byte offsets of the amount with its currency
	End      int
}

// Parse reads the price in a text that is a price and little else. The hint is a
// currency code or sign that stands elsewhere.
func Parse(text, hint string) (Price, bool) { return Price{}, false }

// Find finds all prices in a text: amounts that stand with a currency.
func Find(text string) []Price { return nil }

// Minor turns a decimal amount into minor units of its currency, rounding halves
// away from zero. It counts two decimals when the currency is unknown.
func Minor(amount, currency string) (int64, bool) { return 0, false }

// Currency turns a sign, name or code into an ISO 4217 code, or "". The region or
// language decides between the countries that share a sign.
func Currency(text, region string) string { return "" }
