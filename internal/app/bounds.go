package app

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// bounds checks the fields of a command against their tags: min and max of a number,
// maxlen of a text, min:"1" of a text that must not be empty, enum. Pointers that are
// nil were not given.
func bounds(command any) curlew.Problems {
	var all curlew.Problems
	checkFields(reflect.ValueOf(command), &all)
	return all
}

func checkFields(v reflect.Value, all *curlew.Problems) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		value := v.Field(i)
		if f.Anonymous {
			checkFields(value, all)
			continue
		}
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		all.Add(jsonName(f), checkField(f.Tag, value))
	}
}

func checkField(tag reflect.StructTag, value reflect.Value) string {
	least, most := limit(tag, "min"), limit(tag, "max")
	switch value.Kind() {
	case reflect.String:
		text := value.String()
		if words := tag.Get("enum"); words != "" && text != "" {
			return curlew.ChoiceProblem(text, strings.Split(words, ","))
		}
		longest, _ := strconv.Atoi(tag.Get("maxlen"))
		return curlew.TextProblem(text, least != nil && *least > 0, longest)
	case reflect.Int, reflect.Int64:
		return curlew.NumberProblem(float64(value.Int()), least, most)
	case reflect.Float64:
		return curlew.NumberProblem(value.Float(), least, most)
	}
	return ""
}

func limit(tag reflect.StructTag, name string) *float64 {
	if n, err := strconv.ParseFloat(tag.Get(name), 64); err == nil {
		return &n
	}
	return nil
}

// jsonName is the name of a field in the API, the console and the command line.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}
