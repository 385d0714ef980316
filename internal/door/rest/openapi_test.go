package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// readDocument reads the served document.
func readDocument(t *testing.T) map[string]any {
	t.Helper()
	server := serve(t, Options{Version: "1.2.3"})
	answer, body := fetch(t, server, Prefix+"/openapi.json", "")
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("%s %s", answer.Status, answer.Header.Get("Content-Type"))
	}
	var d map[string]any
	if err := json.Unmarshal([]byte(body), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheDescriptionCoversEveryRouteAndEveryReferenceLeadsSomewhere(t *testing.T) {
	d := readDocument(t)
	if d["openapi"] != "3.1.0" || d["info"].(map[string]any)["version"] != "1.2.3" {
		t.Errorf("%v %v", d["openapi"], d["info"])
	}
	paths := d["paths"].(map[string]any)
	ids := map[string]bool{}
	for _, r := range Routes() {
		op, ok := paths[Prefix+r.Path].(map[string]any)[strings.ToLower(r.Method)].(map[string]any)
		if !ok || op["operationId"] != r.Name || ids[r.Name] {
			t.Errorf("%s %s is described as %v", r.Method, r.Path, op["operationId"])
			continue
		}
		ids[r.Name] = true
		if r.Action == "" || r.Summary == "" || !strings.HasSuffix(r.Summary, ".") {
			t.Errorf("%s: action %q, summary %q", r.Name, r.Action, r.Summary)
		}
		inPath := regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(r.Path, -1)
		told := 0
		for _, p := range op["parameters"].([]any) {
			if p := p.(map[string]any); p["in"] == "path" && p["required"] == true && strings.Contains(r.Path, "{"+p["name"].(string)+"}") {
				told++
			}
		}
		if told != len(inPath) {
			t.Errorf("%s has %d names in its path and tells %d", r.Name, len(inPath), told)
		}
		if len(op["responses"].(map[string]any)) < 5 {
			t.Errorf("%s: responses %v", r.Name, op["responses"])
		}
	}
	followReferences(t, d, d)
}

// followReferences checks that each $ref leads to something, and that schemas are
// well-formed.
func followReferences(t *testing.T, d map[string]any, value any) {
	t.Helper()
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			followReferences(t, d, one)
		}
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			var at any = d
			for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
				at, _ = at.(map[string]any)[name]
			}
			if at == nil {
				t.Errorf("%s leads nowhere", ref)
			}
		}
		if pattern, ok := v["pattern"].(string); ok {
			if _, err := regexp.Compile(pattern); err != nil {
				t.Error(err)
			}
		}
		if required, ok := v["required"].([]any); ok {
			for _, name := range required {
				if _, there := v["properties"].(map[string]any)[name.(string)]; !there {
					t.Errorf("%v is required and not described", name)
				}
			}
		}
		for _, one := range v {
			followReferences(t, d, one)
		}
	}
}

func TestEveryFieldThatNeedsWordsHasSome(t *testing.T) {
	for _, r := range Routes() {
		for _, f := range r.in.fields {
			if f.from == fromQuery && nouns.Docs[f.goName] == "" {
				t.Errorf("%s: nothing is said of the parameter %s: write a comment at %s", r.Name, f.name, f.goName)
			}
		}
		for i, s := range []shape{r.in, r.out} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if s.name != "" && s.fields != nil && s.fields[0].from == fromBody && nouns.Docs[plainName(s.goType)] == "" {
					t.Errorf("%s: nothing is said of %s", r.Name, s.name)
				}
			})
		}
	}
}

func TestEveryExampleIsTakenAndComesBackTheSame(t *testing.T) {
	tried := 0
	for _, r := range Routes() {
		body, takes := r.body()
		if takes && body.demands() && r.Example == nil {
			t.Errorf("%s takes a body and shows none", r.Name)
		}
		if r.Example == nil {
			continue
		}
		tried++
		text, err := json.Marshal(r.Example)
		if err != nil {
			t.Fatal(err)
		}
		into := reflect.New(body.goType)
		if err := bindBody(text, body, into.Elem()); err != nil {
			t.Errorf("the example of %s is refused: %v", r.Name, err)
		}
		again, err := json.Marshal(into.Elem().Interface())
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("the example of %s comes back as %s: %v", r.Name, again, err)
		}
	}
	if tried < 10 {
		t.Errorf("only %d examples", tried)
	}
}

func TestThePageForPeopleNeedsNothingFromElsewhere(t *testing.T) {
	server := serve(t, Options{Title: `Curlew <&> "co"`})
	answer, body := fetch(t, server, Prefix+"/docs", "")
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("%s %s", answer.Status, answer.Header.Get("Content-Type"))
	}
	_, rest, _ := strings.Cut(body, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
		t.Errorf("a browser would not show its style: %s", policy)
	}
	for _, foreign := range []string{"<script", "src=", "href=\"http", "@import", "url(", "style=\"", "<&>"} {
		t.Run(foreign, func(t *testing.T) {
			if strings.Contains(body, foreign) {
				t.Errorf("the page has %s", foreign)
			}
		})
	}
	for _, r := range Routes() {
		if !strings.Contains(body, `id="`+r.Name+`"`) {
			t.Errorf("%s is not on the page", r.Name)
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(body, -1) {
		if !strings.Contains(body, `id="`+m[1]+`"`) {
			t.Errorf("#%s leads nowhere", m[1])
		}
	}
}

func TestWithoutAKeyNothingIsToldButTheDescription(t *testing.T) {
	server := serve(t, Options{})
	for _, path := range []string{"/", "/sources", "/nothing", "/stream", "/ws", "/runs/x"} {
		t.Run(path, func(t *testing.T) {
			if answer, _ := fetch(t, server, Prefix+path, ""); answer.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s", answer.Status)
			}
		})
	}
}

func FuzzBindBody(f *testing.F) {
	for _, r := range Routes() {
		if text, err := json.Marshal(r.Example); err == nil && r.Example != nil {
			f.Add(text)
		}
	}
	f.Add([]byte(`{"urls":[null,1,{"a":[]}],"metadata":{"a/b~c":1e400}}`))
	var bodies []shape
	for _, r := range Routes() {
		if s, ok := r.body(); ok {
			bodies = append(bodies, s)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range bodies {
			into := reflect.New(s.goType)
			if err := bindBody(data, s, into.Elem()); err != nil {
				if p := problemOf(err, ""); p.Status != http.StatusBadRequest || len(p.Errors) > mostMistakes {
					t.Fatalf("%+v", p)
				}
				continue
			}
			if _, err := json.Marshal(into.Interface()); err != nil {
				t.Fatalf("%s was taken and cannot be written: %v", data, err)
			}
		}
	})
}

// Clients that are made of the description would have to look for what never comes.
func TestTheRowsOfAListingAreNeverNull(t *testing.T) {
	lists := 0
	for name, s := range readDocument(t)["components"].(map[string]any)["schemas"].(map[string]any) {
		members, _ := s.(map[string]any)["properties"].(map[string]any)
		if data, ok := members["data"].(map[string]any); ok && strings.HasSuffix(name, "List") {
			if lists++; data["type"] != "array" {
				t.Errorf("the rows of a %s are %v", name, data["type"])
			}
		}
	}
	if lists < 10 {
		t.Errorf("only %d lists are described", lists)
	}
}

func TestThePageOfTheAPIHasAChapterForEachGroup(t *testing.T) {
	seen, routes := map[string]bool{}, 0
	for _, c := range chapters() {
		t.Run(c.Name, func(t *testing.T) {
			if seen[c.Name] {
				t.Error("it comes twice: its address leads to the first of them")
			}
			seen[c.Name] = true
		})
		routes += len(c.Routes)
	}
	if routes != len(Routes()) {
		t.Errorf("%d routes, want %d", routes, len(Routes()))
	}
}
