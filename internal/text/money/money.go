// Package money reads prices as people write them, and counts in minor units.
//
// It does not guess a currency that neither the text nor the caller gives, and it
// never goes through floating point.
package money

import "strings"

// Price is an amount as it was written.
type Price struct {
	Amount   string // decimal: "1234.50"; "" when there is none
	Currency string // ISO 4217, or "" when unknown
	Sign     string // the currency as it was written: "$", "zł", "EUR"; "" when it was not
	Free     bool   // a word said so; Amount is "0"
	Begin    int    // byte offsets of the amount with its currency
	End      int
}

// maxPrice is the longest text that Parse reads: beyond it, a text is no price.
const maxPrice = 4096

// Parse reads the price in a text that is a price and little else. The hint is a
// currency code or sign that stands elsewhere.
func Parse(text, hint string) (Price, bool) { return ParseIn(text, hint, "") }

// ParseIn is Parse where the region or language of the page is known, which
// decides between the countries that share a sign.
func ParseIn(text, hint, region string) (Price, bool) {
	if len(text) > maxPrice {
		text = text[:maxPrice]
	}
	hinted, written := currencyIn(hint, region)
	p, ok := freeAtStart(text)
	if !ok && threshold(text) {
		return Price{}, false
	}
	if !ok {
		p, ok = choose(text, region, hinted)
	}
	if !ok {
		p, ok = freeAnywhere(text)
	}
	if !ok {
		return Price{}, false
	}
	p.settle(hinted, written)
	return p, true
}

// reading is a text and what is known beside it.
type reading struct {
	text   string
	loose  bool   // the text is a price and little else
	region string // a country or language, or ""
	hinted string // the currency that stands elsewhere, or ""
}

// choose takes the first amount with a currency, or else the first that looks
// like one.
func choose(text, region, hinted string) (Price, bool) {
	best, rank := Price{}, 0
	used := 0
	r := reading{text, true, region, hinted}
	code := -1 // the end of a code
	for _, n := range scan(text, true) {
		if n.barred {
			continue
		}
		if r.isCode(n) || code > 0 && n.begin == code+1 && text[code] == '/' {
			code = n.end
			continue
		}
		p := r.priced(n, used)
		used = p.End
		switch {
		case p.Sign != "":
			return p, true
		case !n.glued && rank < 2:
			best, rank = p, 2
		case n.glued && rank < 1:
			best, rank = p, 1
		}
	}
	return best, rank > 0
}

// settle fills in the currency from what stands elsewhere.
func (p *Price) settle(code, written string) {
	switch {
	case p.Currency != "":
	case p.Sign == "":
		p.Currency, p.Sign = code, written
	case code != "" && shares(p.Sign, code):
		p.Currency = code
	}
}

// Find finds all prices in a text: amounts that stand with a currency.
func Find(text string) []Price { return FindIn(text, "") }

// FindIn is Find where the region or language of the page is known.
func FindIn(text, region string) []Price {
	numbers := scan(text, false)
	r := reading{text: text, region: region}
	prices := make([]Price, 0, 8)
	used := 0
	for i, n := range numbers {
		if n.barred || n.glued && !signBefore(text, n.begin) {
			continue
		}
		p := r.priced(n, used)
		if p.Sign == "" {
			if q, ok := rangeAfter(text, n, prices); ok {
				prices, used = append(prices, q), q.End
			}
			continue
		}
		if first, ok := rangeBefore(text, numbers, i, p, used); ok {
			prices = append(prices, first)
		}
		prices, used = append(prices, p), p.End
	}
	if len(prices) == 0 {
		return nil
	}
	return prices
}

// rangeBefore prices the first number of "5–12 €", "10 or 8 €", "10/8 €".
func rangeBefore(text string, numbers []number, i int, p Price, used int) (Price, bool) {
	if i == 0 {
		return Price{}, false
	}
	n := numbers[i-1]
	if n.barred || n.glued || n.begin < used || p.Begin < n.end {
		return Price{}, false
	}
	if !isConnector(text[n.end:p.Begin]) {
		return Price{}, false
	}
	return Price{Amount: n.amount(), Currency: p.Currency, Sign: p.Sign, Begin: n.begin, End: n.end}, true
}

// rangeAfter prices the second number of "€5–12".
func rangeAfter(text string, n number, prices []Price) (Price, bool) {
	if len(prices) == 0 || n.glued {
		return Price{}, false
	}
	last := prices[len(prices)-1]
	if last.End > n.begin || !isConnector(text[last.End:n.begin]) || !strings.HasPrefix(text[last.Begin:], last.Sign) {
		return Price{}, false
	}
	return Price{Amount: n.amount(), Currency: last.Currency, Sign: last.Sign, Begin: n.begin, End: n.end}, true
}

// isConnector tells what stands between the two ends of a range or choice.
func isConnector(between string) bool {
	return len(between) < 12 && words().Of("connector").Has(strings.ToLower(strings.TrimFunc(between, isBlank)))
}
