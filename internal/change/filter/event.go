package filter

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// ChangeView is a change that was read once, to be asked by many filters one after
// another. It is not safe for concurrent use.
type ChangeView struct {
	change  curlew.Change
	payload curlew.ChangePayload
	changes map[string]curlew.FieldChange
	folded  map[string]string // texts that were compared before
	types   map[string]curlew.FieldType
}

// Read reads a change and its payload.
func Read(c curlew.Change) (*ChangeView, error) {
	e := &ChangeView{change: c, changes: map[string]curlew.FieldChange{}, folded: map[string]string{}}
	decoder := json.NewDecoder(bytes.NewReader(c.Payload))
	decoder.UseNumber()
	if err := decoder.Decode(&e.payload); err != nil && err != io.EOF {
		return nil, curlew.Permanent("bad_change", "the payload of change %s cannot be read", c.ID).Because(err)
	}
	for _, f := range e.payload.Changes {
		e.changes[f.Field] = f
	}
	if e.payload.Entity != nil {
		e.types = schemaTypes[e.payload.Entity.Schema]
	}
	return e, nil
}

// schemaTypes are the types of the fields of the schemas in code.
var schemaTypes = func() map[curlew.SchemaName]map[string]curlew.FieldType {
	all := map[curlew.SchemaName]map[string]curlew.FieldType{}
	for _, s := range curlew.Schemas() {
		all[s.Name] = map[string]curlew.FieldType{}
		for _, f := range s.Fields {
			all[s.Name][f.Name] = f.Type
		}
	}
	return all
}()

// value is what a field is after the change; nil when there is none.
func (e *ChangeView) value(name string) any {
	if entity := e.payload.Entity; entity != nil {
		if v, ok := inside(entity.Fields, name); ok {
			return v
		}
		switch name {
		case "schema":
			return presence(string(entity.Schema))
		case "external_id":
			return presence(entity.ExternalID)
		case "entity_status":
			return presence(string(entity.Status))
		case "url":
			return presence(entity.URL)
		}
	}
	switch name {
	case "kind":
		return presence(string(e.change.Kind))
	case "source_id":
		return presence(string(e.change.Source))
	case "watch_id":
		return presence(string(e.change.Watch))
	case "reason":
		return presence(e.payload.Reason)
	case "code":
		return presence(string(e.payload.Code))
	}
	if f, ok := e.changes[name]; ok {
		return f.New
	}
	return nil
}

func presence(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// inside finds a field by its name, or by the dotted path into a map.
func inside(fields map[string]any, name string) (any, bool) {
	if v, ok := fields[name]; ok && v != nil {
		return v, true
	}
	base, key, dotted := strings.Cut(name, ".")
	if inner, ok := fields[base].(map[string]any); ok && dotted {
		v, ok := inner[key]
		return v, ok && v != nil
	}
	return nil, false
}

// difference gives a field before and after, when the change says that it changed.
func (e *ChangeView) difference(name string) (curlew.FieldChange, bool) {
	if f, ok := e.changes[name]; ok {
		return f, true
	}
	base, key, dotted := strings.Cut(name, ".")
	whole, ok := e.changes[base]
	if !ok || !dotted {
		return curlew.FieldChange{}, false
	}
	before, _ := whole.Old.(map[string]any)
	after, _ := whole.New.(map[string]any)
	f := curlew.FieldChange{Field: name, Old: before[key], New: after[key]}
	return f, plain(f.Old) != plain(f.New)
}

func (e *ChangeView) currency() string {
	v, _ := e.value("currency").(string)
	return v
}

// foldOnce makes spellings equal that people take for the same, once for each text.
func (e *ChangeView) foldOnce(s string) string {
	if known, ok := e.folded[s]; ok {
		return known
	}
	folded := text.Fold(text.CutBytes(strings.TrimSpace(s), maxText))
	e.folded[s] = folded
	return folded
}

// maxText is how much of a text is looked at; what normalising keeps is shorter.
const maxText = 1 << 20

// plain is a value as text, for comparing it.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}

// maxDigits is how long a number may be to be taken exactly; beyond, and with an
// exponent, it goes through floating point, which bounds it.
const maxDigits = 40

// number is the value of a number, exact where that is bounded.
func number(v any) (*big.Rat, bool) {
	text := ""
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
		if !numberPattern().MatchString(v) { // as a list shows it: "4,21", "€ 1.250,00"
			shown, _ := money.Parse(v, "")
			if text = shown.Amount; text == "" {
				return nil, false
			}
		}
	default:
		return nil, false
	}
	if len(text) <= maxDigits && !strings.ContainsAny(text, "eE") {
		return new(big.Rat).SetString(text)
	}
	f, err := json.Number(text).Float64()
	if err != nil {
		return nil, false
	}
	r := new(big.Rat).SetFloat64(f)
	return r, r != nil
}
