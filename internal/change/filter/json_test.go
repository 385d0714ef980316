package filter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var withoutPlaces = cmp.Options{cmpopts.IgnoreUnexported(Expr{}, Literal{}), cmpopts.EquateEmpty()}

func TestTextAndTreeSayTheSame(t *testing.T) {
	for text, tree := range map[string]string{
		`price decreased by 5%`:   `{"field":"price","test":"decreased","by":"5%"}`,
		`price decreased`:         `{"field":"price","test":"decreased"}`,
		`price < 100.00 EUR`:      `{"field":"price","test":"below","value":100.00,"unit":"EUR"}`,
		`price increased by 2.50`: `{"field":"price","test":"increased","by":2.50}`,
		`title contains "jazz"`:   `{"field":"title","test":"contains","value":"jazz"}`,
		`starts_at within 7d`:     `{"field":"starts_at","test":"within","value":"7d"}`,
		`online = true`:           `{"field":"online","test":"equals","value":true}`,
		`city in ("a", "b\"c")`:   `{"field":"city","test":"in","values":["a","b\"c"]}`,
		`rating is missing`:       `{"field":"rating","test":"missing"}`,
		`city = "Kraków" and (price decreased or not availability changed)`: `{"all":[{"field":"city","test":"equals","value":"Kraków"},{"any":[{"field":"price","test":"decreased"},{"not":{"field":"availability","test":"changed"}}]}]}`,
	} {
		t.Run(text, func(t *testing.T) {
			x, err := Parse(text)
			if err != nil {
				t.Error(err)
				return
			}
			if got := string(x.JSON()); got != tree {
				t.Errorf("%s as a tree: %s, want %s", text, got, tree)
			}
			if x.String() != text {
				t.Errorf("%s is written as %s", text, x)
			}
			back, err := FromJSON([]byte(tree))
			if err != nil || cmp.Diff(x, back, withoutPlaces) != "" {
				t.Errorf("%s read back: %v %s", tree, err, cmp.Diff(x, back, withoutPlaces))
			}
		})
	}
}

func TestAFieldWithTheNameOfAKeywordIsQuoted(t *testing.T) {
	x, err := FromJSON([]byte(`{"field": "not", "test": "changed"}`))
	if err != nil || x.String() != "`not` changed" {
		t.Errorf("%s, %v", x, err)
	}
}

func TestATreeThatCannotBeIsExplained(t *testing.T) {
	for tree, sentence := range map[string]string{
		`{"field":"price","test":"decresed"}`:                          `/test: "decresed" is no test; did you mean decreased?`,
		`{"all":[{"field":"a","test":"changed"},{"field":"b"}]}`:       "/all/1/test:",
		`{"all":[],"field":"x"}`:                                       "exactly one of",
		`{"all":[]}`:                                                   "at least one",
		`{"field":"price","test":"below"}`:                             "takes a value",
		`{"field":"price","test":"changed","value":3}`:                 "takes no value",
		`{"field":"price","test":"below","value":1e99}`:                "neither a number",
		`{"field":"price","test":"below","value":3,"unit":"euro"}`:     "code of a currency",
		`{"field":"price","test":"below","value":{}}`:                  "a value is text",
		`{"field":"a` + "`" + `b","test":"changed"}`:                   "there is no field with this name",
		`{"field":"x","test":"changed","colour":1}`:                    "unknown field",
		`{"field":"x","test":"changed"} {}`:                            "something follows",
		`[`:                                                            "not in the JSON form",
		strings.Repeat(`{"not":`, 90) + `{}` + strings.Repeat("}", 90): "32 deep",
		strings.Repeat(`{"not":`, 40) + `{"field":"x","test":"changed"}` + strings.Repeat("}", 40): "32 deep",
	} {
		t.Run(tree, func(t *testing.T) {
			_, err := FromJSON([]byte(tree))
			if f := curlew.AsFault(err); !errors.Is(f, curlew.Code("bad_filter")) || !strings.Contains(f.Sentence, sentence) {
				t.Errorf("%.80s: %v, want %s", tree, err, sentence)
			}
		})
	}
	if x, err := FromJSON([]byte(`{}`)); err != nil || !x.Empty() {
		t.Errorf("an empty tree: %v %v", x, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`price decreased by 5% or (a = "x" and not b in (1, 2))`, "`x y` within 2 weeks", `all(a is set, any(b falls below 3 EUR, c = true))`,
		`sku = 007`, `a = -0.5`, `a = “x”`, `a < 2026-01-01T10:00`, `x.y changed`, `(((`, "\xff"} {
		f.Add(seed)
	}
	event, err := Read(product(f, "", cheaper))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil {
			_ = err.Error()
			return
		}
		spelled := x.String()
		if len(spelled) > maxLength { // quotes and parentheses made it longer
			return
		}
		again, err := Parse(spelled)
		if err != nil || again.String() != spelled {
			t.Fatalf("%q is written as %q, which reads as %q: %v", text, spelled, again, err)
		}
		if diff := cmp.Diff(x, again, withoutPlaces); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
		tree := x.JSON()
		back, err := FromJSON(tree)
		if err != nil || back.String() != spelled {
			t.Fatalf("%q as a tree %s reads as %q: %v", text, tree, back, err)
		}
		filter, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		filter.Wants(event)
		_, _ = Compile(text, curlew.Schemas()...)
	})
}

func FuzzMatches(f *testing.F) {
	f.Add([]byte(`{"entity": {"schema": "product", "fields": {"price": 1e400, "name": ["x"]}}, "changes": [{"field": "price", "old": "a", "new": {}}]}`))
	f.Add([]byte(`{"changes": [{"field": "slots", "old": {"a": [1]}, "new": null}]}`))
	var filters []*Filter
	for _, text := range []string{`price decreased by 5%`, `name contains "x"`, `starts_at within 7d`, `slots.a changed`, `price < 5 EUR`, `price falls below 5`, `starts_at increased by 1h`, `name in ("x", 5)`} {
		filter, err := Compile(text)
		if err != nil {
			f.Fatal(err)
		}
		filters = append(filters, filter)
	}
	f.Fuzz(func(_ *testing.T, payload []byte) {
		for _, filter := range filters {
			filter.Matches(curlew.Change{Payload: json.RawMessage(payload), OccurredAt: now})
		}
	})
}

func BenchmarkWants(b *testing.B) {
	event, err := Read(product(b, "", cheaper))
	if err != nil {
		b.Fatal(err)
	}
	f, err := Compile(`availability = "in_stock" and (price decreased by 5% or name contains "jazz")`)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.Wants(event)
	}
}
