package blueprint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// transforms is the closed list. Each says which arguments it takes and whether it
// works on all values together rather than on each.
var transforms = map[string]struct {
	takes string // of: t(ext), T(ext, needed), w(ith), n, N (needed), o (to)
	list  bool
}{
	"after": {takes: "T"}, "before": {takes: "T"}, "prefix": {takes: "T"}, "suffix": {takes: "T"},
	"remove": {takes: "T"}, "replace": {takes: "Tw"}, "split": {takes: "Tn"}, "line": {takes: "N"}, "slice": {takes: "no"},
	"match": {takes: "T"}, "lower": {}, "upper": {}, "digits": {}, "number": {}, "minor": {takes: "n"}, "strip_tags": {}, "url": {},
	"query": {takes: "T"}, "json": {takes: "T"},
	"first": {list: true}, "last": {list: true}, "unique": {list: true}, "min": {list: true}, "max": {list: true},
	"join": {takes: "t", list: true},
}

// transform is one step, ready to run.
type transform struct {
	Transform
	pattern *regexp.Regexp
	path    jsonPath
}

// isList says whether a step looks at all values together.
func (t transform) isList() bool { return transforms[t.Op].list }

// apply runs one step over values; those that it leaves empty go away.
func (t transform) apply(values []finding, doc *dom.Document) []finding {
	if t.isList() {
		return t.together(values)
	}
	var out []finding
	for _, v := range values {
		for _, text := range t.each(v.text, doc) {
			if text = strings.TrimSpace(text); text != "" && len(out) < maxMany {
				v.text = text
				out = append(out, v)
			}
		}
	}
	return out
}

// each gives what one value becomes: none, one or several.
func (t transform) each(s string, doc *dom.Document) []string {
	switch t.Op {
	case "before":
		start, _, ok := strings.Cut(s, t.Text)
		if !ok {
			return nil
		}
		return []string{start}
	case "split":
		return nth(strings.Split(s, t.Text), t.N)
	case "line":
		return nth(filled(strings.Split(s, "\n")), t.N)
	case "match":
		return t.matched(s)
	case "json":
		return t.inJSON(s)
	}
	return []string{t.rewrite(s, doc)}
}

// rewrite runs the steps that make one text of another.
func (t transform) rewrite(s string, doc *dom.Document) string {
	switch t.Op {
	case "after":
		_, rest, _ := strings.Cut(s, t.Text)
		return rest
	case "prefix":
		return strings.TrimPrefix(s, t.Text)
	case "suffix":
		return strings.TrimSuffix(s, t.Text)
	case "remove":
		return strings.ReplaceAll(s, t.Text, "")
	case "replace":
		return strings.ReplaceAll(s, t.Text, t.With)
	case "slice":
		return slice(s, t.N, t.To)
	case "lower":
		return strings.ToLower(s)
	case "upper":
		return strings.ToUpper(s)
	case "digits":
		return text.Digits(s)
	case "number":
		return numberIn().FindString(s)
	case "minor":
		return minor(s, t.N)
	case "strip_tags":
		return stripTags(s)
	case "url":
		return doc.Resolve(s)
	case "query":
		return query(s, t.Text)
	}
	return ""
}

// together runs the steps that look at all values.
func (t transform) together(values []finding) []finding {
	if len(values) == 0 {
		return nil
	}
	switch t.Op {
	case "first":
		return values[:1]
	case "last":
		return values[len(values)-1:]
	case "unique":
		var out []finding
		seen := map[string]bool{}
		for _, v := range values {
			if !seen[v.text] {
				seen[v.text] = true
				out = append(out, v)
			}
		}
		return out
	case "join":
		joined := values[0]
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = v.text
		}
		separator := t.Text
		separator = cmp.Or(separator, ", ")
		joined.text = strings.Join(texts, separator)
		return []finding{joined}
	}
	return extreme(values, t.Op == "max")
}

// extreme is the value with the smallest or largest number; those without a number
// do not count.
func extreme(values []finding, largest bool) []finding {
	best, at := 0.0, -1
	for i, v := range values {
		n, err := strconv.ParseFloat(plainNumber(v.text), 64)
		if err == nil && (at < 0 || largest && n > best || !largest && n < best) {
			best, at = n, i
		}
	}
	if at < 0 {
		return nil
	}
	return values[at : at+1]
}

// numberIn finds a number with its separators as written.
var numberIn = text.Pattern(`[-+−]?\d+(?:[.,'’\x{00a0}\x{202f} ]\d{3})*(?:[.,]\d+)?`)

// minorAmount is a whole number of minor units; some encoders write a point and
// zeros behind every number.
var minorAmount = text.Pattern(`^([-+−]?)(\d{1,30})(?:\.0*)?$`)

// minorDigits is how many decimals most currencies have (ISO 4217).
const minorDigits = 2

// minor puts the decimal point into an amount of minor units: 1999 is 19.99. What
// is no whole number gives nothing.
func minor(s string, decimals int) string {
	m := minorAmount().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	decimals = cmp.Or(decimals, minorDigits)
	sign, amount := "", strings.TrimLeft(m[2], "0")
	if m[1] == "-" || m[1] == "−" {
		sign = "-"
	}
	if missing := decimals + 1 - len(amount); missing > 0 {
		amount = strings.Repeat("0", missing) + amount
	}
	point := len(amount) - decimals
	return sign + amount[:point] + "." + amount[point:]
}

// plainNumber writes the number in a text for comparing: the last separator with
// other than three digits after it is the decimal one.
func plainNumber(s string) string {
	s = strings.ReplaceAll(numberIn().FindString(s), "−", "-")
	decimal := strings.LastIndexAny(s, ".,")
	if decimal >= 0 && len(s)-decimal == 4 && strings.Count(s, s[decimal:decimal+1]) > 1 {
		decimal = -1
	}
	var out strings.Builder
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9' || r == '-' && i == 0:
			out.WriteRune(r)
		case i == decimal:
			out.WriteByte('.')
		}
	}
	return out.String()
}

// nth picks a part: 1 is the first, -1 the last, 0 are all.
func nth(parts []string, n int) []string {
	switch {
	case n == 0:
		return parts
	case n > 0 && n <= len(parts):
		return parts[n-1 : n]
	case n < 0 && -n <= len(parts):
		return parts[len(parts)+n : len(parts)+n+1]
	}
	return nil
}

func filled(lines []string) []string {
	return slices.DeleteFunc(lines, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// slice takes characters from n up to, without, to; negative ones count from the
// end, and a to of 0 is the end.
func slice(s string, n, to int) string {
	runes := []rune(s)
	at := func(i int) int {
		if i < 0 {
			i += len(runes)
		}
		return min(max(i, 0), len(runes))
	}
	from, end := at(n), len(runes)
	if to != 0 {
		end = at(to)
	}
	if from >= end {
		return ""
	}
	return string(runes[from:end])
}

func (t transform) matched(s string) []string {
	m := t.pattern.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	for _, group := range m[1:] {
		if group != "" {
			return []string{group}
		}
	}
	return m[:1]
}

// stripTags gives the visible text of a piece of HTML.
func stripTags(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	tree, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return ""
	}
	return dom.Text(tree)
}

// query is the value of a parameter of an address.
func query(address, name string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get(name)
}

// inJSON reads a value that is itself JSON, like an attribute with a product's data.
func (t transform) inJSON(s string) []string {
	value, err := decodeJSON([]byte(s))
	if err != nil {
		return nil
	}
	b := newBudget()
	var out []string
	for _, f := range scalars(t.path.walk(locatedValue{value: value, place: "$"}, b), b) {
		out = append(out, f.text)
	}
	return out
}

// decodeJSON reads one JSON value and keeps numbers as written.
func decodeJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	return value, nil
}
