package demo

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"net/http"
	"strings"
	"testing"
)

func communityReading() reading {
	return reading{site: "community", list: communityLink, pages: 6, designs: []appearance{
		{mark: `<article[^>]*tribe_events`, date: "es:d MMMM, yyyy @ HH:mm", money: "1.234,56€"},
		{mark: `<tr[^>]*actividad`, date: "es:EEEE d 'de' MMMM", money: "1234,56 €"},
		{mark: `<li[^>]*wp-block-post`, date: "es:dd/MM/yyyy", money: "1.234,56 euros"},
	}}
}

// The API tells the same truth, page by page, until there is no next page.
func TestTheEventsCalendarAPI(t *testing.T) {
	w := New(Options{})
	truth := byID(truthOf(t, w, "community"))
	next, seen := "/wp-json/tribe/events/v1/events?page=1&per_page=7", 0
	for next != "" {
		var answer struct {
			Events []struct {
				ID           json.Number
				Title, URL   string
				UTCStartDate string `json:"utc_start_date"`
				Venue        struct{ Venue string }
			}
			Total int
			Next  string `json:"next_rest_url"`
		}
		must(t, json.Unmarshal(get(t, w, "community", next).Body.Bytes(), &answer))
		for _, e := range answer.Events {
			want := truth[e.ID.String()].Fields
			if html.UnescapeString(e.Title) != want["title"] || e.URL != want["url"] || e.Venue.Venue != want["venue_name"] {
				t.Errorf("the API says %+v, the truth is %v", e, want)
			}
			seen++
		}
		if answer.Total != len(truth) {
			t.Errorf("the API counts %d events, the truth has %d", answer.Total, len(truth))
		}
		next = strings.TrimPrefix(answer.Next, "http://community.test")
	}
	if seen != len(truth) {
		t.Errorf("the API gave %d of %d events", seen, len(truth))
	}
}

func TestCommunityFeedsAndErrors(t *testing.T) {
	w := New(Options{})
	var feed rss
	must(t, xml.Unmarshal(get(t, w, "community", "/feed/").Body.Bytes(), &feed))
	calendar := get(t, w, "community", "/eventos/?ical=1").Body.String()
	for name, got := range map[string]int{"RSS": len(feed.Items), "iCal": strings.Count(calendar, "BEGIN:VEVENT")} {
		t.Run(name, func(t *testing.T) {
			if want := len(truthOf(t, w, "community")); got != want {
				t.Errorf("%s has %d events, want %d", name, got, want)
			}
		})
	}
	if answer := get(t, w, "community",
		"/wp-json/tribe/events/v1/events?page=99"); answer.Code != http.StatusNotFound || !json.Valid(answer.Body.Bytes()) {
		t.Errorf("a page that is not there gives %d", answer.Code)
	}
	var root struct{ Namespaces []string }
	must(t, json.Unmarshal(get(t, w, "community", "/wp-json/").Body.Bytes(), &root))
	if len(root.Namespaces) < 3 {
		t.Errorf("the root names %v", root.Namespaces)
	}
}
