package structured

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"willnorris.com/go/microformats"
)

// TestConformanceMicroformats compares what is read, before it becomes items, with
// the microformats suite.
func TestConformanceMicroformats(t *testing.T) {
	for folder, floor := range map[string]int{"microformats-v2": 77, "microformats-v1": 38, "microformats-mixed": 4, "microformats-v2-unit": 7} {
		t.Run(folder, func(t *testing.T) {
			root := corpus.Path(t, "microformats", folder)
			base := "http://example.com/"
			if folder == "microformats-v2-unit" { // the address that its answers are written for
				base = "http://example.test"
			}
			var c tally
			err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(path, ".html") || strings.HasPrefix(filepath.Base(path), "change-log") {
					return err
				}
				name, _ := filepath.Rel(root, strings.TrimSuffix(path, ".html"))
				p := survey(dom.New(readFile(t, path), base))
				data, roots, ok := parseMicroformats(p)
				for _, item := range data.Items {
					unmark(item, roots)
				}
				got, want := plain(t, data), decode(t, readFile(t, strings.TrimSuffix(path, ".html")+".json"))
				c.add(name, ok && reflect.DeepEqual(got, want))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			c.report(t, folder, "pages deeply equal", floor)
		})
	}
}

// unmark takes our marks out of what the parser found.
func unmark(item *microformats.Microformat, roots map[string]root) {
	if at, ok := roots[item.ID]; ok {
		item.ID = at.id
	}
	for _, values := range item.Properties {
		for _, value := range values {
			if inner, ok := value.(*microformats.Microformat); ok {
				unmark(inner, roots)
			}
		}
	}
	for _, child := range item.Children {
		unmark(child, roots)
	}
}

// plain is a value as JSON would bring it back.
func plain(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text)
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}
