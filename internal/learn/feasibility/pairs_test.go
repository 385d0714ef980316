package feasibility

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// pairs compares what is told of each page in a folder with the file beside it.
func pairs(t *testing.T, folder string, tell func(page []byte) any) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages in %s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			encoder := json.NewEncoder(&got)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", "  ")
			if err := encoder.Encode(tell(page)); err != nil {
				t.Fatal(err)
			}
			expected := strings.TrimSuffix(file, ".html") + ".json"
			if *update {
				if err := os.WriteFile(expected, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, got.Bytes()) {
				t.Errorf("got\n%s\nnot\n%s", got.Bytes(), want)
			}
		})
	}
}

// comment is the first comment of a page: its address, or its headers.
func comment(page []byte) string {
	text, ok := strings.CutPrefix(string(page), "<!--")
	if !ok {
		return ""
	}
	text, _, _ = strings.Cut(text, "-->")
	return strings.TrimSpace(text)
}

func TestHowPagesGoOn(t *testing.T) {
	pairs(t, "pagination", func(page []byte) any { return ReadPagination(t.Context(), dom.New(page, comment(page))) })
}

func TestSoftwareAndItsDoors(t *testing.T) {
	pairs(t, "cms", func(body []byte) any {
		p := Snapshot{Document: dom.New(body, "https://hall.example/agenda"), Header: map[string][]string{}}
		for line := range strings.Lines(comment(body)) {
			if header, ok := strings.CutPrefix(line, "header: "); ok {
				name, value, _ := strings.Cut(header, ": ")
				p.Header[name] = append(p.Header[name], strings.TrimSpace(value))
			}
		}
		out := struct {
			CMS       []CMS      `json:"cms"`
			Endpoints []Endpoint `json:"endpoints"`
			Probes    []string   `json:"probes"`
		}{CMS: Recognise(p), Endpoints: Endpoints(t.Context(), p)}
		for _, q := range Probes(p, out.CMS, out.Endpoints) {
			out.Probes = append(out.Probes, q.Method+" "+q.URL)
		}
		return out
	})
}

func TestEveryRowOfTheTableHasItsOwnName(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range softwares() {
		if seen[row.Name] || len(row.Signs) == 0 {
			t.Errorf("%s stands there twice, or without signs", row.Name)
		}
		seen[row.Name] = true
		for _, s := range row.Signs {
			if s.Where != "body" && s.Needle != strings.ToLower(s.Needle) {
				t.Errorf("%s: %q can never match: %s is compared in lower case", row.Name, s.Needle, s.Where)
			}
			if s.Weight <= 0 || s.Weight >= 1 {
				t.Errorf("%s: weight %v", row.Name, s.Weight)
			}
		}
	}
	for _, p := range publications() {
		if !seen[p.CMS] {
			t.Errorf("the probe of %s belongs to no software in the table", p.Path)
		}
	}
	for _, a := range accesses() {
		if !seen[a.CMS] {
			t.Errorf("the access to %q belongs to no software in the table", a.CMS)
		}
	}
}
