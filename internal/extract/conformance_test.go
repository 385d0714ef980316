package extract

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

var linkedData = regexp.MustCompile(`(?is)<script[^>]*ld\+json[^>]*>.*?</script>`)

// Pages of script frameworks without their JSON-LD: the title has to come from the
// state of the scripts, from meta tags or from what the page shows.
func TestConformanceScriptPagesWithoutLinkedData(t *testing.T) {
	folder := corpus.Path(t, "compiled-scrapers", "dev")
	type row struct {
		File, Group string
		Truth       struct {
			Title        string `json:"title"`
			CanonicalURL string `json:"canonical_url"`
			Language     string `json:"language"`
		}
	}
	titles, total := 0, 0
	for _, r := range corpus.Rows[row](t, filepath.Join(folder, "truth.jsonl")) {
		if r.Group != "ssr" {
			continue
		}
		total++
		body := linkedData.ReplaceAll(corpus.Read(t, filepath.Join(folder, r.File)), nil)
		e := Extract(t.Context(), Material{Body: body, URL: r.Truth.CanonicalURL, Now: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)},
			ExtractOptions{Schema: curlew.SchemaArticle, Asserted: true})
		got := ""
		if len(e.Readings) > 0 {
			got, _ = e.Readings[0].Record.Fields["title"].(string)
		}
		if plain(got) == plain(r.Truth.Title) {
			titles++
		} else {
			t.Logf("%s: %q, want %q", r.File, got, r.Truth.Title)
		}
	}
	corpus.Report(t, "compiled pages of script frameworks, JSON-LD stripped", corpus.Passed{N: titles, Of: total}, "titles", 85)
}

// plain is a text as the suite compares it: white space and case apart.
func plain(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " "))
}
