package console

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// command reads the fields of a form into a command, by their JSON names, and says
// which cannot be read. A number that is left empty is 0, any other field is not given.
func (v *visit) command(into any) (wrong curlew.Problems) {
	v.fields(reflect.ValueOf(into).Elem(), &wrong)
	return wrong
}

func (v *visit) fields(target reflect.Value, wrong *curlew.Problems) {
	for i := range target.NumField() {
		f := target.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			v.fields(target.Field(i), wrong)
		case name == "" || name == "-":
		case f.Type.Kind() == reflect.Bool || f.Type == reflect.TypeFor[*bool](): // a box that is not ticked is not sent
			put(target.Field(i), reflect.ValueOf(v.ticked(name)))
		case v.PostForm.Has(name):
			if sentence := read(target.Field(i), v.text(name)); sentence != "" {
				wrong.Add(name, sentence)
			}
		}
	}
}

// read sets a field of a command to what somebody typed.
func read(field reflect.Value, text string) string {
	kind := field.Type()
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch {
	case kind == reflect.TypeFor[curlew.Duration]():
		if text == "" {
			return ""
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return "write the duration as 90s, 15m or 24h"
		}
		put(field, reflect.ValueOf(curlew.Duration(d)))
	case kind == reflect.TypeFor[[]string]():
		field.Set(reflect.ValueOf(linesOf(text)))
	case kind == reflect.TypeFor[curlew.Values]():
		if text != "" && (json.Unmarshal([]byte(text), field.Addr().Interface()) != nil || field.IsNil()) {
			return `write it as a JSON object: {"ticket": "NEWS-7"}`
		}
	case kind.Kind() == reflect.Int || kind.Kind() == reflect.Float64:
		return readNumber(field, kind.Kind(), text)
	case kind.Kind() == reflect.String:
		put(field, reflect.ValueOf(text))
	}
	return ""
}

func readNumber(field reflect.Value, kind reflect.Kind, text string) string {
	if text == "" {
		text = "0"
	}
	if kind == reflect.Int {
		n, err := strconv.Atoi(text)
		if err != nil {
			return "it must be a whole number"
		}
		put(field, reflect.ValueOf(n))
		return ""
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "it must be a number"
	}
	put(field, reflect.ValueOf(n))
	return ""
}

// put sets a field, or what it points to.
func put(field, value reflect.Value) {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	field.Set(value.Convert(field.Type()))
}
