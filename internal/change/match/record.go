// Package match judges whether two records are one thing, by general signs: words that few
// records have, numbers, codes, dates, prices, phones. It knows no kind of thing and no source,
// takes a field that one of the two lacks for no sign either way, and keeps nothing: pairs in,
// verdicts out. Linking the entities of whole sources is not its work.
package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// Fields is what a source says of a thing, in its order.
type Fields []Field

// Field is one named value of a record.
type Field struct{ Name, Value string }

// Pair is two records that may be one thing.
type Pair struct{ A, B Fields }

// UnmarshalJSON reads an object of any fields, in the order in which they are written.
// Lists become their values with commas between, objects in it fields of their own.
func (r *Fields) UnmarshalJSON(data []byte) error {
	*r = nil
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	start, err := in.Token()
	if err != nil {
		return err
	}
	if start != json.Delim('{') {
		return fmt.Errorf("a record is an object of fields, not %s", text.Clip(string(data), 40))
	}
	return r.object(in, "")
}

// object reads the fields of an object whose brace is already read.
func (r *Fields) object(in *json.Decoder, prefix string) error {
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		name := prefix + fmt.Sprint(key)
		value, err := in.Token()
		if err != nil {
			return err
		}
		if value == json.Delim('{') {
			err = r.object(in, name+" ")
		} else {
			err = r.value(in, name, value)
		}
		if err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}

func (r *Fields) value(in *json.Decoder, name string, value json.Token) error {
	said := ""
	if value == json.Delim('[') {
		var all []string
		for in.More() {
			var one any
			if err := in.Decode(&one); err != nil {
				return err
			}
			all = append(all, scalars(one)...)
		}
		if _, err := in.Token(); err != nil {
			return err
		}
		said = strings.Join(all, ", ")
	} else if value != nil {
		said = fmt.Sprint(value)
	}
	if said = text.Collapse(html.UnescapeString(said)); !saysNothing(said) {
		*r = append(*r, Field{name, said})
	}
	return nil
}

// scalars are the texts and numbers in a value; those of objects in the order of their names.
func scalars(value any) (all []string) {
	switch value := value.(type) {
	case nil:
		return nil
	case []any:
		for _, one := range value {
			all = append(all, scalars(one)...)
		}
		return all
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			all = append(all, scalars(value[name])...)
		}
		return all
	}
	return []string{fmt.Sprint(value)}
}

// saysNothing are the ways in which programs write that a value is not known.
func saysNothing(value string) bool {
	switch strings.ToLower(value) {
	case "n/a", "na", "nan", "null", "none", "nil", "unknown", "undefined", "#name?", "#n/a", "tbd", "tba":
		return true
	}
	return !strings.ContainsFunc(value, text.InWord)
}
