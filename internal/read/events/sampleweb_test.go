package events

import (
	"bytes"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"golang.org/x/net/html/charset"
)

// sheet is a page of the sample web that shows events without structured data,
// or whose data are left aside here.
type sheet struct {
	site, path string
	least      int     // entries that it shows
	days       float64 // the share of its entries on true days, at least
	titles     float64 // the share of those whose title is right, at least
}

// fetched is a page of the sample web in UTF-8.
func fetched(t *testing.T, web *demo.Web, site, path string) *dom.Document {
	t.Helper()
	handler, err := web.Handler(site)
	if err != nil {
		t.Fatal(err)
	}
	about, err := web.Site(site)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", about.Base+path, nil))
		if next := answer.Header().Get("Location"); next != "" {
			path = next[len(about.Base):]
			continue
		}
		reader, err := charset.NewReader(bytes.NewReader(answer.Body.Bytes()), answer.Header().Get("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		return dom.New(body, about.Base+path)
	}
	t.Fatalf("%s%s redirects without end", site, path)
	return nil
}

// TestSampleWeb reads the lists of the sample web in all designs, as they show
// themselves to people: each entry must be a true one.
func TestSampleWeb(t *testing.T) {
	for _, s := range []sheet{
		{"council", "/clerk/meetings.htm", 58, 1, 1}, {"conference", "/programme", 31, 1, 1}, {"festival", "/programm", 44, 1, 1},
		{"concerts", "/wydarzenia", 12, 1, 1}, {"theatre", "/whats-on", 16, 1, 1}, {"gallery", "/mostre", 6, 1, 1}, {"community", "/", 12, 1, 1},
	} {
		t.Run(s.site, func(t *testing.T) {
			web := demo.New(demo.Options{})
			for design := range 3 {
				about, err := web.Site(s.site)
				if err != nil {
					t.Fatal(err)
				}
				d := fetched(t, web, s.site, s.path)
				a := Read(d, Options{Now: dateOf(t, about.Date), Lang: d.Lang()})
				truth, err := web.Truth(s.site)
				if err != nil {
					t.Fatal(err)
				}
				days, titles := compare(t, a, truth)
				n := float64(len(a))
				if len(a) < s.least || float64(days) < s.days*n || float64(titles) < s.titles*n {
					t.Errorf("%s%s, design %d: %d entries, %d on true days, %d titles", s.site, s.path, design, len(a), days, titles)
				}
				if err := web.Redesign(s.site); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// compare counts the drafts on true days, and those with the title of that day.
func compare(t *testing.T, drafts []curlew.Draft, truth []demo.TrueRecord) (days, titles int) {
	t.Helper()
	for _, draft := range drafts {
		day, title := false, false
		for _, r := range truth {
			if start, _ := r.Fields["starts_at"].(string); dayOf(start) == dayOf(field(draft, "starts_at")) {
				day = true
				title = title || r.Fields["title"] == field(draft, "title")
			}
		}
		if day {
			days++
		}
		if title {
			titles++
		} else {
			t.Logf("%s %q by %s in %q", field(draft, "starts_at"), field(draft, "title"), draft.Provenance["title"].Rule, draft.Text)
		}
	}
	return days, titles
}

func dateOf(t *testing.T, s string) time.Time {
	t.Helper()
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return day
}
