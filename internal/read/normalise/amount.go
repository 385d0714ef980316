package normalise

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// amounts is what one money field says.
type amounts struct {
	field  string
	prices []money.Price
	minor  *int64 // counted in minor units already
}

// region is what tells the countries apart that share a sign.
func (w *work) region() string {
	lang, _, _ := strings.Cut(strings.ReplaceAll(w.Lang, "_", "-"), "-")
	switch country := cmp.Or(w.Country, w.Market); {
	case country == "":
		return w.Lang
	case lang == "":
		return strings.ToUpper(country)
	default:
		return lang + "-" + country
	}
}

// money reads all money fields together with the currency.
func (w *work) money() {
	w.borrow("price_min", "price", "price_range")
	w.borrow("salary_min", "salary")
	stated := money.Currency(scalarText(w.in["currency"]), w.region())
	if stated == "" && strings.TrimSpace(scalarText(w.in["currency"])) != "" && !w.own {
		w.note("currency", "unknown_currency", "the text names no currency, or one of several that share a sign")
	}
	hint := cmp.Or(stated, w.Currency)
	var all []amounts
	code := ""
	for _, f := range w.schema.Fields {
		if value := w.in[f.Name]; f.Type == curlew.TypeMoney && value != nil {
			a := w.amounts(f.Name, value, hint)
			all = append(all, a)
			for _, p := range a.prices {
				code = cmp.Or(code, p.Currency)
			}
		}
	}
	if code != "" && stated != "" && code != stated {
		w.note("currency", "currency_differs", "the price is written in "+code+" while the page names "+stated)
	}
	code = cmp.Or(code, stated)
	for _, a := range all {
		w.keepAmount(a, code)
	}
	w.orderPair("price_min", "price_max")
	w.orderPair("salary_min", "salary_max")
	w.keepCurrency(code, len(all) > 0)
	w.keepPeriod()
}

// borrow takes the first of other fields for one that is missing.
func (w *work) borrow(field string, others ...string) {
	if _, known := w.schema.Field(field); !known || w.in[field] != nil {
		return
	}
	for _, other := range others {
		if w.in[other] != nil {
			w.in[field] = w.in[other]
			w.derived(field, other)
			return
		}
	}
}

// amounts reads the prices in a value: one, or the ends of a range.
func (w *work) amounts(field string, value any, hint string) amounts {
	a := amounts{field: field}
	switch v := value.(type) {
	case int64:
		a.minor = &v
		return a
	case int:
		minor := int64(v)
		a.minor = &minor
		return a
	case []string:
		for _, each := range v[:min(len(v), maxList)] {
			a.prices = append(a.prices, w.prices(each, hint)...)
		}
	case []any:
		for _, each := range v[:min(len(v), maxList)] {
			a.prices = append(a.prices, w.prices(each, hint)...)
		}
	default:
		a.prices = w.prices(value, hint)
	}
	if len(a.prices) == 0 {
		w.note(field, "not_a_price", "the text holds no price")
	}
	return a
}

// numberText writes a number without an exponent.
func numberText(value any) string {
	if n, ok := value.(json.Number); ok && strings.ContainsAny(string(n), "eE") {
		f, err := n.Float64()
		if err != nil {
			return ""
		}
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return scalarText(value)
}

// machineNumber is a decimal as programs write it. Three decimals are left to the
// reader of prices, because people group thousands like that.
var machineNumber = text.Pattern(`^-?\d+(?:\.(?:\d{1,2}|\d{4,12}))?$`)

// plainNumber is what a number of JSON becomes, where a point can only be decimal.
var plainNumber = text.Pattern(`^-?\d+(?:\.\d+)?$`)

// between parts the ends of a range that names no currency.
var between = text.Pattern(`(?i)\s+(?:to|bis|à|a|do|до|til|tot|and|und)\s+|\s*[–—]\s*|\s+-\s+|(\d)-(\d)`)

// prices reads all prices of a short text.
func (w *work) prices(value any, hint string) []money.Price {
	text := line(numberText(value), maxLine)
	_, isText := value.(string)
	if machineNumber().MatchString(text) || !isText && plainNumber().MatchString(text) {
		return []money.Price{{Amount: text, Currency: hint}}
	}
	found := money.FindIn(text, w.region())
	first, ok := money.ParseIn(text, hint, w.region())
	switch {
	case !ok:
		return nil
	case first.Free && len(found) > 0:
		first.Currency = ""
		return append([]money.Price{first}, found...)
	case len(found) > 1:
		for i := range found {
			if found[i].Currency == "" && found[i].Sign == first.Sign {
				found[i].Currency = first.Currency
			}
		}
		if i := product.ToPay(text, found); i > 0 && w.schema.Name == curlew.SchemaProduct {
			found[0], found[i] = found[i], found[0]
		}
		return found
	case len(found) == 1 || first.Free:
		return []money.Price{first}
	}
	return w.ends(text, hint, first)
}

// ends reads "45 000 – 60 000", where the currency stands elsewhere.
func (w *work) ends(text, hint string, first money.Price) []money.Price {
	parts := strings.Split(between().ReplaceAllString(text, "$1\x00$2"), "\x00")
	if len(parts) != 2 {
		return []money.Price{first}
	}
	prices := []money.Price{first}
	if second, ok := money.ParseIn(parts[1], hint, w.region()); ok && !second.Free {
		prices = append(prices, second)
	}
	return prices
}

// keepAmount counts a field in minor units. A range in the lower field fills the
// upper one.
func (w *work) keepAmount(a amounts, code string) {
	if a.minor != nil {
		w.keepMinor(a.field, *a.minor)
		return
	}
	units := w.minorUnits(a, code)
	if len(units) == 0 {
		return
	}
	base, isMin := strings.CutSuffix(a.field, "_min")
	switch {
	case isMin:
		w.keepMinor(a.field, slices.Min(units))
	case strings.HasSuffix(a.field, "_max"):
		w.keepMinor(a.field, slices.Max(units))
	default:
		w.keepMinor(a.field, units[0]) // the first price is the price
	}
	if upper := base + "_max"; isMin && len(units) > 1 && w.in[upper] == nil {
		w.keepMinor(upper, slices.Max(units))
		w.derived(upper, a.field)
	}
}

// minorUnits counts the prices of a field in the currency of the record; of one that is
// no bound only the first.
func (w *work) minorUnits(a amounts, code string) []int64 {
	var all []int64
	bound := strings.HasSuffix(a.field, "_min") || strings.HasSuffix(a.field, "_max")
	for _, p := range a.prices {
		if p.Currency != "" && code != "" && p.Currency != code {
			w.note(a.field, "other_currency", "a price in "+p.Currency+" was left out, because the record counts in "+code)
			continue
		}
		units, ok := money.Minor(p.Amount, cmp.Or(p.Currency, code))
		if !ok {
			w.note(a.field, "too_large", "the amount is too large to be a price")
			continue
		}
		if all = append(all, units); !bound {
			break
		}
	}
	return all
}

func (w *work) keepMinor(field string, units int64) {
	switch {
	case units < 0:
		w.note(field, "negative", "a price below zero was left out")
	case units > maxInteger:
		w.note(field, "too_large", "the amount is too large to be a price")
	default:
		w.out[field] = units
	}
}

// orderPair makes the lower amount stand in the lower field.
func (w *work) orderPair(low, high string) {
	a, hasLow := w.out[low].(int64)
	b, hasHigh := w.out[high].(int64)
	if hasLow && hasHigh && a > b {
		w.out[low], w.out[high] = b, a
		w.note(low, "swapped", "the lower amount was the higher one, so they were swapped")
	}
}

// keepCurrency keeps the currency beside the amounts. An item has no field for it,
// so there it stands in a slot.
func (w *work) keepCurrency(code string, priced bool) {
	if code == "" {
		if field := w.pricedField(); field != "" && w.out[field] != int64(0) && priced {
			w.note(field, "unknown_currency", "the currency is not known, so two decimals were counted")
		}
		return
	}
	if _, known := w.schema.Field("currency"); known {
		w.out["currency"] = code
		w.derived("currency", w.pricedField())
		return
	}
	slots, _ := w.out["slots"].(map[string]any)
	if _, taken := slots["currency"]; priced && !taken && w.pricedField() != "" {
		if slots == nil {
			slots = map[string]any{}
		}
		slots["currency"] = code
		w.out["slots"] = slots
	}
}

// pricedField is the first field that holds money.
func (w *work) pricedField() string {
	for _, f := range w.schema.Fields {
		if _, ok := w.out[f.Name]; ok && f.Type == curlew.TypeMoney {
			return f.Name
		}
	}
	return ""
}

// keepPeriod reads what a salary is paid for from its text.
func (w *work) keepPeriod() {
	if w.schema.Name != curlew.SchemaJob || w.out["salary_period"] != nil {
		return
	}
	for _, field := range []string{"salary_unit", "salary_min", "salary_max", "salary"} {
		if text, ok := w.in[field].(string); ok {
			if p := period(line(text, 300)); p != "" {
				w.out["salary_period"] = p
				w.derived("salary_period", field)
				return
			}
		}
	}
}
