package structured

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// maxFilled bounds the arrays that Array(n) stands for.
const maxFilled = 10_000

// constants are the words that are values.
var constants = map[string]any{"true": true, "false": false, "null": nil, "undefined": nil, "NaN": nil, "Infinity": nil}

// expression reads the few expressions of JavaScript that plainly are values:
// words, !0, void 0, names of parameters, new Date(…), JSON.parse("…"),
// functions that are called on the spot.
func (r *literalReader) expression() (any, error) {
	switch c := r.src[r.pos]; c {
	case '!':
		r.pos++
		value, err := r.value()
		return !truthy(value), err
	case '(':
		return r.nested(r.parenthesis)
	}
	start := r.pos
	name := r.name()
	if value, ok := constants[name]; ok {
		return value, nil
	}
	switch name {
	case "":
		return nil, errSyntax
	case "void":
		_, err := r.value()
		return nil, err
	case "new":
		r.space()
		return r.construction()
	case "function":
		r.pos = start
		return r.nested(r.parenthesis)
	}
	if value, ok := r.names[name]; ok {
		return value, nil
	}
	name += r.members()
	if r.pos < len(r.src) && r.src[r.pos] == '(' {
		return r.call(name)
	}
	if r.names == nil && r.depth > 0 && r.ends() {
		return nil, nil // a variable that we cannot know
	}
	return nil, errSyntax
}

// members reads what follows the name of an object: .x.y
func (r *literalReader) members() (path string) {
	for r.pos < len(r.src) && r.src[r.pos] == '.' {
		r.pos++
		path += "." + r.name()
	}
	return path
}

// ends says whether a value ends here.
func (r *literalReader) ends() bool {
	r.space()
	return r.pos < len(r.src) && strings.IndexByte(",]})", r.src[r.pos]) >= 0
}

// construction reads what follows new.
func (r *literalReader) construction() (any, error) {
	name := r.name()
	arguments, err := r.arguments()
	if err != nil {
		return nil, err
	}
	switch name {
	case "Date":
		return date(arguments), nil
	case "Map":
		return mapOf(first(arguments)), nil
	case "Array":
		if length, ok := first(arguments).(json.Number); ok && len(arguments) == 1 {
			return filled(length)
		}
		return arguments, nil
	case "Set", "URL", "String", "Number", "Boolean", "Object", "URLSearchParams", "BigInt":
		return first(arguments), nil
	}
	return nil, errSyntax
}

// call reads calls of functions that only hand their argument on.
func (r *literalReader) call(name string) (any, error) {
	arguments, err := r.arguments()
	if err != nil {
		return nil, err
	}
	switch name {
	case "JSON.parse":
		text, ok := first(arguments).(string)
		if !ok {
			return nil, errSyntax
		}
		inner := literalReader{src: text, depth: r.depth, values: r.values}
		value, err := inner.whole()
		r.values = inner.values
		return value, err
	case "Object.freeze", "Object", "String", "Number", "Boolean", "BigInt", "Symbol.for", "structuredClone":
		return first(arguments), nil
	case "decodeURIComponent", "unescape":
		text, _ := first(arguments).(string)
		return percentDecoded(text), nil
	case "Array":
		if length, ok := first(arguments).(json.Number); ok && len(arguments) == 1 {
			return filled(length)
		}
		return arguments, nil
	case "Object.assign":
		merged := map[string]any{}
		for _, argument := range arguments {
			if members, ok := argument.(map[string]any); ok {
				for key, value := range members {
					merged[key] = value
				}
			}
		}
		return merged, nil
	}
	return nil, errSyntax
}

// arguments reads a list in parentheses, if there is one.
func (r *literalReader) arguments() ([]any, error) {
	r.space()
	if r.pos >= len(r.src) || r.src[r.pos] != '(' {
		return nil, nil
	}
	if r.depth++; r.depth > maxDepth {
		return nil, errDeep
	}
	defer func() { r.depth-- }()
	r.pos++
	var all []any
	for {
		r.space()
		if r.pos >= len(r.src) {
			return nil, errShort
		}
		if r.src[r.pos] == ')' {
			r.pos++
			return all, nil
		}
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		all = append(all, value)
		if err := r.comma(')'); err != nil {
			return nil, err
		}
	}
}

// concatenation joins "a" + "b", which minifiers and templates leave behind.
func (r *literalReader) concatenation(value any) (any, error) {
	text, ok := value.(string)
	if !ok {
		return value, nil
	}
	for {
		before := r.pos
		r.space()
		if r.pos >= len(r.src) || r.src[r.pos] != '+' {
			r.pos = before
			return text, nil
		}
		r.pos++
		r.space()
		if r.pos >= len(r.src) || strings.IndexByte("\"'`", r.src[r.pos]) < 0 {
			return nil, errSyntax
		}
		more, err := r.text()
		if err != nil {
			return nil, err
		}
		if r.values++; r.values > maxValues {
			return nil, errLarge
		}
		text += more
	}
}

// whole reads a text that is one value and nothing else.
func (r *literalReader) whole() (any, error) {
	value, err := r.value()
	if err != nil {
		return nil, err
	}
	r.space()
	for r.pos < len(r.src) && r.src[r.pos] == ';' {
		r.repair("a semicolon followed")
		r.pos++
		r.space()
	}
	if r.pos < len(r.src) {
		return nil, errSyntax
	}
	return value, nil
}

func truthy(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case bool:
		return value
	case string:
		return value != ""
	case json.Number:
		n, err := value.Float64()
		return err != nil || n != 0
	}
	return true
}

func first(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// date is what new Date(x) means, in words; milliseconds are since 1970.
func date(arguments []any) any {
	number, ok := first(arguments).(json.Number)
	if !ok || len(arguments) != 1 {
		return first(arguments)
	}
	milliseconds, err := number.Int64()
	if err != nil || milliseconds < -62135596800000 || milliseconds > 253402300799999 { // years 1 to 9999
		return number
	}
	return time.UnixMilli(milliseconds).UTC().Format("2006-01-02T15:04:05.999Z07:00")
}

// mapOf is a Map as an object, when its keys allow that.
func mapOf(pairs any) any {
	list, ok := pairs.([]any)
	if !ok {
		return map[string]any{}
	}
	members := map[string]any{}
	for _, pair := range list {
		entry, ok := pair.([]any)
		if !ok || len(entry) != 2 {
			return pairs
		}
		switch key := entry[0].(type) {
		case string:
			members[key] = entry[1]
		case json.Number:
			members[key.String()] = entry[1]
		default:
			return pairs
		}
	}
	return members
}

func filled(length json.Number) (any, error) {
	n, err := strconv.Atoi(length.String())
	if err != nil || n < 0 || n > maxFilled {
		return nil, errLarge
	}
	return make([]any, n), nil
}

// scriptNumber reads the spellings of numbers that JSON does not have: 0xFF, .5,
// 5., +1, 1_000, 10n.
func scriptNumber(written string) (json.Number, error) {
	s := strings.TrimPrefix(strings.ReplaceAll(written, "_", ""), "+")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	s = strings.TrimSuffix(s, "n")
	if len(s) > 400 {
		return "", errSyntax
	}
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0 {
		n, ok := new(big.Int).SetString(s, 0)
		if !ok {
			return "", errSyntax
		}
		return json.Number(sign + n.String()), nil
	}
	s = strings.TrimSuffix(s, ".")
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	s = strings.Replace(s, ".e", "e", 1)
	if !isNumber(s) {
		return "", errSyntax
	}
	return json.Number(sign + s), nil
}
