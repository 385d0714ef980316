package recognise

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/read/structured"
)

var update = flag.Bool("update", false, "write what is found as what is expected")

// told is a finding as the paired files tell it.
type told struct {
	Schema curlew.SchemaName `json:"schema"`
	Main   bool              `json:"main"`
	Fields curlew.Values     `json:"fields"`
	Rivals map[string]string `json:"rivals,omitempty"`
}

// compareWith compares a value with a file of JSON.
func compareWith(t *testing.T, path string, got any) {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestItemsBecomeEntities(t *testing.T) {
	pages, _ := filepath.Glob("testdata/graph/*.html")
	if len(pages) < 10 {
		t.Fatal("the pages are missing")
	}
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".html")
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			doc := dom.New(body, "https://site.example/page")
			g := structured.Read(doc)
			found := []told{}
			for _, schema := range curlew.Schemas() {
				if kind, _, _ := strings.Cut(name, "-"); kind != "nothing" && kind != string(schema.Name) || schema.Name == curlew.SchemaItem {
					continue
				}
				for _, f := range FromGraph(g, doc, schema.Name) {
					rivals := map[string]string{}
					for field, e := range f.Draft.Provenance {
						for _, r := range e.Rivals {
							rivals[field] = r.Value + " (" + r.Rule + ")"
						}
					}
					found = append(found, told{f.Schema, f.Main, f.Draft.Fields, rivals})
				}
			}
			compareWith(t, "testdata/graph/"+name+".json", found)
		})
	}
}

func TestThePageSaysWhatItIsAbout(t *testing.T) {
	for page, want := range map[string]curlew.SchemaName{
		"event-jsonld": curlew.SchemaEvent, "event-list": curlew.SchemaEvent, "product-two-syntaxes": curlew.SchemaProduct, "product-list": curlew.SchemaProduct,
		"job-jsonld": curlew.SchemaJob, "article-head": curlew.SchemaArticle, "article-jsonld": curlew.SchemaArticle, "organization-jsonld": curlew.SchemaOrganization, "nothing": "",
	} {
		body, err := os.ReadFile("testdata/graph/" + page + ".html")
		if err != nil {
			t.Fatal(err)
		}
		doc := dom.New(body, "https://site.example/page")
		got := curlew.SchemaName("")
		if choices := Schemas(structured.Read(doc), doc); len(choices) > 0 {
			got = choices[0].Schema
		}
		if got != want {
			t.Errorf("%s is about %q", page, got)
		}
	}
}

func TestTheUniversalBlueprintsAreValid(t *testing.T) {
	for _, schema := range curlew.Schemas() {
		b, err := Universal(schema.Name)
		if err != nil || b.Schema != schema.Name || b.Tier != curlew.TierStructured {
			t.Errorf("%s: %v", schema.Name, err)
		}
	}
	if _, err := Universal("recipe"); curlew.AsFault(err) == nil {
		t.Error("an unknown schema has a blueprint")
	}
}
