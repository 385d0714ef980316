package regions

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// reading is what is expected of a page.
type reading struct {
	Kind    Kind         `json:"kind,omitempty"`
	Slots   []slotOnPage `json:"slots"`
	Records []itemOnPage `json:"records"`
}

type slotOnPage struct {
	Name    string  `json:"name"`
	Type    Type    `json:"type"`
	Label   string  `json:"label,omitempty"`
	Path    string  `json:"path"`
	Present float64 `json:"present"`
}

type itemOnPage struct {
	Text    string        `json:"text"`
	Heading string        `json:"heading,omitempty"`
	Fields  curlew.Values `json:"fields"`
}

// Each page in testdata/pages holds one kind of list among what else stands on pages.
func TestEachKindOfList(t *testing.T) {
	pages, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, path := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".html"), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := readPage(dom.New(body, "https://example.org/list"))
			var text bytes.Buffer
			write := json.NewEncoder(&text)
			write.SetEscapeHTML(false)
			write.SetIndent("", " ")
			if err := write.Encode(got); err != nil {
				t.Fatal(err)
			}
			expected := strings.TrimSuffix(path, ".html") + ".json"
			if *update {
				if err := os.WriteFile(expected, text.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if text.String() != string(want) {
				t.Errorf("read differently than expected:\n%s", &text)
			}
		})
	}
}

func readPage(d *dom.Document) (got reading) {
	o := Options{Dates: dates.Options{Now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}}
	regions := Main(context.Background(), d, o)
	if len(regions) == 0 {
		return got
	}
	slots := Slots(context.Background(), regions[0], o)
	got.Kind = regions[0].Kind
	for _, s := range slots {
		got.Slots = append(got.Slots, slotOnPage{s.Name, s.Type, s.Label, strings.TrimSpace(s.Path + " " + s.Attr), float64(int(100*s.Present)) / 100})
	}
	for _, r := range regions {
		for i, draft := range Drafts(context.Background(), d, r, o) {
			got.Records = append(got.Records, itemOnPage{r.Records[i].Text, r.Records[i].Heading, draft.Fields})
		}
	}
	return got
}
