package blueprint

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
)

var update = flag.Bool("update", false, "rewrite the expected drafts")

// A case is a folder in testdata/apply: a page (page.html or page.json), maybe its
// structured data (graph.json), a blueprint, and the drafts that come of it.
func TestPagesGiveTheirRecords(t *testing.T) {
	cases, err := filepath.Glob("testdata/apply/*")
	if err != nil || len(cases) < 3 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, folder := range cases {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			compiled := compileText(t, readFile(t, folder, "blueprint.json"))
			got := write(compiled.Apply(pageIn(t, folder)))
			expected := filepath.Join(folder, "expected.txt")
			if *update {
				if err := os.WriteFile(expected, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := readFile(t, folder, "expected.txt"); string(want) != got {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func readFile(t testing.TB, folder, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func pageIn(t testing.TB, folder string) PageInput {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(folder, "page.html"))
	if os.IsNotExist(err) {
		body = readFile(t, folder, "page.json")
	}
	page := PageInput{Document: dom.New(body, "https://example.org/list/")}
	if text, err := os.ReadFile(filepath.Join(folder, "graph.json")); err == nil {
		page.Graph = &structured.Graph{}
		if err := json.Unmarshal(text, page.Graph); err != nil {
			t.Fatal(err)
		}
	}
	return page
}

func compileText(t testing.TB, text []byte) *Compiled {
	t.Helper()
	b, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// write gives what a reader of the expected file wants to see: a line per value,
// with the rule, the place and, where they differ, the original text.
func write(result Output) string {
	var out strings.Builder
	for _, d := range result.Drafts {
		fmt.Fprintf(&out, "%s\n  id %s, url %s, confidence %.2f\n  text %q\n", d.Node, d.ExternalID, d.URL, d.Confidence, d.Text)
		for _, name := range sortedKeys(d.Provenance) {
			e := d.Provenance[name]
			var value any = d.Fields[name]
			if slot, ok := strings.CutPrefix(name, "slots."); ok {
				value = d.Fields["slots"].(map[string]any)[slot]
			}
			fmt.Fprintf(&out, "  %s = %q by %s at %s", name, value, e.Rule, strings.TrimPrefix(e.Node, d.Node))
			if e.Text != value {
				fmt.Fprintf(&out, " from %q", e.Text)
			}
			out.WriteByte('\n')
		}
	}
	for _, d := range result.Dropped {
		fmt.Fprintf(&out, "dropped %s: %s\n", d.Node, d.Why)
	}
	return out.String()
}

// applyText reads a page with a blueprint that has these records and fields.
func applyText(t testing.TB, page, records, fields string) Output {
	t.Helper()
	kind, head := "single", ""
	if records != "" {
		kind, head = "list", `"records": `+records+`,`
	}
	text := `{"curlew": 1, "schema": "custom", "page": "` + kind + `", "tier": "html", ` + head + `"fields": ` + fields + `}`
	return compileText(t, []byte(text)).Apply(PageInput{Document: dom.New([]byte(page), "https://example.org/list/")})
}

// only gives the field v of every draft.
func only(result Output) []string {
	all := []string{}
	for _, d := range result.Drafts {
		all = append(all, plain(curlew.Draft{Fields: d.Fields}, "v"))
	}
	return all
}
