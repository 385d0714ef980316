package measure

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// smallest is where real pages begin; below are the cases of conformance suites.
const smallest = 8 << 10

// RealPages are the pages of the corpus that are wanted, at most so many; 0 means all.
func RealPages(folder string, most int, wanted func(body []byte) bool) (pages [][]byte, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		enough := most > 0 && len(pages) >= most
		if err != nil || enough || entry.IsDir() || !isPage(entry.Name()) {
			return err
		}
		body, err := readPage(path)
		if err == nil && len(body) >= smallest && wanted(body) {
			pages = append(pages, body)
		}
		return err
	})
	if err == nil && len(pages) == 0 {
		err = ErrNoCorpus
	}
	return pages, err
}

// Spread takes at most so many pages, from all over the corpus.
func Spread(all [][]byte, most int) [][]byte {
	n := min(len(all), most)
	some := make([][]byte, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
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

// described are the ends of the names of schema.org types that we look for: a
// MusicEvent is an event, a NewsArticle an article.
var described = []string{"Event", "Product", "ProductGroup", "Article", "BlogPosting", "JobPosting", "Recipe", "Organization", "LocalBusiness"}

// Describes says whether the JSON-LD of a page has an object of such a type on
// its first levels.
func Describes(body []byte) bool {
	if !bytes.Contains(body, []byte("ld+json")) {
		return false
	}
	for _, script := range dom.New(body, "").Scripts() {
		var value any
		if script.Type == "application/ld+json" && json.Unmarshal([]byte(script.Text), &value) == nil && isDescribed(value) {
			return true
		}
	}
	return false
}

func isDescribed(value any) bool {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if isDescribed(one) {
				return true
			}
		}
	case map[string]any:
		return isDescribed(v["@graph"]) || isDescribedType(v["@type"])
	}
	return false
}

func isDescribedType(value any) bool {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if isDescribedType(one) {
				return true
			}
		}
	case string:
		for _, end := range described {
			if strings.HasSuffix(v, end) {
				return true
			}
		}
	}
	return false
}

// Unstructured says whether a page has no structured data: neither JSON-LD nor microdata nor RDFa.
func Unstructured(body []byte) bool {
	for _, mark := range []string{"ld+json", "itemscope", "itemprop", "typeof="} {
		if bytes.Contains(body, []byte(mark)) {
			return false
		}
	}
	return true
}
