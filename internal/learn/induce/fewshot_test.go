package induce

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// example is what a person tells of a small site: values on some of its pages.
type example struct {
	Schema curlew.SchemaName `json:"schema"`
	Now    string            `json:"now"`
	Known  []struct {
		File   string              `json:"file"`
		Fields map[string][]string `json:"fields"`
	} `json:"known"`
	Apply []string `json:"apply"` // the pages that are read afterwards
}

// result is what the learned blueprint gives.
type result struct {
	Blueprint *blueprint.Blueprint       `json:"blueprint"`
	Pages     map[string][]curlew.Values `json:"pages"`
}

// TestSitesAreLearnedFromAFewValues teaches each site in testdata with its training.json
// and compares with its expected.json.
func TestSitesAreLearnedFromAFewValues(t *testing.T) {
	trainings, _ := filepath.Glob("testdata/*/training.json")
	if len(trainings) < 4 {
		t.Fatalf("only %d trainings", len(trainings))
	}
	for _, path := range trainings {
		folder := filepath.Dir(path)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			l, known := study(t, folder)
			b, proof, err := FewShot(context.Background(), l.Schema.Kind(), known)
			if err != nil {
				t.Fatal(err)
			}
			if found, all := proof.Found(); found < all {
				t.Errorf("only %d of %d known values are found again: %+v", found, all, proof.Fields)
			}
			compare(t, filepath.Join(folder, "expected.json"), result{b, readAll(t, b, folder, l.Apply)})
		})
	}
}

func study(t *testing.T, folder string) (example, []LabelledPage) {
	t.Helper()
	var l example
	text, err := os.ReadFile(filepath.Join(folder, "training.json"))
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.Parse(time.DateOnly, l.Now)
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]*dom.Document{}
	var known []LabelledPage
	for _, k := range l.Known {
		if docs[k.File] == nil {
			docs[k.File] = page(t, folder, k.File)
		}
		known = append(known, LabelledPage{Document: docs[k.File], Now: now, Fields: k.Fields})
	}
	return l, known
}

func page(t *testing.T, folder, name string) *dom.Document {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return dom.New(body, "https://site.example/"+name)
}

func readAll(t *testing.T, b *blueprint.Blueprint, folder string, names []string) map[string][]curlew.Values {
	t.Helper()
	compiled, err := blueprint.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][]curlew.Values{}
	for _, name := range names {
		for _, d := range compiled.Apply(blueprint.PageInput{Document: page(t, folder, name)}).Drafts {
			pages[name] = append(pages[name], d.Fields)
		}
	}
	return pages
}

func compare(t *testing.T, path string, got result) {
	t.Helper()
	text, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	wanted, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(text, &a) != nil || json.Unmarshal(wanted, &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%s differs; got\n%s", path, text)
	}
}

func TestTheSameTrainingGivesTheSameBlueprint(t *testing.T) {
	first := ""
	for range 20 {
		l, known := study(t, "testdata/boats")
		b, _, err := FewShot(context.Background(), l.Schema.Kind(), known)
		if err != nil {
			t.Fatal(err)
		}
		text, err := blueprint.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if first != "" && string(text) != first {
			t.Fatalf("two runs differ:\n%s\n%s", first, text)
		}
		first = string(text)
	}
}

func TestUnusableTrainingsAreRefused(t *testing.T) {
	doc := dom.New([]byte("<p>Gull 250</p>"), "https://site.example/")
	for name, fields := range map[string]map[string][]string{
		"nothing":     {},
		"empty":       {"name": {"", "  "}},
		"elsewhere":   {"name": {"a value of another page"}},
		"punctuation": {"name": {"'\"][>+~:has(("}},
		"endless":     {"name": {string(make([]byte, 1<<20))}},
	} {
		t.Run(name, func(t *testing.T) {
			b, _, err := FewShot(context.Background(), curlew.SchemaCustom.Kind(), []LabelledPage{{Document: doc, Fields: fields}})
			if err == nil || b != nil {
				t.Errorf("learned %+v", b)
			}
		})
	}
}

func FuzzFewShot(f *testing.F) {
	f.Add("<dl><dt>Weight:</dt><dd>120 kg</dd></dl>", "120 kg")
	f.Add("<p>Price: <b>12,50 €</b> <i class='x y'>now</i></p>", "12.50")
	f.Add(`<table><tr><td id='a"b'>1 May 2026</td></tr></table>`, "2026-05-01")
	f.Fuzz(func(t *testing.T, markup, known string) {
		doc := dom.New([]byte(markup), "https://site.example/")
		for i, pages := range [][]LabelledPage{
			{{Document: doc, Fields: map[string][]string{"v": {known}}}},
			{{Document: doc, Fields: map[string][]string{"v": {known}}}, {Document: doc, Fields: map[string][]string{"v": {known, markup}}}},
		} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				b, _, err := FewShot(context.Background(), curlew.SchemaCustom.Kind(), pages)
				if err != nil {
					return
				}
				text, err := blueprint.Marshal(b)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := blueprint.Parse(text); err != nil {
					t.Fatalf("an invalid blueprint: %v\n%s", err, text)
				}
			})
		}
	})
}

// What a person teaches as a day in words comes out in these words, not with the rest of its
// line; a page that writes it in another form gives what stands there.
func TestADayThatWasTaughtInWordsComesOutInThem(t *testing.T) {
	page := func(when string) *dom.Document {
		return dom.New([]byte(`<html lang="en"><body><h1>The bridge</h1><p class="by">By Ann Lee</p><time>`+when+`</time><p>It was long.</p></body></html>`), "https://paper.example/")
	}
	b, _, err := FewShot(t.Context(), curlew.SchemaCustom.Kind(), []LabelledPage{
		{Document: page("Jan 6, 2019, 9:30am EST"), Fields: map[string][]string{"published": {"Jan 6, 2019"}}},
		{Document: page("Updated April 28, 2019, 11:10am EDT"), Fields: map[string][]string{"published": {"April 28, 2019"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for when, want := range map[string]string{"May 17, 2019, 11:10am EDT": "May 17, 2019", "17/5/2019": "17/5/2019"} {
		t.Run(when, func(t *testing.T) {
			drafts := apply(t, b, page(when))
			if len(drafts) != 1 || drafts[0].Fields["published"] != want {
				t.Errorf("%s: read as %+v, want %s", when, drafts, want)
			}
		})
	}
}
