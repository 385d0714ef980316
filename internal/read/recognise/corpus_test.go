package recognise

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// rows reads a file of JSON lines.
func rows[T any](t *testing.T, path string) []T {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for line := range bytes.Lines(body) {
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

// read applies the blueprint of a finding.
func read(t *testing.T, f Recognition, doc *dom.Document, g *structured.Graph) []curlew.Draft {
	t.Helper()
	compiled, err := blueprint.Compile(f.Blueprint)
	if err != nil {
		text, _ := json.MarshalIndent(f.Blueprint, "", " ")
		t.Fatalf("the blueprint for %s is not valid: %v\n%s", f.Path, err, text)
	}
	return compiled.Apply(blueprint.PageInput{Document: doc, Graph: g}).Drafts
}

func report(t *testing.T, suite string, passed, total int, what string, floor float64) {
	t.Helper()
	t.Logf("%s: %d/%d %s", suite, passed, total, what)
	if total == 0 || float64(passed)*100 < floor*float64(total) {
		t.Errorf("%s: %d of %d is under %.0f %%", suite, passed, total, floor)
	}
}

var linkedData = regexp.MustCompile(`(?is)<script[^>]*ld\+json[^>]*>.*?</script>`)

func TestConformanceRecipePagesByScriptState(t *testing.T) {
	folder := corpus.Path(t, "recipe-scrapers", "dev")
	type row struct {
		File  string `json:"file"`
		Group string `json:"group"`
		Truth struct {
			Title        string `json:"title"`
			CanonicalURL string `json:"canonical_url"`
		} `json:"truth"`
	}
	passed, total := 0, 0
	for _, r := range rows[row](t, filepath.Join(folder, "truth.jsonl")) {
		if r.Group != "ssr" {
			continue
		}
		total++
		body, err := os.ReadFile(filepath.Join(folder, r.File))
		if err != nil {
			t.Fatal(err)
		}
		doc := dom.New(linkedData.ReplaceAll(body, nil), r.Truth.CanonicalURL)
		g := structured.Read(doc)
		got := ""
		for _, f := range FromPage(g, doc) {
			if drafts := read(t, f, doc, g); f.Page == curlew.PageSingle && len(drafts) > 0 {
				got, _ = drafts[0].Fields["title"].(string)
				if got == "" {
					got, _ = drafts[0].Fields["name"].(string)
				}
				break
			}
		}
		if got == "" { // the pages have no other JSON-LD than that of their state
			for _, f := range FromGraph(&structured.Graph{Items: g.Of(structured.JSONLD)}, doc, curlew.SchemaArticle.Kind()) {
				got, _ = f.Draft.Fields["title"].(string)
				break
			}
		}
		if titleKey(got) == titleKey(r.Truth.Title) {
			passed++
			continue
		}
		var states []string
		for _, s := range g.States {
			states = append(states, s.Kind+":"+s.Name)
		}
		t.Logf("%s: %q, want %q; states %s", r.File, got, r.Truth.Title, strings.Join(states, " "))
	}
	report(t, "recipe pages, script state alone", passed, total, "title", 90)
}

func TestConformanceEventsInAPIAnswers(t *testing.T) {
	folder := corpus.Path(t, "calendar-ripper", "dev")
	type row struct {
		File   string `json:"file"`
		URL    string `json:"url"`
		Events []struct {
			Core     string `json:"title_core"`
			Start    string `json:"start"`
			Grounded bool   `json:"grounded_title"`
		} `json:"events"`
	}
	passed, total := 0, 0
	for _, r := range rows[row](t, filepath.Join(folder, "truth.jsonl")) {
		if !strings.HasSuffix(r.File, ".json") {
			continue
		}
		body, err := os.ReadFile(filepath.Join(folder, r.File))
		if err != nil {
			t.Fatal(err)
		}
		doc := dom.New(body, r.URL)
		found := map[string]bool{}
		var value any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		for _, f := range FromJSON(value, "") {
			t.Logf("%s: %s %s %.2f ×%d", r.File, f.Schema, f.Path, f.Confidence, f.Count)
			if f.Schema != curlew.SchemaEvent {
				continue
			}
			for _, d := range read(t, f, doc, nil) {
				title, _ := d.Fields["title"].(string)
				start, _ := d.Fields["starts_at"].(string)
				found[titleKey(title)+" "+start[:min(10, len(start))]] = true
			}
		}
		for _, e := range r.Events {
			if !e.Grounded {
				continue
			}
			total++
			if found[titleKey(e.Core)+" "+e.Start[:10]] {
				passed++
			} else {
				t.Logf("%s: missing %s %s", r.File, e.Core, e.Start)
			}
		}
	}
	report(t, "events in API answers", passed, total, "title and day", 88)
}
