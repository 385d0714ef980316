package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// smallest is where real pages begin; below are the cases of conformance suites.
const smallest = 8 << 10

// realPages are the pages of the corpus whose JSON-LD describes what we look for.
func realPages(folder string, most int) (pages [][]byte, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		enough := most > 0 && len(pages) >= most
		if err != nil || enough || entry.IsDir() || !isPage(entry.Name()) {
			return err
		}
		body, err := readPage(path)
		if err == nil && len(body) >= smallest && describes(body) {
			pages = append(pages, body)
		}
		return err
	})
	if err == nil && len(pages) == 0 {
		err = measure.ErrNoCorpus
	}
	return pages, err
}

func isPage(name string) bool {
	name = strings.TrimSuffix(name, ".gz")
	return strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm")
}

func readPage(path string) ([]byte, error) {
	body, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return body, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return io.ReadAll(unpacked)
}

// wanted are the ends of the names of schema.org types that we look for: a
// MusicEvent is an event, a NewsArticle an article.
var wanted = []string{"Event", "Product", "ProductGroup", "Article", "BlogPosting", "JobPosting", "Recipe", "Organization", "LocalBusiness"}

// describes says whether the JSON-LD of a page has an object of a wanted type on
// its first levels.
func describes(body []byte) bool {
	if !bytes.Contains(body, []byte("ld+json")) {
		return false
	}
	for _, script := range dom.New(body, "").Scripts() {
		var value any
		if script.Type == "application/ld+json" && json.Unmarshal([]byte(script.Text), &value) == nil && isWanted(value) {
			return true
		}
	}
	return false
}

func isWanted(value any) bool {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if isWanted(one) {
				return true
			}
		}
	case map[string]any:
		return isWanted(v["@graph"]) || isWantedType(v["@type"])
	}
	return false
}

func isWantedType(value any) bool {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if isWantedType(one) {
				return true
			}
		}
	case string:
		for _, end := range wanted {
			if strings.HasSuffix(v, end) {
				return true
			}
		}
	}
	return false
}

// material is the pages on the disk.
type material struct {
	manifest string // for Curlew
	list     string // for Colly
	bytes    int
}

// layOut writes so many pages, repeating those that there are; a comment at the end
// makes each copy another page.
func layOut(folder string, pages [][]byte, n int) (m material, err error) {
	addresses := make([]string, len(pages))
	for i, body := range pages {
		if addresses[i] = dom.New(body, "").Canonical(); !strings.HasPrefix(addresses[i], "http") {
			addresses[i] = "https://example.org/" + strconv.Itoa(i)
		}
	}
	var manifest, list bytes.Buffer
	lines := json.NewEncoder(&manifest)
	for i := range n {
		body := fmt.Appendf(bytes.Clone(pages[i%len(pages)]), "\n<!-- %d -->\n", i)
		file := filepath.Join(folder, fmt.Sprintf("page%04d.html", i))
		if err := os.WriteFile(file, body, 0o644); err != nil {
			return m, err
		}
		if err := lines.Encode(map[string]string{"file": file, "url": addresses[i%len(pages)]}); err != nil {
			return m, err
		}
		fmt.Fprintln(&list, file)
		m.bytes += len(body)
	}
	m.manifest, m.list = filepath.Join(folder, "manifest.jsonl"), filepath.Join(folder, "list")
	return m, errors.Join(os.WriteFile(m.manifest, manifest.Bytes(), 0o644), os.WriteFile(m.list, list.Bytes(), 0o644))
}
