package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// The bounds of a request.
const (
	mostBody     = 1 << 20
	mostMistakes = 20
)

// readBody reads the body of a request, which must be JSON and no larger than allowed.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, curlew.Permanent("too_large", "the body is larger than %d KiB", mostBody>>10)
	case err != nil:
		return nil, curlew.Permanent("bad_request", "the body broke off").Because(err)
	case len(bytes.TrimSpace(body)) == 0:
		return nil, nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		return nil, curlew.Permanent("not_json", "send the body as JSON, with the header Content-Type: application/json")
	}
	return body, nil
}

// singular is what one of a group of routes is called.
var singular = map[string]string{
	"blueprints": "blueprint", "candidates": "candidate", "changes": "change", "deliveries": "delivery", "entities": "entity",
	"heals": "heal", "keys": "key", "kinds": "kind", "people": "member", "publications": "publication", "runs": "run",
	"sources": "source", "subscriptions": "subscription", "watches": "watch",
}

// bind reads path, query and body into the input of a handler.
func (c *Call) bind(s shape, into reflect.Value) error {
	var wrong curlew.Problems
	query := c.request.URL.Query()
	known := map[string]bool{}
	var whole *field
	for i, f := range s.fields {
		target := into.FieldByIndex(f.index)
		switch f.from {
		case fromPath:
			if err := setText(target, f.shape, c.request.PathValue(f.name)); err != nil {
				return curlew.NotFound(singular[c.route.Group], c.request.PathValue(f.name))
			}
		case fromQuery:
			known[f.name] = true
			wrong = append(wrong, bindQuery(target, f, query[f.name])...)
		case wholeBody:
			whole = &s.fields[i]
		}
	}
	for name := range query {
		if !known[name] {
			wrong.Add("query "+clipped(name), "unknown parameter: "+knownWords(known))
		}
	}
	if len(wrong) > 0 {
		slices.SortFunc(wrong, func(a, b curlew.Problem) int { return strings.Compare(a.Field, b.Field) })
		return wrong
	}
	if whole == nil {
		return bindBody(c.body, shape{kind: "object"}, reflect.ValueOf(&nothing{}).Elem())
	}
	return bindBody(c.body, whole.shape, into.FieldByIndex(whole.index))
}

func knownWords(known map[string]bool) string {
	if len(known) == 0 {
		return "this operation takes none"
	}
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	return "use " + strings.Join(names, ", ")
}

func bindQuery(target reflect.Value, f field, given []string) curlew.Problems {
	place := "query " + f.name
	switch {
	case len(given) > 1:
		return curlew.ProblemIn(place, "it is given more than once")
	case len(given) == 0 && f.required:
		return curlew.ProblemIn(place, "it is missing")
	case len(given) == 0 && f.fallback == "":
		return nil
	case len(given) == 0:
		given = []string{f.fallback}
	}
	if err := setText(target, f.shape, given[0]); err != nil {
		return curlew.ProblemIn(place, err.Error())
	}
	return nil
}

// setText reads a value that is written in a URL.
func setText(target reflect.Value, s shape, text string) error {
	var value any = text
	switch s.kind {
	case "integer", "number":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return fmt.Errorf("%q is not a number", clipped(text))
		}
		value = json.Number(text)
	case "boolean":
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", clipped(text))
		}
		value = b
	case "array":
		list := []any{}
		for word := range strings.SplitSeq(text, ",") {
			list = append(list, word)
		}
		value = list
	}
	if wrong := check(s, value, ""); len(wrong) > 0 {
		return errors.New(wrong[0].Sentence)
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if json.Unmarshal(raw, target.Addr().Interface()) != nil {
		return fmt.Errorf("%q cannot be read", clipped(text))
	}
	return nil
}

// bindBody reads a body that has no more and nothing else than its shape says.
func bindBody(body []byte, s shape, into reflect.Value) error {
	if len(body) == 0 {
		body = []byte("{}")
	}
	if !utf8.Valid(body) {
		return curlew.ProblemIn("/", curlew.NotUTF8)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return curlew.ProblemIn("/", curlew.BodyProblem(err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return curlew.ProblemIn("/", fmt.Sprintf("something follows the JSON, at byte %d", decoder.InputOffset()))
	}
	if wrong := check(s, value, ""); len(wrong) > 0 {
		return wrong
	}
	if err := json.Unmarshal(body, into.Addr().Interface()); err != nil {
		return curlew.ProblemIn("/", "the body cannot be read: "+clipped(err.Error()))
	}
	return nil
}

// check holds a JSON value against a shape and says what is wrong with it, and where.
func check(s shape, value any, place string) curlew.Problems {
	at := place
	if at == "" {
		at = "/"
	}
	if value == nil {
		if s.nullable || s.kind == "" {
			return nil
		}
		return curlew.ProblemIn(at, "it must not be null")
	}
	if object, ok := value.(map[string]any); ok {
		return checkObject(s, object, place, at)
	}
	if s.kind == "" {
		return nil
	}
	if !s.holds(value) {
		return curlew.ProblemIn(at, "it must be "+article(s.kind))
	}
	switch v := value.(type) {
	case []any:
		return checkArray(s, v, place, at)
	case string:
		return checkText(s, v, at)
	case json.Number:
		return checkNumber(s, v, at)
	}
	return nil
}

// holds says whether a value that is no object is of the kind that a shape has.
func (s shape) holds(value any) bool {
	switch value.(type) {
	case []any:
		return s.kind == "array"
	case string:
		return s.kind == "string"
	case json.Number:
		return s.kind == "integer" || s.kind == "number"
	case bool:
		return s.kind == "boolean"
	}
	return false
}

func article(kind string) string {
	switch kind[0] {
	case 'a', 'i', 'o':
		return "an " + kind
	}
	return "a " + kind
}

func checkObject(s shape, v map[string]any, place, at string) (wrong curlew.Problems) {
	switch {
	case s.kind == "":
		return nil
	case s.kind != "object":
		return curlew.ProblemIn(at, "it must be "+article(s.kind))
	}
	seen := map[string]bool{}
	for _, f := range s.fields {
		seen[f.name] = true
		given, there := v[f.name]
		if !there && f.required {
			wrong.Add(place+"/"+f.name, "it is missing")
		}
		if there {
			wrong = append(wrong, check(f.shape, given, place+"/"+f.name)...)
		}
	}
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch {
		case seen[name] || len(wrong) >= mostMistakes:
		case s.elem != nil:
			wrong = append(wrong, check(*s.elem, v[name], place+"/"+pointer(name))...)
		default:
			wrong.Add(place+"/"+pointer(name), "unknown field")
		}
	}
	return wrong[:min(len(wrong), mostMistakes)]
}

// pointer escapes a name for a JSON pointer (RFC 6901).
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(clipped(name))
}

func checkArray(s shape, v []any, place, at string) (wrong curlew.Problems) {
	if wrong := curlew.EntriesProblem(len(v), s.max); wrong != "" {
		return curlew.ProblemIn(at, wrong)
	}
	for i, one := range v {
		if wrong = append(wrong, check(*s.elem, one, fmt.Sprintf("%s/%d", place, i))...); len(wrong) >= mostMistakes {
			break
		}
	}
	return wrong
}

func checkNumber(s shape, v json.Number, at string) curlew.Problems {
	n, err := v.Float64()
	if err != nil {
		return curlew.ProblemIn(at, "it is no number that a computer can hold")
	}
	if s.kind == "integer" && (n != math.Trunc(n) || math.Abs(n) > 1<<53 || strings.ContainsAny(v.String(), ".eE")) {
		return curlew.ProblemIn(at, "it must be a whole number")
	}
	if wrong := curlew.NumberProblem(n, s.min, s.max); wrong != "" {
		return curlew.ProblemIn(at, wrong)
	}
	if len(s.enum) > 0 && !slices.Contains(s.enum, any(n)) {
		return curlew.ProblemIn(at, "use one of "+words(s.enum))
	}
	return nil
}

func checkText(s shape, v, at string) curlew.Problems {
	if wrong := curlew.TextProblem(v, s.min != nil && *s.min > 0, s.maxLen); wrong != "" {
		return curlew.ProblemIn(at, wrong)
	}
	switch {
	case len(s.enum) > 0 && !slices.Contains(s.enum, any(v)):
		return curlew.ProblemIn(at, fmt.Sprintf("%q is not one of %s", clipped(v), words(s.enum)))
	case s.prefix != "" && !isID(s.prefix, v):
		return curlew.ProblemIn(at, curlew.IDProblem(s.prefix, clipped(v)))
	}
	switch s.format {
	case "date-time":
		if _, err := time.Parse(time.RFC3339, v); err != nil {
			return curlew.ProblemIn(at, "write the time as 2026-03-02T10:00:00Z")
		}
	case "duration":
		if _, err := time.ParseDuration(v); err != nil {
			return curlew.ProblemIn(at, "write the duration as 90s, 15m or 24h")
		}
	}
	return nil
}

// isID says whether a text looks like an id.
func isID(prefix, text string) bool {
	body, ok := strings.CutPrefix(text, prefix+"_")
	return ok && len(body) == 24 && !strings.ContainsFunc(body,
		func(r rune) bool { return !strings.ContainsRune("0123456789abcdefghjkmnpqrstvwxyz", r) })
}

func words(all []any) string {
	texts := make([]string, len(all))
	for i, v := range all {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}

// clipped keeps what strangers send from filling the answer.
func clipped(s string) string { return text.Clip(s, 80) }
