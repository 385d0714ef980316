package events

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/net/html"

	"curlew/internal/read/dom"
	"curlew/internal/testkit/corpus"
)

// TestReadingIsAboutAsFastAsParsing compares with html.Parse on real pages.
func TestConformanceReadingIsAboutAsFastAsParsing(t *testing.T) {
	root := corpus.Path(t, "city-scrapers", "dev")
	files, err := filepath.Glob(filepath.Join(root, "*", "*.html"))
	if err != nil || len(files) == 0 {
		t.Skip("no pages")
	}
	var parse, read time.Duration
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if _, err := html.Parse(bytes.NewReader(body)); err != nil {
			continue
		}
		parse += time.Since(begin)
		d := dom.New(body, "https://example.org/")
		d.Tree()
		begin = time.Now()
		Read(d, Options{Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Lang: "en"})
		read += time.Since(begin)
	}
	ratio := float64(read) / float64(parse)
	t.Logf("reading %d pages takes %.2f of the time of parsing them", len(files), ratio)
	if ratio > mostRatio {
		t.Errorf("too slow: %.2f", ratio)
	}
}
