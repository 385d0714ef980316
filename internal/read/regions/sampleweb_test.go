package regions

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/text/encoding/charmap"
)

// listed is how many records the first list page of a site shows; 0 means all.
var listed = map[string]int{
	"concerts": 12, "shop": 24, "council": 0, "community": 12, "theatre": 16, "festival": 0, "jobs": 20, "news": 20, "ngo": 0, "conference": 0,
}

// No page of the sample web was looked at when weights were fitted.
func TestListsOfTheSampleWeb(t *testing.T) {
	right, total := 0, 0
	for _, site := range demo.New(demo.Options{}).Sites() {
		size, checked := listed[site.Name]
		if !checked {
			continue
		}
		for design := range site.Designs {
			t.Run(fmt.Sprintf("%s/%d", site.Name, design+1), func(t *testing.T) {
				web := demo.New(demo.Options{})
				for range design {
					if err := web.Redesign(site.Name); err != nil {
						t.Fatal(err)
					}
				}
				truth, err := web.Truth(site.Name)
				if err != nil {
					t.Fatal(err)
				}
				if size > 0 {
					truth = truth[:size]
				}
				regions, drafts := Items(t.Context(), visit(t, web, site), Options{Dates: dates.Options{Now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), Lang: site.Language}})
				if len(drafts) != len(truth) || len(regions) != 1 {
					t.Fatalf("%d records in %d regions instead of %d: %.300v", len(drafts), len(regions), len(truth), drafts)
				}
				total += len(truth)
				right += checkTitles(t, truth, drafts)
			})
		}
	}
	t.Logf("segment-sampleweb: %d/%d titles of the sample web's lists", right, total)
}

func visit(t *testing.T, web *demo.Web, site demo.Site) *dom.Document {
	t.Helper()
	handler, err := web.Handler(site.Name)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	address := "http://127.0.0.1" + site.Home
	handler.ServeHTTP(answer, httptest.NewRequest("GET", address, nil))
	body := answer.Body.Bytes()
	if strings.Contains(answer.Header().Get("Content-Type"), "windows-1252") {
		if body, err = charmap.Windows1252.NewDecoder().Bytes(body); err != nil {
			t.Fatal(err)
		}
	}
	return dom.New(body, address)
}

// checkTitles compares the titles as sets that may repeat.
func checkTitles(t *testing.T, truth []demo.TrueRecord, drafts []curlew.Draft) (right int) {
	t.Helper()
	missing := map[string]int{}
	for _, r := range truth {
		title, ok := r.Fields["title"].(string)
		if !ok {
			title, _ = r.Fields["name"].(string)
		}
		missing[plain(title)]++
	}
	for _, d := range drafts {
		title := plain(fmt.Sprint(d.Fields["title"]))
		if missing[title] == 0 {
			t.Errorf("no record has the title %q: %v", d.Fields["title"], d.Fields)
			continue
		}
		missing[title]--
		right++
	}
	return right
}
