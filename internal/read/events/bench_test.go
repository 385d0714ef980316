package events

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/testkit/growth"
	"golang.org/x/net/html"
)

// TestConformanceReadingAllocatesAboutAsMuchAsParsing compares with html.Parse on real pages.
func TestConformanceReadingAllocatesAboutAsMuchAsParsing(t *testing.T) {
	root := corpus.Path(t, "city-scrapers", "dev")
	files, err := filepath.Glob(filepath.Join(root, "*", "*.html"))
	if err != nil || len(files) == 0 {
		t.Skip("no pages")
	}
	var parse, read uint64
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parse += growth.Allocated(func() { _, _ = html.Parse(bytes.NewReader(body)) })
		d := dom.New(body, "https://example.org/")
		d.Tree()
		read += growth.Allocated(func() { Read(d, Options{Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Lang: "en"}) })
	}
	ratio := float64(read) / float64(parse)
	t.Logf("reading %d pages allocates %.2f times the bytes of parsing them", len(files), ratio)
	if ratio > 4 {
		t.Error("that is too much")
	}
}
