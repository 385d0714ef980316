package events

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

var update = flag.Bool("update", false, "rewrite the expected results")

// outcome is what a test page must give.
type outcome struct {
	Entries []curlew.Values `json:"entries"`
}

func outcomeOf(t *testing.T, path string) (outcome, []curlew.Draft) {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := Read(dom.New(body, "https://example.org/list/"), Options{Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	out := outcome{Entries: []curlew.Values{}}
	for _, d := range a {
		out.Entries = append(out.Entries, d.Fields)
	}
	return out, a
}

func TestPagesOfEachPattern(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("there are no pages", err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".html"), func(t *testing.T) {
			got, a := outcomeOf(t, page)
			text, err := json.MarshalIndent(got, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			file := strings.TrimSuffix(page, ".html") + ".json"
			if *update {
				if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.TrimSpace(string(want)) != string(text) {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
			proven(t, a)
			if again, _ := outcomeOf(t, page); !reflect.DeepEqual(got, again) {
				t.Error("a second reading gives something else")
			}
		})
	}
}

// proven wants every value to come with where it stood and why.
func proven(t *testing.T, a []curlew.Draft) {
	t.Helper()
	for _, d := range a {
		for name := range d.Fields {
			e, ok := d.Provenance[name]
			if !ok || e.Tier != curlew.TierHTML || e.Rule == "" || e.Text == "" {
				t.Errorf("%s of %q has the evidence %+v", name, field(d, "title"), e)
			}
		}
		if d.Text == "" || d.Node == "" || d.Confidence <= 0 || d.Schema != curlew.SchemaEvent {
			t.Errorf("the draft %q is incomplete", field(d, "title"))
		}
	}
}

func TestSinceAndUntilLimitTheEntries(t *testing.T) {
	body, err := os.ReadFile("testdata/year-columns.html")
	if err != nil {
		t.Fatal(err)
	}
	day := func(s string) time.Time { d, _ := time.Parse(time.DateOnly, s); return d }
	a := Read(dom.New(body, "https://example.org/"), Options{Now: day("2026-03-01"), Since: day("2026-02-01"), Until: day("2026-05-01")})
	if len(a) != 3 || field(a[0], "starts_at")[:10] != "2026-02-12" {
		t.Errorf("%d entries", len(a))
	}
}
