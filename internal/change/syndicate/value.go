package syndicate

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// kinds are those that the entities of a feed may be of.
func (f Feed) kinds() curlew.Kinds {
	if len(f.Kinds) == 0 {
		return curlew.Schemas()
	}
	return f.Kinds
}

// typeOf is the type of a field; "" when the kind does not know it.
func (s subject) typeOf(field string) curlew.FieldType {
	f, _ := s.kind.Find(field)
	return f.Type
}

// order lists the fields that have values as the kind has them, then the others by name.
func (s subject) order() []string {
	var order []string
	fields := s.fields
	for _, f := range s.kind.Fields {
		if fields[f.Name] != nil {
			order = append(order, f.Name)
		}
	}
	known := len(order)
	for name, value := range fields {
		if value != nil && !slices.Contains(order[:known], name) {
			order = append(order, name)
		}
	}
	slices.Sort(order[known:])
	return order
}

// plain is a value on one line, as tables have it: lists joined by "; ".
func plain(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []string:
		return strings.Join(v, "; ")
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = plain(v[i])
		}
		return strings.Join(parts, "; ")
	case map[string]string:
		return pairs(v)
	case map[string]any:
		texts := make(map[string]string, len(v))
		for name := range v {
			texts[name] = plain(v[name])
		}
		return pairs(texts)
	case float32:
		return curlew.ValueText(float64(v))
	case json.Number:
		return v.String()
	}
	return curlew.ValueText(value)
}

func pairs(texts map[string]string) string {
	names := slices.Sorted(maps.Keys(texts))
	for i, name := range names {
		names[i] = name + ": " + texts[name]
	}
	return strings.Join(names, "; ")
}

// isNumeric says that a value is a number, not text that looks like one.
func isNumeric(value any) bool {
	switch value.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, json.Number:
		return true
	}
	return false
}

// units counts minor units, whatever type they came back as.
func units(value any) (int64, bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	}
	return 0, false
}

// decimalsOf are the currencies without two decimals, by ISO 4217 and CLDR.
var decimalsOf = map[string]int{
	"BEF": 0, "BIF": 0, "BYR": 0, "CLP": 0, "DJF": 0, "ESP": 0, "GNF": 0, "GRD": 0, "ISK": 0, "ITL": 0, "JPY": 0, "KMF": 0, "KRW": 0,
	"LUF": 0, "PTE": 0, "PYG": 0, "RWF": 0, "TRL": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
	"CLF": 4, "UYW": 4,
}

// major writes minor units as an amount of their currency.
func major(units int64, currency string) string {
	places, odd := decimalsOf[currency]
	if !odd {
		places = 2
	}
	digits, sign := strconv.FormatInt(units, 10), ""
	if units < 0 {
		digits, sign = digits[1:], "-"
	}
	if places == 0 {
		return sign + digits
	}
	digits = strings.Repeat("0", max(0, places+1-len(digits))) + digits
	return sign + digits[:len(digits)-places] + "." + digits[len(digits)-places:]
}

// encodable makes values that JSON can hold: what it cannot (a number that is none)
// becomes text.
func encodable(fields curlew.Values) curlew.Values {
	if _, err := json.Marshal(fields); err == nil {
		return fields
	}
	texts := make(curlew.Values, len(fields))
	for name, value := range fields {
		if texts[name] = value; !marshals(value) {
			texts[name] = fmt.Sprint(value)
		}
	}
	return texts
}

func marshals(value any) bool {
	_, err := json.Marshal(value)
	return err == nil
}

// sound gives a change whose payload is JSON: what is none becomes text.
func sound(c curlew.Change) curlew.Change {
	if len(c.Payload) == 0 {
		c.Payload = json.RawMessage("null")
	} else if !json.Valid(c.Payload) {
		c.Payload, _ = json.Marshal(string(c.Payload))
	}
	return c
}
