package filter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// node is the JSON form of an expression: exactly one of all, any, not and field.
//
//	{"all": [{"field": "city", "test": "equals", "value": "Kraków"},
//	         {"field": "price", "test": "decreased", "by": "5%"}]}
type node struct {
	All    []node            `json:"all,omitempty"`
	Any    []node            `json:"any,omitempty"`
	Not    *node             `json:"not,omitempty"`
	Field  string            `json:"field,omitempty"`
	Test   Test              `json:"test,omitempty"`
	Value  json.RawMessage   `json:"value,omitempty"`  // text, number, true, false; "7d" after within
	Values []json.RawMessage `json:"values,omitempty"` // after in
	By     json.RawMessage   `json:"by,omitempty"`     // 5, "5%", "1h"
	Unit   string            `json:"unit,omitempty"`   // of a value or by that is a number: a currency
}

// FromJSON reads the JSON form. Problems name the path to the part concerned.
func FromJSON(raw []byte) (Expr, error) {
	if len(raw) > maxJSON {
		return Expr{}, badJSON("", "the filter is %d bytes long; %d are the most", len(raw), maxJSON)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var n node
	if err := decoder.Decode(&n); err != nil {
		return Expr{}, badJSON("", "the filter is not in the JSON form: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if decoder.More() {
		return Expr{}, badJSON("", "something follows the filter")
	}
	if n.blank() {
		return Expr{}, nil
	}
	x, err := n.expr("", 1)
	if err != nil {
		return Expr{}, err
	}
	// Reading the text form again puts every part at its place, and makes sure
	// that both forms have the same bounds.
	return Parse(x.String())
}

func badJSON(path, format string, args ...any) error {
	path = cmp.Or(path, "/")
	return curlew.Permanent("bad_filter", "%s: %s", path, fmt.Sprintf(format, args...))
}

func (n node) blank() bool {
	joins := n.All != nil || n.Any != nil || n.Not != nil
	compares := n.Value != nil || n.By != nil || n.Values != nil
	return !joins && !compares && n.Field == "" && n.Test == ""
}

func (n node) expr(path string, depth int) (Expr, error) {
	forms := 0
	for _, is := range []bool{n.All != nil, n.Any != nil, n.Not != nil, n.Field != ""} {
		if is {
			forms++
		}
	}
	switch {
	case depth > maxDepth:
		return Expr{}, badJSON("", "conditions are nested more than %d deep", maxDepth)
	case forms != 1:
		return Expr{}, badJSON(path, "a condition has exactly one of all, any, not and field")
	case n.Not != nil:
		part, err := n.Not.expr(path+"/not", depth+1)
		return Expr{Not: &part}, err
	case n.All != nil:
		parts, err := exprs(n.All, path+"/all", depth+1)
		return allOf(parts), err
	case n.Any != nil:
		parts, err := exprs(n.Any, path+"/any", depth+1)
		return anyOf(parts), err
	}
	return n.condition(path)
}

func exprs(nodes []node, path string, depth int) ([]Expr, error) {
	if len(nodes) == 0 {
		return nil, badJSON(path, "a list of conditions has at least one")
	}
	var parts []Expr
	for i, n := range nodes {
		part, err := n.expr(fmt.Sprintf("%s/%d", path, i), depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func (n node) condition(path string) (Expr, error) {
	g, ok := grammarOf(n.Test)
	if !ok {
		var known []string
		for _, g := range tests {
			known = append(known, string(g.test))
		}
		return Expr{}, badJSON(path+"/test", "%q is no test%s", text.Clip(string(n.Test), 40), suggest(string(n.Test), known))
	}
	given, err := n.given(g, path)
	if err != nil {
		return Expr{}, err
	}
	words := make([]string, len(given))
	for i, raw := range given {
		if words[i], ok = n.word(raw, g.takes); !ok {
			return Expr{}, badJSON(path, "a value is text, a number, true or false, and a unit is the code of a currency: EUR")
		}
	}
	x, err := condition(n.Field, g, words)
	if err != nil {
		return Expr{}, badJSON(path, "%s", curlew.AsFault(err).Sentence)
	}
	return x, nil
}

// word writes a value into the language. Shares and durations, which JSON has no type for, are texts there.
func (n node) word(raw json.RawMessage, takes operand) (string, bool) {
	var text string
	amount := len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
	switch {
	case json.Unmarshal(raw, &text) == nil && raw[0] == '"':
		if takes == span || takes == optional {
			return text, true
		}
		return quote(text), true
	case n.Unit != "" && !currencyPattern().MatchString(n.Unit):
		return "", false
	case amount && n.Unit != "":
		return string(raw) + " " + n.Unit, true
	}
	return string(raw), amount || string(raw) == "true" || string(raw) == "false"
}

// given finds the values where the test expects them, and nowhere else.
func (n node) given(g grammar, path string) ([]json.RawMessage, error) {
	switch {
	case g.takes != list && n.Values != nil, g.takes != optional && n.By != nil,
		(g.takes == nothing || g.takes == list || g.takes == optional) && n.Value != nil:
		return nil, badJSON(path, "%s takes %s", n.Test,
			map[operand]string{nothing: "no value", list: "values", optional: "by, or nothing"}[g.takes])
	case g.takes == nothing, g.takes == optional && n.By == nil:
		return nil, nil
	case g.takes == optional:
		return []json.RawMessage{n.By}, nil
	case g.takes == list && (len(n.Values) == 0 || len(n.Values) > maxListed):
		return nil, badJSON(path+"/values", "a list has between 1 and %d values", maxListed)
	case g.takes == list:
		return n.Values, nil
	case n.Value == nil:
		return nil, badJSON(path+"/value", "%s takes a value", n.Test)
	}
	return []json.RawMessage{n.Value}, nil
}

// JSON writes the expression as the tree that FromJSON reads back to the same.
func (x Expr) JSON() json.RawMessage {
	raw, err := json.Marshal(x.node())
	if err != nil {
		panic("filter: a tree of texts and numbers cannot be written: " + err.Error())
	}
	return raw
}

func (x Expr) node() node {
	switch {
	case x.Not != nil:
		part := x.Not.node()
		return node{Not: &part}
	case len(x.All) > 0:
		return node{All: nodes(x.All)}
	case len(x.Any) > 0:
		return node{Any: nodes(x.Any)}
	}
	n := node{Field: x.Field, Test: x.Test}
	g, _ := grammarOf(x.Test)
	for _, v := range x.Values {
		n.Unit = v.Unit
		switch g.takes {
		case list:
			n.Values = append(n.Values, v.raw())
		case optional:
			n.By = v.raw()
		default:
			n.Value = v.raw()
		}
	}
	return n
}

func nodes(parts []Expr) []node {
	all := make([]node, len(parts))
	for i, part := range parts {
		all[i] = part.node()
	}
	return all
}

func (l Literal) raw() json.RawMessage {
	switch l.Kind {
	case LiteralNumber:
		return json.RawMessage(jsonNumber(l.Text))
	case LiteralBool:
		return json.RawMessage(l.Text)
	}
	s := l.Text
	if l.Kind == LiteralPercent {
		s += "%"
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic("filter: a text cannot be written: " + err.Error())
	}
	return raw
}

// jsonNumber drops leading zeros, which JSON does not know.
func jsonNumber(text string) string {
	digits, negative := strings.CutPrefix(text, "-")
	digits = strings.TrimLeft(digits, "0")
	if digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	if negative {
		return "-" + digits
	}
	return digits
}
