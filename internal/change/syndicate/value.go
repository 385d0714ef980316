package syndicate

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/money"
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

// Written are values as people write them: amounts of money as decimals of their currency, 2275.00 instead of 227500.
func Written(kind curlew.Schema, fields curlew.Values) curlew.Values {
	out := make(curlew.Values, len(fields))
	for name, value := range fields {
		out[name] = WrittenValue(kind, fields, name, value)
	}
	return out
}

// WrittenValue is a value of a field as people write it, in the currency of the fields beside it.
func WrittenValue(kind curlew.Schema, fields curlew.Values, name string, value any) any {
	field, _ := kind.Find(name)
	if n, ok := units(value); ok && field.Type == curlew.TypeMoney {
		return json.Number(money.Major(n, fields.Currency()))
	}
	return value
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
