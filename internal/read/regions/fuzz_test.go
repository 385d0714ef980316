package regions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// FuzzItems reads pages of any shape: no panic, records inside the page, in order,
// none twice, and the same answer every time.
func FuzzItems(f *testing.F) {
	pages, _ := filepath.Glob("testdata/pages/*.html")
	for _, path := range pages {
		if body, err := os.ReadFile(path); err == nil {
			f.Add(body)
		}
	}
	f.Add([]byte("<table><tr><td rowspan=9>1<td colspan=300>2<tr><td>3"))
	f.Add([]byte("<dl><dd>a<dt>b<dd>c<dt>d</dl>a<br>b<br><br>c<hr>d<hr>e"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 64<<10 {
			return
		}
		regions, drafts := Items(t.Context(), dom.New(body, "https://example.org/"), Options{})
		again, same := Items(t.Context(), dom.New(body, "https://example.org/"), Options{})
		if len(regions) != len(again) || len(drafts) != len(same) {
			t.Fatal("two readings differ")
		}
		for i, d := range drafts {
			if d.Text != same[i].Text || d.Fields["title"] != same[i].Fields["title"] || d.Node != same[i].Node {
				t.Fatalf("two readings differ: %v and %v", d, same[i])
			}
			if title, _ := d.Fields["title"].(string); strings.TrimSpace(title) == "" {
				t.Fatalf("a record without a title: %v", d)
			}
		}
		for _, r := range Regions(t.Context(), dom.New(body, "https://example.org/"), Options{}) {
			checkRegion(t, r)
		}
	})
}

func checkRegion(t *testing.T, r Region) {
	if len(r.Records) == 0 {
		t.Fatalf("an empty region: %+v", r)
	}
	end := int32(0)
	for i, part := range r.runs {
		if part.from < end || part.to <= part.from {
			t.Fatalf("records overlap: %v", r.runs)
		}
		end = part.to
		if r.Records[i].Text == "" || len(r.Records[i].Nodes) == 0 {
			t.Fatalf("a record without text: %+v", r.Records[i])
		}
	}
	for _, s := range Slots(t.Context(), r, Options{}) {
		if s.Name == "" || len(s.Values) != len(r.Records) {
			t.Fatalf("a slot without a name or with missing values: %+v", s)
		}
	}
}
