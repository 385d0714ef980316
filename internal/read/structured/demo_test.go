package structured

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// TestStateOfTheSampleWeb reads the pages of the sample sites that carry their
// content as script state: all titles that are true must be in it.
func TestStateOfTheSampleWeb(t *testing.T) {
	for _, page := range []struct{ site, path, kind string }{
		{"theatre", "/whats-on", "__NEXT_DATA__"},
		{"theatre", "/tickets", "flight"},
		{"festival", "/programm", "__NUXT__"},
		{"festival", "/spielplan", "__NUXT_DATA__"},
	} {
		t.Run(page.kind, func(t *testing.T) {
			web := demo.New(demo.Options{})
			handler, err := web.Handler(page.site)
			if err != nil {
				t.Fatal(err)
			}
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequest("GET", page.path, nil))
			g := Read(dom.New(answer.Body.Bytes(), "http://127.0.0.1"+page.path))
			at := slices.IndexFunc(g.States, func(s ScriptState) bool { return s.Kind == page.kind })
			if at < 0 {
				t.Fatalf("there is no such state; notes %v", g.Notes)
			}
			words := map[string]bool{}
			collect(g.States[at].Value, words)
			truth, err := web.Truth(page.site)
			if err != nil || len(truth) == 0 {
				t.Fatal("no truth", err)
			}
			found := 0
			for _, record := range truth {
				title, _ := record.Fields["title"].(string)
				if words[title] {
					found++
				} else if page.path != "/whats-on" { // which shows only its first page
					t.Errorf("%q is not in the state", title)
				}
			}
			if found == 0 {
				t.Error("no title is in the state")
			}
		})
	}
}

// collect gathers the texts of a JSON value.
func collect(value any, words map[string]bool) {
	switch value := value.(type) {
	case string:
		words[strings.TrimSpace(value)] = true
	case []any:
		for _, entry := range value {
			collect(entry, words)
		}
	case map[string]any:
		for _, entry := range value {
			collect(entry, words)
		}
	}
}
