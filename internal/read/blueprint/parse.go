package blueprint

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/curlew-data/curlew/internal/curlew"
)

// maxSize bounds the file of a blueprint.
const maxSize = 1 << 20

// Parse reads and validates a blueprint. Its fault names the places of all that is
// wrong: "/fields/title/rules/0/css: …".
func Parse(text []byte) (*Blueprint, error) {
	if len(text) > maxSize {
		return nil, curlew.Permanent("invalid_blueprint", "the blueprint is larger than %d bytes", maxSize)
	}
	tree, err := decodeJSON(text)
	if err != nil {
		return nil, curlew.Permanent("invalid_blueprint", "the blueprint is not JSON").Because(err)
	}
	c := compiler{inline: map[string]bool{}}
	c.shape(tree)
	var b Blueprint
	if err := json.Unmarshal(text, &b); err == nil {
		b.inherit()
		c.blueprint("", &b, 0)
	} else if len(c.problems) == 0 {
		return nil, curlew.Permanent("invalid_blueprint", "the blueprint cannot be read").Because(err)
	}
	if err := c.fault(); err != nil {
		return nil, err
	}
	return &b, nil
}

// Marshal writes a blueprint as it is kept in files: indented, keys in a fixed
// order, no HTML escapes.
func Marshal(b *Blueprint) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// shortField is a field with a single rule as it is written in JSON.
type shortField struct {
	Rule
	Required bool `json:"required,omitempty"`
	Many     bool `json:"many,omitempty"`
}

// longField is a field with several rules.
type longField FieldRules

// MarshalJSON writes a field with one rule as that rule.
func (f FieldRules) MarshalJSON() ([]byte, error) {
	if len(f.Rules) == 1 {
		return marshalPlain(shortField{f.Rules[0], f.Required, f.Many})
	}
	return marshalPlain(longField(f))
}

// UnmarshalJSON reads a field with its rules, or written as its only rule.
func (f *FieldRules) UnmarshalJSON(text []byte) error {
	var has struct {
		Rules json.RawMessage `json:"rules"`
	}
	if err := json.Unmarshal(text, &has); err != nil {
		return err
	}
	if has.Rules != nil {
		return json.Unmarshal(text, (*longField)(f))
	}
	var short shortField
	if err := json.Unmarshal(text, &short); err != nil {
		return err
	}
	*f = FieldRules{[]Rule{short.Rule}, short.Required, short.Many}
	return nil
}

// plainTransform is a step with its arguments.
type plainTransform Transform

// MarshalJSON writes a step without arguments as its name.
func (t Transform) MarshalJSON() ([]byte, error) {
	if t == (Transform{Op: t.Op}) {
		return marshalPlain(t.Op)
	}
	return marshalPlain(plainTransform(t))
}

// UnmarshalJSON reads a step, or the name of one.
func (t *Transform) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		*t = Transform{}
		return json.Unmarshal(text, &t.Op)
	}
	if !bytes.HasPrefix(text, []byte("{")) {
		return errors.New("a step is a name or an object")
	}
	return json.Unmarshal(text, (*plainTransform)(t))
}

// marshalPlain is json.Marshal without HTML escapes: selectors are full of >.
func marshalPlain(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}
