package blueprint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// publishedSchema compiles the schema that people get.
func publishedSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("blueprint.schema.json", tree); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("blueprint.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func schemaAccepts(t testing.TB, s *jsonschema.Schema, text []byte) bool {
	t.Helper()
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return false
	}
	return s.Validate(tree) == nil
}

// A file in testdata/validate has a blueprint above a line, and below it what is
// wrong with it: nothing, or one problem per line, after "meaning: " where the
// published schema cannot see it.
func TestBadBlueprintsAreToldWhere(t *testing.T) {
	schema := publishedSchema(t)
	files, err := filepath.Glob("testdata/validate/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text := readFile(t, ".", file)
			input, want, ok := strings.Cut(string(text), "\n---\n")
			if !ok {
				t.Fatal("the file has no line of dashes")
			}
			mark := ""
			if schemaAccepts(t, schema, []byte(input)) {
				mark = "meaning: "
			}
			_, err := Parse([]byte(input))
			got := ""
			for _, p := range Defects(err) {
				got += mark + p.Place + ": " + p.Sentence + "\n"
			}
			if mark == "" && got == "" {
				t.Error("the published schema refuses it, we do not")
			}
			if *update {
				if err := os.WriteFile(file, []byte(input+"\n---\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%v", diff, err)
			}
		})
	}
}

func TestThePublishedSchemaIsTheOneInTheProgram(t *testing.T) {
	published, err := os.ReadFile("../../../docs/blueprint.schema.json")
	if err != nil || !bytes.Equal(published, JSONSchema()) {
		t.Errorf("docs/blueprint.schema.json differs from internal/blueprint/blueprint.schema.json: %v", err)
	}
}

func TestEveryFieldOfEverySchemaIsAccepted(t *testing.T) {
	schema := publishedSchema(t)
	for _, s := range curlew.Schemas() {
		for _, name := range append(fieldNames(s), "slots", "slots.colour", "no_such_field") {
			text := fmt.Appendf(nil, `{"curlew": 1, "schema": %q, "page": "single", "tier": "html", "fields": {%q: {"css": "a"}}}`, s.Name, name)
			_, err := Parse(text)
			if accepts := schemaAccepts(t, schema, text); accepts != (err == nil) {
				t.Errorf("%s.%s: the published schema accepts it: %v; we say: %v", s.Name, name, accepts, err)
			}
			_, known := s.Field(name)
			if want := known && name != "slots" || s.HasSlots() && strings.HasPrefix(name, "slots."); want != (err == nil) {
				t.Errorf("%s.%s: %v", s.Name, name, err)
			}
		}
	}
}

func TestEveryStepIsInThePublishedSchema(t *testing.T) {
	schema := publishedSchema(t)
	for _, op := range sortedKeys(transforms) {
		for _, args := range []string{"", `, "text": "x"`, `, "n": 1`, `, "text": "x", "n": 2`, `, "with": "x"`, `, "n": 1, "to": 2`, `, "text": "x", "with": "y"`} {
			t.Run(args, func(t *testing.T) {
				text := fmt.Appendf(nil, `{"curlew": 1, "schema": "custom", "page": "single", "tier": "html", "fields": {"a": {"do": [{"op": %q%s}]}}}`, op, args)
				_, err := Parse(text)
				if accepts := schemaAccepts(t, schema, text); accepts != (err == nil) {
					t.Errorf("%s%s: the published schema accepts it: %v; we say: %v", op, args, accepts, err)
				}
			})
		}
		short := fmt.Appendf(nil, `{"curlew": 1, "schema": "custom", "page": "single", "tier": "html", "fields": {"a": {"do": [%q]}}}`, op)
		_, err := Parse(short)
		if accepts := schemaAccepts(t, schema, short); accepts != (err == nil) {
			t.Errorf("%s alone: the published schema accepts it: %v; we say: %v", op, accepts, err)
		}
	}
}

func TestWhatIsWrittenReadsTheSame(t *testing.T) {
	files, err := filepath.Glob("testdata/apply/*/blueprint.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	schema := publishedSchema(t)
	for _, file := range files {
		b, err := Parse(readFile(t, ".", file))
		if err != nil {
			t.Fatal(err)
		}
		first, err := Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(first)
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, first)
		}
		second, err := Marshal(again)
		if err != nil || !bytes.Equal(first, second) || cmp.Diff(b, again) != "" {
			t.Errorf("%s is written differently the second time: %v\n%s", file, err, cmp.Diff(b, again))
		}
		if !schemaAccepts(t, schema, first) {
			t.Errorf("%s: the published schema refuses what we write", file)
		}
		if d := Diff(b, again); len(d) > 0 {
			t.Errorf("%s differs from itself: %q", file, d)
		}
	}
}

func TestABlueprintMadeByProgramIsToldTheSamePlaces(t *testing.T) {
	b := &Blueprint{Language: 1, Schema: "event", Page: "list", Tier: "html", Records: &Selector{CSS: "li"},
		Fields: map[string]FieldRules{"title": {Rules: []Rule{{Selector: Selector{CSS: "li["}}}}}}
	_, err := Compile(b)
	var fault *curlew.Fault
	if fault = curlew.AsFault(err); !errors.Is(fault, curlew.Code("invalid_blueprint")) || fault.Kind != curlew.KindPermanent {
		t.Fatalf("%v", err)
	}
	if p := Defects(err); len(p) != 1 || p[0].Place != "/fields/title/rules/0/css" {
		t.Errorf("%v", p)
	}
	if !strings.Contains(err.Error(), `/fields/title/rules/0/css: "li[" is not a CSS selector`) {
		t.Errorf("%v", err)
	}
	if text, err := json.Marshal(b.Fields); err != nil || string(text) != `{"title":{"css":"li["}}` {
		t.Errorf("%s %v", text, err)
	}
}
