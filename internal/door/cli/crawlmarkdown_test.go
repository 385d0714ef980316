package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestACrawlWritesPagesAsMarkdown gives the same files with and without an archive.
func TestACrawlWritesPagesAsMarkdown(t *testing.T) {
	r := newReader(t)
	page := func(title string) string {
		return `<html lang=en><head><title>` + title + `</title></head><body><main><h1>` + title + `</h1><p>See <a href="/one">one</a>, <a href="/two">two</a>, <a href="/">all</a>.</p></main></body></html>`
	}
	site := r.pages(map[string]string{"/": page("All"), "/one": page("One"), "/two": page("Two [2]")})
	fetched := regexp.MustCompile(`(?m)^fetched: .*$`)
	folder := func(args ...string) map[string]string {
		dir, files := t.TempDir(), map[string]string{}
		r.must(nil, append([]string{"crawl", site, "--delay", "0s", "--markdown", dir}, args...)...)
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			body, err := os.ReadFile(path)
			files[strings.TrimPrefix(path, dir)] = fetched.ReplaceAllString(string(body), "")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	archived, direct := folder(), folder("--no-archive")
	if len(archived) != 4 || len(direct) != 4 || !strings.Contains(archived["/index.md"], "](<127.0.0.1-") {
		t.Fatalf("%d files, the index %s", len(archived), archived["/index.md"])
	}
	for name, text := range archived {
		if direct[name] != text {
			t.Errorf("%s differs without an archive", name)
		}
		if name != "/index.md" && (!strings.HasPrefix(text, "---\ntitle: ") || !strings.Contains(text, "](http://")) {
			t.Errorf("%s: %s", name, text)
		}
	}
	r.refused(exitUsage, "crawl for one of them", "crawl", site, "--markdown", t.TempDir(), "--schema", "event")
}

func TestEachAddressHasAFileOfItsOwnBelowTheFolder(t *testing.T) {
	f := markdownFolder{taken: map[string]bool{}}
	for i, c := range [][2]string{
		{"https://a.example/", "a.example/index.md"}, {"https://a.example/News/", "a.example/News.md"}, {"https://a.example/news", "a.example/news-2.md"},
		{"https://a.example/../../etc/passwd", "a.example/etc/passwd.md"}, {"https://a.example/%2e%2e/%2e%2e/x?a=1&b=/../2", "a.example/x/a-1-b/2.md"},
		{"https://a.example/x.md/y", "a.example/x-md/y.md"}, {"https://a.example/.git/config", "a.example/git/config.md"},
		{"https://a.example/" + strings.Repeat("ä", 300), "a.example/" + strings.Repeat("ä", 40) + ".md"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := f.name(c[0]); got != c[1] {
				t.Errorf("%s is kept in %s, not in %s", c[0], got, c[1])
			}
		})
	}
}
