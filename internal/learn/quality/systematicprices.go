package quality

import (
	"fmt"
	"slices"

	"github.com/curlew-data/curlew/internal/text/money"
)

// pricedBy are the fields that say what a record costs, in order of preference.
var pricedBy = []string{"price", "price_min", "salary_min"}

func (c *judgedSample) pricedField() string {
	for _, field := range pricedBy {
		if len(c.with(field)) > 0 {
			return field
		}
	}
	return ""
}

// onePriceForAll finds one price for everything, where the records do not each
// show it. What is free is free for all.
func (c *judgedSample) onePriceForAll() *SystematicError {
	field := c.pricedField()
	all := c.with(field)
	if field == "" || len(all) <= fewest || distinct(all, exactly(field)) > 1 || distinct(all, folded(c.title())) == 1 {
		return nil
	}
	units, ok := asInt(all[0].record.Fields[field])
	if !ok || units == 0 {
		return nil
	}
	shown, others := 0, 0
	for _, x := range all {
		switch {
		case len(x.scope) == 0:
		case x.showsPrice(units):
			shown++
		case len(x.pricesInScope()) > 0:
			others++
		}
	}
	value := money.Major(units, textOf(all[0].record, "currency"))
	e := &SystematicError{Code: OnePriceForAll, Severity: SeverityWarning, Field: field, Count: len(all), Of: len(all),
		Examples:   []string{value},
		Sentence:   fmt.Sprintf("all %d records cost the same, %s", len(all), value),
		Suggestion: "Take the price from within each record, not from the page around them."}
	switch {
	case 2*shown > len(all):
		return nil
	case others > 0:
		e.Severity, e.Count = SeverityError, others
		e.Sentence += fmt.Sprintf(", although %d of them show another price", others)
	}
	return e
}

func (x *judgedRecord) showsPrice(units int64) bool {
	shown := x.blocks()
	for i := range shown {
		if showsUnits(shown[i].prices(x.views[0].options), units) {
			return true
		}
	}
	return false
}

// currencyMissing finds amounts of nobody knows what: without a currency, minor
// units have no meaning.
func (c *judgedSample) currencyMissing() *SystematicError {
	field := c.pricedField()
	if field == "" || field == "price" && c.schemaOf() == "item" { // items have no currency
		return nil
	}
	all := slices.DeleteFunc(c.with(field), func(x *judgedRecord) bool {
		units, ok := asInt(x.record.Fields[field])
		return !ok || units == 0
	})
	count, examples := matching(all, field, func(x *judgedRecord) bool { return !has(x.record, "currency") })
	if count < 2 || 2*count < len(all) {
		return nil
	}
	e := &SystematicError{Code: CurrencyMissing, Severity: SeverityWarning, Field: "currency", Count: count, Of: len(all), Examples: examples,
		Sentence:   fmt.Sprintf("%d of %d prices have no currency", count, len(all)),
		Suggestion: "Read the currency from the sign or the code beside the price, or give the source a currency."}
	for _, x := range all {
		if code := x.shownCurrency(); code != "" {
			e.Severity = SeverityError
			e.Sentence += ", although the page shows " + code
			break
		}
	}
	return e
}

// shownCurrency is the currency that the page shows beside a price.
func (x *judgedRecord) shownCurrency() string {
	if len(x.views) == 0 {
		return ""
	}
	blocks := x.blocks()
	if len(blocks) == 0 {
		blocks = x.views[0].blocks
	}
	for i := range blocks {
		for _, p := range blocks[i].prices(x.views[0].options) {
			if p.Currency != "" {
				return p.Currency
			}
		}
	}
	return ""
}

// pricesReversed finds the price and what it was before, or the two ends of a
// range, the wrong way round.
func (c *judgedSample) pricesReversed() *SystematicError {
	for _, pair := range [][2]string{{"price", "price_was"}, {"price_min", "price_max"}, {"salary_min", "salary_max"}} {
		all := c.with(pair[1])
		count, examples := matching(all, pair[0], func(x *judgedRecord) bool {
			low, ok1 := asInt(x.record.Fields[pair[0]])
			high, ok2 := asInt(x.record.Fields[pair[1]])
			return ok1 && ok2 && low > high
		})
		if count < 2 || 2*count < len(all) {
			continue
		}
		return &SystematicError{Code: PricesReversed, Severity: SeverityError, Field: pair[0], Count: count, Of: len(all), Examples: examples,
			Sentence:   fmt.Sprintf("%s is above %s in %d of %d records", pair[0], pair[1], count, len(all)),
			Suggestion: fmt.Sprintf("Exchange the rules of %s and %s.", pair[0], pair[1])}
	}
	return nil
}
