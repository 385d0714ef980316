package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func ngoReading() reading {
	return reading{site: "ngo", list: onePage("/lokallag"), pages: 1, designs: []appearance{
		{mark: `<div[^>]*lag-kort`}, {mark: `<tr[^>]*Lag_row`}, {mark: `<li[^>]*lagpunkt`},
	}}
}

// The contact person is on the page and nowhere in the truth.
func TestNgoShowsPeopleThatTheTruthLeavesOut(t *testing.T) {
	w := New(Options{})
	for range 3 {
		for _, r := range truthOf(t, w, "ngo")[:5] {
			body := get(t, w, "ngo", strings.TrimPrefix(r.URL, "http://ngo.test")).Body.String()
			if !strings.Contains(body, "@elvevokterne.example") {
				t.Errorf("%s names no contact person", r.URL)
			}
			if known, _ := json.Marshal(r); strings.Contains(string(known), "@") {
				t.Errorf("the truth holds personal data: %s", known)
			}
		}
		must(t, w.Redesign("ngo"))
	}
}

func TestNgoSitemapHasEveryChapter(t *testing.T) {
	w := New(Options{})
	body := get(t, w, "ngo", "/sitemap.xml").Body.String()
	for _, r := range truthOf(t, w, "ngo") {
		if !strings.Contains(body, "<loc>"+r.URL+"</loc>") {
			t.Errorf("the sitemap lacks %s", r.URL)
		}
	}
}
