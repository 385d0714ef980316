package publish

import (
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// positionField is where the rank of an entity stands among its fields, in lists
// whose order means something.
const positionField = "position"

// shape knows the types of a kind's fields. Where it does not, the values tell.
type shape struct {
	schema curlew.SchemaName
	kind   curlew.Schema
	types  map[string]curlew.FieldType
	order  map[string]int
	traits []trait
	strong []string // fields that name a thing by themselves
}

func shapeOf(kind curlew.Schema) shape {
	s := shape{schema: kind.Name, kind: kind, types: map[string]curlew.FieldType{}, order: map[string]int{}, traits: traitsOf(kind),
		strong: strong}
	for i, f := range kind.Fields {
		s.types[f.Name], s.order[f.Name] = f.Type, i+1
	}
	return s
}

// diff lists what differs between two pictures of an entity, in the order of the
// schema. Differences that say nothing are left out; the slots of a list are told
// one by one, as "slots.NAME".
func (s shape) diff(before, after curlew.Values, keep func(field string) bool) []curlew.FieldChange {
	var changes []curlew.FieldChange
	each := func(name string) {
		if name == positionField || s.same(name, before[name], after[name]) || keep(name) {
			return
		}
		if slots, isMap := slotChanges(name, before[name], after[name]); isMap {
			changes = append(changes, slices.DeleteFunc(slots, func(c curlew.FieldChange) bool { return keep(c.Field) })...)
			return
		}
		changes = append(changes, curlew.FieldChange{Field: name, Old: present(before[name]), New: present(after[name])})
	}
	for name := range after {
		each(name)
	}
	for name := range before {
		if _, both := after[name]; !both {
			each(name)
		}
	}
	slices.SortFunc(changes, s.byField)
	return s.withoutEchoes(changes)
}

func (s shape) byField(a, b curlew.FieldChange) int {
	if d := s.place(a.Field) - s.place(b.Field); d != 0 {
		return d
	}
	return strings.Compare(a.Field, b.Field)
}

func (s shape) place(field string) int {
	field, _, _ = strings.Cut(field, ".")
	if at := s.order[field]; at > 0 {
		return at
	}
	return 1 << 20
}

// withoutEchoes drops what only follows from the times of an event when those are
// the same: whether the time is known, and the name of the zone.
func (s shape) withoutEchoes(changes []curlew.FieldChange) []curlew.FieldChange {
	if s.schema != curlew.SchemaEvent || slices.ContainsFunc(changes, func(c curlew.FieldChange) bool {
		return c.Field == "starts_at" || c.Field == "ends_at" || c.Field == "all_day"
	}) {
		return changes
	}
	return slices.DeleteFunc(changes, func(c curlew.FieldChange) bool { return c.Field == "timezone" || c.Field == "time_known" })
}

// same says whether two values of a field mean the same.
func (s shape) same(name string, before, after any) bool {
	before, after = present(before), present(after)
	if before == nil || after == nil {
		return before == nil && after == nil
	}
	switch s.typeOf(name, before, after) {
	case curlew.TypeURL, curlew.TypePicture:
		a, aText := before.(string)
		b, bText := after.(string)
		return aText && bText && sameLink(a, b, s.isImage(name))
	case curlew.TypeTime, curlew.TypeDate:
		a, aTime := readMoment(before)
		b, bTime := readMoment(after)
		if aTime && bTime {
			return sameMoment(a, b)
		}
	case curlew.TypeLong:
		a, aText := before.(string)
		b, bText := after.(string)
		if aText && bText {
			return sameLongText(a, b) || name == "markdown" && sameLongText(reduced(a), reduced(b))
		}
	}
	return sameValue(before, after)
}

func (s shape) isImage(name string) bool {
	return s.types[name] == curlew.TypePicture || strings.Contains(name, "image") || strings.Contains(name, "photo")
}

func (s shape) typeOf(name string, before, after any) curlew.FieldType {
	if t := s.types[name]; t != "" {
		return t
	}
	a, aText := before.(string)
	b, bText := after.(string)
	switch {
	case !aText || !bText:
		return curlew.TypeText
	case webAddress(a) && webAddress(b):
		return curlew.TypeURL
	}
	if _, ok := readMoment(a); ok {
		return curlew.TypeTime
	}
	return curlew.TypeText
}

func webAddress(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// present gives nil for what says nothing: an empty text, an empty list.
func present(v any) any {
	switch v := v.(type) {
	case string:
		if strings.TrimSpace(v) == "" {
			return nil
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
	case []string:
		if len(v) == 0 {
			return nil
		}
	case map[string]any:
		if len(v) == 0 {
			return nil
		}
	}
	return v
}

// sameValue compares values by their kind: texts as read, numbers by value, lists as
// sets, maps by name.
func sameValue(a, b any) bool {
	if x, ok := a.(string); ok {
		y, ok := b.(string)
		return ok && sameText(x, y)
	}
	if x, ok := texts(a); ok {
		y, ok := texts(b)
		return ok && sameSet(x, y)
	}
	if x, ok := mapping(a); ok {
		y, ok := mapping(b)
		return ok && maps.EqualFunc(x, y, sameValue)
	}
	if x, ok := a.(bool); ok {
		y, ok := b.(bool)
		return ok && x == y
	}
	return sameNumber(a, b)
}

// sameNumber compares numbers exactly, whatever they are kept in.
func sameNumber(a, b any) bool {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			return x == y
		}
	}
	if x, ok := a.(float64); ok {
		if y, ok := b.(float64); ok {
			return x == y
		}
	}
	x, xOK := number(a)
	y, yOK := number(b)
	if xOK && yOK {
		return x.Cmp(y) == 0
	}
	return xOK == yOK && reflect.DeepEqual(a, b)
}

func number(v any) (*big.Rat, bool) {
	switch v := v.(type) {
	case int:
		return new(big.Rat).SetInt64(int64(v)), true
	case int64:
		return new(big.Rat).SetInt64(v), true
	case float64:
		r := new(big.Rat).SetFloat64(v)
		return r, r != nil
	case json.Number:
		if f, err := v.Float64(); err != nil || len(v) > 40 || f > 1e300 || f < -1e300 {
			return nil, false // 1e999999999 must not be spelled out
		}
		if strings.ContainsAny(string(v), "eE") {
			f, _ := strconv.ParseFloat(string(v), 64)
			r := new(big.Rat).SetFloat64(f)
			return r, r != nil
		}
		return new(big.Rat).SetString(string(v))
	}
	return nil, false
}

// texts reads a list in either of the forms it comes in.
func texts(v any) ([]string, bool) {
	switch v := v.(type) {
	case []string:
		return v, true
	case []any:
		all := make([]string, 0, len(v))
		for _, each := range v {
			if text, ok := each.(string); ok {
				all = append(all, text)
			} else {
				body, _ := json.Marshal(each)
				all = append(all, string(body))
			}
		}
		return all, true
	}
	return nil, false
}

// sameSet compares lists without their order: who plays matters, not who stands first.
func sameSet(a, b []string) bool {
	plain := func(list []string) map[string]bool {
		set := make(map[string]bool, len(list))
		for _, text := range list {
			set[timeless(plainText(text))] = true
		}
		return set
	}
	return slices.Equal(a, b) || maps.Equal(plain(a), plain(b))
}

func mapping(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case curlew.Values:
		return v, true
	}
	return nil, false
}

// slotChanges tells the slots of a map one by one, and whether it is one.
func slotChanges(name string, before, after any) ([]curlew.FieldChange, bool) {
	a, aMap := mapping(before)
	b, bMap := mapping(after)
	oneIsNot := before != nil && !aMap || after != nil && !bMap
	if oneIsNot || !aMap && !bMap {
		return nil, false
	}
	all := maps.Clone(b)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, a)
	var changes []curlew.FieldChange
	for _, slot := range slices.Sorted(maps.Keys(all)) {
		if x, y := present(a[slot]), present(b[slot]); x == nil || y == nil {
			if x == nil && y == nil {
				continue
			}
		} else if sameValue(x, y) {
			continue
		}
		changes = append(changes, curlew.FieldChange{Field: name + "." + slot, Old: present(a[slot]), New: present(b[slot])})
	}
	return changes, true
}
