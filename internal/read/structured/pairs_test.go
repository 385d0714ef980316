package structured

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// pageAddress is where the pages of the tests stand.
const pageAddress = "https://site.example/path/page"

// TestPages reads each page of testdata and compares all that is found with the
// file beside it.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("testdata/*/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, path := range pages {
		t.Run(strings.TrimPrefix(path, "testdata/"), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := printed(t, Read(dom.New(body, pageAddress)))
			golden(t, strings.TrimSuffix(path, ".html")+".json", got)
		})
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("differs from %s:\n%s", path, got)
	}
}

func printed(t *testing.T, g *Graph) []byte {
	t.Helper()
	out, err := g.MarshalIndent()
	if err != nil {
		t.Fatal(err)
	}
	return append(out, '\n')
}
