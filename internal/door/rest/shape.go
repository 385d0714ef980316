package rest

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// source is where a value of a request comes from.
type source int

const (
	fromBody source = iota
	fromPath
	fromQuery
	wholeBody
)

// shape is what a value must look like. It is read from a Go type, and both the JSON
// Schema and the check of a request are made of it, so that neither can lie about the
// other.
type shape struct {
	kind     string // of JSON: object, array, string, integer, number, boolean; "" for anything
	format   string
	name     string // of a type with a name, for references
	goType   reflect.Type
	nullable bool
	fields   []field // of an object
	elem     *shape  // of an array, or of a map
	enum     []any
	min, max *float64
	maxLen   int
	prefix   string // of an id
}

// field is one value of an object, or of a request.
type field struct {
	name     string
	goName   string
	index    []int
	from     source
	required bool
	fallback string
	shape    shape
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	durationType = reflect.TypeFor[curlew.Duration]()
	valuesType   = reflect.TypeFor[curlew.Values]()
)

// shapeOf reads the shape of a type.
func shapeOf(t reflect.Type) shape {
	if t.Kind() == reflect.Pointer {
		s := shapeOf(t.Elem())
		s.nullable = true
		return s
	}
	s := shape{goType: t}
	if t.PkgPath() != "" {
		s.name = typeName(t)
	}
	switch t {
	case timeType:
		return shape{kind: "string", format: "date-time", goType: t}
	case rawType:
		return shape{goType: t}
	case durationType:
		return shape{kind: "string", format: "duration", goType: t, maxLen: 40}
	case valuesType:
		return shape{kind: "object", elem: &shape{}, goType: t}
	}
	switch t.Kind() {
	case reflect.String:
		s.kind = "string"
		s.enum = nouns.enum(t)
		if id, ok := reflect.Zero(t).Interface().(interface{ Prefix() string }); ok {
			s.prefix, s.format = id.Prefix(), "id"
		}
	case reflect.Bool:
		s.kind = "boolean"
	case reflect.Int, reflect.Int64, reflect.Int32:
		s.kind = "integer"
		s.enum = nouns.enum(t)
	case reflect.Float64:
		s.kind = "number"
	case reflect.Slice:
		elem := shapeOf(t.Elem())
		s.kind, s.elem, s.nullable = "array", &elem, true
	case reflect.Map:
		elem := shapeOf(t.Elem())
		s.kind, s.elem, s.nullable = "object", &elem, true
	case reflect.Struct:
		s.kind = "object"
		s.fields = fieldsOf(t, nil)
	}
	return s
}

// fieldsOf lists the fields of a struct with those that it embeds.
func fieldsOf(t reflect.Type, index []int) (all []field) {
	for f := range structFields(t) {
		at := append(append([]int{}, index...), f.Index...)
		if f.Anonymous && f.Tag.Get("json") == "" {
			all = append(all, fieldsOf(f.Type, at)...)
			continue
		}
		x := field{goName: plainName(t) + "." + f.Name, index: at, fallback: f.Tag.Get("default"), shape: shapeOf(f.Type)}
		switch {
		case f.Tag.Get("path") != "":
			x.name, x.from, x.required = f.Tag.Get("path"), fromPath, true
		case f.Tag.Get("query") != "":
			x.name, x.from, x.required = f.Tag.Get("query"), fromQuery, f.Tag.Get("required") != ""
		case f.Tag.Get("body") != "":
			x.from = wholeBody
		default:
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" || name == "" {
				continue
			}
			x.name, x.required = name, f.Tag.Get("required") != "" || !strings.Contains(options, "omit") && f.Tag.Get("optional") == ""
		}
		x.shape.limit(f.Tag)
		all = append(all, x)
	}
	return all
}

func structFields(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && !yield(f) {
				return
			}
		}
	}
}

// limit reads the bounds of a field from its tag.
func (s *shape) limit(tag reflect.StructTag) {
	number := func(name string) *float64 {
		if n, err := strconv.ParseFloat(tag.Get(name), 64); err == nil {
			return &n
		}
		return nil
	}
	s.min, s.max = number("min"), number("max")
	s.nullable = s.nullable && tag.Get("nonnull") == ""
	if n := number("maxlen"); n != nil {
		s.maxLen = int(*n)
	}
	if words := tag.Get("enum"); words != "" {
		s.enum = nil
		for word := range strings.SplitSeq(words, ",") {
			s.enum = append(s.enum, word)
		}
	}
}

// typeName is what a type is called in the document: a page of runs is a RunList.
func typeName(t reflect.Type) string {
	name := t.Name()
	if outer, inner, generic := strings.Cut(name, "["); generic {
		inner = strings.TrimSuffix(inner, "]")
		return inner[strings.LastIndexByte(inner, '.')+1:] + outer
	}
	return name
}

// plainName is what a type is called in its source.
func plainName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}
