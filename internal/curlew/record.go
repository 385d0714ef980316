package curlew

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Evidence is where a value came from: value → rule → blueprint → page.
type Evidence struct {
	Tier       Tier    `json:"tier"`
	Rule       string  `json:"rule"`
	Node       string  `json:"node,omitempty"`
	Text       string  `json:"text"`                 // the original text on the page
	Confidence float64 `json:"confidence,omitempty"` // how likely the value is right, from 0 to 1
	Seen       Seen    `json:"seen,omitempty"`       // whether a reader of the page would find the value
	Rivals     []Rival `json:"rivals,omitempty"`     // what other places of the page say instead
	Agreed     int     `json:"agreed,omitempty"`     // how many other tiers say the same
}

// LeastSure is the confidence from which a value is called sure: of those about one in a hundred
// is wrong on sites that the weights never saw (docs/eval.md).
const LeastSure = 0.98

// Sure says whether hardly any such value is wrong.
func (e Evidence) Sure() bool { return e.Confidence >= LeastSure }

// Unsure says whether a value has a confidence, and that is too low to call it sure.
func (e Evidence) Unsure() bool { return e.Confidence > 0 && !e.Sure() }

// RuleAddress is the rule of a value that comes from the address of the page: it claims
// nothing of what the page says.
const RuleAddress = "address of the page"

// Seen is whether a value was found in what the page shows.
type Seen string

const (
	SeenVisible  Seen = "visible"  // in the text, or as a link or image that people see
	SeenEmbedded Seen = "embedded" // only in structured data
	SeenDerived  Seen = "derived"  // follows from other values or from settings
	SeenNowhere  Seen = "nowhere"  // not on the page: an invention, which is never kept
)

// Rival is another value for a field, from another place of the same page.
type Rival struct {
	Value string `json:"value"`
	Tier  Tier   `json:"tier"`
	Rule  string `json:"rule"`
}

// Values are the fields of a draft, record or entity, by schema field name.
type Values map[string]any

// Flat gives the slots of an item names of their own, such as slots.colour.
func (v Values) Flat() Values {
	out := make(Values, len(v))
	for name, value := range v {
		slots, are := value.(map[string]any)
		if !are {
			out[name] = value
		}
		for slot, one := range slots {
			out[name+"."+slot] = one
		}
	}
	return out
}

// Listed gives the values as people read them: the slots of an item beside its fields,
// without those that only repeat one.
func (v Values) Listed() Values {
	out := v.Flat()
	maps.DeleteFunc(out, func(name string, value any) bool {
		field, ok := out[FieldLabel(name)]
		return value == nil || ok && FieldLabel(name) != name && ValueText(field) == ValueText(value)
	})
	return out
}

// FieldLabel is the name of a field as people read it: a slot has its own.
func FieldLabel(name string) string { return strings.TrimPrefix(name, "slots.") }

// Order gives the names of the values in the order of the kind's fields, then of the alphabet.
func (v Values) Order(kind Schema) []string {
	place := map[string]int{}
	for i, f := range kind.Fields {
		place[f.Name] = i - len(kind.Fields)
	}
	return slices.SortedFunc(maps.Keys(v), func(a, b string) int {
		return cmp.Or(cmp.Compare(place[a], place[b]), cmp.Compare(a, b))
	})
}

// Currency is that of the amounts of money: of the record, or of the list that it is from.
func (v Values) Currency() string {
	own, _ := v["currency"].(string)
	listed, _ := v.At("slots.currency").(string)
	return cmp.Or(own, listed)
}

// At is the value of a field, or of a slot by its name in Flat.
func (v Values) At(name string) any {
	if field, slot, dotted := strings.Cut(name, "."); dotted && v[name] == nil {
		slots, _ := v[field].(map[string]any)
		return slots[slot]
	}
	return v[name]
}

// Texts are the texts of a field that has one or several, also of a slot.
func (v Values) Texts(name string) []string { return Texts(v.At(name)) }

// Texts are the texts of a value that is one or several.
func Texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	}
	return nil
}

// ValueText is a value as text, the same for a number wherever it is kept: JSON makes a
// float64 of a whole number, and fmt writes that from a million on with an exponent.
func ValueText(value any) string {
	v, ok := value.(float64)
	switch {
	case !ok:
		return fmt.Sprint(value)
	case math.Abs(v) < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Draft is what a blueprint took from a page, before normalising.
type Draft struct {
	Schema     SchemaName          `json:"schema"`
	Own        *Schema             `json:"-"` // the definition of Schema, when it is an org's own
	ExternalID string              `json:"external_id"`
	URL        string              `json:"url"`
	Fields     Values              `json:"fields"`
	Text       string              `json:"text"`
	Node       string              `json:"node"`
	Confidence float64             `json:"confidence"`
	Provenance map[string]Evidence `json:"provenance"`
}

// KeepSlot keeps the value of a column that its kind has no field for.
func (d *Draft) KeepSlot(name string, value any, e Evidence) {
	slots, _ := d.Fields["slots"].(map[string]any)
	if slots == nil {
		slots = map[string]any{}
		d.Fields["slots"] = slots
	}
	slots[name] = value
	d.Provenance["slots."+name] = e
}

// Record is a draft after normalising, with its hash.
type Record struct {
	ID         RecordID            `json:"id"`
	Org        OrgID               `json:"org"`
	Source     SourceID            `json:"source_id"`
	Run        RunID               `json:"run_id"`
	Page       PageID              `json:"page_id"`
	Blueprint  BlueprintID         `json:"blueprint_id"`
	Schema     SchemaName          `json:"schema"`
	Own        *Schema             `json:"-"` // the definition of Schema, when it is an org's own
	ExternalID string              `json:"external_id"`
	URL        string              `json:"url"`
	Fields     Values              `json:"fields"`
	Provenance map[string]Evidence `json:"provenance"`
	Hash       string              `json:"record_hash"` // SHA-256 of canonical JSON, NFC
	CreatedAt  time.Time           `json:"created_at"`
}

// Kind is what the draft was read as.
func (d Draft) Kind() Schema { return shape(d.Schema, d.Own) }

// Kind is what the record was read as.
func (r Record) Kind() Schema { return shape(r.Schema, r.Own) }

// Name is what the thing of a record is called; "" when it does not say.
func (r Record) Name() string { return r.Kind().TitleOf(r.Fields) }

// Whole says whether a record has all that its kind requires.
func (r Record) Whole() bool { return r.Kind().Whole(r.Fields) }
