package recognise

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func decode(t testing.TB, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// listed is a finding in JSON as the paired files tell it.
type listed struct {
	Schema     curlew.SchemaName     `json:"schema"`
	Page       curlew.PageType       `json:"page"`
	Path       string                `json:"path"`
	Count      int                   `json:"count"`
	Confidence string                `json:"confidence"`
	Pagination *blueprint.Pagination `json:"pagination,omitempty"`
	First      curlew.Values         `json:"first"`
}

func TestJSONBecomesEntities(t *testing.T) {
	answers, _ := filepath.Glob("testdata/json/*.in.json")
	if len(answers) < 10 {
		t.Fatal("the answers are missing")
	}
	for _, path := range answers {
		name := strings.TrimSuffix(filepath.Base(path), ".in.json")
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found := []listed{}
			for _, f := range FromJSON(decode(t, body), "") {
				drafts := read(t, f, dom.New(body, "https://site.example/api"), nil)
				one := listed{Schema: f.Schema, Page: f.Page, Path: f.Path, Count: f.Count, Confidence: fmt.Sprintf("%.1f", f.Confidence), Pagination: f.Blueprint.Pagination}
				if len(drafts) > 0 {
					one.First = drafts[0].Fields
				}
				if len(f.Reasons) == 0 {
					t.Error("it gives no reasons")
				}
				found = append(found, one)
			}
			if strings.HasPrefix(name, "not-") && len(found) > 0 {
				t.Errorf("found %+v", found)
			}
			compareWith(t, "testdata/json/"+name+".json", found)
		})
	}
}

func TestTheSameValueGivesTheSameFindings(t *testing.T) {
	body, err := os.ReadFile("testdata/json/wordpress-events.in.json")
	if err != nil {
		t.Fatal(err)
	}
	first, _ := json.Marshal(FromJSON(decode(t, body), "x"))
	for range 20 {
		if again, _ := json.Marshal(FromJSON(decode(t, body), "x")); !bytes.Equal(first, again) {
			t.Fatalf("%s\nand\n%s", first, again)
		}
	}
}

// hugeValues are decoded values of about so many parts.
var hugeValues = map[string]func(n int) any{
	"many": func(n int) any {
		events := make([]any, n)
		for i := range events {
			events[i] = map[string]any{"title": fmt.Sprint("Event ", i), "startDate": "2026-05-01T20:00:00Z", "venue": map[string]any{"name": "Hall"}}
		}
		return map[string]any{"events": events}
	},
	"deep": func(n int) any {
		deep := any(map[string]any{"title": "end"})
		for range n / 8 {
			deep = map[string]any{"a": deep, "b": []any{deep}}
		}
		return deep
	},
	"a circle": func(n int) any {
		circle := map[string]any{"title": "Round", "startDate": "2026-05-01"}
		others := make([]any, n)
		for i := range others {
			others[i] = circle
		}
		circle["self"], circle["others"] = circle, others
		return circle
	},
	"wide": func(n int) any {
		wide := map[string]any{}
		for i := range n {
			wide[fmt.Sprint("key", i)] = map[string]any{fmt.Sprint("inner", i): []any{i}}
		}
		return wide
	},
}

func TestHugeValuesAreSampled(t *testing.T) {
	for name, value := range hugeValues {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 4<<20, func(size int) func() {
				value := value(size / 50)
				return func() {
					found := FromJSON(value, "")
					if name == "many" && (len(found) == 0 || found[0].Schema != curlew.SchemaEvent) {
						t.Errorf("%+v", found)
					}
					s := &searching{titles: map[string]float64{"round": 1}, seen: map[uintptr]bool{}}
					s.visit(value, "$", nil, 0)
				}
			})
		})
	}
}

func FuzzFromJSON(f *testing.F) {
	answers, _ := filepath.Glob("testdata/json/*.in.json")
	for _, path := range answers {
		body, _ := os.ReadFile(path)
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		var value any
		if d.Decode(&value) != nil {
			return
		}
		for _, found := range FromJSON(value, "") {
			if _, err := blueprint.Compile(found.Blueprint); err != nil {
				t.Errorf("%s: %v", found.Path, err)
			}
			if found.Confidence <= 0 || found.Confidence > 1 {
				t.Errorf("%s has the confidence %v", found.Path, found.Confidence)
			}
		}
	})
}

// What a built-in kind has no field for travels with the records of an API answer, under the names
// that a plain list has: a change of it would not be told otherwise. What only machines want does not.
func TestScalarKeysWithoutAFieldAreSlots(t *testing.T) {
	var rows []string
	for i, title := range strings.Fields("Bach Haydn Mozart Chopin Verdi") {
		rows = append(rows, strings.NewReplacer("TITLE", title, "NN", fmt.Sprint(10+i), "STATE", []string{"open", "waiting list"}[i%2],
			"LONG", strings.Repeat("It is a long evening. ", 20)).Replace(`{"id": 1NN, "uuid": "0b5c0000-0000-4000-8000-0000000000NN",
			"title": "TITLE by the river", "headline": "TITLE by the river", "start": "2026-12-NNT19:30:00Z", "venue": "Hall NN",
			"ticketStatus": "STATE", "Conductor": "Ann TITLE", "free_places": NN, "registration_deadline": "2026-11-NN", "views": 9NN,
			"updated_at": "2026-11-01T10:NN:00Z", "etag": "9f86d081884c7d65NN", "tracking_id": "xNN", "thumbnail": "/t/NN.jpg",
			"body": "LONG", "geo": {"hash": "u33"}, "tags": ["a"]}`))
	}
	body := []byte(`{"events": [` + strings.Join(rows, ",") + `]}`)
	found := FromJSON(decode(t, body), "")
	if len(found) != 1 || found[0].Schema != curlew.SchemaEvent {
		t.Fatalf("found is %+v", found)
	}
	drafts := read(t, found[0], dom.New(body, "https://site.example/api"), nil)
	got := drafts[0].Fields["slots"]
	want := map[string]any{"ticketstatus": "open", "conductor": "Ann Bach", "free_places": "10", "registration_deadline": "2026-11-10"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("slots are %v, want %v", got, want)
	}
	if state := FromJSON(decode(t, body), "__STATE__"); len(state) == 0 || slices.ContainsFunc(slices.Collect(maps.Keys(state[0].Blueprint.Fields)),
		func(name string) bool { return strings.HasPrefix(name, "slots.") }) {
		t.Errorf("the state of a script has %+v", state)
	}
}
