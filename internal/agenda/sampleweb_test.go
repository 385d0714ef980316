package agenda

import (
	"bytes"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"golang.org/x/net/html/charset"

	"curlew/internal/demo"
	"curlew/internal/dom"
)

// sheet is a page of the sample web that shows events without data for machines,
// or whose data are left aside here.
type sheet struct {
	site, path string
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

func TestSampleWeb(t *testing.T) {
	for _, s := range []sheet{
		{"council", "/clerk/meetings.htm", .9, .9}, {"conference", "/programme", .9, .9}, {"festival", "/programm", .9, .9},
		{"concerts", "/wydarzenia", .9, .9}, {"theatre", "/whats-on", .9, .9}, {"gallery", "/mostre", .9, .9}, {"community", "/", .9, .9},
	} {
		web := demo.New(demo.Options{})
		for design := range 3 {
			about, _ := web.Site(s.site)
			d := fetched(t, web, s.site, s.path)
			a, ok := Read(d, Options{Now: dateOf(t, about.Date), Lang: d.Lang()})
			truth, _ := web.Truth(s.site)
			days, titles := 0, 0
			for _, draft := range a.Drafts {
				day, title := false, false
				for _, r := range truth {
					start, _ := r.Fields["starts_at"].(string)
					if dayOf(start) == dayOf(field(draft, "starts_at")) {
						day = true
						title = title || r.Fields["title"] == field(draft, "title")
					}
				}
				if day {
					days++
				}
				if title {
					titles++
				} else if testing.Verbose() {
					t.Logf("   %s %q %v", field(draft, "starts_at"), field(draft, "title"), draft.Provenance["title"].Rule)
				}
			}
			t.Logf("%s%s design %d: %v %d drafts, %d days, %d titles of %d", s.site, s.path, design, ok, len(a.Drafts), days, titles, len(truth))
			if err := web.Redesign(s.site); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func dateOf(t *testing.T, s string) time.Time {
	t.Helper()
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return day
}
