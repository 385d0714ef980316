package app

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// PageSize is how many rows of a listing somebody asks for.
type PageSize struct {
	Limit int `json:"limit" query:"limit" min:"1" max:"500" default:"100"` // how many at most
}

// Check says what is wrong with it.
func (c PageSize) Check() curlew.Problems { return bounds(c) }

// Percent is a share as people write it, on the command line and in forms.
type Percent float64

// Check says what is wrong with it, in its own unit.
func (p Percent) Check() curlew.Problems {
	return bounds(struct {
		Share Percent `json:"removal_share" min:"0" max:"100"`
	}{p})
}

// Validate lets the command line check it as a flag.
func (p Percent) Validate() error { return p.Check().Err() }

// PercentOf writes a share in percent, as people do.
func PercentOf(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e6)/1e4, 'f', -1, 64)
}

// bounds checks the fields of a command against their tags: min and max of a number,
// maxlen of a text, min:"1" of a text that must not be empty, enum, max of the entries of
// a list. Pointers that are nil were not given, nor is what is empty and may be left out.
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
		if value.IsZero() && (value.Kind() == reflect.Pointer || strings.HasSuffix(f.Tag.Get("json"), ",omitempty")) {
			continue
		}
		value = reflect.Indirect(value)
		all.Add(jsonName(f), checkField(f.Tag, value))
		checkEntries(jsonName(f), value, all)
	}
}

// checkEntries checks the texts in a list, and in one by names.
func checkEntries(place string, value reflect.Value, all *curlew.Problems) {
	switch kind := value.Kind(); {
	case kind == reflect.Slice && value.Type().Elem().Kind() == reflect.String:
		for i := range value.Len() {
			all.Add(fmt.Sprintf("%s/%d", place, i), checkField("", value.Index(i)))
		}
	case kind == reflect.Map && value.Type().Elem().Kind() == reflect.String:
		for entries := value.MapRange(); entries.Next(); {
			all.Add(fmt.Sprintf("%s/%s", place, entries.Key()), checkField("", entries.Value()))
		}
	}
}

func checkField(tag reflect.StructTag, value reflect.Value) string {
	least, most := limit(tag, "min"), limit(tag, "max")
	switch value.Kind() {
	case reflect.Slice:
		return curlew.EntriesProblem(value.Len(), most)
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
