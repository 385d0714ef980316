package recognise

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"github.com/google/go-cmp/cmp"
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
				for _, f := range FromGraph(g, doc, schema) {
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

func TestTheUniversalBlueprintsAreValid(t *testing.T) {
	for _, schema := range curlew.Schemas() {
		if schema.Name == curlew.SchemaPage {
			continue
		}
		if b := mappings()[schema.Name].blueprint; b.Schema != schema.Name || b.Tier != curlew.TierStructured {
			t.Errorf("%s has a blueprint of %s, %s", schema.Name, b.Schema, b.Tier)
		}
	}
}

func TestWordFiles(t *testing.T) {
	for name, file := range map[string]string{"words": wordsFile, "fields": fieldsFile, "synonyms": synonymsFile} {
		t.Run(name, func(t *testing.T) {
			if _, err := wordlist.Parse(file); err != nil {
				t.Error(err)
			}
		})
	}
	seen := map[string]string{}
	for canonical, list := range wordlist.Embedded(synonymsFile)() {
		for _, word := range list.Words {
			if seen[word] != "" {
				t.Errorf("%q is both %s and %s", word, seen[word], canonical)
			}
			seen[word] = canonical
		}
	}
}
